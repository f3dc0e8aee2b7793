"""Turns noun tokens into entity arguments: the speaker, names, described people, plain things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spacy.tokens import Token

from backend.ontology.ontology import Ontology
from backend.understanding import lexicon
from backend.understanding.filters import MentionFilter
from backend.understanding.language import Sentence
from backend.understanding.naming import NameRun, name_around
from backend.understanding.noun_phrases import past_quantity, phrase_bounds, points_at_something
from backend.understanding.reference import Discourse
from backend.understanding.relation_nouns import RelationNouns
from backend.understanding.statements import (
    ArgumentKind,
    DialogueContext,
    EntityArgument,
    Span,
)

_ENTITY_LABELS = {
    "PERSON": "PERSON",
    "GPE": "PLACE",
    "LOC": "PLACE",
    "FAC": "PLACE",
    "ORG": "ORGANIZATION",
    "WORK_OF_ART": "CREATIVE_WORK",
    "EVENT": "EVENT",
    "PRODUCT": "OBJECT",
    "LANGUAGE": "LANGUAGE",
}


def speaker_argument(context: DialogueContext, span: Span | None = None) -> EntityArgument:
    """The entity that "I" is: the owner, or a named other speaker."""
    if context.role == "user":
        return EntityArgument(ArgumentKind.ME, "me", "PERSON", span)
    return EntityArgument(ArgumentKind.NAMED, context.speaker, "PERSON", span)


class EntityReader:
    """Reads the entity that a token stands for, within one message."""

    def __init__(
        self,
        ontology: Ontology,
        context: DialogueContext,
        discourse: Discourse,
        mention_filter: MentionFilter,
    ) -> None:
        self.nouns = RelationNouns(ontology)
        self.vocabulary = ontology.vocabulary
        self._context = context
        self._discourse = discourse
        self._filter = mention_filter
        self._known = {known.name.casefold(): known for known in context.known_names}
        self._fixed: dict[tuple[int, int], tuple[EntityArgument, ...]] = {}

    def fix(self, sentence: Sentence, token: Token, arguments: Sequence[EntityArgument]) -> None:
        """Decide once what ``token`` stands for (a relation noun and its name, for instance)."""
        self._fixed[(sentence.index, token.i)] = tuple(arguments)

    def is_fixed(self, sentence: Sentence, token: Token) -> bool:
        """Whether the token has been decided."""
        return (sentence.index, token.i) in self._fixed

    def speaker(
        self, sentence: Sentence | None = None, token: Token | None = None
    ) -> EntityArgument:
        """The speaker, with the span of ``token`` where the text says "I"."""
        span = sentence.span(token, token) if sentence is not None and token is not None else None
        return speaker_argument(self._context, span)

    def people(self, sentence: Sentence, token: Token) -> tuple[EntityArgument, ...]:
        """Whoever the token stands for: none if unsure, several for a list of names."""
        fixed = self._fixed.get((sentence.index, token.i))
        if fixed is not None:
            return fixed
        if token.pos_ == "PRON" or token.lower_ in lexicon.FIRST_PERSON | lexicon.SECOND_PERSON:
            argument = self._pronoun(sentence, token)
            return (argument,) if argument is not None else ()
        named = self.named(sentence, token, ("PERSON",))
        return (named,) if named is not None else ()

    def _pronoun(self, sentence: Sentence, token: Token) -> EntityArgument | None:
        word = token.lower_
        if word in lexicon.FIRST_PERSON:
            return self.speaker(sentence, token)
        if token.tag_ in ("WP", "WDT") or word in lexicon.SECOND_PERSON:
            return None
        found = self._discourse.resolve(word, sentence.index, token.i)
        return None if found is None else replace(found, span=sentence.span(token, token))

    def named(
        self, sentence: Sentence, token: Token, expected: tuple[str, ...] = ()
    ) -> EntityArgument | None:
        """The proper name around ``token`` as an argument, labelled as the context expects."""
        run = name_around(sentence, token)
        if run is None:
            return None
        return self.from_run(run, expected)

    def is_participant(self, argument: EntityArgument) -> bool:
        """Whether the name is that of someone taking part in the talk, who is rather addressed."""
        speakers = {turn.speaker.casefold() for turn in self._context.turns}
        return argument.name.casefold() in speakers

    def is_known(self, sentence: Sentence, token: Token, label: str) -> bool:
        """Whether the name around the token has ``label``, by the memory or else by the parser."""
        run = name_around(sentence, token)
        if run is None:
            return False
        known = self._known.get(run.text.casefold())
        return known.label == label if known else _ENTITY_LABELS.get(token.ent_type_) == label

    def from_run(
        self, run: NameRun, expected: tuple[str, ...] = (), gender: str = ""
    ) -> EntityArgument:
        """A name run as an argument; the expected label wins over a guess that it rules out."""
        known = self._known.get(run.text.casefold())
        guess = known.label if known else _ENTITY_LABELS.get(run.last.ent_type_, "")
        label = (
            guess
            if guess and (not expected or guess in expected)
            else (expected[0] if expected else "OBJECT")
        )
        if label == "PERSON":
            gender = (
                gender or (known.gender if known else "") or self._name_gender(run.first.lower_)
            )
        return EntityArgument(
            ArgumentKind.NAMED,
            run.text,
            label,
            run.sentence.span(run.first, run.last),
            gender=gender,
        )

    def _name_gender(self, first_name: str) -> str:
        if first_name in self.vocabulary["female_names"]:
            return "female"
        return "male" if first_name in self.vocabulary["male_names"] else ""

    def note(self, sentence: Sentence, token: Token, argument: EntityArgument) -> None:
        """Make the entity available to later pronouns."""
        subject = token.dep_ in ("nsubj", "nsubjpass")
        self._discourse.note(argument, sentence.index, token.i, subject=subject)

    # ------------------------------------------------------------------ things

    def thing(
        self,
        sentence: Sentence,
        token: Token,
        label: str,
        *,
        allow_definite: bool = False,
        allow_indefinite: bool = True,
    ) -> EntityArgument | None:
        """What a noun phrase names, with its own words, or None if it is too vague."""
        token = past_quantity(token)
        if token.pos_ in ("PRON", "DET", "ADV", "NUM", "SYM") or token.tag_ in ("VBN", "VBD"):
            return None
        if not allow_definite and points_at_something(token):
            self._filter.rejected["mention_definite"] += 1
            return None
        if not allow_indefinite and any(
            c.dep_ == "det" and c.lower_ in ("a", "an", "another") for c in token.children
        ):
            return None
        modified = any(c.dep_ in ("amod", "compound") and c.pos_ != "PROPN" for c in token.lefts)
        lower_name = sentence.lower_cased and not modified and token.tag_ == "NNP"
        if token.pos_ == "PROPN" and (token.text[:1].isupper() or lower_name):
            named = self.named(sentence, token, self._expected(label, token))
            if named is not None:
                return named if self._filter.accepts(named.name, token.lower_) else None
        first, last = phrase_bounds(token)
        before = sentence.token_after(first, -1)
        if before is not None and before.pos_ in ("NOUN", "PROPN") and before.whitespace_:
            # The parser cut a compound ("… and fantasy | novels"): half a name would say less.
            self._filter.rejected["mention_cut"] += 1
            return None
        text = " ".join(sentence.doc[first.i : last.i + 1].text.split())
        if first.i == 0 and first.pos_ != "PROPN" and text[1:] == text[1:].lower():
            text = text.lower()  # Capital only because it opens the sentence.
        if not self._filter.accepts(text, token.lower_):
            return None
        return EntityArgument(ArgumentKind.DESCRIBED, text, label, sentence.span(first, last))

    def _expected(self, label: str, token: Token) -> tuple[str, ...]:
        guess = _ENTITY_LABELS.get(token.ent_type_, "")
        return (guess, label) if guess and label == "OBJECT" else (label,)

    def accepts(self, text: str, head: str) -> bool:
        """Whether the mention filter lets a text pass."""
        return self._filter.accepts(text, head)
