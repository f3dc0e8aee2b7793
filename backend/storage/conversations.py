"""The rows of conversations: creating, naming and listing them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backend.storage.clock import Clock, to_text, utc_now
from backend.storage.database import Database, Row
from backend.storage.errors import RecordNotFound
from backend.storage.identifiers import new_id
from backend.storage.scope import Scope

TitleOrigin = Literal["none", "automatic", "person"]

_COLUMNS = """conversation_id, title, title_origin, external_name, created_at, updated_at,
    (SELECT count(*) FROM messages m WHERE m.conversation_id = conversations.conversation_id)"""
_IN_SCOPE = "user_id = ? AND context_id = ?"


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    """One conversation; times are ISO 8601 in UTC."""

    conversation_id: str
    title: str
    title_origin: TitleOrigin
    external_name: str | None
    created_at: str
    updated_at: str
    message_count: int


class ConversationRepository:
    """Reads and writes conversations of one scope at a time."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    def create(
        self, scope: Scope, title: str = "", external_name: str | None = None
    ) -> ConversationRecord:
        """Start a conversation; a title given here counts as the person's.

        ``external_name`` is the name an import file gave it. Raises UniqueViolation if the scope
        has a conversation of that external name.
        """
        now = to_text(self._clock())
        origin: TitleOrigin = "person" if title else "none"
        conversation_id = new_id()
        self._database.execute(
            "INSERT INTO conversations(conversation_id, user_id, context_id, title, title_origin,"
            " external_name, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (conversation_id, scope.user_id, scope.context_id, title, origin, external_name,
             now, now),
        )  # fmt: skip
        return ConversationRecord(conversation_id, title, origin, external_name, now, now, 0)

    def get(self, scope: Scope, conversation_id: str) -> ConversationRecord | None:
        """The conversation, or None if the scope has no such one."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM conversations WHERE {_IN_SCOPE} AND conversation_id = ?",
            (scope.user_id, scope.context_id, conversation_id),
        )
        return _record(rows[0]) if rows else None

    def for_import(self, scope: Scope, external_name: str) -> ConversationRecord:
        """The conversation that an import file calls ``external_name``, created if it is new."""
        with self._database.transaction():
            rows = self._database.execute(
                f"SELECT {_COLUMNS} FROM conversations WHERE {_IN_SCOPE} AND external_name = ?",
                (scope.user_id, scope.context_id, external_name),
            )
            return _record(rows[0]) if rows else self.create(scope, external_name=external_name)

    def newest(
        self, scope: Scope, limit: int = 1000, before: str | None = None
    ) -> list[ConversationRecord]:
        """Conversations by last change, newest first; ``before`` is an ``updated_at``."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM conversations WHERE {_IN_SCOPE}"
            " AND (? IS NULL OR updated_at < ?)"
            " ORDER BY updated_at DESC, conversation_id LIMIT ?",
            (scope.user_id, scope.context_id, before, before, limit),
        )
        return [_record(row) for row in rows]

    def count(self, scope: Scope) -> int:
        """How many conversations the scope has."""
        rows = self._database.execute(
            f"SELECT count(*) FROM conversations WHERE {_IN_SCOPE}",
            (scope.user_id, scope.context_id),
        )
        return int(rows[0][0])

    def rename(self, scope: Scope, conversation_id: str, title: str) -> None:
        """Give the title that the person chose. Raises RecordNotFound."""
        changed = self._database.execute(
            "UPDATE conversations SET title = ?, title_origin = 'person'"
            f" WHERE {_IN_SCOPE} AND conversation_id = ? RETURNING conversation_id",
            (title, scope.user_id, scope.context_id, conversation_id),
        )
        if not changed:
            raise RecordNotFound("there is no such conversation")

    def title_automatically(self, scope: Scope, conversation_id: str, title: str) -> bool:
        """Set an automatic title; False if the person has named it or it does not exist."""
        changed = self._database.execute(
            "UPDATE conversations SET title = ?, title_origin = 'automatic'"
            f" WHERE {_IN_SCOPE} AND conversation_id = ? AND title_origin <> 'person'"
            " RETURNING conversation_id",
            (title, scope.user_id, scope.context_id, conversation_id),
        )
        return bool(changed)


def _record(row: Row) -> ConversationRecord:
    return ConversationRecord(*row)
