"""What a statement's time says about the fact: since when, until when, how exactly."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from backend.understanding.statements import Change, Precision, TimeInterval

_UNIT_DAYS = {
    "exact": 1,
    "day": 1,
    "week": 7,
    "month": 31,
    "season": 93,
    "year": 366,
    "decade": 3653,
}

_EXACTNESS = {
    precision: rank
    for rank, precision in enumerate(
        ("vague", "decade", "year", "season", "month", "week", "day", "exact")
    )
}


@dataclass(frozen=True, slots=True)
class Validity:
    """A half-open interval of dates; None is an open end, ``precision`` None without any date."""

    start: str | None = None
    end: str | None = None
    precision: str | None = None


def validity_of(change: Change, valid: TimeInterval | None, said_on: str) -> Validity:
    """When the stated thing holds; ``said_on`` is the date of the message.

    "I left Acme in May" gives the month of leaving, so its beginning is the end of the fact; "I
    moved to Leipzig in May" the month of moving in. A beginning or an end without a date is only
    known to lie before the day on which it was told.
    """
    if change is Change.ENDS:
        if valid is None:
            return Validity(None, said_on, Precision.VAGUE)
        if valid.start is not None and (valid.end is None or _is_one_unit(valid)):
            return Validity(None, valid.start, valid.precision)
        return Validity(valid.start, valid.end or said_on, valid.precision)
    if change is Change.STARTS:
        if valid is None or valid.start is None:
            return Validity(said_on, None, Precision.VAGUE)
        end = None if _is_one_unit(valid) else valid.end
        return Validity(valid.start, end, valid.precision)
    if valid is None:
        return Validity()
    return Validity(valid.start, valid.end, valid.precision)


def is_more_exact(new: str | None, old: str | None) -> bool:
    """Whether a precision says more than another one; no date at all says least."""
    return _EXACTNESS.get(new or "", -1) > _EXACTNESS.get(old or "", -1)


def is_before(first: str | None, second: str | None) -> bool:
    """Whether a date lies before another one; unknown dates lie nowhere."""
    return first is not None and second is not None and _day(first) < _day(second)


def has_passed(end: str | None, today: str) -> bool:
    """Whether an end has come by the date ``today``."""
    return end is not None and _day(end) <= _day(today)


def are_disjoint(first: Validity, second: Validity) -> bool:
    """Whether two intervals have no moment in common, as far as their ends are known."""
    return _ends_before(first, second) or _ends_before(second, first)


def _ends_before(first: Validity, second: Validity) -> bool:
    if first.end is None or second.start is None:
        return False
    return _day(first.end) <= _day(second.start)


def _is_one_unit(valid: TimeInterval) -> bool:
    if valid.start is None or valid.end is None:
        return False
    length = date.fromisoformat(_day(valid.end)) - date.fromisoformat(_day(valid.start))
    return length.days <= _UNIT_DAYS.get(valid.precision, 0)


def _day(moment: str) -> str:
    return moment[:10]


def complete_date(typed: str) -> tuple[str, Precision]:
    """A day, month or year ("2026-05") as its first day, with how exact it is.

    Raises ValueError for anything else.
    """
    parts = typed.strip().split("-")
    precision = (Precision.YEAR, Precision.MONTH, Precision.DAY)[min(len(parts), 3) - 1]
    whole = "-".join([*parts, "01", "01"][: max(3, len(parts))])
    return date.fromisoformat(whole[:10]).isoformat(), precision
