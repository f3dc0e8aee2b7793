"""Recognises a word in its common forms, so that a forgotten one is found however it is written."""

from __future__ import annotations

import re

SHORTEST_STEM = 5
"""Letters that a beginning needs to tell a word: "nurse" and "nursery" differ after four."""

_ENDINGS = re.compile(r"(?:ies|es|s|y|e)$", re.IGNORECASE)
_FORMS = r"(?:ies|ied|y|ying|e|es|ed|er|ers|ing|s|n|en)?"
_PLURAL = r"(?:s|es)?"


def forms_of(text: str) -> re.Pattern[str]:
    """A pattern for the words of ``text``, the last one in any form: "berries" finds "Berry".

    Words with a stem of fewer than five letters are found as they are and in the plural.
    """
    words = text.split()
    stem = _ENDINGS.sub("", words[-1]) if words else ""
    if len(stem) >= SHORTEST_STEM and stem.isalpha():
        last = re.escape(stem) + _FORMS
    else:
        last = re.escape(words[-1]) + _PLURAL if words else ""
    parts = [*(re.escape(word) for word in words[:-1]), last]
    return re.compile(r"(?<!\w)" + r"\s+".join(parts) + r"(?!\w)", re.IGNORECASE)


def name_of(text: str) -> re.Pattern[str]:
    """A pattern for a name as it is: "Peters" is somebody else than "Peter"."""
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.IGNORECASE)


def blanked_in(text: str, pattern: re.Pattern[str]) -> str:
    """The text with spaces in place of what the pattern finds; its length stays."""
    return pattern.sub(lambda found: " " * len(found.group()), text)
