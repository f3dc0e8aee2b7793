"""A token estimate that needs no tokenizer and errs on the high side."""

from __future__ import annotations

import re

_PIECES = re.compile(r"[A-Za-z]+|\d|[^\sA-Za-z\d]")
_LETTERS_PER_TOKEN = 6
"""English words up to this length are mostly one token in the vocabularies of 32k to 256k."""
_MESSAGE_OVERHEAD = 6
"""Role markers and line ends that chat templates put around one message."""


def estimate_tokens(text: str) -> int:
    """Return how many tokens ``text`` takes at most in common vocabularies.

    Digits and punctuation count one each. Other scripts count two a character: small
    vocabularies split them into bytes. Checked against the built-in model's tokenizer in
    tests/unit/inference; own counting is needed because engines cut silently (reference/ux §2d).
    """
    total = 0
    for piece in _PIECES.findall(text):
        if piece[0].isascii():
            total += 1 + (len(piece) - 1) // _LETTERS_PER_TOKEN
        else:
            total += 2
    return total + text.count("\n")


def estimate_message_tokens(text: str) -> int:
    """Return the estimate for a whole chat message with its role markers."""
    return estimate_tokens(text) + _MESSAGE_OVERHEAD
