"""The rows of batches: what one message taught, as its chip shows it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from backend.storage.clock import Clock, to_text, utc_now
from backend.storage.database import Database, Row
from backend.storage.errors import RecordNotFound
from backend.storage.identifiers import new_id
from backend.storage.scope import Scope

_COLUMNS = "batch_id, message_id, turn_id, items_json, undone, recorded_at"
_IN_SCOPE = "user_id = ? AND context_id = ?"


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """One batch; ``items_json`` is a JSON list of objects, each with the ``id`` of a fact."""

    batch_id: str
    message_id: str
    turn_id: str | None
    items_json: str
    undone: bool
    recorded_at: str


class BatchRepository:
    """Reads and writes batches of one scope at a time."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    def add(
        self,
        scope: Scope,
        message_id: str,
        turn_id: str | None,
        items_json: str,
        batch_id: str | None = None,
    ) -> BatchRecord:
        """Store a batch; ``batch_id`` may be chosen before, to be written into its rows."""
        record = BatchRecord(
            batch_id or new_id(), message_id, turn_id, items_json, False, to_text(self._clock())
        )
        self._database.execute(
            "INSERT INTO batches(batch_id, user_id, context_id, message_id, turn_id, items_json,"
            " recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (record.batch_id, scope.user_id, scope.context_id, message_id, turn_id, items_json,
             record.recorded_at),
        )  # fmt: skip
        return record

    def get(self, scope: Scope, batch_id: str) -> BatchRecord | None:
        """The batch, or None if the scope has no such one."""
        found = self._where(scope, "batch_id = ?", batch_id)
        return found[0] if found else None

    def of_message(self, scope: Scope, message_id: str) -> list[BatchRecord]:
        """The batches of a message, oldest first."""
        return self._where(scope, "message_id = ?", message_id)

    def of_conversation(self, scope: Scope, conversation_id: str) -> list[BatchRecord]:
        """The batches of all messages of a conversation, oldest first."""
        return self._where(
            scope,
            "message_id IN (SELECT message_id FROM messages WHERE conversation_id = ?)",
            conversation_id,
        )

    def operations_of_import(self, scope: Scope, import_id: str) -> dict[str, int]:
        """How often each operation stands in the batches of an import's messages."""
        rows = self._database.execute(
            "SELECT json_extract(item.value, '$.op'), count(*) FROM jobs j"
            " JOIN batches b ON b.message_id = j.message_id, json_each(b.items_json) item"
            " WHERE j.user_id = ? AND j.context_id = ? AND j.import_id = ? GROUP BY 1",
            (scope.user_id, scope.context_id, import_id),
        )
        return {str(operation): int(count) for operation, count in rows}

    def _where(self, scope: Scope, condition: str, value: str) -> list[BatchRecord]:
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM batches WHERE {_IN_SCOPE} AND {condition}"
            " ORDER BY recorded_at, rowid",
            (scope.user_id, scope.context_id, value),
        )
        return [_record(row) for row in rows]

    def mark_undone(self, scope: Scope, batch_id: str) -> None:
        """Note that the person took the batch back. Raises RecordNotFound."""
        rows = self._database.execute(
            f"UPDATE batches SET undone = 1 WHERE {_IN_SCOPE} AND batch_id = ? RETURNING batch_id",
            (scope.user_id, scope.context_id, batch_id),
        )
        if not rows:
            raise RecordNotFound("there is no such batch")

    def forget_fact(self, scope: Scope, fact_id: str) -> int:
        """Take the items about a fact out of every batch; returns how many batches changed."""
        with self._database.transaction():
            rows = self._database.execute(
                f"SELECT batch_id, items_json FROM batches WHERE {_IN_SCOPE} AND EXISTS ("
                "SELECT 1 FROM json_each(items_json) WHERE json_extract(value, '$.id') = ?)",
                (scope.user_id, scope.context_id, fact_id),
            )
            for batch_id, items_json in rows:
                kept = [item for item in json.loads(items_json) if item.get("id") != fact_id]
                self._database.execute(
                    f"UPDATE batches SET items_json = ? WHERE {_IN_SCOPE} AND batch_id = ?",
                    (json.dumps(kept), scope.user_id, scope.context_id, batch_id),
                )
            return len(rows)


def _record(row: Row) -> BatchRecord:
    batch_id, message_id, turn_id, items_json, undone, recorded_at = row
    return BatchRecord(batch_id, message_id, turn_id, items_json, bool(undone), recorded_at)
