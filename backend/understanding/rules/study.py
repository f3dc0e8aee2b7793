"""Schools and subjects: "studies biology at Ghent University", "graduated from …"."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from backend.understanding.clauses import Clause, Tense
from backend.understanding.rules.work import organizations
from backend.understanding.scene import Scene
from backend.understanding.statements import Change, EntityArgument, Modality, Statement
from backend.understanding.word_sets import word_set

_SCHOOL_WORDS = ("university", "college", "school", "academy", "institute", "polytechnic")
_NOT_SUBJECTS = word_set("hard exam exams test tests bible school night day home work degree time")


def study(scene: Scene) -> Iterator[Statement]:
    """Everything that a clause says about studying."""
    for clause in scene.told_clauses():
        if clause.controlled or clause.modality is Modality.PLANNED or clause.ability:
            continue
        for subject in scene.subjects(clause):
            if subject.label == "PERSON":
                yield from _studying(scene, clause, subject)
                yield from _schooling(scene, clause, subject)


def _studying(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    subjects: list[Token] = []
    if clause.verb == "study":
        subjects = clause.objects()
    elif clause.verb == "major":
        subjects = clause.prepositional("in")
    for token in subjects:
        if token.lower_ in _NOT_SUBJECTS or (
            token.tag_ == "NNS" and not token.lower_.endswith("ics")
        ):
            continue
        pointing = any(c.dep_ in ("poss", "det") for c in token.children)
        field = scene.reader.thing(
            scene.sentence, token, "FIELD", allow_definite=not pointing, allow_indefinite=False
        )
        if field is not None and field.label == "FIELD":
            yield scene.state(clause, subject, "STUDIES", field, "study.subject")
    if clause.verb in ("study", "enrol", "enroll"):
        change = Change.STARTS if clause.verb != "study" and clause.tense is Tense.PAST else None
        places = clause.prepositional("at", "in")
        places += [
            t
            for subject_token in subjects
            for p in subject_token.children
            if p.lower_ == "at"
            for t in p.children
            if t.dep_ == "pobj"
        ]
        for organization in organizations(scene, places):
            if clause.verb != "study" or (
                organization.span is not None and _is_school(organization.name, scene, clause)
            ):
                yield scene.state(
                    clause, subject, "STUDIES_AT", organization, "study.at", change=change
                )


def _is_school(name: str, scene: Scene, clause: Clause) -> bool:
    if any(word in name.lower() for word in _SCHOOL_WORDS):
        return True
    return any(t.ent_type_ == "ORG" or t.head.lower_ == "at" for t in clause.prepositional("at"))


def _schooling(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.verb == "graduate" and clause.tense in (Tense.PAST, Tense.PERFECT):
        for organization in organizations(scene, clause.prepositional("from")):
            yield scene.state(
                clause, subject, "GRADUATED_FROM", organization, "study.graduated", lasting=False
            )
    tokens: list[Token] = []
    if clause.verb == "attend":
        tokens = clause.objects()
    elif clause.verb == "go":
        tokens = clause.prepositional("to")
    for organization in organizations(scene, tokens):
        if any(word in organization.name.lower() for word in _SCHOOL_WORDS):
            yield scene.state(clause, subject, "STUDIES_AT", organization, "study.attends")
