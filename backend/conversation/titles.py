"""A conversation's automatic title, made of the first words that say something."""

from __future__ import annotations

import re

_LONGEST_CHARACTERS = 48
_GREETING = re.compile(
    r"^(?:(?:hi|hello|hey|hallo|moin|good (?:morning|afternoon|evening|day)|dear aico|aico)"
    r"(?:\s+(?:there|aico|again))?\s*[,.!:;–-]*\s*)+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s")


def title_from(text: str) -> str:
    """Return a title for a conversation that began with ``text``; "" if it has no words.

    The first sentence after a greeting, cut at a word. No model is asked: it would hold the
    engine while the person waits for an answer (reference/ux §2c, rule 22).
    """
    line = next((line.strip() for line in text.splitlines() if re.search(r"\w", line)), "")
    words = _GREETING.sub("", line) or line
    sentence = " ".join(_SENTENCE_END.split(words, maxsplit=1)[0].split())
    sentence = sentence.rstrip(".!…,;: ")
    if len(sentence) > _LONGEST_CHARACTERS:
        cut = sentence[: _LONGEST_CHARACTERS - 1]
        whole_words = cut.rpartition(" ")[0]
        sentence = (whole_words or cut).rstrip(" ,;:") + "…"
    return sentence[:1].upper() + sentence[1:]
