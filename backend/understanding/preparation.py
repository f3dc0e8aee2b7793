"""Cuts a message into sentences and blanks what was not said: code, quotes, links, tables, logs.

Every replacement keeps the length, so that offsets in the prepared text are offsets in the message.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

ANALYSED_LIMIT = 20_000
"""Code points of one message that are read; what follows is counted as turned away."""

SENTENCE_LIMIT = 600
"""Code points of a sentence; longer runs are logs or lists, and the parse would be guesswork."""

_CHARACTERS = {
    **{code: " " for code in range(32) if code not in (10, 13)},
    **{ord(c): "'" for c in "‘’ʼ′＇"},
    **{ord(c): '"' for c in "“”„«»＂"},
    **{ord(c): " " for c in "\u00a0\u2007\u202f\u200b\u200e\u200f\u2060\ufeff\ufffd\r"},
    **{ord(c): "-" for c in "‐‑"},
}
_SURROGATE = re.compile("[\ud800-\udfff]")
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u200d\ufe0e\ufe0f\U000e0020-\U000e007f]+"
)
_MASKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("code_block", re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)),
    ("code_inline", re.compile(r"`[^`\n]{1,200}`")),
    (
        "html",
        re.compile(
            r"<(script|style|pre|code|blockquote)\b[^>]{0,200}>.*?(?:</\1>|\Z)",
            re.DOTALL | re.IGNORECASE,
        ),
    ),
    ("html", re.compile(r"</?[A-Za-z!][^<>\n]{0,300}>")),
    ("link", re.compile(r"(?:https?://|www\.)\S{1,2000}|\S{1,100}@\S{1,100}\.\w{2,}")),
    ("quoted_line", re.compile(r"^[ \t]*>.*$", re.MULTILINE)),
    ("table", re.compile(r"^.*(?:\|.*\||\t.*\t).*$", re.MULTILINE)),
    (
        "log",
        re.compile(
            r"^[ \t]*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*$|^.*\b(?:DEBUG|INFO|WARN|WARNING|ERROR|"
            r"FATAL)\b[\]: ].*$|^[ \t]*Traceback .*$|^[ \t]+File \".*$",
            re.MULTILINE,
        ),
    ),
    (
        "code_line",
        re.compile(
            r"^.*(?:[;{}][ \t]*|\)[ \t]*:[ \t]*)$|^[ \t]*(?:def \w+\(|class \w+[:(]|"
            r"import \w+$|from \w+ import|#include|SELECT |INSERT |\$ |>>> ).*$|^.*(?:==|=>|"
            r"->|\(\)|&&).*$",
            re.MULTILINE,
        ),
    ),
    ("action", re.compile(r"(?<!\w)\*[^*\n]{2,120}\*(?!\w)")),
    ("long_word", re.compile(r"\S{60,}")),
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|e\.g|i\.e|approx|inc|ltd|co|mt|ft|[a-z])\.$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(
    r"[.!?…]+[\"')\]]*(?=\s|$)|\n\s*\n|\n"
    # A dash before a new clause ("I play the piano - it's hard"), not before a name or list.
    r"|(?<=\w)\s*[-–—]+\s+(?=(?:it|it's|its|i|i'm|we|we're|he|she|they|that|that's|this|there|so|just|you|my|the|and|but|what|"
    r"can't|such|really|truly|hope|always)\b)",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:(?:hey|hi|hello|thanks|thank you|thx|wow|woah|whoa|yeah|yes|yep|yup|nope|"
    r"sure|oh|congrats|congratulations|cool|nice|"
    r"great|awesome|absolutely|totally|definitely|well|ok|okay|haha|lol|hmm|sorry|aw|"
    r"aww|good morning|good night)(?: there| so much)?,? "
    r"(?:[A-Z][\w'-]+[,!] )?|[A-Z][\w'-]+, (?=(?:I|I'm|I've|we|it|it's|you|that|that's)\b))",
)
"""A greeting and whom it addresses; the parser would take the name for a subject."""
_FORMER = re.compile(r"\bex-(?=\w)", re.IGNORECASE)
"""The parser takes "ex-wife" apart into three nouns; "ex wife" it understands."""
_GREETING_ANY_CASE = re.compile(
    _GREETING.pattern.replace("(?:(?:hey", "(?:(?i:(?:hey", 1).replace("night)(?:", "night))(?:", 1)
)
_QUOTED = re.compile(r'"([^"\n]{1,400})"')


@dataclass(frozen=True, slots=True)
class SentenceText:
    """One sentence as a half-open range of the message; ``quoted`` ranges are absolute."""

    start: int
    end: int
    question: bool
    quoted: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedText:
    """The message ready to parse: same length, blanked where nothing is said by the speaker."""

    text: str
    sentences: tuple[SentenceText, ...]
    lower_cased: bool
    rejected: Counter[str]


def prepare(text: str) -> PreparedText:
    """Blank, cut and normalise ``text``; time and memory are linear in the analysed part."""
    rejected: Counter[str] = Counter()
    if len(text) > ANALYSED_LIMIT:
        rejected["text_beyond_limit"] += 1
        text = text[:ANALYSED_LIMIT]
    text = _SURROGATE.sub(" ", text).translate(_CHARACTERS)
    for reason, pattern in _MASKS:
        text, count = _blank(text, pattern)
        if count:
            rejected[reason] += count
    text = _FORMER.sub(lambda match: match.group()[:-1] + " ", text)
    text = _EMOJI.sub(lambda match: " " * len(match.group()), text)
    sentences = tuple(_sentences(text, rejected))
    letters = [c for c in text if c.isalpha()]
    lower_cased = not any(c.isupper() for c in letters) if letters else False
    return PreparedText(text, sentences, lower_cased, rejected)


def _blank(text: str, pattern: re.Pattern[str]) -> tuple[str, int]:
    count = 0

    def spaces(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return "".join("\n" if c == "\n" else " " for c in match.group())

    return pattern.sub(spaces, text), count


def _sentences(text: str, rejected: Counter[str]) -> list[SentenceText]:
    found: list[SentenceText] = []
    start = 0
    ends = [match for match in _SENTENCE_END.finditer(text) if _ends_sentence(text, match)]
    for place in [*(match.end() for match in ends), len(text)]:
        _add_sentence(text, start, place, found, rejected)
        start = place
    return found


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    mark = match.group()
    if mark == "\n":
        # A hard-wrapped line goes on in lower case; anything else on a new line is a new thought.
        return not text[match.end() : match.end() + 1].islower()
    if mark == ".":
        before = text[max(0, match.start() - 8) : match.end()]
        return not (_ABBREVIATION.search(before) and text[match.end() :].strip())
    return True


def _add_sentence(
    text: str, start: int, end: int, found: list[SentenceText], rejected: Counter[str]
) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if not any(c.isalpha() for c in stripped):
        if "?" in stripped and found:
            # A mark set apart ("do you ? ?") still belongs to the sentence before it.
            last = found[-1]
            found[-1] = SentenceText(last.start, last.end, True, last.quoted)
        return
    start += len(piece) - len(piece.lstrip())
    end = start + len(stripped)
    greeting = _GREETING_ANY_CASE.match(stripped)
    if greeting is not None and len(stripped) - greeting.end() > 6:
        start += greeting.end()
    if end - start > SENTENCE_LIMIT:
        rejected["sentence_beyond_limit"] += 1
        return
    quoted = tuple((m.start() + start, m.end() + start) for m in _QUOTED.finditer(text[start:end]))
    question = "?" in stripped[-4:]
    found.append(SentenceText(start, end, question, quoted))
