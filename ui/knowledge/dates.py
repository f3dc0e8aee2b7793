"""Dates of facts in words, and dates that a person typed as ISO 8601 text."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_SEASONS = {12: "winter", 3: "spring", 6: "summer", 9: "autumn"}
_YEAR = re.compile(r"(\d{4})")
_YEAR_MONTH = re.compile(r"(\d{4})-(\d{1,2})")
_YEAR_MONTH_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DOTTED = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})")
_SLASHED = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}")
_MONTH_YEAR = re.compile(r"([^\W\d]{3,})\.?,?\s+(\d{4})")
_MONTH_DAY_YEAR = re.compile(r"([^\W\d]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
_DAY_MONTH_YEAR = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?([^\W\d]{3,})\.?,?\s+(\d{4})"
)


class DateProblem(ValueError):
    """Typed words are not a date; the message says it to the person."""


def day_of(moment: str) -> date | None:
    """The calendar day of an ISO 8601 date or date-time, or None if it is not one.

    A year or a month alone stands for its first day.
    """
    text = moment.strip()
    for length, suffix in ((4, "-01-01"), (7, "-01")):
        if len(text) == length:
            text += suffix
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        return None


def date_in_words(moment: str, precision: str | None) -> str:
    """``moment`` as it is said, no more exactly than ``precision`` (DESIGN §4, Time)."""
    day = day_of(moment)
    if day is None:
        return moment
    if precision is None:
        precision = {4: "year", 7: "month"}.get(len(moment.strip()), "day")
    month_year = f"{_MONTHS[day.month - 1]} {day.year}"
    match precision:
        case "week":
            return f"the week of {day.day} {month_year}"
        case "month":
            return month_year
        case "season":
            start = (day.month // 3 * 3) or 12
            return f"{_SEASONS[start]} {day.year}"
        case "year":
            return str(day.year)
        case "decade":
            return f"the {day.year // 10 * 10}s"
        case "vague":
            return f"about {day.year}"
        case _:
            return f"{day.day} {month_year}"


def moment_in_words(moment: str) -> str:
    """Day and time of an ISO 8601 date-time, in the zone in which it was recorded."""
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    words = date_in_words(moment, "day")
    return f"{words}, {parsed:%H:%M}" if "T" in moment or " " in moment else words


def interval_in_words(
    valid_from: str | None, valid_until: str | None, precision: str | None, today: date
) -> str:
    """When a fact holds, in words; empty if nothing is known.

    The interval is half-open: one whole day, month or year is said as that alone.
    """
    start = day_of(valid_from) if valid_from else None
    if valid_from and valid_until:
        first = date_in_words(valid_from, precision)
        end = day_of(valid_until)
        if start is not None and end is not None and _is_one_period(start, end, precision):
            return first
        return f"{first} to {date_in_words(valid_until, precision)}"
    if valid_from:
        opening = "from" if start is not None and start > today else "since"
        return f"{opening} {date_in_words(valid_from, precision)}"
    if valid_until:
        return f"until {date_in_words(valid_until, precision)}"
    return ""


def _is_one_period(start: date, end: date, precision: str | None) -> bool:
    """Whether the half-open interval is exactly one unit of its precision."""
    last_day = end - timedelta(days=1)
    match precision:
        case "year" | "vague":
            return start.year == last_day.year
        case "month":
            return (start.year, start.month) == (last_day.year, last_day.month)
        case "decade":
            return start.year // 10 == last_day.year // 10
        case "week":
            return (last_day - start).days < 7
        case "season":
            return (last_day - start).days < 93
        case _:
            return start >= last_day


def is_past(valid_until: str | None, today: date) -> bool:
    """Whether a fact with this end no longer holds today."""
    end = day_of(valid_until) if valid_until else None
    return end is not None and end <= today


def is_one_day(valid_from: str | None, valid_until: str | None) -> bool:
    """Whether a half-open interval is a single day, as that of something that happened."""
    start, end = day_of(valid_from or ""), day_of(valid_until or "")
    return start is not None and end is not None and end - start <= timedelta(days=1)


def parse_typed_date(text: str) -> str:
    """ISO 8601 text of a date as people type it: ``2021``, ``March 2021``, ``5 May 2021``, ISO.

    As exact as what was typed; empty text stays empty. Dots go from day to year everywhere where
    they are used; with slashes day and month cannot be told apart, so the person is asked.

    Raises:
        DateProblem: the text is none of these.
    """
    # Digits of other scripts and widths mean the same number, and are stored as plain ones.
    typed = "".join(str(unicodedata.digit(sign, sign)) for sign in text.strip())
    if not typed:
        return ""
    if match := _YEAR.fullmatch(typed):
        return _month_text(int(match[1]), 1)[:4]
    if match := _YEAR_MONTH.fullmatch(typed):
        return _month_text(int(match[1]), int(match[2]))
    if match := _YEAR_MONTH_DAY.fullmatch(typed):
        return _day_text(int(match[1]), int(match[2]), int(match[3]))
    if match := _DOTTED.fullmatch(typed):
        return _day_text(int(match[3]), int(match[2]), int(match[1]))
    if match := _MONTH_YEAR.fullmatch(typed):
        return _month_text(int(match[2]), _month_number(match[1]))
    if match := _MONTH_DAY_YEAR.fullmatch(typed):
        return _day_text(int(match[3]), _month_number(match[1]), int(match[2]))
    if match := _DAY_MONTH_YEAR.fullmatch(typed):
        return _day_text(int(match[3]), _month_number(match[2]), int(match[1]))
    if _SLASHED.fullmatch(typed):
        raise DateProblem(
            f"In “{typed}” I cannot tell the day from the month. Write for example 5 March 2021."
        )
    raise DateProblem(
        f"“{typed}” is not a date I can read. Write 2021, March 2021 or 5 March 2021."
    )


def _month_number(name: str) -> int:
    for number, month in enumerate(_MONTHS, start=1):
        if month.casefold().startswith(name.casefold()):
            return number
    raise DateProblem(f"I do not know a month “{name}”. Write for example March 2021.")


def _month_text(year: int, month: int) -> str:
    if year < 1:
        raise DateProblem(f"There is no year {year}. Write for example 2021 or March 2021.")
    if not 1 <= month <= 12:
        raise DateProblem(f"There is no month {month}. Months go from 1 to 12.")
    return f"{year:04d}-{month:02d}"


def _day_text(year: int, month: int, day: int) -> str:
    _month_text(year, month)
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        raise DateProblem(f"{_MONTHS[month - 1]} {year} has no day {day}.") from None
