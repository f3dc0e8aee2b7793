"""Things that people own or drive, by a list of kinds that are worth knowing."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from backend.understanding.clauses import Clause, Tense
from backend.understanding.scene import Scene
from backend.understanding.statements import Change, EntityArgument, Modality, Statement
from backend.understanding.word_sets import word_set

_HAVING = frozenset({"have", "own", "'ve", "possess"})
_GETTING = frozenset({"buy", "purchase", "get", "inherit"})
_GIVING_UP = frozenset({"sell"})


def possessions(scene: Scene) -> Iterator[Statement]:
    """Such as "I have a red bike", "Ana bought a house", "we drive a Tesla"."""
    yield from _taken_for_granted(scene)
    for clause in scene.told_clauses():
        if (
            clause.controlled
            or clause.ability
            or clause.modality not in (Modality.ASSERTED, Modality.REPORTED)
        ):
            continue
        for subject in scene.subjects(clause):
            if subject.label == "PERSON":
                yield from _owning(scene, clause, subject)
                yield from _driving(scene, clause, subject)


_OWN_THINGS = word_set(
    """car bike bicycle motorcycle motorbike scooter truck boat garden guitar piano violin drums
    cello camper rv caravan van telescope drone kayak canoe surfboard snowboard blog podcast
    farm cabin greenhouse treadmill vineyard bakery shop store tesla bmw"""
)


def _taken_for_granted(scene: Scene) -> Iterator[Statement]:
    """Such as "My car broke down": there is a car."""
    for token in scene.sentence.tokens:
        owner = next((c for c in token.children if c.dep_ == "poss"), None)
        if owner is None or token.lower_ not in _OWN_THINGS or token.dep_ in ("compound", "nmod"):
            continue
        former = {"old", "dream", "future", "former", "first", "next", "new"} & {
            c.lower_ for c in token.children
        }
        wished = any(
            t.lemma_ in ("want", "wish", "dream", "open", "sell", "if", "lose") for t in token.sent
        )
        people = scene.reader.people(scene.sentence, owner)
        tied = any(scene.reader.nouns.at(c) for c in token.children if c.dep_ == "compound")
        if former or tied or wished or len(people) != 1 or people[0].label != "PERSON":
            continue
        target = scene.reader.thing(scene.sentence, token, "OBJECT", allow_definite=True)
        if target is not None:
            evidence = scene.sentence.span(owner, token)
            yield scene.presupposed(people[0], "OWNS", target, "possessions.own", evidence)


def _owning(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    change = None
    if clause.verb in _GETTING and clause.tense in (Tense.PAST, Tense.PERFECT):
        change = Change.STARTS
        if any(c.dep_ in ("dative", "iobj") for c in clause.head.children) or clause.prepositional(
            "for", "from"
        ):
            return
    elif clause.verb in _GIVING_UP and clause.tense in (Tense.PAST, Tense.PERFECT):
        change = Change.ENDS
    elif clause.verb not in _HAVING or not (clause.habitual or clause.change is Change.ENDS):
        return
    renting = clause.verb == "get"
    if clause.negated and clause.verb not in ("have", "own"):
        return
    for token in clause.objects():
        if renting and token.lower_ in ("apartment", "flat", "condo", "house", "home"):
            continue
        if not _owned_kind(scene, token, by_article=change is not Change.ENDS):
            continue
        target = scene.reader.thing(
            scene.sentence,
            token,
            "OBJECT",
            allow_definite=change is Change.ENDS or _stands_in_a_place(clause, token),
        )
        if target is not None:
            yield scene.state(
                clause,
                subject,
                "OWNS",
                target,
                "possessions.owns",
                change=change,
                lasting=change is None,
            )


def _stands_in_a_place(clause: Clause, token: Token) -> bool:
    """Such as "own a bakery in Ulm": the town narrows it down and points at nothing."""
    prepositions = [c for c in token.children if c.dep_ in ("prep", "relcl", "acl")]
    return clause.verb == "own" and all(
        c.lower_ in ("in", "near", "on") and any(t.pos_ == "PROPN" for t in c.children)
        for c in prepositions
    )


def _owned_kind(scene: Scene, token: Token, *, by_article: bool) -> bool:
    words = {token.lower_, token.lemma_.lower()}
    if any(scene.reader.nouns.at(c) for c in token.children if c.dep_ == "compound"):
        return False
    if not words & scene.reader.vocabulary["possessions"] or scene.reader.is_fixed(
        scene.sentence, token
    ):
        return False
    if any(c.dep_ in ("relcl", "acl") for c in token.children) and by_article:
        return False
    if by_article:
        return any(
            c.dep_ in ("det", "nummod") and c.lower_ not in ("the", "this", "that", "no", "any")
            for c in token.children
        ) or (token.tag_ == "NNP")
    return any(c.dep_ == "poss" for c in token.children)


def _driving(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.verb not in ("drive", "ride") or not clause.habitual:
        return
    for token in clause.objects():
        if any(c.dep_ == "det" and c.lower_ in ("a", "an") for c in token.children):
            target = scene.reader.thing(scene.sentence, token, "OBJECT")
            if target is not None:
                yield scene.state(clause, subject, "DRIVES", target, "possessions.drives")
