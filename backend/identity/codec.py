"""Statements to JSON and back, for the immutable rows and their replay."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import msgspec

from backend.understanding.statements import (
    Change,
    EntityArgument,
    LiteralArgument,
    Modality,
    Polarity,
    Span,
    Statement,
    TimeInterval,
)


class _StatementWithoutObject(msgspec.Struct, frozen=True):
    """A statement's fields but for the object: two dataclasses in one union look alike."""

    subject: EntityArgument
    predicate: str
    evidence: Span
    method: str
    confidence: float
    polarity: Polarity
    modality: Modality
    change: Change
    valid: TimeInterval | None
    qualifiers: tuple[tuple[str, str], ...]
    reporter: EntityArgument | None


@dataclass(frozen=True, slots=True)
class Said:
    """What a statement's row keeps besides the statement.

    ``words`` is a keyed hash of the quoted words, ``said_on`` the person's date, ``speaker_name``
    the speaker if that is not the owner.
    """

    words: str
    said_on: str
    speaker_name: str = ""


def encode_statement(statement: Statement, said: Said) -> str:
    """The body of a statement row."""
    plain: dict[str, Any] = msgspec.to_builtins(statement)
    plain["object_is_entity"] = isinstance(statement.object, EntityArgument)
    plain["said"] = msgspec.to_builtins(said)
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def decode_statement(body_json: str) -> Statement:
    """The statement that ``encode_statement`` wrote. Raises msgspec.ValidationError."""
    plain: dict[str, Any] = json.loads(body_json)
    kind: type[EntityArgument | LiteralArgument] = (
        EntityArgument if plain.pop("object_is_entity") else LiteralArgument
    )
    target = msgspec.convert(plain.pop("object"), kind)
    rest = msgspec.convert(plain, _StatementWithoutObject)
    fields = {name: getattr(rest, name) for name in rest.__struct_fields__}
    return Statement(object=target, **fields)


def decode_said(body_json: str) -> Said:
    """What ``encode_statement`` kept besides the statement."""
    return msgspec.convert(json.loads(body_json)["said"], Said)
