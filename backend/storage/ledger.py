"""The ledger: which message was read by which extractor version, so that none is read twice."""

from __future__ import annotations

import hashlib

from backend.storage.clock import Clock, to_text, utc_now
from backend.storage.database import Database
from backend.storage.scope import Scope


def text_hash(message_id: str, text: str) -> str:
    """A hash of a message's text, different for the same words in another message."""
    return hashlib.blake2b(
        text.encode("utf-8", "surrogatepass"), digest_size=16, key=message_id.encode()[:64]
    ).hexdigest()


class LedgerRepository:
    """Keyed by (message, text hash, extractor version), DESIGN §4."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    def is_processed(
        self, scope: Scope, message_id: str, text: str, extractor_version: str
    ) -> bool:
        """True if this text of the message was read by this version."""
        rows = self._database.execute(
            "SELECT 1 FROM ledger WHERE user_id = ? AND context_id = ? AND message_id = ?"
            " AND text_hash = ? AND extractor_version = ?",
            (scope.user_id, scope.context_id, message_id, text_hash(message_id, text),
             extractor_version),
        )  # fmt: skip
        return bool(rows)

    def record(self, scope: Scope, message_id: str, text: str, extractor_version: str) -> None:
        """Note it; call it in the transaction that keeps the results. Raises UniqueViolation."""
        self._database.execute(
            "INSERT INTO ledger(user_id, context_id, message_id, text_hash, extractor_version,"
            " processed_at) VALUES (?, ?, ?, ?, ?, ?)",
            (scope.user_id, scope.context_id, message_id, text_hash(message_id, text),
             extractor_version, to_text(self._clock())),
        )  # fmt: skip

    def text_blanked(self, scope: Scope, message_id: str, new_text: str) -> None:
        """After words of a message were forgotten: it counts as read with the text it has now.

        Hashes of the old text go, since short texts could be guessed from them.
        """
        with self._database.transaction():
            versions = self._database.execute(
                "DELETE FROM ledger WHERE user_id = ? AND context_id = ? AND message_id = ?"
                " RETURNING extractor_version",
                (scope.user_id, scope.context_id, message_id),
            )
            for version in sorted({str(row[0]) for row in versions}):
                self.record(scope, message_id, new_text, version)
