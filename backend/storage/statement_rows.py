"""Immutable statements: what each message said, as understanding gave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.storage.database import Database
from backend.storage.records import chunks, columns_of, insert_record, records_from
from backend.storage.scope import Scope


@dataclass(frozen=True, slots=True)
class StatementRecord:
    """One row of ``statements``; ``sequence`` is the order of learning within the scope."""

    statement_id: str
    user_id: str
    context_id: str
    sequence: int
    batch_id: str
    message_id: str
    span_start: int
    span_end: int
    speaker_id: str
    extractor_version: str
    method: str
    body_json: str
    said_at: str
    recorded_at: str


_COLUMNS = columns_of(StatementRecord)
_QUALIFIED = columns_of(StatementRecord, "s.")
_IN_SCOPE = "+user_id = ? AND +context_id = ?"
"""The plus keeps the planner from taking the scope, which is nearly every row, as the way in."""


class StatementRows:
    """Reads, adds and (when something is forgotten or undone) removes statements of a scope."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, record: StatementRecord) -> None:
        insert_record(self._database, "statements", record)

    def next_sequence(self, scope: Scope) -> int:
        rows = self._database.execute(
            "SELECT max(sequence) FROM statements WHERE user_id = ? AND context_id = ?",
            (scope.user_id, scope.context_id),
        )
        return int(rows[0][0] or 0) + 1

    def of_message(self, scope: Scope, message_id: str) -> list[StatementRecord]:
        return self._where(scope, "message_id = ?", message_id)

    def of_batch(self, scope: Scope, batch_id: str) -> list[StatementRecord]:
        return self._where(scope, "batch_id = ?", batch_id)

    def all_in_order(self, scope: Scope) -> list[StatementRecord]:
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM statements WHERE user_id = ? AND context_id = ? "
            "ORDER BY sequence",
            (scope.user_id, scope.context_id),
        )
        return records_from(rows, StatementRecord)

    def get(self, scope: Scope, statement_ids: Sequence[str]) -> list[StatementRecord]:
        """In order of learning; ids that are not there are left out."""
        found: list[StatementRecord] = []
        for marks, part in chunks(statement_ids):
            found.extend(self._where(scope, f"statement_id IN {marks}", *part))
        return sorted(found, key=lambda record: record.sequence)

    def evidence_of(
        self, scope: Scope, proposition_ids: Sequence[str]
    ) -> dict[str, list[StatementRecord]]:
        """The statements behind each proposition, oldest first."""
        found: dict[str, list[StatementRecord]] = {identifier: [] for identifier in proposition_ids}
        for marks, part in chunks(proposition_ids):
            rows = self._database.execute(
                f"SELECT e.proposition_id, {_QUALIFIED} FROM evidence e "
                "CROSS JOIN statements s ON s.statement_id = e.statement_id "
                f"WHERE e.proposition_id IN {marks} AND s.user_id = ? AND s.context_id = ? "
                "ORDER BY s.said_at, s.sequence",
                [*part, scope.user_id, scope.context_id],
            )
            for identifier, *columns in rows:
                found[identifier].append(StatementRecord(*columns))
        return found

    def proposition_ids_of(self, scope: Scope, statement_ids: Sequence[str]) -> set[str]:
        """The propositions that rest on any of the statements."""
        found: set[str] = set()
        for marks, part in chunks(statement_ids):
            rows = self._database.execute(
                "SELECT DISTINCT proposition_id FROM evidence "
                f"WHERE statement_id IN {marks} AND {_IN_SCOPE}",
                [*part, scope.user_id, scope.context_id],
            )
            found.update(str(row[0]) for row in rows)
        return found

    def replace_body(self, scope: Scope, statement_id: str, body_json: str) -> None:
        """Only for forgetting: take words out of a statement that otherwise stays."""
        self._database.execute(
            f"UPDATE statements SET body_json = ? WHERE statement_id = ? AND {_IN_SCOPE}",
            (body_json, statement_id, scope.user_id, scope.context_id),
        )

    def delete(self, scope: Scope, statement_ids: Sequence[str]) -> None:
        """Remove statements together with their evidence and identity decisions."""
        for marks, part in chunks(statement_ids):
            for table in ("evidence", "identity_decisions", "statements"):
                self._database.execute(
                    f"DELETE FROM {table} WHERE statement_id IN {marks} AND {_IN_SCOPE}",
                    [*part, scope.user_id, scope.context_id],
                )

    def _where(self, scope: Scope, condition: str, *params: str) -> list[StatementRecord]:
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM statements WHERE {condition} "
            f"AND {_IN_SCOPE} ORDER BY sequence",
            [*params, scope.user_id, scope.context_id],
        )
        return records_from(rows, StatementRecord)
