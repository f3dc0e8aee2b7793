"""Choices that the person made in the app and expects to find again, by name."""

from __future__ import annotations

from backend.storage.database import Database

_PREFIX = "choice:"


class ChoiceRepository:
    """Keeps one text a name, for the whole home, in the table ``meta``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str) -> str | None:
        """What was chosen last, or None."""
        rows = self._database.execute("SELECT value FROM meta WHERE name = ?", (_PREFIX + name,))
        return str(rows[0][0]) if rows else None

    def keep(self, name: str, value: str) -> None:
        """Remember a choice over restarts."""
        self._database.execute(
            "INSERT INTO meta(name, value) VALUES (?, ?)"
            " ON CONFLICT(name) DO UPDATE SET value = excluded.value",
            (_PREFIX + name, value),
        )
