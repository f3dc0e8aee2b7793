"""Text and dialogue context in, statements with spans out: deterministic, no store, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from spacy.language import Language

from backend.ontology.ontology import Ontology
from backend.understanding import lexicon
from backend.understanding.asking import stated
from backend.understanding.entities import EntityReader, speaker_argument
from backend.understanding.filters import MentionFilter
from backend.understanding.language import Sentence, parse_sentence
from backend.understanding.modality import clauses_of
from backend.understanding.naming import name_around
from backend.understanding.persons_spoken_of import note_people, recall_people
from backend.understanding.preparation import PreparedText, prepare
from backend.understanding.questions import QuestionReader
from backend.understanding.reading import EXTRACTOR_VERSION, UnderstandingCancelled, never
from backend.understanding.reference import Discourse, identity_key
from backend.understanding.rules.activities import activities
from backend.understanding.rules.deeds import deeds
from backend.understanding.rules.events import events
from backend.understanding.rules.health import health
from backend.understanding.rules.kinship import kinship
from backend.understanding.rules.likes import likes
from backend.understanding.rules.personal import personal
from backend.understanding.rules.plans import plans
from backend.understanding.rules.possessions import possessions
from backend.understanding.rules.residence import residence
from backend.understanding.rules.study import study
from backend.understanding.rules.work import work
from backend.understanding.scene import Scene
from backend.understanding.statements import (
    ArgumentKind,
    DialogueContext,
    EntityArgument,
    LiteralArgument,
    Mention,
    Modality,
    QuestionPattern,
    Statement,
    Understanding,
)
from backend.understanding.time_expressions import TimeReader

Rule = Callable[[Scene], Iterator[Statement]]

RULES: tuple[Rule, ...] = (
    personal,
    residence,
    work,
    study,
    likes,
    health,
    plans,
    activities,
    events,
    possessions,
)
"""Kinship runs before these: it decides what "my sister" stands for in all the others."""

ENGLISH_SHARE = 0.12
"""Least share of English function words in a sentence of eight words or more."""

MENTION_LABELS = {
    "PERSON": "PERSON",
    "GPE": "PLACE",
    "LOC": "PLACE",
    "FAC": "PLACE",
    "ORG": "ORGANIZATION",
    "WORK_OF_ART": "CREATIVE_WORK",
    "EVENT": "EVENT",
    "PRODUCT": "OBJECT",
}


class Understander:
    """Reads messages by grammar and the ontology's word lists (DESIGN §5, tier 0)."""

    version = EXTRACTOR_VERSION

    def __init__(self, ontology: Ontology, language: Language) -> None:
        self._ontology = ontology
        self._language = language
        self._questions = QuestionReader(ontology, language)
        self._occupations = ontology.vocabulary["occupations"]

    def understand(
        self, text: str, context: DialogueContext, cancelled: Callable[[], bool] = never
    ) -> Understanding:
        """All statements of ``text``; UnderstandingCancelled between sentences on request."""
        if context.role == "assistant":
            return Understanding((), (), Counter({"assistant_role": 1}))
        prepared = prepare(text)
        rejected = Counter(prepared.rejected)
        mention_filter = MentionFilter(self._ontology.vocabulary)
        discourse = Discourse(speaker_argument(context))
        reader = EntityReader(self._ontology, context, discourse, mention_filter)
        self._recall_turns(context, reader)
        time = TimeReader(context.said_at)
        statements: list[Statement] = []
        mentions: list[Mention] = []
        fiction = _tells_fiction(prepared)
        for index, source in enumerate(prepared.sentences):
            if cancelled():
                raise UnderstandingCancelled
            plain = prepared.text[source.start : source.end].lower()
            if fiction or any(mark in plain for mark in lexicon.FICTION_MARKS):
                rejected["fictional"] += 1
                continue
            if any(mark in f" {plain} " for mark in _spaced(lexicon.JOKE_MARKS)):
                rejected["joking"] += 1
                statements = [s for s in statements if s.evidence.end < source.start - 3]
                continue
            sentence = parse_sentence(self._language, prepared, source, index)
            if not is_english(sentence):
                rejected["not_english"] += 1
                mentions.extend(_mentions(sentence))
                continue
            mentions.extend(_mentions(sentence))
            clauses = tuple(clauses_of(sentence))
            for clause in clauses:
                if clause.silent:
                    rejected[clause.silent] += 1
            scene = Scene(sentence, clauses, reader, discourse, self._ontology, time)
            found = list(kinship(scene))
            note_people(sentence, reader, discourse, self._occupations)
            found.extend(s for rule in RULES for s in rule(scene))
            found.extend(list(deeds(scene, found)))
            told = stated(scene, found)
            if len(told) < len(found):
                rejected["question"] += len(found) - len(told)
            corrected = plain.startswith(lexicon.CORRECTION_OPENINGS)
            statements.extend(_marked(s, corrected) for s in told)
        rejected.update(mention_filter.rejected)
        kept = _kept(statements, rejected)
        return Understanding(tuple(kept), tuple(mentions), rejected)

    def mentions(self, text: str, context: DialogueContext) -> tuple[Mention, ...]:
        """The names in ``text``, for the recall that goes before the reply."""
        prepared = prepare(text)
        known = {k.name.casefold(): k for k in context.known_names}
        found: list[Mention] = []
        for index, source in enumerate(prepared.sentences):
            sentence = parse_sentence(self._language, prepared, source, index)
            for mention in _mentions(sentence):
                label = (
                    known[mention.text.casefold()].label
                    if mention.text.casefold() in known
                    else mention.label
                )
                found.append(replace(mention, label=label))
        return tuple(found)

    def parse_question(self, text: str, context: DialogueContext) -> QuestionPattern | None:
        """The question as a walk over the graph; None if it is not one for the memory."""
        return self._questions.read(text, context)

    def _recall_turns(self, context: DialogueContext, reader: EntityReader) -> None:
        """Let people named in the last two turns be meant by pronouns of this message."""
        for age, turn in enumerate(reversed(context.turns[-2:]), start=1):
            if turn.role == "assistant":
                continue
            prepared = prepare(turn.text[:2000])
            for source in prepared.sentences[-2:]:
                sentence = parse_sentence(self._language, prepared, source, -age)
                recall_people(sentence, reader, self._occupations, context.speaker)


def is_english(sentence: Sentence) -> bool:
    """A cheap guard: an English sentence of some length holds English function words."""
    words = [t.lower_ for t in sentence.tokens if t.is_alpha or "'" in t.text]
    if not words:
        return False
    share = sum(w in lexicon.ENGLISH_STOP_WORDS for w in words) / len(words)
    if len(words) < 8:
        return share > 0 or (all(w.isascii() for w in words) and len(words) < 3)
    return share >= ENGLISH_SHARE


def _tells_fiction(prepared: PreparedText) -> bool:
    opening = prepared.text[:160].lower()
    return any(
        mark in opening
        for mark in (
            "write a story",
            "let's role",
            "pretend",
            "once upon a time",
            "role-play",
            "roleplay",
            "write a poem",
            "you are a ",
            "act as",
        )
    )


def _spaced(marks: tuple[str, ...]) -> list[str]:
    return [f" {mark}" for mark in marks]


def _mentions(sentence: Sentence) -> Iterator[Mention]:
    seen: set[int] = set()
    for ent in sentence.doc.ents:
        label = MENTION_LABELS.get(ent.label_)
        if label is not None:
            seen.update(t.i for t in ent)
            span = sentence.span(ent[0], ent[-1])
            yield Mention(span, ent.text, label)
    for token in sentence.tokens:
        if token.pos_ == "PROPN" and token.i not in seen and token.ent_type_ == "":
            run = name_around(sentence, token)
            if run is not None:
                seen.update(t.i for t in run.parts)
                yield Mention(sentence.span(run.first, run.last), run.text, "OBJECT")


def _marked(statement: Statement, corrected: bool) -> Statement:
    if not corrected:
        return statement
    return replace(
        statement, qualifiers=tuple(sorted((*statement.qualifiers, ("correction", "yes"))))
    )


def _kept(statements: list[Statement], rejected: Counter[str]) -> list[Statement]:
    """Drop what is not meant as a fact, what says nothing, and doubles."""
    kept: list[Statement] = []
    seen: set[tuple[object, ...]] = set()
    for statement in statements:
        if statement.modality in (
            Modality.HYPOTHETICAL,
            Modality.JOKING,
            Modality.QUOTED,
            Modality.FICTIONAL,
        ):
            rejected[statement.modality.value] += 1
            continue
        target = statement.object
        if isinstance(target, EntityArgument) and identity_key(target) == identity_key(
            statement.subject
        ):
            rejected["about_itself"] += 1
            continue
        value: tuple[object, ...] = (
            ("literal", target.value)
            if isinstance(target, LiteralArgument)
            else identity_key(target)
        )
        key = (
            identity_key(statement.subject),
            statement.predicate,
            value,
            statement.polarity,
            statement.modality,
            statement.change,
        )
        if key in seen:
            rejected["said_twice"] += 1
            continue
        seen.add(key)
        kept.append(statement)
    return kept


__all__ = ["ArgumentKind", "Understander", "UnderstandingCancelled", "is_english"]
