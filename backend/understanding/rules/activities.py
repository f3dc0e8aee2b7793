"""What people do: instruments, sports, languages, hobbies, lessons, collections, voluntary work."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from backend.understanding import verb_phrases
from backend.understanding.clauses import Clause, Tense, joined_by_or, objects_of
from backend.understanding.rules.likes import activity, liked_thing
from backend.understanding.scene import Scene
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    Modality,
    Statement,
)
from backend.understanding.word_sets import word_set

_OFTEN = (
    "every",
    "usually",
    "often",
    "always",
    "twice",
    "once",
    "daily",
    "weekly",
    "regularly",
    "weekends",
    "mondays",
    "sundays",
    "saturdays",
    "fridays",
    "spare time",
    "free time",
    "sometimes",
)
_PURSUED = word_set(
    """paint write bake cook ride read watch coach draw grow sew knit brew lift build restore breed
    hunt sell make photograph sculpt carve design crochet follow"""
)
_PASSING = word_set("tired busy fun")
_COMMON_OBJECTS = word_set(
    "sense money friends mistakes sure decisions plans news mail emails texts memories"
)


def activities(scene: Scene) -> Iterator[Statement]:
    """Everything that a clause says about doings and skills."""
    for clause in scene.told_clauses():
        if clause.modality not in (Modality.ASSERTED, Modality.REPORTED):
            continue
        yield from _hobbies(scene, clause)
        if clause.controlled:
            continue
        for subject in scene.subjects(clause):
            if subject.label != "PERSON":
                continue
            yield from _skills(scene, clause, subject)
            yield from _habits(scene, clause, subject)
            yield from _pursuits(scene, clause, subject)
            yield from _lately(scene, clause, subject)
            yield from _taken_up(scene, clause, subject)
            yield from _lessons(scene, clause, subject)


def _lasting(clause: Clause) -> bool:
    """Whether the clause speaks of a habit or skill rather than of one occasion."""
    changed = clause.change in (Change.ENDS, Change.STARTS)
    return (
        clause.habitual or changed or (clause.tense is Tense.PERFECT and clause.head.tag_ == "VBG")
    )


def _skills(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    vocabulary = scene.reader.vocabulary
    if not _lasting(clause) and not clause.ability:
        return
    if clause.verb == "play" and not clause.particle():
        tokens = [*clause.objects(), *clause.prepositional("on")]
        for token in tokens:
            kind = _played(scene, token)
            if kind is None or (joined_by_or(token) and not clause.negated):
                continue
            target = scene.reader.thing(
                scene.sentence, token, kind, allow_definite=kind == "INSTRUMENT"
            )
            if target is not None:
                target = EntityArgument(ArgumentKind.DESCRIBED, target.name, kind, target.span)
                yield scene.state(clause, subject, "PLAYS", target, "activities.plays")
    languages = (
        clause.objects()
        if clause.verb in ("speak", "know")
        else [
            t
            for c in clause.complements()
            if c.lower_ == "fluent"
            for p in c.children
            if p.lower_ == "in"
            for t in objects_of(p)
        ]
        if clause.verb == "be"
        else []
    )
    for token in languages:
        if token.lower_ in vocabulary["languages"]:
            target = EntityArgument(
                ArgumentKind.NAMED, token.text, "LANGUAGE", scene.sentence.span(token, token)
            )
            yield scene.state(clause, subject, "SPEAKS_LANGUAGE", target, "activities.language")


def _played(scene: Scene, token: Token) -> str | None:
    word, plural = token.lower_, token.lemma_.lower()
    vocabulary = scene.reader.vocabulary
    if any(c.dep_ == "poss" for c in token.children):
        return None
    if word in vocabulary["instruments"] or plural in vocabulary["instruments"]:
        return "INSTRUMENT"
    if word in vocabulary["sports"] or plural in vocabulary["sports"]:
        return "ACTIVITY"
    if plural == "game" and any(c.dep_ == "compound" for c in token.children):
        return "ACTIVITY"
    return None


def _habits(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    vocabulary = scene.reader.vocabulary
    if clause.verb == "collect" and clause.habitual and not clause.ability:
        for token in clause.objects():
            target = liked_thing(scene, token)
            if target is not None and token.tag_ in ("NNS", "NN"):
                yield scene.state(clause, subject, "COLLECTS", target, "activities.collects")
    if (
        clause.verb in ("do", "practice", "practise", "teach", "try")
        and (clause.verb != "try" or clause.head.tag_ == "VBG")
        and (_lasting(clause) or clause.head.tag_ == "VBG")
        and not clause.ability
    ):
        predicate = "TEACHES" if clause.verb == "teach" else "DOES_ACTIVITY"
        for token in clause.objects():
            if (
                token.lower_ in vocabulary["activities"]
                or token.lower_ in vocabulary["sports"]
                or (
                    clause.verb == "teach"
                    and token.pos_ == "NOUN"
                    and token.tag_ == "NN"
                    and not list(token.children)
                )
            ):
                target = scene.reader.thing(
                    scene.sentence, token, "ACTIVITY", allow_indefinite=False
                )
                if target is not None:
                    yield scene.state(clause, subject, predicate, target, "activities.does")
    if (
        clause.verb == "go"
        and _lasting(clause)
        and not clause.ability
        and clause.change is Change.HOLDS
    ):
        for child in clause.head.children:
            if (
                child.tag_ == "VBG"
                and child.dep_ in ("xcomp", "advcl")
                and child.lower_ in vocabulary["activities"]
            ):
                target = activity(scene, child)
                if target is not None:
                    yield scene.state(clause, subject, "DOES_ACTIVITY", target, "activities.goes")
    if clause.verb == "volunteer" and not clause.ability:
        yield from _volunteering(scene, clause, subject)
    yield from _frequent(scene, clause, subject)


def _hobby_named_first(scene: Scene, clause: Clause) -> Iterator[Statement]:
    for token in clause.complements():
        if token.lemma_.lower() not in ("hobby", "passion", "pastime"):
            continue
        owner = next((c for c in token.children if c.dep_ == "poss"), None)
        people = scene.reader.people(scene.sentence, owner) if owner is not None else ()
        if len(people) != 1:
            continue
        values = [*clause.subjects, *(c for c in clause.head.children if c.dep_ == "csubj")]
        for value in values:
            gerund = value.tag_ == "VBG"
            target = activity(scene, value) if gerund else liked_thing(scene, value)
            if target is not None:
                target = EntityArgument(target.kind, target.name, "ACTIVITY", target.span)
                yield scene.state(clause, people[0], "DOES_ACTIVITY", target, "activities.passion")


def _frequent(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I run every morning", "I've been painting for years", "I paint"."""
    if clause.negated or clause.ability or clause.objects() or clause.particle():
        return
    gerunds = scene.reader.vocabulary["activities"]
    name = verb_phrases.gerund(clause.verb)
    if name not in gerunds or clause.verb == "shop" or not _lasting(clause):
        return
    often = any(word in clause.sentence.doc.text.lower() for word in _OFTEN)
    bare = all(
        c.dep_ in ("nsubj", "punct", "cc", "conj", "aux", "advmod") for c in clause.head.children
    )
    if often or bare or clause.tense is Tense.PERFECT:
        span = clause.sentence.span(clause.head, clause.head)
        target = EntityArgument(ArgumentKind.DESCRIBED, name, "ACTIVITY", span)
        yield scene.state(clause, subject, "DOES_ACTIVITY", target, "activities.frequent")


def _pursuits(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I paint landscapes", "she writes poetry": a habit with a kind of thing as object."""
    if clause.verb not in _PURSUED or not clause.habitual or clause.negated or clause.ability:
        return
    for token in clause.objects():
        plain = token.pos_ == "NOUN" and not any(
            c.dep_ in ("det", "poss", "nummod", "relcl", "acl", "prep") for c in token.children
        )
        listed = token.dep_ == "conj" and (token.tag_ != "NNS" or token.head.dep_ == "conj")
        if not plain or listed or token.lower_ in _COMMON_OBJECTS or joined_by_or(token):
            continue
        thing = scene.reader.thing(scene.sentence, token, "OBJECT")
        if thing is None or thing.span is None:
            continue
        span = scene.sentence.span(clause.head, token)
        name = f"{verb_phrases.gerund(clause.verb)} {thing.name}"
        target = EntityArgument(ArgumentKind.DESCRIBED, name, "ACTIVITY", span)
        yield scene.state(clause, subject, "DOES_ACTIVITY", target, "activities.pursuit")


def _lately(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I've been practising salsa", "she has been reading fantasy books"."""
    if clause.tense is not Tense.PERFECT or clause.head.tag_ != "VBG" or clause.negated:
        return
    if (
        clause.verb not in _PURSUED | _PRACTISED
        or clause.ability
        or clause.change is not Change.HOLDS
    ):
        return
    for token in clause.objects():
        target = liked_thing(scene, token)
        if target is not None and target.span is not None and token.dep_ == "dobj":
            name = f"{verb_phrases.gerund(clause.verb)} {target.name}"
            span = scene.sentence.span(clause.head, token)
            done = EntityArgument(ArgumentKind.DESCRIBED, name, "ACTIVITY", span)
            yield scene.state(clause, subject, "DOES_ACTIVITY", done, "activities.lately")


_PRACTISED = word_set("practice practise train explore coach teach research")


def _taken_up(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I took up painting", "I got into climbing"."""
    up = clause.verb == "take" and clause.particle() == "up"
    into = clause.verb == "get" and clause.tense in (Tense.PAST, Tense.PERFECT)
    if not (up or into) or clause.negated:
        return
    tokens = clause.prepositional("into")
    if up:
        tokens = [*clause.objects(), *clause.governed()]
    vocabulary = scene.reader.vocabulary
    for token in tokens:
        word = token.lower_
        if word in vocabulary["activities"] | vocabulary["sports"]:
            target = scene.reader.thing(scene.sentence, token, "ACTIVITY", allow_definite=True)
            if target is not None:
                yield scene.state(
                    clause,
                    subject,
                    "DOES_ACTIVITY",
                    target,
                    "activities.taken_up",
                    change=Change.STARTS,
                )


def _volunteering(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.tense is Tense.PAST and clause.change is Change.HOLDS:
        return
    tokens = clause.prepositional("at", "for", "with")
    if clause.head.dep_ == "relcl":
        # "the shelter I volunteer at": the place is what the clause describes.
        dangling = any(c.dep_ == "prep" and not list(c.children) for c in clause.head.children)
        tokens = [clause.head.head] if dangling else tokens
    for token in tokens:
        if token.pos_ not in ("NOUN", "PROPN") or scene.reader.is_fixed(scene.sentence, token):
            continue
        target = scene.reader.thing(scene.sentence, token, "ORGANIZATION", allow_definite=True)
        if target is not None:
            yield scene.state(clause, subject, "VOLUNTEERS_AT", target, "activities.volunteers")


def _lessons(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.verb != "learn" or clause.head.tag_ != "VBG" or clause.negated or clause.ability:
        return
    vocabulary = scene.reader.vocabulary
    for token in clause.objects():
        word = token.lower_
        known = any(
            word in vocabulary[name]
            for name in ("languages", "instruments", "activities", "sports")
        )
        if known:
            target = scene.reader.thing(scene.sentence, token, "ACTIVITY", allow_definite=True)
            if target is not None:
                yield scene.state(clause, subject, "LEARNS", target, "activities.learns")
    for verb in clause.governed():
        if verb.tag_ == "VB":
            target = activity(scene, verb)
            if target is not None:
                yield scene.state(clause, subject, "LEARNS", target, "activities.learns")


def _hobbies(scene: Scene, clause: Clause) -> Iterator[Statement]:
    """Such as "My hobbies are hiking and chess", "painting is my passion"."""
    listing = (
        clause.head.tag_ == "VBG" and clause.head.i - clause.subjects[0].i == 2
        if clause.subjects
        else False
    )
    if (clause.verb not in ("be", "include") and not listing) or clause.negated:
        return
    yield from _hobby_named_first(scene, clause)
    for token in clause.subjects:
        if token.lemma_.lower() not in ("hobby", "pastime"):
            continue
        owner = next((c for c in token.children if c.dep_ == "poss"), None)
        people = scene.reader.people(scene.sentence, owner) if owner is not None else ()
        if len(people) != 1:
            continue
        values = [*clause.complements(), *clause.objects(), *clause.governed()]
        if listing:
            # "My hobbies are hiking and chess" is parsed like "they are hiking".
            values = [clause.head, *(c for c in clause.head.children if c.dep_ == "conj")]
        for value in dict.fromkeys(values):
            target: EntityArgument | None
            if value == clause.head:
                target = EntityArgument(
                    ArgumentKind.DESCRIBED,
                    value.lower_,
                    "ACTIVITY",
                    scene.sentence.span(value, value),
                )
                if value.lower_ not in scene.reader.vocabulary["activities"]:
                    target = None
            elif value.pos_ == "VERB":
                target = activity(scene, value)
            else:
                target = liked_thing(scene, value)
            if target is not None:
                target = EntityArgument(target.kind, target.name, "ACTIVITY", target.span)
                yield scene.state(clause, people[0], "DOES_ACTIVITY", target, "activities.hobby")
