"""Puts recalled facts and attachments into a prompt as data whose boundary they cannot close."""

from __future__ import annotations

import re
from collections.abc import Iterable

from backend.inference.tokens import estimate_tokens

_OUR_TAGS = re.compile(r"<(?=\s*/?\s*(?:memory|attachment)\b)|<(?=\|)", re.IGNORECASE)
"""Our tags, and ``<|``, with which chat templates begin their role markers."""


def disarm(text: str) -> str:
    """Return ``text`` in which neither our tags nor role markers can begin."""
    return _OUR_TAGS.sub("&lt;", text)


def memory_block(facts: Iterable[str], most_tokens: int) -> tuple[str, int]:
    """Return the facts between memory tags and how many fitted; ("", 0) when none did."""
    lines: list[str] = []
    room = most_tokens
    for fact in facts:
        line = "- " + disarm(" ".join(fact.split()))
        room -= estimate_tokens(line) + 1
        if room < 0:
            break
        lines.append(line)
    if not lines:
        return "", 0
    return "<memory>\n" + "\n".join(lines) + "\n</memory>", len(lines)


def attachment_block(name: str, text: str) -> str:
    """Return an attachment between its tags."""
    quoted_name = disarm(" ".join(name.split())).replace('"', "'")
    return f'<attachment name="{quoted_name}">\n{disarm(text)}\n</attachment>'


def cut_middle(text: str, most_tokens: int) -> tuple[str, int]:
    """Return ``text`` cut to about ``most_tokens``, and how many characters were left out.

    The beginning says what it is about and the end what is asked, so the middle goes.
    """
    if estimate_tokens(text) <= most_tokens:
        return text, 0
    kept = max(0, most_tokens - 20)  # the note below takes the rest
    head = _fitting_length(text, kept // 2)
    tail = _fitting_length(text[::-1], kept - kept // 2)
    left_out = len(text) - head - tail
    note = f"\n[… {left_out} characters left out …]\n"
    return text[:head] + note + text[len(text) - tail :], left_out


def _fitting_length(text: str, most_tokens: int) -> int:
    """Return how many of the first characters take at most ``most_tokens``, by halving."""
    low, high = 0, min(len(text), most_tokens * 8)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= most_tokens:
            low = middle
        else:
            high = middle - 1
    return low
