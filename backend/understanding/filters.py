"""The mention filter: which noun phrases are definite enough to be kept (DICE mention rules)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from backend.understanding.word_sets import word_set

MAXIMUM_LENGTH = 60
"""Code points of a mention; longer ones are clauses that slipped through."""

MAXIMUM_WORDS = 7

_EMPTY_ADJECTIVES = word_set(
    """other own same such certain different last first next whole entire more most less many few
    several similar latest previous various another enough"""
)
_LOOSE_WORDS = word_set(
    """this that these those it its your you yours me him them us here there each every any some
    what who which because and or but if so lol haha hehe"""
)


_ALWAYS_EMPTY = word_set(
    """thing things stuff way ways time times one ones kind kinds sort sorts type types bit lot
    lots part parts someone something anything everything nothing anyone everyone people person
    idea ideas look chance everything what which that this it guys"""
)
_PRAISING = word_set(
    """great good nice new big bad amazing awesome wonderful lovely little small real true best
    better favorite favourite special different happy sad hard tough long short old first last
    whole full"""
)


def _is_told_apart(words: list[str], head: str) -> bool:
    """Whether a word before a vague noun makes it a kind of its own ("road trip")."""
    return head not in _ALWAYS_EMPTY and len(words) > 1 and not _PRAISING & set(words[:-1])


class MentionFilter:
    """Says yes or no to a mention, and counts why it said no."""

    def __init__(self, vocabulary: Mapping[str, frozenset[str]]) -> None:
        self._vague = vocabulary["vague_nouns"]
        self.rejected: Counter[str] = Counter()

    def accepts(self, text: str, head: str) -> bool:
        """Whether the phrase ``text`` with the head noun ``head`` names something in particular."""
        reason = self._reason(text, head.lower())
        if reason:
            self.rejected[reason] += 1
        return not reason

    def _reason(self, text: str, head: str) -> str:
        words = text.lower().split()
        if not words or not any(c.isalpha() for c in text):
            return "mention_blank"
        if len(text) > MAXIMUM_LENGTH:
            return "mention_too_long"
        if len(words) > MAXIMUM_WORDS:
            return "mention_too_many_words"
        if len(text) < 2:
            return "mention_too_short"
        if head in self._vague and words[-1] == head and not _is_told_apart(words, head):
            return "mention_vague"
        if words[0] in _EMPTY_ADJECTIVES or _LOOSE_WORDS & set(words):
            return "mention_vague"
        return ""
