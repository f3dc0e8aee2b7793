"""Counts of what the memory turned away, by reason; never the words themselves."""

from __future__ import annotations

from backend.storage.database import Database
from backend.storage.scope import Scope


class RejectionRepository:
    """Adds to and reads the counts of one scope."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, scope: Scope, reason: str, count: int = 1) -> None:
        """Count ``count`` more things turned away for ``reason`` (a fixed word, no text)."""
        self._database.execute(
            "INSERT INTO rejections(user_id, context_id, reason, count) VALUES (?, ?, ?, ?)"
            " ON CONFLICT(user_id, context_id, reason)"
            " DO UPDATE SET count = count + excluded.count",
            (scope.user_id, scope.context_id, reason, count),
        )

    def counts(self, scope: Scope) -> dict[str, int]:
        """All counts by reason."""
        rows = self._database.execute(
            "SELECT reason, count FROM rejections WHERE user_id = ? AND context_id = ?"
            " ORDER BY reason",
            (scope.user_id, scope.context_id),
        )
        return {str(reason): int(count) for reason, count in rows}
