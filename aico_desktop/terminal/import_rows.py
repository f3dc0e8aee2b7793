"""Reads an import file row by row: checks each row, and says what is wrong with bad ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO, Literal, get_args

from aico_desktop.contract.messages import IngestRow, RowProblem

LONGEST_LINE_BYTES = 2 * 1024 * 1024
"""A request to the backend holds at most 8 MB, and escapes make text longer on the wire."""

LONGEST_TEXT = 250_000
"""Characters of one message: more than anybody says at once, less than a parse can choke on."""

Role = Literal["user", "assistant", "other"]
ROLES: tuple[str, ...] = get_args(Role)
REQUIRED = ("conversation", "role", "speaker", "time", "text")

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class WrongFile(Exception):
    """The file as a whole is not a JSON Lines file; the message is for the person."""


class BadRow(Exception):
    """One row cannot be used; the message says why, for the report."""


class RowReader:
    """Iterates over the good rows of a file; collects the problems of the others.

    Blank lines are no problem. ``notes`` tells of rows that were kept but not as they stood.

    Params: ``file`` opened for reading bytes, ``run`` a name for this import: rows without an id
    get one from it, so that a row that is sent twice after a lost connection is stored once.
    """

    def __init__(self, file: BinaryIO, run: str) -> None:
        self._file = file
        self._run = run
        self._line_of_id: dict[str, int] = {}
        self.problems: list[RowProblem] = []
        self.notes: list[RowProblem] = []

    def __iter__(self) -> Iterator[IngestRow]:
        """Yield good rows in order. Raises :class:`WrongFile` for a file in another encoding."""
        for number, line in self._lines():
            if line is None:
                reason = f"the line is longer than {LONGEST_LINE_BYTES // (1024 * 1024)} MB"
                self.problems.append(RowProblem(line=number, reason=reason))
                continue
            if not line.strip():
                continue
            try:
                yield self._row(number, line)
            except BadRow as problem:
                self.problems.append(RowProblem(line=number, reason=str(problem)))

    def _lines(self) -> Iterator[tuple[int, bytes | None]]:
        """Yield numbered lines; None for one too long to be held, which is read past in pieces."""
        number = 0
        while line := self._file.readline(LONGEST_LINE_BYTES + 1):
            number += 1
            if number == 1:
                if line.startswith(_UTF_16_MARKS):
                    raise WrongFile("The file is in UTF-16. Save it as UTF-8 and try again.")
                line = line.removeprefix(_BYTE_ORDER_MARK)
            if len(line) > LONGEST_LINE_BYTES and not line.endswith(b"\n"):
                while (rest := self._file.readline(LONGEST_LINE_BYTES)) and rest[-1:] != b"\n":
                    pass
                yield number, None
            else:
                yield number, line

    def _row(self, number: int, line: bytes) -> IngestRow:
        fields = _parsed(line)
        missing = [name for name in REQUIRED if name not in fields]
        if missing:
            raise BadRow(f"missing: {', '.join(missing)}")
        replaced = 0
        for name, value in fields.items():
            if isinstance(value, str):
                fields[name], count = _UNSTORABLE.subn("\ufffd", value)
                replaced += count
        row = IngestRow(
            line=number,
            conversation=_words(fields, "conversation"),
            role=_role(fields["role"]),
            speaker=_words(fields, "speaker"),
            time=_time(fields["time"]),
            text=_text(fields),
            id=self._identity(number, fields.get("id")),
            image_caption=_caption(fields),
        )
        if replaced:
            # Told, as the promise is that words are kept exactly.
            reason = f"{replaced} unreadable characters became \ufffd"
            self.notes.append(RowProblem(line=number, reason=reason))
        return row

    def _identity(self, number: int, value: Any) -> str:
        if value is None:
            return f"{self._run}:{number}"
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or not value.strip():
            raise BadRow("the id is neither text nor a whole number")
        first = self._line_of_id.setdefault(value, number)
        if first != number:
            raise BadRow(f"the id {_shown(value)} already stands in line {first}")
        return value


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadRow("the line is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise BadRow(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except (ValueError, RecursionError):
        raise BadRow("not JSON that can be read") from None
    if not isinstance(value, dict):
        raise BadRow("not a JSON object")
    return value


def _words(fields: dict[str, Any], name: str) -> str:
    value = fields[name]
    if not isinstance(value, str) or not value.strip():
        raise BadRow(f"{name} is not text, or empty")
    return value


def _role(value: Any) -> Role:
    match value:
        case "user" | "assistant" | "other":
            return value  # type: ignore[no-any-return]  # the pattern has just checked it
        case _:
            raise BadRow(f"the role {_shown(value)} is none of {', '.join(ROLES)}")


def _time(value: Any) -> str:
    """The time as it stands: without an offset it means the person's zone, which the home knows."""
    if not isinstance(value, str):
        raise BadRow("the time is not text")
    text = value.strip()
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadRow(f"the time {_shown(value)} is not ISO 8601") from None
    return text


def _text(fields: dict[str, Any]) -> str:
    value = fields["text"]
    if not isinstance(value, str):
        raise BadRow("text is not text")
    if not value.strip() and not _caption(fields):
        raise BadRow("text is empty")
    if len(value) > LONGEST_TEXT:
        raise BadRow(f"text has {len(value)} characters; at most {LONGEST_TEXT} fit")
    return value


def _caption(fields: dict[str, Any]) -> str | None:
    value = fields.get("image_caption")
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise BadRow("image_caption is not text, or too long")
    return value


def _shown(value: Any) -> str:
    """A value in a report: short, and without characters that a terminal would obey."""
    shown = ascii(value)
    return shown if len(shown) <= 40 else shown[:37] + "…"
