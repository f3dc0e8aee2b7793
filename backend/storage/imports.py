"""The rows of imports: which file brought messages in, and when."""

from __future__ import annotations

from dataclasses import dataclass

from backend.storage.clock import Clock, to_text, utc_now
from backend.storage.database import Database
from backend.storage.identifiers import new_id
from backend.storage.scope import Scope


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """One import; ``source`` is the name of the file."""

    import_id: str
    source: str
    created_at: str


class ImportRepository:
    """Reads and writes imports of one scope at a time."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    def create(self, scope: Scope, source: str) -> ImportRecord:
        """Note that an import begins."""
        record = ImportRecord(new_id(), source, to_text(self._clock()))
        self._database.execute(
            "INSERT INTO imports(import_id, user_id, context_id, source, created_at)"
            " VALUES (?, ?, ?, ?, ?)",
            (record.import_id, scope.user_id, scope.context_id, source, record.created_at),
        )
        return record

    def of_source(self, scope: Scope, source: str) -> ImportRecord:
        """The import of this source, which begins now if it is new."""
        rows = self._database.execute(
            "SELECT import_id, source, created_at FROM imports"
            " WHERE user_id = ? AND context_id = ? AND source = ? ORDER BY created_at LIMIT 1",
            (scope.user_id, scope.context_id, source),
        )
        return ImportRecord(*rows[0]) if rows else self.create(scope, source)

    def get(self, scope: Scope, import_id: str) -> ImportRecord | None:
        """The import, or None if the scope has no such one."""
        rows = self._database.execute(
            "SELECT import_id, source, created_at FROM imports"
            " WHERE user_id = ? AND context_id = ? AND import_id = ?",
            (scope.user_id, scope.context_id, import_id),
        )
        return ImportRecord(*rows[0]) if rows else None
