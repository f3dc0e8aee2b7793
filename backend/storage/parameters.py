"""Checks of statement parameters: what the driver would store wrongly is refused or cast."""

from __future__ import annotations

import math
from collections.abc import Sequence

from backend.storage.errors import UnstorableValue

Value = str | int | float | bytes | None
"""What can be stored; ``bool`` goes as 0 or 1."""

_INT32_MIN, _INT32_MAX = -(2**31), 2**31 - 1
_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1


def refuse_nul(text: str) -> None:
    """Raise UnstorableValue for a text that the driver would cut (trap 7)."""
    if "\0" in text:
        raise UnstorableValue("a text with a NUL character would be cut there")


def bind(params: Sequence[Value]) -> tuple[tuple[Value, ...], frozenset[int]]:
    """Check every parameter; give back what to bind and which places need a CAST."""
    bound: list[Value] = []
    wide: set[int] = set()
    for index, value in enumerate(params):
        if isinstance(value, int):
            if _INT32_MIN <= value <= _INT32_MAX:
                bound.append(int(value))
                continue
            if not _INT64_MIN <= value <= _INT64_MAX:
                raise UnstorableValue("an integer outside 64 bits cannot be stored")
            # The driver binds integers beyond 32 bits as floating point (trap 1).
            bound.append(str(int(value)))
            wide.add(index)
        elif isinstance(value, str):
            bound.append(_checked_text(value))
        elif isinstance(value, float):
            if math.isnan(value):
                raise UnstorableValue("NaN would be stored as NULL")
            bound.append(float(value))
        elif value is None or type(value) is bytes:
            bound.append(value)
        else:
            raise UnstorableValue(f"a {type(value).__name__} cannot be stored")
    return tuple(bound), frozenset(wide)


def _checked_text(value: str) -> str:
    refuse_nul(value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UnstorableValue("a text with half a surrogate pair cannot be stored") from None
    return str.__str__(value)
