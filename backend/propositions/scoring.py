"""Confidence of a fact from its evidence (DESIGN §4)."""

from __future__ import annotations

from collections.abc import Mapping

MAXIMUM = 0.99
"""Nothing that was said is certain."""

_DOUBT_LEFT = 0.6
"""Each further independent wording takes two fifths of the remaining doubt."""

CONTRADICTED_FACTOR = 0.5
"""A fact that another one contradicts is worth half."""


def confidence_of(by_words: Mapping[str, float]) -> float:
    """From the best confidence of each different wording; the same words again add nothing."""
    if not by_words:
        return 0.0
    doubt = (1.0 - max(by_words.values())) * _DOUBT_LEFT ** (len(by_words) - 1)
    return round(min(MAXIMUM, 1.0 - doubt), 4)
