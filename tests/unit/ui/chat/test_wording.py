"""What the chat says, word for word where people depend on it."""

from __future__ import annotations

from datetime import date

import pytest

from aico_desktop.contract.messages import MemoryBatchView, MemoryItem
from ui.chat.turn import Turn
from ui.chat.wording import age_group, chip_title, day_words, size_in_words, state_words


def turn(state: str, **detail: str | int | float) -> Turn:
    return Turn("t-1", "m-1", state, 0.0, detail)


def said(state: str, now: float = 0.2, **detail: str | int | float) -> str:
    words = state_words(turn(state, **detail), now)
    return words.text if words else ""


@pytest.mark.parametrize(
    ("state", "now", "detail", "text"),
    [
        ("waiting", 0.2, {"ahead": 1}, "Waiting for the model (1 job ahead)"),
        ("waiting", 0.2, {"ahead": 3}, "Waiting for the model (3 jobs ahead)"),
        ("waiting", 0.2, {}, "Waiting for the model"),
        ("loading", 0.2, {"model": "llama3.2"}, "Loading llama3.2…"),
        ("understanding", 0.2, {}, "Understanding…"),
        ("understanding", 3.4, {"facts": 1}, "Looking at 1 thing I know… 3 s"),
        ("thinking", 6.0, {}, "Thinking… 6 s"),
        ("storing", 31.0, {}, "Memory will be finished in the background"),
        ("done", 0.2, {}, ""),
        ("nothing", 0.2, {}, ""),
    ],
)
def test_that_a_state_says_only_what_is_known(
    state: str, now: float, detail: dict[str, str | int | float], text: str
) -> None:
    assert said(state, now, **detail) == text


def test_that_a_silent_model_can_be_stopped_after_twenty_seconds() -> None:
    silent = turn("responding")
    silent.last_text = 1.0
    words = state_words(silent, 21.5)
    assert words is not None
    assert words.text == "The model has stopped sending."
    assert [verb for verb, _ in words.actions] == ["stop"]


def test_that_a_slow_reading_offers_a_smaller_model_after_ten_seconds() -> None:
    early, late = (state_words(turn("understanding"), now) for now in (9.0, 10.5))
    assert early is not None
    assert late is not None
    assert early.actions == ()
    assert [verb for verb, _ in late.actions] == ["stop", "stop_and_use_built_in"]


def item(op: str) -> MemoryItem:
    return MemoryItem(op=op, id=op, text=op)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ops", "undone", "title"),
    [
        (["added"], False, "Remembered 1 thing"),
        (["added", "changed", "ended"], False, "Remembered 3 things"),
        (["added", "question"], False, "Remembered 1 thing · 1 question"),
        (["confirmed", "confirmed"], False, "Already knew 2 things"),
        (["added", "confirmed"], False, "Remembered 1 thing"),
        (["added", "changed"], True, "Taken back: 2 things"),
        ([], True, "Taken back"),
        ([], False, ""),
    ],
)
def test_that_the_chip_counts_what_it_changed(ops: list[str], undone: bool, title: str) -> None:
    batch = MemoryBatchView(
        batch_id="b", message_id="m", items=tuple(map(item, ops)), undone=undone
    )
    assert chip_title(batch) == title


@pytest.mark.parametrize(
    ("day", "words", "group"),
    [
        (date(2026, 11, 30), "Today", "Today"),
        (date(2026, 11, 29), "Yesterday", "Yesterday"),
        (date(2026, 11, 26), "Thursday", "This week"),
        (date(2026, 11, 3), "3 November", "This month"),
        (date(2025, 3, 1), "1 March 2025", "March 2025"),
    ],
)
def test_that_days_are_said_as_people_say_them(day: date, words: str, group: str) -> None:
    today = date(2026, 11, 30)
    assert (day_words(day, today), age_group(day, today)) == (words, group)


@pytest.mark.parametrize(
    ("size", "words"),
    [(12, "12 bytes"), (62_000, "62 KB"), (1_240_000, "1.2 MB"), (2_000_000_000, "2.0 GB")],
)
def test_that_sizes_are_said_in_the_unit_that_fits(size: int, words: str) -> None:
    assert size_in_words(size) == words
