"""Keeps what a question takes for granted apart from what it states."""

from __future__ import annotations

import re
from collections.abc import Iterable

from backend.understanding.clauses import Clause
from backend.understanding.language import Sentence
from backend.understanding.scene import Scene
from backend.understanding.statements import ArgumentKind, EntityArgument, Statement

_REQUEST = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|and|but|well|please)[ ,]+)*"
    r"(?:(?:do|can|could|would|did) you (?:still |even |please |happen to )*"
    r"(?:remember|know|recall|tell|remind)\b|"
    r"(?:tell|remind) me (?:again )?(?:about|what|who|whose|where|when|which|how|my|the names?)\b|"
    r"(?:did|have) i (?:ever |already )?(?:tell|told|mention(?:ed)?)\b)",
    re.IGNORECASE,
)


def asks(sentence: Sentence, clauses: Iterable[Clause]) -> bool:
    """Whether the sentence asks for something, with or without a question mark."""
    return (
        sentence.is_question
        or any(clause.silent == "question" for clause in clauses)
        or _REQUEST.match(sentence.doc.text.strip()) is not None
    )


def stated(scene: Scene, found: list[Statement]) -> list[Statement]:
    """What a sentence states: a question tells who is named in it, and no more.

    "What is my daughter's name?" may well come from someone who has no daughter, while "Does my
    sister Ana live in Graz?" says who Ana is. A clause that itself states something ("I have a
    sister, do you?") is heard in full.
    """
    if not asks(scene.sentence, scene.clauses):
        return found
    told = [clause.evidence() for clause in scene.told_clauses()]
    return [
        one
        for one in found
        if _names_someone(one)
        or any(t.start <= one.evidence.start and one.evidence.end <= t.end for t in told)
    ]


def _names_someone(statement: Statement) -> bool:
    """Whether a tie leads to a name ("my sister Ana"), or a named pet is called what it is."""
    if statement.method.startswith("pets.species"):
        return statement.subject.kind is ArgumentKind.NAMED
    target = statement.object
    return isinstance(target, EntityArgument) and target.kind is ArgumentKind.NAMED
