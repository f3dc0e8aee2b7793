"""Finds the person's own words about a question, for what was said but not understood as a fact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from backend.memory.personal_questions import PersonalQuestion
from backend.storage.messages import MessageRecord, MessageRepository
from backend.storage.scope import Scope
from backend.storage.search import FullTextSearch, search_words

_CANDIDATES = 20
_MATCHING_CANDIDATES = 60
_FEWEST_WORDS = 2
"""With a single common word ("name", "job") some message always matches, and means nothing."""
_READ_BACK = 200
"""Own messages looked through for a question that names a day and no topic."""

_LIKING = re.compile(r"\b(?:like|love|enjoy|prefer|adore|favou?rite|fond of)\b", re.IGNORECASE)
_DISLIKING = re.compile(
    r"\b(?:hate|dislike|detest|loathe|(?:don't|do not|never|can't|cannot|not) (?:\w+ )?"
    r"(?:like|stand|enjoy|bear)|not fond of)\b",
    re.IGNORECASE,
)
_LIKING_WORDS = (
    "like", "love", "enjoy", "prefer", "adore", "favourite", "favorite", "fond",
)  # fmt: skip
_DISLIKING_WORDS = ("hate", "dislike", "detest", "loathe", "like", "stand", "enjoy", "bear", "fond")
_ASKS = re.compile(
    r"^(?:please )?(?:what|who|whom|where|when|which|why|how|do|did|does|am|can|could|tell me"
    r"|remind me)\b",
    re.IGNORECASE,
)


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

    def matching(
        self, scope: Scope, question: PersonalQuestion, before: str | None, limit: int
    ) -> tuple[MessageRecord, ...]:
        """The person's messages that fit the question, newest first, each wording once."""
        distinct: dict[str, MessageRecord] = {}
        fitting = (each for each in self._candidates(scope, question) if _fits(each, question))
        for message in sorted(fitting, key=lambda each: each.said_at, reverse=True):
            if message.message_id != before:
                distinct.setdefault(" ".join(message.text.casefold().split()), message)
        return tuple(distinct.values())[:limit]

    def _candidates(self, scope: Scope, question: PersonalQuestion) -> Sequence[MessageRecord]:
        words = list(question.words)
        if not words and question.likes is not None:
            words = list(_LIKING_WORDS if question.likes else _DISLIKING_WORDS)
        if not words:
            if not question.recalls:
                return ()
            return self._messages.newest_by_user(scope, _READ_BACK, question.since, question.until)
        hits = self._search.messages(scope, words, _MATCHING_CANDIDATES, roles=("user",))
        return list(self._messages.get_many(scope, [found for found, _ in hits]).values())


def _fits(message: MessageRecord, question: PersonalQuestion) -> bool:
    """Whether a message is a statement that holds every word, said in time."""
    text = message.text.strip().replace("’", "'")
    if not text or text.endswith("?") or _ASKS.match(text):
        return False
    said_on = datetime.fromisoformat(message.said_at).date()
    if question.since is not None and said_on < question.since:
        return False
    if question.until is not None and said_on > question.until:
        return False
    dislikes = bool(_DISLIKING.search(text))
    if question.likes is False and not dislikes:
        return False
    if question.likes is True and (dislikes or not _LIKING.search(text)):
        return False
    return {_stem(word) for word in question.words} <= {_stem(word) for word in search_words(text)}


def _stem(word: str) -> str:
    """A word without the endings of plural and tense, roughly as the full-text index has it."""
    for ending in ("ing", "ies", "ed", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
