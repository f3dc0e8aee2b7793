"""What every place that keeps something of a person must be able to do: forget it."""

from __future__ import annotations

from typing import Protocol

from backend.storage.scope import Scope


class Forgettable(Protocol):
    """Implemented by each store and cache; ``service.py`` hands them all to *forget* (DESIGN §2).

    Called after the database has committed the forgetting. Calls may come twice (after a crash)
    and about things never kept; both must be harmless.
    """

    def forget_message_span(
        self, scope: Scope, message_id: str, start: int, end: int, text: str
    ) -> None:
        """Code points [start, end) of a message were blanked; ``text`` is what stood there."""

    def forget_fact(self, scope: Scope, fact_id: str, text: str) -> None:
        """A fact was forgotten; ``text`` is how it was worded."""

    def forget_word(self, scope: Scope, word: str) -> None:
        """Nothing tells the word any more: its forms go from what the app says or keeps of it."""
