"""What people do: instruments, sports, languages, hobbies, lessons, collections, events attended."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

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

_EVENTS = word_set(
    """concert conference festival wedding funeral workshop seminar meetup marathon exhibition
    exhibit parade convention retreat fair fundraiser gala hackathon webinar reunion competition
    tournament match race rally protest graduation ceremony opera play musical carnival camp
    group"""
)
_MAKING = {
    "paint": "MADE",
    "bake": "MADE",
    "write": "MADE",
    "build": "MADE",
    "knit": "MADE",
    "sew": "MADE",
    "draw": "MADE",
    "sculpt": "MADE",
    "compose": "MADE",
    "publish": "MADE",
    "carve": "MADE",
    "crochet": "MADE",
}
_WRITINGS = word_set("book novel song poem story play screenplay thesis article album blog")
_GROUPS = word_set(
    "club group team band choir gym league class church orchestra community society association"
)
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
            yield from _lessons(scene, clause, subject)
            yield from _done(scene, clause, subject)


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
        if clause.verb == "speak"
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
        clause.verb in ("do", "practice", "practise", "teach")
        and _lasting(clause)
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


def _frequent(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """ "I run every morning": a bare verb of activity with a word of frequency."""
    from_verb = f"{clause.verb}"
    gerunds = scene.reader.vocabulary["activities"]
    if (
        not clause.habitual
        or clause.negated
        or clause.ability
        or clause.objects()
        or clause.particle()
    ):
        return
    lowered = clause.sentence.doc.text.lower()
    if not any(word in lowered for word in _OFTEN):
        return
    name = next(
        (
            g
            for g in (f"{from_verb}ing", f"{from_verb}{from_verb[-1]}ing", f"{from_verb[:-1]}ing")
            if g in gerunds
        ),
        None,
    )
    if name is not None and clause.verb != "shop":
        target = EntityArgument(
            ArgumentKind.DESCRIBED, name, "ACTIVITY", clause.sentence.span(clause.head, clause.head)
        )
        yield scene.state(clause, subject, "DOES_ACTIVITY", target, "activities.frequent")


def _volunteering(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.tense is Tense.PAST and clause.change is Change.HOLDS:
        return
    for token in clause.prepositional("at", "for", "with"):
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
    """ "My hobbies are hiking and chess"."""
    if clause.verb not in ("be", "include") or clause.negated:
        return
    for token in clause.subjects:
        if token.lemma_.lower() not in ("hobby", "pastime"):
            continue
        owner = next((c for c in token.children if c.dep_ == "poss"), None)
        people = scene.reader.people(scene.sentence, owner) if owner is not None else ()
        if len(people) != 1:
            continue
        values = [*clause.complements(), *clause.objects(), *clause.governed()]
        for value in dict.fromkeys(values):
            target = activity(scene, value) if value.pos_ == "VERB" else liked_thing(scene, value)
            if target is not None:
                target = EntityArgument(target.kind, target.name, "ACTIVITY", target.span)
                yield scene.state(clause, people[0], "DOES_ACTIVITY", target, "activities.hobby")


def _done(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Events that took place: attended a concert, joined a choir, painted a landscape."""
    if (
        clause.tense not in (Tense.PAST, Tense.PERFECT)
        or clause.negated
        or clause.ability
        or clause.change is not Change.HOLDS
    ):
        return
    tokens: list[Token] = []
    if clause.verb in ("attend", "join"):
        tokens = clause.objects()
    elif clause.verb == "go":
        tokens = clause.prepositional("to")
    elif clause.verb in ("participate", "compete"):
        tokens = clause.prepositional("in")
    for token in tokens:
        joining = clause.verb == "join" and token.lower_ in _GROUPS
        if (
            ((token.lower_ in _EVENTS and clause.verb != "join") or joining)
            and token.tag_ == "NN"
            and _is_new(token)
        ):
            target = scene.reader.thing(
                scene.sentence, token, "ORGANIZATION" if joining else "EVENT"
            )
            if (target is not None and " " in target.name) or (
                target is not None and token.lower_ != "group"
            ):
                predicate = "MEMBER_OF" if joining else "ATTENDED"
                change = Change.STARTS if joining else None
                yield scene.state(
                    clause,
                    subject,
                    predicate,
                    target,
                    "activities.attended",
                    lasting=False,
                    change=change,
                )
    if clause.verb in _MAKING and clause.tense is Tense.PAST and not clause.particle():
        for token in clause.objects():
            if token.pos_ != "NOUN" or token.tag_ != "NN" or not _is_new(token):
                continue
            if clause.verb in ("write", "publish", "compose") and token.lower_ not in _WRITINGS:
                continue
            target = scene.reader.thing(
                scene.sentence,
                token,
                "CREATIVE_WORK" if clause.verb in ("write", "compose") else "OBJECT",
            )
            if target is not None:
                yield scene.state(clause, subject, "MADE", target, "activities.made", lasting=False)


def _is_new(token: Token) -> bool:
    """Brought in by "a": something not talked about before, so that its words alone name it."""
    return (
        any(c.dep_ == "det" and c.lower_ in ("a", "an") for c in token.children)
        or token.ent_type_ == "EVENT"
    )
