"""One parser for all tests of understanding, and a short notation for what was understood."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from backend.ontology.ontology import Ontology
from backend.understanding.language import load_language
from backend.understanding.pipeline import Understander
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    DialogueContext,
    EntityArgument,
    LiteralArgument,
    Modality,
    Polarity,
    Statement,
)

SAID_AT = datetime(2026, 11, 30, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))
Read = Callable[..., list[str]]


@pytest.fixture(scope="session")
def understander() -> Understander:
    """The real one, with the shipped ontology and parser."""
    return Understander(Ontology.load(), load_language())


@pytest.fixture(scope="session")
def context() -> DialogueContext:
    """A message of the owner, on a Monday at noon."""
    return DialogueContext("user", "Max", SAID_AT)


def named(argument: EntityArgument | LiteralArgument | None) -> str:
    """An argument in short: Ana, «34», [me's sister], {parents}."""
    if argument is None:
        return "nobody"
    if isinstance(argument, LiteralArgument):
        return f"«{argument.value}»"
    if argument.kind is ArgumentKind.DESCRIBED and argument.description_anchor is not None:
        return f"[{named(argument.description_anchor)}'s {argument.name}]"
    return f"{{{argument.name}}}" if argument.kind is ArgumentKind.GROUP else argument.name


def short(statement: Statement, text: str) -> str:
    """A statement in short; whatever is not affirmed, asserted and simply so is spelt out."""
    parts = [named(statement.subject), statement.predicate, named(statement.object)]
    if statement.polarity is not Polarity.AFFIRMED:
        parts.append(statement.polarity.value)
    if statement.modality is not Modality.ASSERTED:
        parts.append(statement.modality.value)
    if statement.change is not Change.HOLDS:
        parts.append(statement.change.value)
    if statement.reporter is not None:
        parts.append(f"by {named(statement.reporter)}")
    quote = text[statement.evidence.start : statement.evidence.end]
    return f"{' '.join(parts)} | {quote}"


@pytest.fixture(scope="session")
def read(understander: Understander, context: DialogueContext) -> Read:
    """Understand a text and give its statements in short notation."""

    def understand(text: str, said: DialogueContext = context) -> list[str]:
        return [short(s, text) for s in understander.understand(text, said).statements]

    return understand
