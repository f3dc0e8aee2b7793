"""Entities and their aliases, kept in step with the mentions that were resolved to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.storage.database import Database
from backend.storage.records import chunks, columns_of, records_from, values_of
from backend.storage.scope import Scope


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """One row of ``entities``; ``named`` is 0 while the entity is only described ("sister")."""

    entity_id: str
    user_id: str
    context_id: str
    label: str
    name: str
    normalised: str
    gender: str
    named: int
    anchor_id: str | None
    anchor_predicate: str | None
    merged_into: str | None
    created_at: str


@dataclass(frozen=True, slots=True)
class AliasRecord:
    """Another name of an entity."""

    alias: str
    normalised: str


KIND_PREDICATES = ("HAS_SPECIES", "HAS_BREED", "HAS_OCCUPATION", "IS_A")
"""Predicates whose literal says what somebody or something is."""

_COLUMNS = columns_of(EntityRecord)
_QUALIFIED = columns_of(EntityRecord, "e.")


class EntityRows:
    """Reads and writes entities of a scope."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, scope: Scope, entity_id: str) -> EntityRecord | None:
        found = self._where(scope, "entity_id = ?", entity_id)
        return found[0] if found else None

    def get_many(self, scope: Scope, entity_ids: Sequence[str]) -> dict[str, EntityRecord]:
        found: dict[str, EntityRecord] = {}
        for marks, part in chunks(entity_ids):
            for record in self._where(scope, f"entity_id IN {marks}", *part):
                found[record.entity_id] = record
        return found

    def all(self, scope: Scope) -> list[EntityRecord]:
        return self._where(scope, "1 = 1")

    def by_name(self, scope: Scope, normalised: str) -> list[EntityRecord]:
        """Entities whose name or alias is exactly this normalised text, oldest first."""
        # UNION, since an OR over two tables would be answered by looking at every entity.
        place = (scope.user_id, scope.context_id, normalised)
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM entities "
            "WHERE user_id = ? AND context_id = ? AND normalised = ? "
            f"UNION SELECT {_QUALIFIED} FROM entity_aliases a "
            "CROSS JOIN entities e ON e.entity_id = a.entity_id "
            "WHERE a.user_id = ? AND a.context_id = ? AND a.normalised = ? "
            "ORDER BY created_at, entity_id",
            (*place, *place),
        )
        return records_from(rows, EntityRecord)

    def newest_named(self, scope: Scope, labels: Sequence[str], limit: int) -> list[EntityRecord]:
        """The last entities with a name of their own that were met, newest first."""
        marks = ", ".join("?" for _ in labels)
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM entities WHERE named = 1 AND label IN ({marks}) "
            "AND user_id = ? AND context_id = ? ORDER BY created_at DESC, entity_id LIMIT ?",
            [*labels, scope.user_id, scope.context_id, limit],
        )
        return records_from(rows, EntityRecord)

    def by_first_word(self, scope: Scope, word: str) -> list[EntityRecord]:
        """Named entities of several words, the first of which is ``word``."""
        # A range instead of LIKE: it uses the index, and a "%" in a name has no meaning.
        return self._where(
            scope, "named = 1 AND normalised > ? AND normalised < ?", f"{word} ", f"{word}!"
        )

    def by_anchor(self, scope: Scope, anchor_id: str, predicate: str) -> list[EntityRecord]:
        """Entities that are described by standing in ``predicate`` to ``anchor_id``."""
        return self._where(scope, "anchor_id = ? AND anchor_predicate = ?", anchor_id, predicate)

    def objects_of(self, scope: Scope, subject_id: str, predicate: str) -> list[EntityRecord]:
        """Entities that a fact in force links to the subject by the predicate, in either place."""
        in_force = (
            "p.user_id = ? AND p.context_id = ? AND p.predicate = ? "
            "AND p.status IN ('ACTIVE', 'PROMOTED') "
            "AND p.polarity = 'affirmed' AND p.modality = 'asserted'"
        )
        place = (scope.user_id, scope.context_id, predicate, subject_id)
        rows = self._database.execute(
            f"SELECT {_QUALIFIED} FROM propositions p "
            f"CROSS JOIN entities e ON e.entity_id = p.object_id WHERE {in_force} "
            f"AND p.subject_id = ? UNION SELECT {_QUALIFIED} FROM propositions p "
            f"CROSS JOIN entities e ON e.entity_id = p.subject_id WHERE {in_force} "
            "AND p.object_id = ? ORDER BY created_at, entity_id",
            (*place, *place),
        )
        return records_from(rows, EntityRecord)

    def roles_between(self, scope: Scope, anchor_id: str, entity_id: str) -> set[str]:
        """Predicates of the facts in force that link the two entities, and of the description."""
        place = (scope.user_id, scope.context_id)
        between = (
            "SELECT predicate FROM propositions WHERE user_id = ? AND context_id = ? "
            "AND subject_id = ? AND object_id = ? AND +status IN ('ACTIVE', 'PROMOTED') "
            "AND polarity = 'affirmed' AND modality = 'asserted'"
        )
        rows = self._database.execute(
            f"{between} UNION {between} UNION SELECT anchor_predicate FROM entities "
            "WHERE +user_id = ? AND +context_id = ? AND entity_id = ? AND anchor_id = ?",
            (
                *(*place, anchor_id, entity_id),
                *(*place, entity_id, anchor_id),
                *(*place, entity_id, anchor_id),
            ),
        )
        return {str(row[0]) for row in rows if row[0]}

    def kinds_of(self, scope: Scope, entity_id: str) -> set[str]:
        """What the entity is said to be, in normalised words (a dog, a poodle)."""
        marks = ", ".join("?" for _ in KIND_PREDICATES)
        rows = self._database.execute(
            "SELECT literal FROM propositions WHERE user_id = ? AND context_id = ? "
            f"AND subject_id = ? AND predicate IN ({marks}) "
            "AND status IN ('ACTIVE', 'PROMOTED') AND polarity = 'affirmed'",
            (scope.user_id, scope.context_id, entity_id, *KIND_PREDICATES),
        )
        return {str(row[0]) for row in rows}

    def count(self, scope: Scope) -> int:
        """How many entities the scope has."""
        rows = self._database.execute(
            "SELECT count(*) FROM entities WHERE user_id = ? AND context_id = ?",
            (scope.user_id, scope.context_id),
        )
        return int(rows[0][0])

    def put(self, record: EntityRecord, aliases: Sequence[AliasRecord]) -> None:
        """Write the entity as it is now, aliases included."""
        marks = ", ".join("?" for _ in _COLUMNS.split(", "))
        updates = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS.split(", ")[3:])
        self._database.execute(
            f"INSERT INTO entities ({_COLUMNS}) VALUES ({marks}) "
            f"ON CONFLICT (entity_id) DO UPDATE SET {updates}",
            values_of(record),
        )
        self._database.execute(
            "DELETE FROM entity_aliases WHERE entity_id = ?", (record.entity_id,)
        )
        for alias in aliases:
            self._database.execute(
                "INSERT INTO entity_aliases (user_id, context_id, entity_id, alias, normalised) "
                "VALUES (?, ?, ?, ?, ?)",
                (
                    record.user_id,
                    record.context_id,
                    record.entity_id,
                    alias.alias,
                    alias.normalised,
                ),
            )

    def aliases(self, scope: Scope, entity_id: str) -> list[AliasRecord]:
        rows = self._database.execute(
            "SELECT alias, normalised FROM entity_aliases "
            "WHERE user_id = ? AND context_id = ? AND entity_id = ? ORDER BY normalised",
            (scope.user_id, scope.context_id, entity_id),
        )
        return records_from(rows, AliasRecord)

    def delete(self, scope: Scope, entity_id: str) -> None:
        self._database.execute(
            "DELETE FROM entities WHERE entity_id = ? AND user_id = ? AND context_id = ?",
            (entity_id, scope.user_id, scope.context_id),
        )

    def delete_all(self, scope: Scope) -> None:
        self._database.execute(
            "DELETE FROM entities WHERE user_id = ? AND context_id = ?",
            (scope.user_id, scope.context_id),
        )

    def _where(self, scope: Scope, condition: str, *params: str) -> list[EntityRecord]:
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM entities WHERE {condition} "
            "AND user_id = ? AND context_id = ? ORDER BY created_at, entity_id",
            [*params, scope.user_id, scope.context_id],
        )
        return records_from(rows, EntityRecord)
