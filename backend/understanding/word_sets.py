"""Small sets of words, written as one readable string."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of ``text`` as a set."""
    return frozenset(text.split())
