"""Calendar arithmetic: days, weeks, months, seasons and years as half-open ranges of dates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from backend.understanding.statements import Precision

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First month of each season of three months, as people of the northern half of the earth count."""


@dataclass(frozen=True, slots=True)
class CalendarSpan:
    """Half-open range of days with the precision in which it was said."""

    first: date
    after: date
    precision: Precision


def day(value: date) -> CalendarSpan:
    """One day."""
    return CalendarSpan(value, value + timedelta(days=1), Precision.DAY)


def week(value: date) -> CalendarSpan:
    """The week of ``value``, from Monday."""
    monday = value - timedelta(days=value.weekday())
    return CalendarSpan(monday, monday + timedelta(days=7), Precision.WEEK)


def weekend(value: date) -> CalendarSpan:
    """Saturday and Sunday of the week of ``value``."""
    saturday = value - timedelta(days=value.weekday()) + timedelta(days=5)
    return CalendarSpan(saturday, saturday + timedelta(days=2), Precision.DAY)


def month(year: int, number: int) -> CalendarSpan:
    """A calendar month."""
    return CalendarSpan(
        date(year, number, 1), shift_months(date(year, number, 1), 1), Precision.MONTH
    )


def season(year: int, name: str) -> CalendarSpan:
    """A season by the year in which it begins (winter of 2025 runs into 2026)."""
    first = date(year, SEASONS[name], 1)
    return CalendarSpan(first, shift_months(first, 3), Precision.SEASON)


def year(number: int) -> CalendarSpan:
    """A calendar year."""
    return CalendarSpan(date(number, 1, 1), date(number + 1, 1, 1), Precision.YEAR)


def decade(first_year: int) -> CalendarSpan:
    """Ten years from ``first_year``."""
    return CalendarSpan(date(first_year, 1, 1), date(first_year + 10, 1, 1), Precision.DECADE)


def shift_months(value: date, months: int) -> date:
    """``value`` moved by calendar months, to the last day of the month where it is shorter."""
    index = value.year * 12 + value.month - 1 + months
    new_year, new_month = divmod(index, 12)
    new_month += 1
    following = date(new_year + (new_month == 12), new_month % 12 + 1, 1)
    last_day = (following - timedelta(days=1)).day
    return date(new_year, new_month, min(value.day, last_day))


def shift(value: date, unit: str, amount: int) -> CalendarSpan:
    """The day, week, month, year or decade that lies ``amount`` units from ``value``."""
    if unit == "day":
        return day(value + timedelta(days=amount))
    if unit == "week":
        return week(value + timedelta(weeks=amount))
    if unit == "month":
        moved = shift_months(value, amount)
        return month(moved.year, moved.month)
    if unit == "decade":
        return decade((value.year + 10 * amount) // 10 * 10)
    return year(value.year + amount)
