"""Thinking is told apart from the answer wherever the stream is cut."""

from __future__ import annotations

import pytest

from backend.inference.thinking import ThinkingSplitter


def _split(parts: list[str]) -> tuple[str, str]:
    splitter = ThinkingSplitter()
    pieces = [piece for part in parts for piece in splitter.split(part)] + splitter.rest()
    return "".join(p.thinking for p in pieces), "".join(p.text for p in pieces)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 100])
def test_that_thinking_and_answer_are_the_same_however_the_stream_is_cut(size: int) -> None:
    whole = "\n<think>They <b>said</b> hi.</think>\n\nHi! A < b, and <think> is a tag."
    parts = [whole[i : i + size] for i in range(0, len(whole), size)]
    assert _split(parts) == ("They <b>said</b> hi.", "Hi! A < b, and <think> is a tag.")


def test_that_an_answer_without_thinking_is_passed_on_unchanged() -> None:
    assert _split(["  <th", "e> answer"]) == ("", "  <the> answer")
    assert _split(["<thi"]) == ("", "<thi")


def test_that_thinking_which_never_ends_is_not_shown_as_an_answer() -> None:
    assert _split(["<think>on and on</thi"]) == ("on and on</thi", "")
