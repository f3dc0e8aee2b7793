"""Texts pasted or dropped beside a message; kept as data, never learnt from."""

from __future__ import annotations

from dataclasses import dataclass

from backend.storage.database import Database
from backend.storage.identifiers import new_id
from backend.storage.scope import Scope


@dataclass(frozen=True, slots=True)
class AttachmentRecord:
    """A stored attachment of one message."""

    attachment_id: str
    message_id: str
    name: str
    text: str


class AttachmentRepository:
    """Reads and writes attachments of one scope at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, scope: Scope, message_id: str, name: str, text: str) -> AttachmentRecord:
        """Store one. Raises ForeignKeyViolation if there is no such message."""
        record = AttachmentRecord(new_id(), message_id, name, text)
        self._database.execute(
            "INSERT INTO attachments(attachment_id, user_id, context_id, message_id, name, text)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (record.attachment_id, scope.user_id, scope.context_id, message_id, name, text),
        )
        return record

    def of_message(self, scope: Scope, message_id: str) -> list[AttachmentRecord]:
        """The attachments of a message, in the order they were added."""
        rows = self._database.execute(
            "SELECT attachment_id, message_id, name, text FROM attachments"
            " WHERE user_id = ? AND context_id = ? AND message_id = ? ORDER BY rowid",
            (scope.user_id, scope.context_id, message_id),
        )
        return [AttachmentRecord(*row) for row in rows]
