"""Reads plain English time expressions as intervals, relative to the day they were said."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from backend.understanding import calendar_spans as calendar
from backend.understanding.calendar_spans import CalendarSpan
from backend.understanding.clauses import Clause, Tense, own_words
from backend.understanding.statements import Change, Modality, Precision, TimeInterval

_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
}
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_COUNT = r"(?P<count>\d{1,3}|" + "|".join(_NUMBERS) + r")"
_UNIT = r"(?P<unit>day|week|month|year|decade)s?"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A time as it stands in a sentence: ``role`` is at, since, until, for or from."""

    start: int
    end: int
    span: CalendarSpan | None
    role: str
    duration: tuple[int, str] | None = None


_Reading = Callable[["re.Match[str]", date, int], "CalendarSpan | None"]


def _absolute_day(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    number = _month_number(match["month"])
    given = match.groupdict().get("year")
    years = [int(given)] if given else _years_near(today, direction)
    for candidate in years:
        try:
            value = date(candidate, number, int(match["day"]))
        except ValueError:
            return None
        if given or (value <= today if direction < 0 else value >= today):
            return calendar.day(value)
    return None


def _iso_day(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    try:
        return calendar.day(date(int(match["year"]), int(match["number"]), int(match["day"])))
    except ValueError:
        return None


def _month_of(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    number = _month_number(match["month"])
    given = match.groupdict().get("year")
    if given:
        return calendar.month(int(given), number)
    which = match.groupdict().get("which")
    if which == "this":
        return calendar.month(today.year, number)
    if which in ("last", "past"):
        return calendar.month(today.year - (number >= today.month), number)
    if which == "next" or direction > 0:
        return calendar.month(today.year + (number < today.month + (which == "next")), number)
    return calendar.month(today.year - (number > today.month), number)


def _season_of(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    name = match["season"]
    if match.groupdict().get("year"):
        return calendar.season(int(match["year"]), name)
    which = match["which"]
    choices = [calendar.season(today.year + step, name) for step in (-2, -1, 0, 1)]
    if which == "last":
        return [c for c in choices if c.after <= today][-1]
    if which == "next":
        return next(c for c in [*choices, calendar.season(today.year + 2, name)] if c.first > today)
    return next((c for c in choices if c.first <= today < c.after), choices[2])


def _year_of(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    return calendar.year(int(match["year"]))


def _decade_of(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    digits = match["decade"]
    return calendar.decade(int(digits) if len(digits) == 4 else 1900 + int(digits))


def _named_day(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    words = " ".join(match["named"].split())
    shift = {
        "yesterday": -1,
        "last night": -1,
        "the day before yesterday": -2,
        "tomorrow": 1,
        "the day after tomorrow": 2,
        "the other day": None,
    }.get(words, 0)
    return None if shift is None else calendar.day(today + timedelta(days=shift))


def _relative_unit(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    step = {"last": -1, "past": -1, "this": 0, "next": 1}[match["which"]]
    unit = match["thing"]
    if unit == "weekend":
        return _weekend(today, step)
    return calendar.shift(today, unit, step)


def _weekend(today: date, step: int) -> CalendarSpan:
    """The weekend just past, the coming one, or the one after that."""
    current = calendar.weekend(today)
    if step < 0:
        return current if current.after <= today else calendar.weekend(today - timedelta(days=7))
    if step > 0:
        return calendar.weekend(today + timedelta(days=7))
    return current


def _weekday(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    number = calendar.WEEKDAYS.index(match["weekday"])
    which = match["which"]
    if which == "next" or (which != "last" and direction > 0):
        ahead = (number - today.weekday() - 1) % 7 + 1
        return calendar.day(today + timedelta(days=ahead))
    back = (today.weekday() - number - 1) % 7 + 1
    return calendar.day(today - timedelta(days=back))


def _ago(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    return _shifted(today, match["unit"], -_number(match["count"]))


def _ahead(match: re.Match[str], today: date, direction: int) -> CalendarSpan | None:
    return _shifted(today, match["unit"], _number(match["count"]))


def _shifted(today: date, unit: str, amount: int) -> CalendarSpan | None:
    if not 1 < today.year + (amount * 10 if unit == "decade" else amount) < 9990:
        return None
    return calendar.shift(today, unit, amount)


_PREFIX = (
    r"(?:(?P<role>since|until|till|from|by|in|on|at|during|back in|around|as of)\s+)?(?:the\s+)?"
)
_READINGS: tuple[tuple[re.Pattern[str], _Reading], ...] = tuple(
    (re.compile(rf"(?<![\w-]){pattern}(?![\w-])"), reading)
    for pattern, reading in (
        (_PREFIX + r"(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)-(?P<day>\d\d)", _iso_day),
        (_PREFIX + rf"{_MONTH}\s+{_DAY}(?:\s*,?\s*{_YEAR})?", _absolute_day),
        (_PREFIX + rf"{_DAY}\s+(?:of\s+)?{_MONTH}(?:\s*,?\s*{_YEAR})?", _absolute_day),
        (_PREFIX + rf"{_MONTH}\s*,?\s*(?:of\s+)?{_YEAR}", _month_of),
        (
            r"(?:(?P<role>since|until|till)\s+)?(?P<which>last|past|this|next)\s+" + _MONTH,
            _month_of,
        ),
        (r"(?P<role>since|until|till|in|during|from|back in)\s+" + _MONTH, _month_of),
        (
            r"(?:(?P<role>since|until|till|in|during)\s+)?(?:the\s+)?(?P<which>last|this|next)\s+"
            + _SEASON,
            _season_of,
        ),
        (_PREFIX + rf"{_SEASON}\s+(?:of\s+)?{_YEAR}", _season_of),
        (
            r"(?:(?P<role>since)\s+)?(?P<named>the day before yesterday|yesterday|last night|"
            r"today|tonight|this morning|"
            r"this afternoon|this evening|the day after tomorrow|tomorrow)",
            _named_day,
        ),
        (
            r"(?:(?P<role>since|until|till)\s+)?(?:the\s+)?(?P<which>last|past|this|next)\s+(?P<thing>week|weekend|month|year|decade)",
            _relative_unit,
        ),
        (rf"(?:(?P<role>since|until|till|on)\s+)?(?P<which>last|next|this)\s+{_WEEKDAY}", _weekday),
        (rf"(?P<role>since|until|till|on)(?P<which>)\s+{_WEEKDAY}", _weekday),
        (
            rf"(?:(?P<role>since)\s+)?(?:about\s+|around\s+|over\s+)?{_COUNT}\s+{_UNIT}\s+(?:ago|back)",
            _ago,
        ),
        (rf"in\s+(?:about\s+)?(?P<role>){_COUNT}\s+{_UNIT}(?:\s+time)?", _ahead),
        (
            r"(?:(?P<role>since|in|during|from|back in)\s+)(?:the\s+)?(?:early\s+|late\s+|"
            r"mid\s+)?'?(?P<decade>(?:19|20)\d0|[3-9]0)'?s",
            _decade_of,
        ),
        (rf"(?P<role>since|until|till|in|from|by|during|back in|around|of)\s+{_YEAR}", _year_of),
    )
)
_DURATION = re.compile(
    rf"(?<!\w)(?:for\s+(?:about\s+|almost\s+|over\s+|around\s+|nearly\s+|the\s+(?:past|last)\s+)?{_COUNT}\s+{_UNIT}(?:\s+now)?|"
    rf"(?P<count2>\d{{1,2}}|"
    + "|".join(_NUMBERS)
    + r")\s+(?P<unit2>week|month|year)s?\s+now)(?!\w)"
)


def find_expressions(text: str, today: date, *, ahead: bool) -> list[TimeExpression]:
    """All time expressions of ``text``, left to right; bare months lie ``ahead`` or back."""
    lowered = text.lower()
    direction = 1 if ahead else -1
    found: list[TimeExpression] = []
    taken: list[tuple[int, int]] = []
    for match in _DURATION.finditer(lowered):
        count = match["count"] or match["count2"]
        unit = match["unit"] or match["unit2"]
        found.append(
            TimeExpression(match.start(), match.end(), None, "for", (_number(count), unit))
        )
        taken.append(match.span())
    for pattern, reading in _READINGS:
        for match in pattern.finditer(lowered):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            try:
                span = reading(match, today, direction)
            except (ValueError, OverflowError):
                continue
            if span is None:
                continue
            role = match.groupdict().get("role") or "at"
            role = {"till": "until", "by": "until"}.get(role, role)
            found.append(
                TimeExpression(
                    match.start(), match.end(), span, role if role in ("since", "until") else "at"
                )
            )
            taken.append(match.span())
    return sorted(found, key=lambda expression: expression.start)


class TimeReader:
    """Finds when a clause holds, relative to ``said_at`` in its own zone."""

    def __init__(self, said_at: datetime) -> None:
        self.today = said_at.date()
        self._cache: dict[tuple[str, bool], list[TimeExpression]] = {}

    def interval_for(self, clause: Clause, change: Change) -> TimeInterval | None:
        """The interval in which the clause's fact holds, by its own time words, or None."""
        for expression in self._owned(clause):
            interval = self._interval(expression, clause, change)
            if interval is not None:
                return interval
        return None

    def expressions(self, text: str, *, ahead: bool = False) -> list[TimeExpression]:
        """All expressions of a sentence, read once."""
        key = (text, ahead)
        if key not in self._cache:
            self._cache[key] = find_expressions(text, self.today, ahead=ahead)
        return self._cache[key]

    def _owned(self, clause: Clause) -> list[TimeExpression]:
        ahead = clause.tense is Tense.FUTURE or clause.modality in (
            Modality.PLANNED,
            Modality.WISHED,
        )
        expressions = self.expressions(clause.sentence.doc.text, ahead=ahead)
        if not expressions:
            return []
        words = {t.i for t in own_words(clause.head)}
        governor = clause.head
        while governor.dep_ == "xcomp":
            governor = governor.head
            words |= {t.i for t in own_words(governor)}
        return [
            e
            for e in expressions
            if any(
                t.i in words and e.start <= t.idx < e.end and not t.is_punct
                for t in clause.sentence.tokens
            )
        ]

    def _interval(
        self, expression: TimeExpression, clause: Clause, change: Change
    ) -> TimeInterval | None:
        if expression.duration is not None:
            count, unit = expression.duration
            if clause.tense is not Tense.PERFECT and " now" not in clause.sentence.doc.text.lower():
                return None
            started = _shifted(self.today, unit, -count)
            return (
                None
                if started is None
                else TimeInterval(started.first.isoformat(), None, started.precision)
            )
        span = expression.span
        if span is None:
            return None
        first, after = span.first.isoformat(), span.after.isoformat()
        if expression.role == "since" or change is Change.STARTS:
            return TimeInterval(first, None, span.precision)
        if expression.role == "until" or change is Change.ENDS:
            return TimeInterval(None, first, span.precision)
        return TimeInterval(first, after, span.precision)


def open_interval(span: CalendarSpan) -> TimeInterval:
    """From the start of ``span`` on."""
    return TimeInterval(span.first.isoformat(), None, span.precision)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _month_number(word: str) -> int:
    return next(i for i, name in enumerate(calendar.MONTHS, 1) if name.startswith(word[:3]))


def _years_near(today: date, direction: int) -> list[int]:
    return [today.year, today.year + direction]


__all__ = ["Precision", "TimeExpression", "TimeReader", "find_expressions", "open_interval"]
