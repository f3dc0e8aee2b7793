"""Tells by their words which questions only the person's own words can answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from backend.storage.search import search_words

_LONGEST = 300
"""Characters; a longer message has news of its own, and is talked about."""

_SAYING = r"(?:tell|told|say|said|mention(?:ed)?|talk(?:ed)?|speak|spoke|discuss(?:ed)?|wr[oi]te)"
_ADVICE = re.compile(
    r"\b(?:should|shall|could|can|may|might|would|ought) (?:i|we)\b|\bhow (?:do|does|did|can) \w+\b"
    r"|\bdo you (?:think|like|want|feel|suggest|recommend)\b|\bmeans?\b|\b(?:wrong|miss)\b"
    r"|\b(?:do|did) i (?:need|have to|say|write|do (?:now|about|if|when|with|the|something))\b"
    r"|\bmy (?:options?|chances?|choices?|next)\b",
    re.IGNORECASE,
)
"""Advice, opinions and meanings are for a model, even where they are about the person."""

_RECALLS = re.compile(
    rf"\b(?:did|have|had) (?:i|we) (?:\w+ )?{_SAYING}\b"
    rf"|\b(?:what|that|when|who|where|how|anything|everything|things?|something|once)"
    rf" (?:i|we)(?:'ve| have| had)? (?:\w+ )?{_SAYING}\b"
    r"|\b(?:do|don't) you (?:still )?remember\b.*\b(?:i|i'm|i've|my|me|we|our)\b"
    r"|^(?:please )?remind me (?:of|what|who|when|where|which|about)\b"
    r"|\bwhat (?:do|did) you (?:know|remember|learn) (?:about|of) (?:me|my|us|our)\b",
    re.IGNORECASE,
)
_STATE = (
    "like|love|hate|dislike|prefer|enjoy|eat|drink|own|live|work|play|speak|wear|study|read"
    "|collect|drive|usually|always|have(?! to)|want to|fear|believe|take|grow|weigh|keep|use"
)
_PERSONAL = re.compile(
    r"^(?:so|and|but|ok|okay|well|hey|tell me|do you know|can you tell me)?,? ?(?:"
    rf"(?:what|which|who|whom|where|when|how (?:many|much|old|often|long|tall))\b.{{0,60}}?\b(?:"
    rf"(?:do|don't|do not) i (?:not |really |still |never )*(?:{_STATE})\b"
    r"|(?:did|didn't|have|haven't|had|was|wasn't|am) i\b)"
    r"|(?:what|which|who|where|when|how (?:many|much|old|tall))\b(?:.{0,40}?\b(?:is|are|was|were"
    r"|does|did|do)|'s|'re) (?:my|our)\b"
    rf"|(?:did|didn't) i\b|(?:do|don't) i (?:{_STATE})\b|have i (?:ever|been|already)\b)",
    re.IGNORECASE,
)
_ABOUT_ASKING_WORDS = """
tell told say said saying mention mentioned talk talked talking speak spoke discuss discussed write
wrote remember remind know knows please aico ever already today yesterday earlier lately recently
last time week thing things something anything everything really still ok okay well hey usually
always previously learn much many old often get got go
"""
_ABOUT_ASKING = frozenset(_ABOUT_ASKING_WORDS.split())
_LIKING = frozenset(
    {"like", "likes", "love", "enjoy", "prefer", "favourite", "favorite", "hate", "dislike"}
)
_GENERIC = frozenset({"eat", "drink", "food", "foods", "dish", "dishes", "do", "best", "most"})


@dataclass(frozen=True, slots=True)
class PersonalQuestion:
    """What is asked of the person's own words.

    ``words`` must stand in an answer; ``recalls`` is true when the saying itself is asked about
    ("what did I tell you"); ``since`` and ``until`` are days of saying, both included; ``likes``
    tells that likings (True) or dislikes (False) are asked.
    """

    words: tuple[str, ...]
    recalls: bool
    since: date | None = None
    until: date | None = None
    likes: bool | None = None


def personal_question(text: str, today: date) -> PersonalQuestion | None:
    """Read a message as such a question; None for small talk, advice and the world."""
    line = " ".join(text.replace("’", "'").split())
    if len(line) > _LONGEST:
        return None
    for sentence in reversed(re.split(r"(?<=[.!?])\s+", line)):
        recalls = bool(_RECALLS.search(sentence)) and _is_asked(sentence)
        personal = _PERSONAL.match(sentence) and not _ADVICE.search(sentence)
        if recalls or (personal and _is_asked(sentence)):
            return _question(sentence, recalls, today)
    return None


def _is_asked(sentence: str) -> bool:
    """Whether the sentence asks; "as I told you, I am tired" does not."""
    if re.match(r"(?:i|we|i'\w+|we'\w+)\b", sentence, re.IGNORECASE):
        return False  # news with a question behind it is to be talked about
    return sentence.endswith("?") or bool(
        re.match(
            r"(?:please )?(?:tell me|remind me|what|who|where|when|which|how|did|do|does)\b",
            sentence,
            re.IGNORECASE,
        )
    )


def _question(sentence: str, recalls: bool, today: date) -> PersonalQuestion | None:
    words = tuple(word for word in search_words(sentence) if word not in _ABOUT_ASKING)
    since, until = _days(sentence, today)
    likes = None
    if not recalls and _LIKING & set(words):
        denied = re.search(r"n't\b|\bnot\b|\bnever\b|\bhate\b|\bdislike\b", sentence, re.IGNORECASE)
        likes = denied is None
        words = tuple(word for word in words if word not in _LIKING | _GENERIC)
    remembers_someone = re.search(r"\bremember (?:me|us)\b", sentence, re.IGNORECASE)
    if not words and remembers_someone:
        return None
    return PersonalQuestion(words, recalls, since, until, likes)


def _days(sentence: str, today: date) -> tuple[date | None, date | None]:
    """The days on which something was said; (None, None) for any."""
    folded = sentence.casefold()
    if "day before yesterday" in folded:
        return today - timedelta(2), today - timedelta(2)
    if "yesterday" in folded or "last night" in folded:
        return today - timedelta(1), today - timedelta(1)
    if "today" in folded or "this morning" in folded:
        return today, today
    if "last week" in folded:
        monday = today - timedelta(today.weekday())
        return monday - timedelta(7), monday - timedelta(1)
    if "this week" in folded:
        return today - timedelta(today.weekday()), today
    return None, None
