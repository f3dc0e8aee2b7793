"""The places of a statement in which an entity is meant, as identity decisions name them."""

from __future__ import annotations

from collections.abc import Iterator

from backend.understanding.statements import EntityArgument, Statement

SUBJECT, OBJECT, REPORTER, SPEAKER = "subject", "object", "reporter", "speaker"


def anchor_of(place: str) -> str:
    """The place of whoever the argument is described by ("my sister's husband" → sister)."""
    return f"{place}.anchor"


def member_of(place: str, index: int) -> str:
    """The place of one member of a group."""
    return f"{place}.member:{index}"


def arguments_of(statement: Statement) -> Iterator[tuple[str, EntityArgument]]:
    """Every entity argument with its place, anchors and members before who they belong to."""
    for place, argument in (
        (SUBJECT, statement.subject),
        (OBJECT, statement.object),
        (REPORTER, statement.reporter),
    ):
        if isinstance(argument, EntityArgument):
            yield from walk(place, argument)


def walk(place: str, argument: EntityArgument) -> Iterator[tuple[str, EntityArgument]]:
    """An argument and all arguments inside it, the inner ones first."""
    if argument.description_anchor is not None:
        yield from walk(anchor_of(place), argument.description_anchor)
    for index, member in enumerate(argument.members):
        yield from walk(member_of(place, index), member)
    yield place, argument
