"""Time words become intervals relative to when they were said (Monday, 30 November 2026)."""

from __future__ import annotations

from datetime import date

import pytest

from backend.understanding.pipeline import Understander
from backend.understanding.statements import DialogueContext, TimeInterval
from backend.understanding.time_expressions import find_expressions

TODAY = date(2026, 11, 30)
BACK = [
    ("yesterday", "2026-11-29", "2026-11-30", "day"),
    ("today", "2026-11-30", "2026-12-01", "day"),
    ("last night", "2026-11-29", "2026-11-30", "day"),
    ("the day before yesterday", "2026-11-28", "2026-11-29", "day"),
    ("last week", "2026-11-23", "2026-11-30", "week"),
    ("this week", "2026-11-30", "2026-12-07", "week"),
    ("last month", "2026-10-01", "2026-11-01", "month"),
    ("last year", "2025-01-01", "2026-01-01", "year"),
    ("last weekend", "2026-11-28", "2026-11-30", "day"),
    ("last Friday", "2026-11-27", "2026-11-28", "day"),
    ("on Friday", "2026-11-27", "2026-11-28", "day"),
    ("last spring", "2026-03-01", "2026-06-01", "season"),
    ("last winter", "2025-12-01", "2026-03-01", "season"),
    ("in May", "2026-05-01", "2026-06-01", "month"),
    ("in December", "2025-12-01", "2026-01-01", "month"),
    ("last May", "2026-05-01", "2026-06-01", "month"),
    ("in 2019", "2019-01-01", "2020-01-01", "year"),
    ("in May 2024", "2024-05-01", "2024-06-01", "month"),
    ("on May 12", "2026-05-12", "2026-05-13", "day"),
    ("on 12 May 2020", "2020-05-12", "2020-05-13", "day"),
    ("on March 4th, 1990", "1990-03-04", "1990-03-05", "day"),
    ("on 2024-02-29", "2024-02-29", "2024-03-01", "day"),
    ("two years ago", "2024-01-01", "2025-01-01", "year"),
    ("three weeks ago", "2026-11-09", "2026-11-16", "week"),
    ("a month ago", "2026-10-01", "2026-11-01", "month"),
    ("10 days ago", "2026-11-20", "2026-11-21", "day"),
    ("in the 90s", "1990-01-01", "2000-01-01", "decade"),
    ("in the summer of 2018", "2018-06-01", "2018-09-01", "season"),
]
AHEAD = [
    ("tomorrow", "2026-12-01", "2026-12-02", "day"),
    ("next month", "2026-12-01", "2027-01-01", "month"),
    ("next year", "2027-01-01", "2028-01-01", "year"),
    ("in May", "2027-05-01", "2027-06-01", "month"),
    ("on Friday", "2026-12-04", "2026-12-05", "day"),
    ("in two weeks", "2026-12-14", "2026-12-21", "week"),
    ("in three months", "2027-02-01", "2027-03-01", "month"),
    ("next summer", "2027-06-01", "2027-09-01", "season"),
]
NOTHING = [
    "I may go",
    "march on",
    "a second ago he fell",
    "fall apart",
    "room 2019",
    "on February 30",
]


def _only(text: str, *, ahead: bool) -> tuple[str, str, str]:
    (expression,) = find_expressions(f"It was {text}.", TODAY, ahead=ahead)
    span = expression.span
    assert span is not None
    return span.first.isoformat(), span.after.isoformat(), span.precision.value


@pytest.mark.parametrize(("text", "first", "after", "precision"), BACK)
def test_that_past_times_are_read(text: str, first: str, after: str, precision: str) -> None:
    assert _only(text, ahead=False) == (first, after, precision)


@pytest.mark.parametrize(("text", "first", "after", "precision"), AHEAD)
def test_that_times_ahead_are_read(text: str, first: str, after: str, precision: str) -> None:
    assert _only(text, ahead=True) == (first, after, precision)


@pytest.mark.parametrize("text", NOTHING)
def test_that_words_that_only_look_like_times_are_left_alone(text: str) -> None:
    assert find_expressions(text, TODAY, ahead=False) == []


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        ("I've lived in Graz since 2019.", "2019-01-01", None, "year"),
        ("I've lived in Graz for three years.", "2023-01-01", None, "year"),
        ("I moved to Graz last spring.", "2026-03-01", None, "season"),
        ("I lived in Graz in 2015.", "2015-01-01", "2016-01-01", "year"),
        ("I quit my job at Acme in May.", None, "2026-05-01", "month"),
        ("I started surfing five years ago.", "2021-01-01", None, "year"),
        ("I visited Japan in 2019.", "2019-01-01", "2020-01-01", "year"),
        ("I stopped smoking in 2020.", None, "2020-01-01", "year"),
    ],
)
def test_that_the_interval_of_a_fact_follows_what_happens_to_it(
    understander: Understander,
    context: DialogueContext,
    text: str,
    start: str | None,
    end: str | None,
    precision: str,
) -> None:
    statement = understander.understand(text, context).statements[-1]

    assert isinstance(statement.valid, TimeInterval)
    assert (statement.valid.start, statement.valid.end) == (start, end)
    assert statement.valid.precision.value == precision


def test_that_a_goal_carries_its_date_and_no_interval(
    understander: Understander, context: DialogueContext
) -> None:
    (goal,) = understander.understand("I'm moving to Berlin next month.", context).statements

    assert goal.valid is None
    assert ("target_date", "2026-12-01") in goal.qualifiers
    assert ("status", "pending") in goal.qualifiers
