"""Frozen dataclasses as rows: the field names are the column names, in the table's order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from backend.storage.database import Database, Row, Value

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Record = TypeVar("_Record", bound="DataclassInstance")

_CHUNK = 400
"""Parameters of one IN list: far below the engine's limit, and few different statements."""


def columns_of(kind: type[DataclassInstance], prefix: str = "") -> str:
    """The column list of a record, each name with ``prefix`` ("p.") before it."""
    return ", ".join(prefix + field.name for field in fields(kind))


def records_from(rows: Iterable[Row], kind: type[_Record]) -> list[_Record]:
    """Rows that were selected with ``columns_of`` as records."""
    return [kind(*row) for row in rows]


def values_of(record: DataclassInstance) -> list[Value]:
    """The record's values in column order."""
    return [getattr(record, field.name) for field in fields(record)]


def insert_record(database: Database, table: str, record: DataclassInstance) -> None:
    """Add a row. Raises UniqueViolation or ForeignKeyViolation."""
    marks = ", ".join("?" for _ in fields(record))
    database.execute(
        f"INSERT INTO {table} ({columns_of(type(record))}) VALUES ({marks})", values_of(record)
    )


def chunks(ids: Sequence[str]) -> Iterator[tuple[str, list[Any]]]:
    """Pieces of a long list of ids, each as the text of an IN list and its parameters."""
    for begin in range(0, len(ids), _CHUNK):
        part = list(ids[begin : begin + _CHUNK])
        yield "(" + ", ".join("?" for _ in part) + ")", part
