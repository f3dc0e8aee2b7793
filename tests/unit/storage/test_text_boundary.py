"""Repair of texts that no store can keep."""

from __future__ import annotations

import pytest

from backend.storage.database import Database
from backend.storage.text_boundary import repair_text


@pytest.mark.parametrize(
    ("text", "repaired", "count"),
    [
        ("", "", 0),
        ("plain 🎉 王", "plain 🎉 王", 0),
        ("a\0b", "a\ufffdb", 1),
        ("\ud83d tea \udc00\0", "\ufffd tea \ufffd\ufffd", 3),
        ("\t\r\n\x01\x7f\ufeff", "\t\r\n\x01\x7f\ufeff", 0),
    ],
)
def test_that_only_what_cannot_be_stored_is_replaced(
    bare: Database, text: str, repaired: str, count: int
) -> None:
    assert repair_text(text) == (repaired, count)
    assert len(repaired) == len(text)
    assert bare.execute("SELECT ?", (repaired,)) == [(repaired,)]
