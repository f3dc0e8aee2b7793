"""A token estimate that needs no tokenizer and errs on the high side."""

from __future__ import annotations

import re

_PIECES = re.compile(r"[A-Za-z]+|\d|[^\sA-Za-z\d]")
_LETTERS_PER_TOKEN = 4
"""English has words of six letters in one token; German and rare words are cut into threes."""
_MESSAGE_OVERHEAD = 6
"""Role markers and line ends that chat templates put around one message."""


def estimate_tokens(text: str) -> int:
    """Return how many tokens ``text`` takes at most in common vocabularies.

    Digits and punctuation count one each. Other characters count their UTF-8 bytes: small
    vocabularies split them so. Checked against the built-in model's tokenizer in
    tests/unit/inference; own counting is needed because engines cut silently (reference/ux §2d).
    """
    total = 0
    for piece in _PIECES.findall(text):
        if piece[0].isascii():
            total += 1 + (len(piece) - 1) // _LETTERS_PER_TOKEN
        else:
            total += len(piece.encode("utf-8", "replace"))
    return total + text.count("\n")


def estimate_message_tokens(text: str) -> int:
    """Return the estimate for a whole chat message with its role markers."""
    return estimate_tokens(text) + _MESSAGE_OVERHEAD
