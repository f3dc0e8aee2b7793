"""Finds the person's own words about a question, for what was said but not understood as a fact."""

from __future__ import annotations

from backend.storage.messages import MessageRecord, MessageRepository
from backend.storage.scope import Scope
from backend.storage.search import FullTextSearch, search_words

_CANDIDATES = 20
_FEWEST_WORDS = 2
"""With a single common word ("name", "job") some message always matches, and means nothing."""


class MessageQuotes:
    """Looks for a message of the person that holds every telling word of a question."""

    def __init__(self, search: FullTextSearch, messages: MessageRepository) -> None:
        self._search = search
        self._messages = messages

    def about(self, scope: Scope, question: str, before: str | None) -> MessageRecord | None:
        """The latest such message, or None; questions and the asking message do not count."""
        words = set(search_words(question))
        if len(words) < _FEWEST_WORDS:
            return None
        hits = self._search.messages(scope, sorted(words), _CANDIDATES, roles=("user",))
        found = self._messages.get_many(scope, [message_id for message_id, _ in hits])
        suitable = [
            message
            for message in found.values()
            if message.message_id != before
            and not message.text.rstrip().endswith("?")
            and words <= set(search_words(message.text))
        ]
        return max(suitable, key=lambda message: message.said_at, default=None)
