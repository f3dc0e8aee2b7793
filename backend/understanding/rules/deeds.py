"""What someone did or regularly does, kept in their own words where no closer predicate fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spacy.tokens import Token

from backend.understanding import verb_phrases
from backend.understanding.clauses import Clause, Tense, own_words
from backend.understanding.scene import Scene
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    Modality,
    Statement,
)
from backend.understanding.word_sets import word_set

_DEEDS = word_set(
    """start found launch open build renovate give run organize organise host plant adopt buy sell
    rent repair fix replace break lose win finish complete submit publish perform record film shoot
    design create develop write paint draw cook bake grill knit sew play climb hike visit explore
    tour camp travel fly drive swim catch teach coach mentor volunteer donate raise enroll enrol
    apply interview graduate pass fail attend join quit celebrate throw cancel book order receive
    inherit discover learn practice practise redecorate clean rescue foster train upgrade install
    test present exhibit sing dance compete beat plan prepare make take watch read study hire
    decorate sign adopt bring collect photograph release hold lead serve walk ride tackle
    purchase pick invite enter score sculpt craft assemble remodel set work move spend help"""
)
_PASSIVE_DEEDS = word_set(
    "promote fire hire accept reject injure rob nominate award elect select invite publish admit"
)
_WITH_NEW_OBJECT = word_set(
    "give take make hold lead set bring receive pick lose help run start discover work spend"
)
"""Verbs that say little unless their object is something new ("a class") or has a name."""
_NO_DEEDS = word_set(
    """break look step moment minute second while risk chance lot bit time shot picture photo pic
    photos pictures pics advice care note breath place part turn deal progress difference
    impact mark choice decision mistake effort feedback attention inspiration courage hope
    mind track memory memories sense heart strength comfort vibe feeling touch confidence
    credit way ton lots load bunch game question answer idea ideas call hug smile laugh plunge
    leap day days one ones something moments challenge challenges motivation support love
    peace joy fun experience journey"""
)
_OFTEN = word_set("usually always often regularly normally sometimes frequently")
_EVERY = word_set("every each")
_TIME_NOUNS = word_set(
    """day morning evening night afternoon week weekend month year summer winter spring autumn
    fall monday tuesday wednesday thursday friday saturday sunday weekday"""
)
_NOT_HABITS = word_set(
    """be have feel love like enjoy hate want wish think know believe need seem say tell agree
    remember forget hope find make remind appreciate get let see keep help mean wonder dream"""
)


_TAKEN_FOR_GRANTED = frozenset(
    {
        "kinship.possessive",
        "kinship.several",
        "kinship.count",
        "pets.species",
        "possessions.own",
        "events.own_group",
    }
)
"""Facts that a noun phrase gives in passing; the clause around it may still tell a deed."""


def deeds(scene: Scene, found: Iterable[Statement]) -> Iterator[Statement]:
    """The deeds and habits of the sentence that none of the ``found`` statements tells already."""
    told = [s.evidence for s in found if s.method not in _TAKEN_FOR_GRANTED]
    for clause in scene.told_clauses():
        if clause.modality is not Modality.ASSERTED or clause.controlled or clause.negated:
            continue
        place = scene.sentence.start + clause.head.idx
        if clause.ability or any(span.start <= place < span.end for span in told):
            continue
        subjects = scene.subjects(clause)
        if len({s.name for s in subjects}) != 1 or subjects[0].label != "PERSON":
            continue
        yield from _done(scene, clause, subjects[0])
        yield from _habit(scene, clause, subjects[0])
        yield from _worn(scene, clause, subjects[0])
        yield from _expected(scene, clause, subjects[0])


def _done(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.tense not in (Tense.PAST, Tense.PERFECT) or clause.change is not Change.HOLDS:
        return
    if clause.head.tag_ not in ("VBD", "VBN"):
        return
    passive = next((c for c in clause.head.children if c.dep_ == "auxpass"), None)
    if passive is not None and clause.verb in _PASSIVE_DEEDS:
        words = [passive, clause.head] if passive.i + 1 == clause.head.i else []
    elif passive is None and clause.verb in _DEEDS and _has_told_object(scene, clause):
        words = verb_phrases.action_words(scene.sentence, clause.head, cut=_time_cut(scene, clause))
    else:
        return
    if words and words[-1].lower_ == "other":  # "the other day", whose "day" counts as a time.
        words = words[:-2]
    if (
        not words
        or words[-1].tag_ == "VBG"
        or (subject.kind is not ArgumentKind.ME and _speaks_of_self(scene, words, clause))
    ):
        return
    name = verb_phrases.text_of(words)
    name = name[:1].lower() + name[1:]
    span = verb_phrases.span_of(scene.sentence, words)
    deed = EntityArgument(ArgumentKind.DESCRIBED, name, "EVENT", span)
    yield scene.state(clause, subject, "DID", deed, "deeds.done", lasting=False, confidence=0.8)


def _speaks_of_self(scene: Scene, words: list[Token], clause: Clause) -> bool:
    """Whether "my" in someone else's deed is the speaker's, which its text could not show."""
    own = any(t.lower_ in ("my", "our") for t in words)
    return own and not any(t.lower_ in ("i", "we") for t in clause.subjects)


def _has_told_object(scene: Scene, clause: Clause) -> bool:
    """Whether the object is something in particular: new, named, or one's own."""
    objects = clause.objects()
    if not objects or clause.particle():
        return False
    for token in objects:
        if token.pos_ not in ("NOUN", "PROPN"):
            return False
        narrowed = any(c.dep_ in ("compound", "amod") for c in token.children)
        if token.lower_ in _NO_DEEDS and not (token.lower_ == "game" and narrowed):
            return False
        determiners = {c.lower_ for c in token.children if c.dep_ in ("det", "poss", "predet")}
        if determiners & {"this", "that", "these", "those", "no", "any", "your", "its", "their"}:
            return False
        if any(c.dep_ in ("relcl", "acl") for c in token.children):
            return False
        specific = any(c.dep_ in ("compound", "amod") for c in token.children)
        new = bool(determiners & {"a", "an", "my", "our", "some", "two", "three"})
        if clause.verb in _WITH_NEW_OBJECT and not (new and (specific or token.tag_ == "NN")):
            return False
        if not (new or specific or token.pos_ == "PROPN" or token.tag_ == "NNS"):
            return False
    return True


def _time_cut(scene: Scene, clause: Clause) -> tuple[int, int] | None:
    """The time expression after the verb: it dates the deed and is no part of its name."""
    for expression in scene.time.expressions(scene.sentence.doc.text):
        if expression.start > clause.head.idx and expression.span is not None:
            return expression.start, expression.end
    return None


def _habit(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I usually get up at six", "we go to the gym every Tuesday"."""
    if (
        clause.tense is not Tense.PRESENT
        or not clause.habitual
        or clause.verb in _NOT_HABITS - {"get"}
    ):
        return
    if clause.head.tag_ not in ("VBP", "VBZ") or clause.change is not Change.HOLDS:
        return
    inside = sorted(own_words(clause.head), key=lambda t: t.i)
    often = next((t for t in inside if t.lower_ in _OFTEN and t.head == clause.head), None)
    every = any(
        t.lower_ in _EVERY and t.head.lower_ in _TIME_NOUNS and t.head.head == clause.head
        for t in inside
    )
    if often is None and not every:
        return
    words = [t for t in inside if t.i >= clause.head.i and not t.is_punct]
    if not 2 <= len(words) <= 9 or words[-1].i - words[0].i + 1 != len(words):
        return
    if any(t.pos_ == "PRON" or t.lower_ in ("this", "that", "your") for t in words):
        return
    if words[-1].pos_ in ("ADP", "PART", "SCONJ"):
        return
    if clause.verb == "get" and clause.particle() != "up":
        return  # "Sometimes we get too focused": a state, and rather everyone's.
    if subject.kind is not ArgumentKind.ME and any(t.lower_ in ("my", "our") for t in words):
        return
    verb = clause.head.lower_
    if clause.head.tag_ == "VBP" and subject.kind is not ArgumentKind.ME:
        verb = _third_person(verb)
    rest = verb_phrases.text_of(words[1:])
    front = f"{often.lower_} " if often is not None and often.i < clause.head.i else ""
    name = f"{front}{verb} {rest}"
    span = verb_phrases.span_of(scene.sentence, words)
    habit = EntityArgument(ArgumentKind.DESCRIBED, name, "ACTIVITY", span)
    yield scene.state(clause, subject, "HAS_HABIT", habit, "deeds.habit", confidence=0.8)


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeou" else verb + "s"


_WORN = word_set("glasses lenses braces aid contacts wig")


def _worn(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I wear glasses", which is for years; clothes of the day are left out."""
    if clause.verb != "wear" or clause.tense is not Tense.PRESENT or not clause.habitual:
        return
    for token in clause.objects():
        worn = scene.reader.thing(scene.sentence, token, "OBJECT")
        if token.lower_ in _WORN and worn is not None:
            yield scene.state(clause, subject, "WEARS", worn, "deeds.wears")


def _expected(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "We're expecting a baby in May"."""
    expecting = clause.verb == "expect" and clause.head.tag_ == "VBG"
    if not expecting or clause.tense is not Tense.PRESENT:
        return
    for token in clause.objects():
        if token.lower_ not in ("baby", "child", "twins", "triplets"):
            continue
        words = scene.sentence.doc[clause.head.i : token.i + 1].text.lower()
        state = scene.literal("health_state", words, clause.head, token)
        yield scene.state(clause, subject, "HAS_HEALTH_STATE", state, "deeds.expecting")
