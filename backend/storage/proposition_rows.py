"""Propositions, the evidence they rest on, and their history: all folded from statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from backend.storage.database import Database
from backend.storage.records import (
    chunks,
    columns_of,
    insert_record,
    records_from,
    values_of,
)
from backend.storage.scope import Scope


@dataclass(frozen=True, slots=True)
class PropositionRecord:
    """One row of ``propositions``; object_id is '' for a literal, literal '' for an entity."""

    proposition_id: str
    user_id: str
    context_id: str
    subject_id: str
    predicate: str
    object_id: str
    literal: str
    literal_type: str
    literal_text: str
    polarity: str
    modality: str
    speaker_id: str
    episode: int
    text: str
    confidence: float
    importance: float
    decay: float
    level: int
    status: str
    pinned: int
    sensitive: int
    valid_from: str | None
    valid_until: str | None
    valid_precision: str | None
    recorded_at: str
    invalidated_at: str | None
    qualifiers_json: str
    version: int


@dataclass(frozen=True, slots=True)
class HistoryRecord:
    """One change of a proposition, with its reason and the batch that brought it."""

    change_id: str
    user_id: str
    context_id: str
    proposition_id: str
    version: int
    change: str
    reason: str
    old_json: str
    new_json: str
    batch_id: str | None
    changed_at: str


_COLUMNS = columns_of(PropositionRecord)
_HISTORY = columns_of(HistoryRecord)
_IN_FORCE = "+status IN ('ACTIVE', 'PROMOTED')"
"""The plus: nearly every fact is in force, so the status must not be the way in."""


class PropositionRows:
    """Reads and writes propositions with their evidence and history, within a scope."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # ------------------------------------------------------------ reading

    def get(self, scope: Scope, proposition_id: str) -> PropositionRecord | None:
        found = self._where(scope, "proposition_id = ?", proposition_id)
        return found[0] if found else None

    def get_many(self, scope: Scope, proposition_ids: Sequence[str]) -> list[PropositionRecord]:
        found: list[PropositionRecord] = []
        for marks, part in chunks(proposition_ids):
            found.extend(self._where(scope, f"proposition_id IN {marks}", *part))
        return found

    def all(self, scope: Scope) -> list[PropositionRecord]:
        """Every proposition of any status, oldest first."""
        return self._where(scope, "1 = 1")

    def active(self, scope: Scope) -> list[PropositionRecord]:
        """What ``memory list`` means: status ACTIVE, any polarity and modality (DESIGN §4)."""
        return self._where(scope, "status = 'ACTIVE'")

    def about(
        self, scope: Scope, entity_ids: Sequence[str], *, active_only: bool = True
    ) -> list[PropositionRecord]:
        """Those in which an entity is subject or object."""
        status = " AND status = 'ACTIVE'" if active_only else ""
        found: dict[str, PropositionRecord] = {}
        for marks, part in chunks(entity_ids):
            for column in ("subject_id", "object_id"):
                for record in self._where(scope, f"{column} IN {marks}{status}", *part):
                    found[record.proposition_id] = record
        return sorted(found.values(), key=lambda record: record.recorded_at)

    def in_group(
        self,
        scope: Scope,
        subject_id: str,
        predicates: Sequence[str],
        target: tuple[str, str] | None,
    ) -> list[PropositionRecord]:
        """Those of a subject and predicates; with ``target`` only of that (object id, literal)."""
        marks = ", ".join("?" for _ in predicates)
        condition = f"subject_id = ? AND predicate IN ({marks})"
        if target is None:
            return self._where(scope, condition, subject_id, *predicates)
        condition += " AND object_id = ? AND literal = ?"
        return self._where(scope, condition, subject_id, *predicates, *target)

    def in_force_of(self, scope: Scope, entity_id: str) -> list[PropositionRecord]:
        """ACTIVE and PROMOTED ones with the entity in either place."""
        found = {
            record.proposition_id: record
            for column in ("subject_id", "object_id")
            for record in self._where(scope, f"{column} = ? AND {_IN_FORCE}", entity_id)
        }
        return sorted(
            found.values(), key=lambda record: (record.recorded_at, record.proposition_id)
        )

    def values_in_force(self, scope: Scope, subject_id: str) -> list[PropositionRecord]:
        """ACTIVE and PROMOTED ones of a subject whose object is a literal."""
        return self._where(scope, f"subject_id = ? AND object_id = '' AND {_IN_FORCE}", subject_id)

    def highest_confidence(self, scope: Scope, entity_id: str) -> float | None:
        """Of the facts in force with the entity in either place; None if there is none."""
        found: list[float] = []
        for column in ("subject_id", "object_id"):
            rows = self._database.execute(
                f"SELECT max(confidence) FROM propositions WHERE {column} = ? AND {_IN_FORCE} "
                "AND user_id = ? AND context_id = ?",
                (entity_id, scope.user_id, scope.context_id),
            )
            found.extend(float(row[0]) for row in rows if row[0] is not None)
        return max(found, default=None)

    def in_force_between(
        self, scope: Scope, subject_id: str, predicate: str, object_id: str
    ) -> list[PropositionRecord]:
        """ACTIVE and PROMOTED ones of one subject, predicate and object entity."""
        condition = f"subject_id = ? AND predicate = ? AND object_id = ? AND {_IN_FORCE}"
        return self._where(scope, condition, subject_id, predicate, object_id)

    def counts(self, scope: Scope) -> dict[str, int]:
        """How many there are, by status."""
        rows = self._database.execute(
            "SELECT status, count(*) FROM propositions "
            "WHERE user_id = ? AND context_id = ? GROUP BY status ORDER BY status",
            (scope.user_id, scope.context_id),
        )
        return {str(status): int(count) for status, count in rows}

    def fact_count(self, scope: Scope, entity_id: str) -> int:
        rows = self._database.execute(
            "SELECT count(*) FROM propositions WHERE user_id = ? AND context_id = ? "
            "AND status = 'ACTIVE' AND (subject_id = ? OR object_id = ?)",
            (scope.user_id, scope.context_id, entity_id, entity_id),
        )
        return int(rows[0][0])

    def history(self, scope: Scope, proposition_id: str) -> list[HistoryRecord]:
        rows = self._database.execute(
            f"SELECT {_HISTORY} FROM proposition_history "
            "WHERE proposition_id = ? AND user_id = ? AND context_id = ? ORDER BY version",
            (proposition_id, scope.user_id, scope.context_id),
        )
        return records_from(rows, HistoryRecord)

    def evidence_ids(self, scope: Scope, proposition_id: str) -> set[str]:
        rows = self._database.execute(
            "SELECT statement_id FROM evidence "
            "WHERE proposition_id = ? AND user_id = ? AND context_id = ?",
            (proposition_id, scope.user_id, scope.context_id),
        )
        return {str(row[0]) for row in rows}

    def _where(self, scope: Scope, condition: str, *params: str) -> list[PropositionRecord]:
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM propositions WHERE {condition} "
            "AND user_id = ? AND context_id = ? ORDER BY recorded_at, row_number",
            [*params, scope.user_id, scope.context_id],
        )
        return records_from(rows, PropositionRecord)

    # ------------------------------------------------------------ writing

    def put(self, record: PropositionRecord) -> None:
        """Insert, or update everything of the row with this id."""
        names = [field.name for field in fields(PropositionRecord)]
        updates = ", ".join(f"{name} = excluded.{name}" for name in names[3:])
        marks = ", ".join("?" for _ in names)
        self._database.execute(
            f"INSERT INTO propositions ({_COLUMNS}) VALUES ({marks}) "
            f"ON CONFLICT (proposition_id) DO UPDATE SET {updates}",
            values_of(record),
        )

    def set_text(self, scope: Scope, proposition_id: str, text: str) -> None:
        self._database.execute(
            "UPDATE propositions SET text = ? "
            "WHERE proposition_id = ? AND user_id = ? AND context_id = ?",
            (text, proposition_id, scope.user_id, scope.context_id),
        )

    def set_evidence(self, scope: Scope, proposition_id: str, statement_ids: set[str]) -> None:
        """Make the evidence exactly these statements."""
        present = self.evidence_ids(scope, proposition_id)
        for statement_id in sorted(present - statement_ids):
            self._database.execute(
                "DELETE FROM evidence WHERE proposition_id = ? AND statement_id = ?",
                (proposition_id, statement_id),
            )
        for statement_id in sorted(statement_ids - present):
            self._database.execute(
                "INSERT INTO evidence (user_id, context_id, proposition_id, statement_id) "
                "VALUES (?, ?, ?, ?)",
                (scope.user_id, scope.context_id, proposition_id, statement_id),
            )

    def set_history(
        self, scope: Scope, proposition_id: str, history: Sequence[HistoryRecord]
    ) -> None:
        """Make the history exactly these changes."""
        if self.history(scope, proposition_id) == list(history):
            return
        self._database.execute(
            "DELETE FROM proposition_history "
            "WHERE proposition_id = ? AND user_id = ? AND context_id = ?",
            (proposition_id, scope.user_id, scope.context_id),
        )
        for record in history:
            insert_record(self._database, "proposition_history", record)

    def delete(self, scope: Scope, proposition_id: str) -> None:
        """Remove the row; evidence and history go with it."""
        self._database.execute(
            "DELETE FROM propositions WHERE proposition_id = ? AND user_id = ? AND context_id = ?",
            (proposition_id, scope.user_id, scope.context_id),
        )

    def delete_all(self, scope: Scope) -> None:
        self._database.execute(
            "DELETE FROM propositions WHERE user_id = ? AND context_id = ?",
            (scope.user_id, scope.context_id),
        )
