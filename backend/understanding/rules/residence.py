"""Where people live, come from, were born, and where they have been."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from backend.understanding.clauses import Clause, Tense, objects_of
from backend.understanding.scene import Scene
from backend.understanding.statements import Change, EntityArgument, Modality, Statement
from backend.understanding.word_sets import word_set

_HOMES = word_set(
    """apartment house flat town village city farm suburb suburbs dorm condo trailer cabin cottage
    mansion loft studio countryside campus bungalow townhouse ranch beach mountains country van
    rv"""
)
_HAVING_BEEN = frozenset({"visit", "tour", "explore"})
_GOING = frozenset({"go", "travel", "fly", "be", "drive", "return"})


def residence(scene: Scene) -> Iterator[Statement]:
    """Such as "I live in Graz", "Ana moved from Linz to Graz", "he was born in Rome"."""
    for clause in scene.told_clauses():
        if clause.controlled or clause.ability:
            continue
        subjects = [s for s in scene.subjects(clause) if s.label in ("PERSON", "PET", "GROUP")]
        for subject in subjects:
            yield from _living(scene, clause, subject)
            yield from _moving(scene, clause, subject)
            yield from _origin(scene, clause, subject)
            yield from _visits(scene, clause, subject)


def places(scene: Scene, tokens: list[Token]) -> list[EntityArgument]:
    """The named places among the tokens."""
    found = []
    for token in tokens:
        if token.ent_type_ == "PERSON" and not _may_be_a_town(scene, token):
            continue
        if token.ent_type_ in ("DATE", "TIME", "CARDINAL", "NORP", "EVENT"):
            continue
        argument = scene.reader.named(scene.sentence, token, ("PLACE",))
        if argument is not None and not scene.reader.is_fixed(scene.sentence, token):
            found.append(argument)
    return found


def _may_be_a_town(scene: Scene, token: Token) -> bool:
    """Whether a "person" after a preposition of place is a town that the parser does not know."""
    vocabulary = scene.reader.vocabulary
    first_name = token.lower_ in vocabulary["female_names"] | vocabulary["male_names"]
    placed = token.dep_ == "pobj" and token.head.lower_ in ("in", "to")
    return placed and not first_name and not any(c.dep_ == "compound" for c in token.children)


def _living(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    based = clause.verb == "base" and clause.head.tag_ == "VBN"
    if clause.verb not in ("live", "reside") and not based:
        return
    tokens = clause.prepositional("in", "at", "near") if not based else clause.prepositional("in")
    in_tokens = [t for t in tokens if t.head.lower_ != "near" and t.head.dep_ != "conj"]
    for place in places(scene, [t for t in tokens if t.head.lower_ != "near"][:1]):
        yield scene.state(clause, subject, "LIVES_IN", place, "residence.live")
    for token in in_tokens:
        if (
            token.lower_ in _HOMES
            and token.pos_ == "NOUN"
            and not any(c.dep_ == "poss" for c in token.children)
        ):
            first = min(
                [
                    c
                    for c in token.children
                    if c.dep_ in ("det", "amod", "compound") and c.i < token.i
                ]
                + [token],
                key=lambda t: t.i,
            )
            words = scene.literal("home", token.lower_, first, token)
            if first.lower_ in ("that", "this", "these", "those", "other", "another", "same"):
                continue
            value = words.text.lower()
            yield scene.state(
                clause,
                subject,
                "HAS_HOME",
                scene.literal("home", value, first, token),
                "residence.home",
            )
    for token in clause.prepositional("with"):
        for person in scene.reader.people(scene.sentence, token):
            if person.label in ("PERSON",) and person.kind != subject.kind:
                yield scene.state(clause, subject, "LIVES_WITH", person, "residence.with")


def _moving(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.verb not in ("move", "relocate", "immigrate", "emigrate", "settle") or clause.negated:
        return
    if clause.modality is Modality.PLANNED or clause.tense is Tense.PRESENT or clause.objects():
        return
    to_tokens = clause.prepositional("to", "in") or _after_adverb(
        clause, "back", "over", "out", "down", "up"
    )
    for place in places(scene, to_tokens[:1]):
        yield scene.state(
            clause, subject, "LIVES_IN", place, "residence.move", change=Change.STARTS
        )
    for place in places(scene, clause.prepositional("from")[:1]):
        yield scene.state(clause, subject, "LIVES_IN", place, "residence.move", change=Change.ENDS)


def _after_adverb(clause: Clause, *adverbs: str) -> list[Token]:
    """The noun of "back to Graz", where "to" hangs on the adverb."""
    for child in clause.head.children:
        if child.dep_ in ("advmod", "prt") and child.lower_ in adverbs:
            for preposition in child.children:
                if preposition.dep_ == "prep" and preposition.lower_ == "to":
                    return [t for t in preposition.children if t.dep_ == "pobj"]
    return []


def _origin(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    verb = clause.verb
    if clause.modality is Modality.PLANNED:
        return
    if verb == "be" or (verb in ("come", "hail") and clause.habitual):
        for place in places(scene, _from_tokens(clause)[:1]):
            yield scene.state(clause, subject, "COMES_FROM", place, "residence.from", lasting=False)
    if (verb == "grow" and clause.particle() == "up") or (
        verb == "raise" and clause.head.tag_ == "VBN"
    ):
        for place in places(scene, clause.prepositional("in")[:1]):
            yield scene.state(
                clause, subject, "GREW_UP_IN", place, "residence.grew_up", lasting=False
            )
    if verb == "bear" or clause.head.lower_ == "born":
        for place in places(scene, clause.prepositional("in", "at")[:1]):
            yield scene.state(clause, subject, "BORN_IN", place, "residence.born", lasting=False)
    if verb == "be":
        for token in clause.complements():
            if token.lower_ in scene.reader.vocabulary["nationalities"] and token.pos_ in (
                "ADJ",
                "PROPN",
                "NOUN",
            ):
                if any(c.dep_ in ("det", "poss") for c in token.children):
                    continue
                literal = scene.literal("nationality", token.text, token, token)
                yield scene.state(
                    clause, subject, "HAS_NATIONALITY", literal, "residence.nationality"
                )


def _from_tokens(clause: Clause) -> list[Token]:
    tokens = clause.prepositional("from")
    for child in clause.head.children:
        if child.dep_ in ("advmod", "acomp") and child.lower_ in ("originally", "here"):
            tokens.extend(
                t
                for p in child.children
                if p.lower_ == "from"
                for t in p.children
                if t.dep_ == "pobj"
            )
    return tokens


def _visits(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.tense not in (Tense.PAST, Tense.PERFECT) or clause.modality is not Modality.ASSERTED:
        return
    targets: list[EntityArgument] = []
    if clause.verb in _HAVING_BEEN:
        targets = places(
            scene, [t for t in clause.objects() if t.ent_type_ in ("GPE", "LOC", "FAC")]
        )
    elif clause.verb in _GOING and (clause.verb != "be" or clause.tense is Tense.PERFECT):
        tokens = clause.prepositional("to") or _after_adverb(
            clause, "back", "over", "up", "down", "out"
        )
        targets = places(scene, [t for t in tokens if t.ent_type_ in ("GPE", "LOC", "FAC")])
    targets += places(scene, _trip_destinations(clause))
    for place in targets:
        yield scene.state(clause, subject, "VISITED", place, "travel.visited", lasting=False)


_TRIPS = frozenset({"trip", "vacation", "holiday", "journey", "tour", "honeymoon", "cruise"})


def _trip_destinations(clause: Clause) -> list[Token]:
    """The places of "took a trip to Rome", "went on holiday in Italy", "got back from Rome"."""
    trips = [
        t
        for t in [*clause.objects(), *clause.prepositional("on", "from")]
        if t.lower_ in _TRIPS
        and clause.verb in ("take", "go", "have", "be", "come", "get", "return")
    ]
    tokens = [
        place
        for trip in trips
        for prep in trip.children
        if prep.dep_ == "prep" and prep.lower_ in ("to", "in", "around", "through")
        for place in objects_of(prep)
    ]
    if clause.verb in ("come", "get", "return"):
        backs = [c for c in clause.head.children if c.lower_ == "back"]
        sources = [*clause.head.children, *(g for b in backs for g in b.children)]
        returning = bool(backs) or clause.verb == "return"
        if returning:
            tokens += [t for p in sources if p.lower_ == "from" for t in objects_of(p)]
    return [t for t in tokens if t.ent_type_ in ("GPE", "LOC")]
