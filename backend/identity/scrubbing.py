"""Takes a description ("my sister") out of a stored statement when the person forgets it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from backend.understanding.statements import EntityArgument, Statement


def without_description(statement: Statement, place: str) -> Statement:
    """The statement with the argument at ``place`` named, but no longer described."""
    head, *inner = place.split(".")
    argument = getattr(statement, head)
    changed = _changed(argument, inner, _undescribed)
    match head:
        case "subject":
            return replace(statement, subject=changed)
        case "object":
            return replace(statement, object=changed)
        case _:
            return replace(statement, reporter=changed)


def _changed(
    argument: EntityArgument,
    inner: list[str],
    change: Callable[[EntityArgument], EntityArgument],
) -> EntityArgument:
    if not inner:
        return change(argument)
    step, *rest = inner
    if step == "anchor":
        anchor = argument.description_anchor
        if anchor is None:
            return argument
        return replace(argument, description_anchor=_changed(anchor, rest, change))
    index = int(step.removeprefix("member:"))
    members = list(argument.members)
    members[index] = _changed(members[index], rest, change)
    return replace(argument, members=tuple(members))


def _undescribed(argument: EntityArgument) -> EntityArgument:
    return replace(argument, description_predicate=None, description_anchor=None)
