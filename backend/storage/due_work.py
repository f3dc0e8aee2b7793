"""Work that must be done though the process may die before: noted in the file itself."""

from __future__ import annotations

from typing import Literal

from backend.storage.clock import Clock, to_text, utc_now
from backend.storage.database import Database

Work = Literal["clear_files", "rewrite_vectors"]


class DueWork:
    """Notes in the table ``meta``; ``note`` belongs into the transaction that makes it due."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    def note(self, work: Work) -> None:
        """This must be done; since when is kept."""
        self._database.execute(
            "INSERT INTO meta(name, value) VALUES (?, ?)"
            " ON CONFLICT(name) DO UPDATE SET value = excluded.value",
            (f"due:{work}", to_text(self._clock())),
        )

    def since(self, work: Work) -> str | None:
        """When it last became due, or None."""
        rows = self._database.execute("SELECT value FROM meta WHERE name = ?", (f"due:{work}",))
        return str(rows[0][0]) if rows else None

    def done(self, work: Work, since: str) -> None:
        """It was done for what was due at ``since``; a later note stays."""
        self._database.execute(
            "DELETE FROM meta WHERE name = ? AND value = ?", (f"due:{work}", since)
        )
