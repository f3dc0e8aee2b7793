"""Keeps the memory's way of citing out of what models read and out of what they write.

A model that has seen "(You said on 3 May 2026: “…”)" imitates it, and nobody can tell an invented
citation from a real one. Only the memory may cite.
"""

from __future__ import annotations

import re

_VERB = r"(?:said|told|wrote|mentioned|say|tell)"
_QUOTE = '[“"„«]'
_CLOSING = {"“": "”", '"': '"', "„": "”“", "«": "»"}

_BRACKETED = re.compile(
    rf"[(\[]\s*(?:(?:as\s+)?(?:[\w.'’-]+\s+){{0,3}}?{_VERB}\b[^()\[\]\n“\"]{{0,30}}?\bon\b"
    rf"[^()\[\]\n“\"]{{0,30}}?[\d:“\"]"
    rf"|(?:as\s+)?you\s+(?:\w+\s+)?{_VERB}\b[^()\[\]\n“\"]{{0,30}}?(?:\bon\b|[:“\"])"
    rf"|said\s+\d)",
    re.IGNORECASE,
)
"""A citation in brackets, as in an answer; and the date mark of a recalled fact, "[said 3 May"."""

_BARE = re.compile(
    rf"(?:\bon\s+[\w ,]{{0,30}}?\d[\w ,]{{0,20}}?\byou\s+{_VERB}\b[^“\"\n.!?]{{0,30}}{_QUOTE}"
    rf"|\byou\s+{_VERB}\b[^“\"\n.!?]{{0,20}}\bon\b[^“\"\n.!?]{{0,20}}\d[^“\"\n.!?]{{0,20}}{_QUOTE})",
    re.IGNORECASE,
)
"""The same as a sentence of its own: "On 3 May 2026 you wrote: “"."""

_MAY_BECOME = re.compile(
    r"[ \t]+\Z"
    r"|[ \t]*[(\[][^()\[\]\n“\"]{0,80}\Z"
    rf"|[ \t]*\b(?:O|On(?:\s[\w ,:]{{0,70}})?)\Z"
    rf"|[ \t]*\b(?:Y|Yo|You(?:\s+(?:s|sa|sai|t|to|tol|w|wr|wro|wrot|m|me|men|ment|menti|mentio"
    rf"|mention|mentione|{_VERB}\b[\w ,:]{{0,60}})?)?)\Z"
)
"""What a citation may begin with when the text ends here; white space before it goes with it."""

_WORDS_BEFORE_VERB = 5
_LONGEST_CITATION = 600


def without_citations(text: str) -> str:
    """Return a finished text without any citation; what remains may be empty."""
    guard = CitationGuard()
    return (guard.feed(text) + guard.finish()).strip()


class CitationGuard:
    """Cuts citations out of a stream, holding back only what may become one."""

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self._gap = False
        self._last = ""
        self.has_cut = False
        """Whether anything was cut out so far."""

    def feed(self, text: str) -> str:
        """Take the next piece and return what can be shown now; may be empty."""
        self._held += text
        return self._shown(at_end=False)

    def finish(self) -> str:
        """Return what is left at the end of the stream."""
        return self._shown(at_end=True)

    def _shown(self, at_end: bool) -> str:
        shown = ""
        while True:
            if self._inside:
                end = _end_of_citation(self._held, at_end)
                if end is None:
                    return shown
                self._held = self._held[end:]
                self._inside = False
                self._gap = True
            begin = _begin_of_citation(self._held)
            if begin is None:
                return shown + self._free(at_end)
            shown += self._joined(self._held[:begin].rstrip(" \t"))
            self._held = self._held[begin:]
            self._inside = self.has_cut = True

    def _free(self, at_end: bool) -> str:
        """Give out what can not become a citation any more."""
        length = len(self._held)
        if not at_end:
            held = _MAY_BECOME.search(self._held)
            if held is not None and _still_possible(held.group()):
                length = held.start()
        free, self._held = self._held[:length], self._held[length:]
        return self._joined(free)

    def _joined(self, text: str) -> str:
        """Keep the words on both sides of a cut apart, and one full stop between them."""
        if text and self._gap:
            self._gap = False
            if text[0].isalnum():
                text = f" {text}"
            elif text[0] in ".,;" and self._last in (".", "!", "?", ""):
                text = text[1:]
        self._last = text[-1:] or self._last
        return text


def _begin_of_citation(text: str) -> int | None:
    found = [match.start() for pattern in (_BRACKETED, _BARE) if (match := pattern.search(text))]
    return min(found, default=None)


def _still_possible(held: str) -> bool:
    """Whether what follows a bracket can still turn out to be a citation."""
    if held.lstrip()[:1] not in ("(", "["):
        return True
    words = held.split()
    return len(words) <= _WORDS_BEFORE_VERB or bool(re.search(rf"\b{_VERB}\b", held, re.IGNORECASE))


def _end_of_citation(text: str, at_end: bool) -> int | None:
    """Return where the citation that ``text`` begins with is over; None while that is open."""
    opened = re.search(_QUOTE, text)
    line_end = text.find("\n")
    bracket = _bracket_end(text)
    if opened is None or (bracket is not None and bracket <= opened.start()):
        if bracket is not None:
            return bracket
    else:
        closing = re.compile(f"[{_CLOSING[opened.group()]}]").search(text, opened.end())
        if closing is not None and (line_end < 0 or closing.end() <= line_end):
            return _after_quote(text, closing.end(), at_end)
    if line_end < 0 and not at_end and len(text) < _LONGEST_CITATION:
        return None
    stop = line_end if line_end >= 0 else len(text)
    last = max(text.rfind(mark, 0, stop) for mark in ")]")
    return last + 1 if last >= 0 else stop


def _bracket_end(text: str) -> int | None:
    if text[:1] not in ("(", "["):
        return None
    found = text.find(")" if text[0] == "(" else "]")
    return found + 1 if found >= 0 else None


def _after_quote(text: str, end: int, at_end: bool) -> int | None:
    """Take the closing bracket along; None while it may still come."""
    tail = re.compile(r"\s*[.,;]?\s*([)\]])?").match(text, end)
    if text[:1] not in ("(", "[") or tail is None:
        return end
    if tail.group(1):
        return tail.end()
    return end if at_end or tail.end() < len(text) else None
