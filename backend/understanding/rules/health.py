"""Allergies, conditions, diets, and what people eat, drink or smoke."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from backend.understanding.clauses import Clause, Tense, joined_by_or, objects_of
from backend.understanding.rules.likes import liked_thing
from backend.understanding.scene import Scene
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    Modality,
    Span,
    Statement,
)
from backend.understanding.word_sets import word_set

_STATES = word_set(
    """diabetic asthmatic pregnant deaf blind colorblind colourblind bipolar autistic dyslexic
    epileptic anemic anaemic disabled paralyzed celiac coeliac left-handed nearsighted"""
)
_INTOLERANCES = (
    "lactose intolerant",
    "gluten intolerant",
    "lactose-intolerant",
    "color blind",
    "colour blind",
)
_IMPLIED = {"drink": "alcohol", "smoke": "cigarettes"}
_CONSUMING = {"eat": "EATS", "drink": "DRINKS", "smoke": "SMOKES"}


def health(scene: Scene) -> Iterator[Statement]:
    """Everything that a clause says about health and food habits."""
    for clause in scene.told_clauses():
        if clause.controlled or clause.modality is Modality.PLANNED:
            continue
        for subject in scene.subjects(clause):
            if subject.label not in ("PERSON", "PET"):
                continue
            yield from _allergies(scene, clause, subject)
            yield from _conditions(scene, clause, subject)
            yield from _injuries(scene, clause, subject)
            yield from _states(scene, clause, subject)
            yield from _consumption(scene, clause, subject)


def _allergies(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    tokens: list[Token] = []
    holders = (
        clause.complements()
        if clause.verb == "be"
        else clause.objects()
        if clause.verb in ("have", "develop")
        else []
    )
    for holder in holders:
        if holder.lemma_.lower() in ("allergic", "allergy", "intolerant"):
            for preposition in holder.children:
                if preposition.dep_ == "prep" and preposition.lower_ == "to":
                    tokens.extend(objects_of(preposition))
        if holder.lemma_.lower() == "allergy":
            tokens.extend(c for c in holder.children if c.dep_ == "compound")
    for token in tokens:
        if token.pos_ in ("NOUN", "PROPN", "ADJ") and not scene.reader.is_fixed(
            scene.sentence, token
        ):
            target = scene.reader.thing(scene.sentence, token, "FOOD")
            if target is not None:
                yield scene.state(clause, subject, "ALLERGIC_TO", target, "health.allergy")


def _conditions(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    tokens: list[Token] = []
    if clause.verb in ("have", "develop", "'ve"):
        tokens = clause.objects()
    elif clause.verb == "suffer":
        tokens = clause.prepositional("from")
    elif clause.verb == "diagnose":
        tokens = clause.prepositional("with")
    elif clause.verb == "be":
        tokens = [
            t
            for c in clause.complements()
            if c.lower_ == "diagnosed"
            for p in c.children
            if p.lower_ == "with"
            for t in p.children
            if t.dep_ == "pobj"
        ]
    for token in tokens:
        words = {
            token.lower_,
            token.lemma_.lower(),
            *(c.lower_ for c in token.children if c.dep_ in ("compound", "amod")),
        }
        if not words & scene.reader.vocabulary["conditions"] or token.lemma_.lower() in (
            "allergy",
            "attack",
        ):
            continue
        target = scene.reader.thing(scene.sentence, token, "CONDITION")
        if target is not None:
            target = EntityArgument(ArgumentKind.DESCRIBED, target.name, "CONDITION", target.span)
            change = (
                Change.STARTS
                if clause.verb in ("develop", "diagnose") and not clause.negated
                else None
            )
            yield scene.state(
                clause, subject, "HAS_CONDITION", target, "health.condition", change=change
            )


_INJURING = {
    "injure": "injured",
    "break": "broken",
    "sprain": "sprained",
    "twist": "twisted",
    "fracture": "fractured",
    "hurt": "hurt",
    "tear": "torn",
    "dislocate": "dislocated",
}
_BODY = word_set(
    """ankle knee leg arm wrist foot toe finger hand shoulder back neck hip elbow rib ribs nose
    collarbone hamstring acl"""
)


def _injuries(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I broke my leg last week"."""
    adjective = _INJURING.get(clause.verb)
    if adjective is None or clause.negated or clause.tense not in (Tense.PAST, Tense.PERFECT):
        return
    for token in clause.objects():
        if token.lower_ in _BODY and any(c.dep_ == "poss" for c in token.children):
            span = scene.sentence.span(clause.head, token)
            target = EntityArgument(
                ArgumentKind.DESCRIBED, f"{adjective} {token.lower_}", "CONDITION", span
            )
            yield scene.state(
                clause, subject, "HAS_CONDITION", target, "health.injury", change=Change.STARTS
            )


def _states(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.verb not in ("be", "become", "go", "turn"):
        return
    change = Change.STARTS if clause.verb != "be" and not clause.negated else None
    for word in clause.complements():
        lowered = word.lower_
        if lowered in scene.reader.vocabulary["diets"] and _is_whole(word):
            literal = scene.literal("diet", lowered, word, word)
            yield scene.state(clause, subject, "DIET", literal, "health.diet", change=change)
        elif (
            lowered in _STATES
            and word.pos_ in ("ADJ", "NOUN")
            and clause.verb == "be"
            and _is_whole(word)
        ):
            literal = scene.literal("health_state", lowered, word, word)
            yield scene.state(clause, subject, "HAS_HEALTH_STATE", literal, "health.state")
        else:
            before = scene.sentence.token_after(word, -1)
            phrase = f"{before.lower_} {lowered}" if before is not None else ""
            if phrase in _INTOLERANCES and before is not None:
                literal = scene.literal("health_state", phrase, before, word)
                yield scene.state(clause, subject, "HAS_HEALTH_STATE", literal, "health.state")


def _is_whole(word: Token) -> bool:
    """Not "vegan recipes", "almost vegan", "blind to it"."""
    return not any(
        c.dep_ in ("npadvmod", "prep") or c.lower_ in ("almost", "mostly", "nearly", "part-time")
        for c in word.children
    )


def _consumption(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    predicate = _CONSUMING.get(clause.verb)
    if clause.verb == "have" and clause.ability and clause.negated:
        predicate = "EATS"
    lasting_change = clause.change in (Change.ENDS, Change.STARTS)
    if (
        predicate is None
        or (clause.ability and not clause.negated)
        or not (clause.habitual or lasting_change)
    ):
        return
    if clause.particle() or clause.head.tag_ == "VBN":
        return
    objects = clause.objects()
    for token in objects:
        if joined_by_or(token) and not clause.negated:
            continue
        target = liked_thing(scene, token)
        if (
            target is not None
            and target.label in ("FOOD", "OBJECT")
            and _edible(scene, token, predicate)
        ):
            yield scene.state(clause, subject, predicate, target, "health.consumes")
    implied = _IMPLIED.get(clause.verb)
    bare = not objects and not any(
        c.dep_ in ("ccomp", "xcomp")
        or (c.dep_ == "prep" and not any(t.ent_type_ == "DATE" for t in c.subtree))
        for c in clause.head.children
    )
    if (
        implied
        and bare
        and (clause.negated or clause.verb == "smoke" or clause.change is Change.ENDS)
    ):
        verb_span = Span(
            clause.sentence.start + clause.head.idx,
            clause.sentence.start + clause.head.idx + len(clause.head),
        )
        target = EntityArgument(
            ArgumentKind.DESCRIBED, implied, "FOOD" if implied == "alcohol" else "OBJECT", verb_span
        )
        yield scene.state(clause, subject, predicate, target, "health.implied")


def _edible(scene: Scene, token: Token, predicate: str) -> bool:
    if predicate == "SMOKES":
        return token.lemma_.lower() in (
            "cigarette",
            "cigar",
            "weed",
            "tobacco",
            "pipe",
            "marijuana",
            "pot",
        )
    words = {token.lower_, token.lemma_.lower()}
    return bool(words & scene.reader.vocabulary["foods"])
