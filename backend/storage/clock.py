"""The present moment and its one textual form, so that times compare as texts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Gives the present moment with an offset; tests pass their own."""


def utc_now() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)


def to_text(moment: datetime) -> str:
    """ISO 8601 in UTC with microseconds, always the same length: text order is time order."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs a time zone")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def from_text(text: str) -> datetime:
    """The moment that ``to_text`` wrote."""
    return datetime.fromisoformat(text)
