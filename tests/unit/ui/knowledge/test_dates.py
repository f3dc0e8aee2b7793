"""Dates of facts in words, and what people type as a date."""

from __future__ import annotations

from datetime import date

import pytest

from ui.knowledge.dates import (
    DateProblem,
    date_in_words,
    interval_in_words,
    is_past,
    moment_in_words,
    parse_typed_date,
)

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("moment", "precision", "words"),
    [
        ("2026-02-01", "month", "February 2026"),
        ("2026-02-01", "day", "1 February 2026"),
        ("2026-02-01", "exact", "1 February 2026"),
        ("2026-02-01", None, "1 February 2026"),
        ("2026", None, "2026"),
        ("2026-02", None, "February 2026"),
        ("2026-02-02", "week", "the week of 2 February 2026"),
        ("2026-06-01", "season", "summer 2026"),
        ("2026-02-01", "season", "winter 2026"),
        ("2021-01-01", "year", "2021"),
        ("2010-01-01", "decade", "the 2010s"),
        ("2021-07-01", "vague", "about 2021"),
        ("2026-02-01T08:30:00+01:00", "day", "1 February 2026"),
        ("long ago", "day", "long ago"),
    ],
)
def test_that_a_date_is_said_no_more_exactly_than_it_is_known(
    moment: str, precision: str | None, words: str
) -> None:
    assert date_in_words(moment, precision) == words


@pytest.mark.parametrize(
    ("start", "end", "precision", "words"),
    [
        (None, None, None, ""),
        ("2026-02-01", None, "month", "since February 2026"),
        ("2027-02-01", None, "month", "from February 2027"),
        (None, "2023-05-01", "month", "until May 2023"),
        ("2019-01-01", "2026-02-01", "month", "January 2019 to February 2026"),
        ("2027-06-01", "2027-07-01", "month", "June 2027"),
        ("2021-01-01", "2022-01-01", "year", "2021"),
        ("2026-05-12", "2026-05-13", "day", "12 May 2026"),
        ("2026-06-01", "2026-09-01", "season", "summer 2026"),
    ],
)
def test_that_a_half_open_interval_reads_as_people_say_it(
    start: str | None, end: str | None, precision: str | None, words: str
) -> None:
    assert interval_in_words(start, end, precision, TODAY) == words


def test_that_a_fact_is_past_from_the_day_of_its_end_on() -> None:
    assert is_past("2026-11-30", TODAY)
    assert not is_past("2026-12-01", TODAY)
    assert not is_past(None, TODAY)


def test_that_a_moment_keeps_the_zone_in_which_it_was_said() -> None:
    assert moment_in_words("2026-03-02T18:21:05+01:00") == "2 March 2026, 18:21"
    assert moment_in_words("2026-03-02") == "2 March 2026"


@pytest.mark.parametrize(
    ("typed", "iso"),
    [
        ("", ""),
        ("  2021 ", "2021"),
        ("2021-3", "2021-03"),
        ("2021-03-05", "2021-03-05"),
        ("March 2021", "2021-03"),
        ("mar 2021", "2021-03"),
        ("5 March 2021", "2021-03-05"),
        ("5. Sept. 2021", "2021-09-05"),
        ("March 5, 2021", "2021-03-05"),
        ("5th of May 2021", "2021-05-05"),
        ("05.03.2021", "2021-03-05"),
        ("March, 2021", "2021-03"),
        ("\N{FULLWIDTH DIGIT TWO}021", "2021"),
    ],
)
def test_that_a_typed_date_becomes_iso_text_as_exact_as_it_was_typed(typed: str, iso: str) -> None:
    assert parse_typed_date(typed) == iso


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("soon", "“soon” is not a date"),
        ("2021-13", "There is no month 13"),
        ("30 February 2021", "February 2021 has no day 30"),
        ("Smarch 2021", "do not know a month “Smarch”"),
        ("0000-05", "There is no year 0"),
        ("0000", "There is no year 0"),
        ("3/5/2021", "cannot tell the day from the month"),
    ],
)
def test_that_a_wrong_date_is_refused_in_words(typed: str, why: str) -> None:
    with pytest.raises(DateProblem, match=why):
        parse_typed_date(typed)
