"""Wishes, plans and running projects: facts about the person, never the planned thing itself."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from backend.understanding import verb_phrases
from backend.understanding.clauses import Clause, Tense, conjuncts
from backend.understanding.scene import Scene
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    Modality,
    Polarity,
    Statement,
)
from backend.understanding.time_expressions import TimeExpression
from backend.understanding.word_sets import word_set

_WANTING = frozenset({"want", "hope", "plan", "intend", "aim", "wish", "wan", "aspire"})
_WISHING = frozenset({"like", "love"})
_PLANNED_PROGRESSIVE = word_set(
    """organize organise host plan throw move visit travel fly start marry run attend relocate
    retire leave open launch perform graduate go save"""
)


def plans(scene: Scene) -> Iterator[Statement]:
    """Everything that the sentence says about what people are up to."""
    for clause in scene.told_clauses():
        for subject in scene.subjects(clause):
            if subject.label != "PERSON":
                continue
            yield from _wanting(scene, clause, subject)
            yield from _arranged(scene, clause, subject)
            yield from _tasks(scene, clause, subject)
            yield from _projects(scene, clause, subject)
        yield from _named_goals(scene, clause)
        yield from _priorities(scene, clause)


def _wanting(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.controlled:
        return
    if clause.verb not in ("wait", "decide") and (clause.negated or clause.tense is Tense.PAST):
        return
    eager = clause.verb == "wait" and clause.negated and clause.ability
    trying = clause.verb == "try" and clause.head.tag_ == "VBG"
    deciding = clause.verb == "decide" and clause.tense in (Tense.PAST, Tense.PERFECT)
    wishing = clause.verb in _WISHING and clause.modality is Modality.WISHED
    going = (
        clause.head.lower_ in ("going", "gon")
        and clause.verb in ("go", "gon")
        and clause.head.tag_ == "VBG"
    )
    if not (
        (
            clause.verb in _WANTING
            and clause.modality in (Modality.ASSERTED, Modality.REPORTED, Modality.WISHED)
        )
        or wishing
        or going
        or eager
        or trying
        or deciding
    ):
        return
    kind = "plan" if going or clause.verb in ("plan", "intend", "try", "decide") else "wish"
    for verb in clause.governed():
        if verb.tag_ == "VB" or (clause.verb == "plan" and verb.tag_ == "VBG"):
            yield from _goal(scene, clause, subject, verb, kind)
    for token in clause.prepositional("on"):
        if clause.verb == "plan" and token.tag_ == "VBG":
            yield from _goal(scene, clause, subject, token, kind)


def _goal(
    scene: Scene,
    clause: Clause,
    subject: EntityArgument,
    verb: Token,
    kind: str,
    predicate: str = "HAS_GOAL",
) -> Iterator[Statement]:
    foreign_subject = verb != clause.head and any(c.dep_ == "nsubj" for c in verb.children)
    if foreign_subject or any(c.dep_ == "neg" for c in verb.children):
        return
    ahead = _ahead(scene)
    cut = next(((e.start, e.end) for e in ahead if e.start > verb.idx), None)
    words = verb_phrases.action_words(scene.sentence, verb, cut=cut)
    if not words:
        return
    name = verb_phrases.as_goal(words)
    if not scene.reader.accepts(name, verb.lower_):
        return
    qualifiers = [("kind", kind), ("status", "pending")]
    for expression in ahead:
        if expression.span is not None and expression.start > verb.idx:
            qualifiers.append(("target_date", expression.span.first.isoformat()))
            qualifiers.append(("target_precision", expression.span.precision.value))
            break
    goal = EntityArgument(
        ArgumentKind.DESCRIBED,
        name,
        predicate.removeprefix("HAS_"),
        verb_phrases.span_of(scene.sentence, words),
    )
    statement = scene.state(
        clause,
        subject,
        predicate,
        goal,
        "plans.goal",
        lasting=False,
        change=Change.HOLDS,
        confidence=0.85,
        qualifiers=tuple(qualifiers),
    )
    asserted = Modality.REPORTED if clause.modality is Modality.REPORTED else Modality.ASSERTED
    yield Statement(
        statement.subject,
        statement.predicate,
        statement.object,
        statement.evidence,
        statement.method,
        0.85,
        Polarity.AFFIRMED,
        asserted,
        Change.HOLDS,
        None,
        statement.qualifiers,
        statement.reporter,
    )


def _ahead(scene: Scene) -> list[TimeExpression]:
    """The times of the sentence as lying ahead; "by Friday" is read like "on Friday"."""
    return scene.time.expressions(scene.sentence.doc.text.replace(" by ", " on "), ahead=True)


def _tasks(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I need to finish my thesis by Friday", "I have to call the dentist tomorrow"."""
    if clause.verb not in ("need", "have") or clause.negated or clause.controlled:
        return
    if clause.tense is not Tense.PRESENT or clause.modality is not Modality.ASSERTED:
        return
    ahead = [e for e in _ahead(scene) if e.span is not None and e.start > clause.head.idx]
    for verb in clause.governed():
        if verb.tag_ == "VB" and any(c.lower_ == "to" for c in verb.children) and ahead:
            yield from _goal(scene, clause, subject, verb, "task", "HAS_TASK")


def _arranged(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I'm moving to Berlin next month": the present progressive of an arranged step."""
    if clause.tense is not Tense.PRESENT or clause.habitual or clause.negated or clause.controlled:
        return
    if clause.verb not in _PLANNED_PROGRESSIVE or any(v.tag_ == "VB" for v in clause.governed()):
        return
    if clause.modality is not Modality.ASSERTED or clause.change is not Change.HOLDS:
        return
    today = scene.time.today
    ahead = [
        e
        for e in _ahead(scene)
        if e.span is not None and e.span.first > today and e.start > clause.head.idx
    ]
    saving = clause.verb == "save" and bool(clause.prepositional("for"))
    if saving:
        yield from _goal(scene, clause, subject, clause.head, "plan")
    elif ahead or clause.verb in ("move", "relocate"):
        if clause.verb in ("move", "relocate") and not clause.prepositional("to"):
            return
        yield from _goal(scene, clause, subject, clause.head, "plan")


def _projects(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I'm working on a novel", "I've been writing a screenplay"."""
    if clause.controlled or clause.modality is not Modality.ASSERTED or clause.negated:
        return
    if clause.tense not in (Tense.PRESENT, Tense.PERFECT):
        return
    tokens: list[Token] = []
    if clause.verb == "work":
        tokens = clause.prepositional("on")
    elif clause.verb in _CREATING and clause.head.tag_ == "VBG":
        tokens = [t for t in clause.objects() if t.tag_ == "NN"]
    for token in tokens:
        if not _is_project(token, by_article=clause.verb != "work"):
            continue
        target = scene.reader.thing(scene.sentence, token, "PROJECT", allow_definite=True)
        if target is not None:
            project = EntityArgument(target.kind, target.name, "PROJECT", target.span)
            yield scene.state(clause, subject, "WORKING_ON", project, "plans.project")


_CREATING = word_set(
    "write build develop design create renovate record film paint knit compose research restore"
)
_BROAD = word_set("project job car self relationship weekend weekends art something someone")


def _is_project(token: Token, *, by_article: bool) -> bool:
    """Whether the noun names a piece of work of one's own ("my thesis", "a novel")."""
    if token.tag_ in ("VBG", "NNS") or token.pos_ not in ("NOUN", "PROPN"):
        return False
    pointing = ("this", "that", "these", "those", "the", "another", "some", "any")
    if any(c.dep_ == "det" and c.lower_ in pointing for c in token.children):
        return False
    owners = [c for c in token.children if c.dep_ == "poss"]
    if any(c.lower_ not in ("my", "our", "his", "her") for c in owners):
        return False
    if by_article and not owners and not any(c.lower_ in ("a", "an") for c in token.children):
        return False
    return token.lower_ not in _BROAD or any(c.dep_ == "compound" for c in token.children)


def _named_goals(scene: Scene, clause: Clause) -> Iterator[Statement]:
    """Such as "My goal is to run a marathon"."""
    if clause.verb != "be" or clause.negated or clause.tense is not Tense.PRESENT:
        return
    for token in clause.subjects:
        if token.lemma_.lower() not in ("goal", "dream", "plan", "aim", "ambition"):
            continue
        owner = next((c for c in token.children if c.dep_ == "poss"), None)
        people = scene.reader.people(scene.sentence, owner) if owner is not None else ()
        if len(people) != 1 or people[0].label != "PERSON":
            continue
        for child in clause.head.children:
            if child.dep_ == "xcomp" and child.tag_ == "VB":
                for verb in conjuncts(child):
                    yield from _goal(
                        scene, clause, people[0], verb, "plan" if token.lemma_ == "plan" else "wish"
                    )


def _priorities(scene: Scene, clause: Clause) -> Iterator[Statement]:
    """Such as "Family is very important to me", "my health is my priority"."""
    if clause.verb != "be" or clause.negated or clause.tense is not Tense.PRESENT:
        return
    important = any(
        word.lower_ == "important"
        and any(
            p.lower_ == "to" and any(t.lower_ == "me" for t in p.children) for p in word.children
        )
        for word in clause.complements()
    )
    first = any(
        word.lower_ == "priority" and any(c.lower_ == "my" for c in word.children)
        for word in clause.complements()
    )
    if not (important or first):
        return
    for token in clause.subjects:
        if token.pos_ not in ("NOUN", "PROPN") or token.tag_ == "VBG":
            continue
        target = scene.reader.thing(
            scene.sentence,
            token,
            "PRIORITY",
            allow_definite=any(c.lower_ == "my" for c in token.children),
        )
        if target is not None:
            priority = EntityArgument(target.kind, target.name, "PRIORITY", target.span)
            yield scene.state(
                clause, scene.reader.speaker(), "PRIORITIZES", priority, "plans.priority"
            )
