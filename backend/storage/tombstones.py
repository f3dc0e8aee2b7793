"""Keyed hashes of what was forgotten or undone, so that old text does not bring it back."""

from __future__ import annotations

from collections.abc import Iterable

from backend.storage.database import Database
from backend.storage.records import chunks
from backend.storage.scope import Scope

FORGOTTEN_FACT = "forgotten_fact"
FORGOTTEN_ENTITY = "forgotten_entity"
UNDONE_MESSAGE = "undone_message"


class TombstoneRows:
    """Reads and writes tombstones of a scope; they hold hashes of HomeSecret, never words."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, scope: Scope, hashes: Iterable[str], kind: str, recorded_at: str) -> None:
        """Set tombstones; one that stands already counts from now."""
        for value in sorted(set(hashes)):
            self._database.execute(
                "INSERT INTO tombstones (user_id, context_id, hash, kind, recorded_at) "
                "VALUES (?, ?, ?, ?, ?) ON CONFLICT (user_id, context_id, hash) "
                "DO UPDATE SET recorded_at = excluded.recorded_at",
                (scope.user_id, scope.context_id, value, kind, recorded_at),
            )

    def latest(self, scope: Scope, hashes: Iterable[str]) -> str | None:
        """When the latest of these was set; None if none stands."""
        found: list[str] = []
        for marks, part in chunks(sorted(set(hashes))):
            rows = self._database.execute(
                "SELECT max(recorded_at) FROM tombstones "
                f"WHERE user_id = ? AND context_id = ? AND hash IN {marks}",
                [scope.user_id, scope.context_id, *part],
            )
            found.extend(str(row[0]) for row in rows if row[0] is not None)
        return max(found, default=None)

    def any_stands(self, scope: Scope) -> bool:
        """Whether the scope has any; most have none, and need no hashing."""
        return bool(
            self._database.execute(
                "SELECT 1 FROM tombstones WHERE user_id = ? AND context_id = ? LIMIT 1",
                (scope.user_id, scope.context_id),
            )
        )
