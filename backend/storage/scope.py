"""Whose memory, and which part of it: the pair that every read and write is confined to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """A user and a context; the storage layer filters by both in every statement (DESIGN §4)."""

    user_id: str = "me"
    context_id: str = "default"

    def __post_init__(self) -> None:
        """Refuse empty ids: they would look like a scope and belong to nobody."""
        if not self.user_id or not self.context_id:
            raise ValueError("a scope needs a user and a context")
