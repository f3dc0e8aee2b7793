"""Rows of an import file: good ones are kept, bad ones are named by line number."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from aico_desktop.contract.messages import IngestRow
from aico_desktop.terminal import import_rows
from aico_desktop.terminal.import_rows import RowReader, WrongFile


def row(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "conversation": "tea",
        "role": "user",
        "speaker": "Mirabel",
        "time": "2025-03-01T10:00:00+01:00",
        "text": "My sister is called Oda.",
    }
    return {**fields, **changes}


def read(*lines: dict[str, Any] | str | bytes) -> tuple[list[IngestRow], RowReader]:
    encoded = [
        line
        if isinstance(line, bytes)
        else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    reader = RowReader(io.BytesIO(b"\n".join(encoded) + b"\n"), run="run")
    return list(reader), reader


def reasons(reader: RowReader) -> dict[int, str]:
    return {problem.line: problem.reason for problem in reader.problems}


def test_that_a_good_row_keeps_every_field() -> None:
    rows, reader = read(row(id="m1", image_caption="a cat on a fence"))
    assert rows == [
        IngestRow(
            line=1,
            conversation="tea",
            role="user",
            speaker="Mirabel",
            time="2025-03-01T10:00:00+01:00",
            text="My sister is called Oda.",
            id="m1",
            image_caption="a cat on a fence",
        )
    ]
    assert reader.problems == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"conversation": "tea", ', "not JSON"),
        ("[1, 2]", "not a JSON object"),
        ('"words"', "not a JSON object"),
        ("[" * 200_000, "not JSON"),
        (b"\xff\xfe\xfa", "not UTF-8"),
        ({"conversation": "tea", "role": "user"}, "missing: speaker, time, text"),
        (row(role="system"), "'system' is none of user, assistant, other"),
        (row(role=["user"]), "is none of"),
        (row(time="yesterday"), "'yesterday' is not ISO 8601"),
        (row(time=1740819600), "the time is not text"),
        (row(time="0001-01-01T00:00:00+14:00"), "not ISO 8601"),
        (row(text=7), "text is not text"),
        (row(text="  "), "text is empty"),
        (row(text="a" * 250_001), "250001 characters"),
        (row(conversation=""), "conversation is not text, or empty"),
        (row(speaker=None), "speaker is not text, or empty"),
        (row(id=1.5), "the id is neither"),
        (row(image_caption=3), "image_caption"),
    ],
)
def test_that_a_bad_row_is_skipped_with_its_line_and_reason(line: Any, reason: str) -> None:
    rows, reader = read(row(text="before"), line, row(text="after"))
    assert [kept.text for kept in rows] == ["before", "after"]
    assert list(reasons(reader)) == [2]
    assert reason in reasons(reader)[2]


def test_that_the_second_row_with_an_id_is_skipped() -> None:
    rows, reader = read(row(id="m1"), row(id="m2"), row(id="m1", text="other words"))
    assert [kept.id for kept in rows] == ["m1", "m2"]
    assert reasons(reader) == {3: "the id 'm1' already stands in line 1"}


def test_that_rows_without_an_id_get_one_that_a_resend_repeats() -> None:
    first, _ = read(row(), row())
    again, _ = read(row(), row())
    assert [kept.id for kept in first] == ["run:1", "run:2"] == [kept.id for kept in again]


def test_that_a_whole_number_may_be_an_id() -> None:
    rows, _ = read(row(id=17))
    assert rows[0].id == "17"


def test_that_blank_lines_and_a_byte_order_mark_are_fine() -> None:
    rows, reader = read(b"\xef\xbb\xbf" + json.dumps(row()).encode(), "", "   ", row())
    assert [kept.line for kept in rows] == [1, 4]
    assert reader.problems == []


def test_that_a_line_separator_inside_text_does_not_end_the_line() -> None:
    rows, _ = read(json.dumps(row(text="one\u2028two\u0085three"), ensure_ascii=False))
    assert rows[0].text == "one\u2028two\u0085three"


def test_that_a_time_without_offset_is_left_to_the_zone_of_the_home() -> None:
    rows, _ = read(row(time="2025-03-01 10:00"), row(time="2025-03-01"))
    assert [kept.time for kept in rows] == ["2025-03-01 10:00", "2025-03-01"]


def test_that_unstorable_characters_are_replaced_one_for_one_and_told() -> None:
    rows, reader = read(
        r'{"conversation":"c","role":"user","speaker":"M",'
        r'"time":"2025-03-01","text":"a\ud800b\u0000c \ud83d\ude00"}'
    )
    assert rows[0].text == "a\ufffdb\ufffdc \U0001f600"
    assert [(note.line, note.reason) for note in reader.notes] == [
        (1, "2 unreadable characters became \ufffd")
    ]


def test_that_a_huge_line_is_passed_over_without_losing_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(import_rows, "LONGEST_LINE_BYTES", 1024 * 1024)
    rows, reader = read(row(), "x" * 5_000_000, row(text="after"))
    assert [kept.line for kept in rows] == [1, 3]
    assert reasons(reader) == {2: "the line is longer than 1 MB"}


def test_that_a_file_in_utf_16_is_refused_as_a_whole() -> None:
    reader = RowReader(io.BytesIO(json.dumps(row()).encode("utf-16")), run="run")
    with pytest.raises(WrongFile, match="Save it as UTF-8"):
        list(reader)


def test_that_an_image_alone_may_stand_without_text() -> None:
    rows, reader = read(row(text="", image_caption="two dogs"))
    assert len(rows) == 1
    assert reader.problems == []


def test_that_reasons_hold_no_character_that_a_terminal_obeys() -> None:
    _, reader = read(row(role="\x1b[2J"))
    assert "\x1b" not in reasons(reader)[1]
