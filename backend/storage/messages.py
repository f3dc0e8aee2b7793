"""The rows of messages: what was said, by whom, in order, and the text of a running answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from backend.storage.clock import Clock, to_text, utc_now
from backend.storage.database import Database, Row
from backend.storage.errors import RecordNotFound
from backend.storage.identifiers import new_id
from backend.storage.scope import Scope

Role = Literal["user", "assistant", "other"]
MessageStatus = Literal["complete", "streaming", "stopped", "interrupted", "failed"]

_COLUMNS = (
    "message_id, conversation_id, ordinal, role, speaker, text, caption, said_at, zone,"
    " recorded_at, status, turn_id, engine, external_id, client_key, import_id, sources_json"
)
_IN_SCOPE = "user_id = ? AND context_id = ?"
_IDS_PER_QUERY = 500


@dataclass(frozen=True, slots=True)
class NewMessage:
    """What is said, before it has an id and a place; ``said_at`` is ISO 8601 with offset."""

    conversation_id: str
    role: Role
    speaker: str
    text: str
    said_at: str
    zone: str
    caption: str = ""
    status: MessageStatus = "complete"
    turn_id: str | None = None
    engine: str | None = None
    external_id: str | None = None
    client_key: str | None = None
    import_id: str | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """A stored message; ``ordinal`` counts from 1 in its conversation."""

    message_id: str
    conversation_id: str
    ordinal: int
    role: Role
    speaker: str
    text: str
    caption: str
    said_at: str
    zone: str
    recorded_at: str
    status: MessageStatus
    turn_id: str | None
    engine: str | None
    external_id: str | None
    client_key: str | None
    import_id: str | None
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddedMessage:
    """The stored message; ``created`` is False when the same one had been stored before."""

    message: MessageRecord
    created: bool


class MessageRepository:
    """Reads and writes messages of one scope at a time."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    def add(self, scope: Scope, new: NewMessage) -> AddedMessage:
        """Store a message at the end of its conversation, or give back the one sent before.

        A message with a ``client_key`` or ``external_id`` that the scope knows is not stored
        again. Raises RecordNotFound if the scope has no such conversation.
        """
        with self._database.transaction():
            existing = self._existing(scope, new)
            if existing is not None:
                return AddedMessage(existing, created=False)
            return AddedMessage(self._insert(scope, new), created=True)

    def _existing(self, scope: Scope, new: NewMessage) -> MessageRecord | None:
        if new.client_key is not None:
            found = self.by_client_key(scope, new.client_key)
            if found is not None:
                return found
        if new.external_id is not None:
            return self.by_external_id(scope, new.external_id)
        return None

    def _insert(self, scope: Scope, new: NewMessage) -> MessageRecord:
        now = to_text(self._clock())
        known = self._database.execute(
            f"UPDATE conversations SET updated_at = max(updated_at, ?) WHERE {_IN_SCOPE}"
            " AND conversation_id = ? RETURNING conversation_id",
            (now, scope.user_id, scope.context_id, new.conversation_id),
        )
        if not known:
            raise RecordNotFound("there is no such conversation")
        rows = self._database.execute(
            "INSERT INTO messages(message_id, user_id, context_id, conversation_id, ordinal, role,"
            " speaker, text, caption, said_at, zone, recorded_at, status, turn_id, engine,"
            " external_id, client_key, import_id, sources_json)"
            " VALUES (?, ?, ?, ?, (SELECT coalesce(max(ordinal), 0) + 1 FROM messages"
            f" WHERE conversation_id = ?), {', '.join('?' * 14)}) RETURNING {_COLUMNS}",
            (new_id(), scope.user_id, scope.context_id, new.conversation_id, new.conversation_id,
             new.role, new.speaker, new.text, new.caption, new.said_at, new.zone, now, new.status,
             new.turn_id, new.engine, new.external_id, new.client_key, new.import_id,
             json.dumps(new.sources)),
        )  # fmt: skip
        return _record(rows[0])

    # ------------------------------------------------------------ reading

    def get(self, scope: Scope, message_id: str) -> MessageRecord | None:
        """The message, or None if the scope has no such one."""
        return self._one(scope, "message_id = ?", message_id)

    def by_client_key(self, scope: Scope, client_key: str) -> MessageRecord | None:
        """The message that a client sent under this key."""
        return self._one(scope, "client_key = ?", client_key)

    def by_external_id(self, scope: Scope, external_id: str) -> MessageRecord | None:
        """The message that an import file gave this id."""
        return self._one(scope, "external_id = ?", external_id)

    def _one(self, scope: Scope, condition: str, value: str) -> MessageRecord | None:
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM messages WHERE {_IN_SCOPE} AND {condition}",
            (scope.user_id, scope.context_id, value),
        )
        return _record(rows[0]) if rows else None

    def get_many(self, scope: Scope, message_ids: Sequence[str]) -> dict[str, MessageRecord]:
        """The messages of these ids that the scope has, by id."""
        found: dict[str, MessageRecord] = {}
        for start in range(0, len(message_ids), _IDS_PER_QUERY):
            part = message_ids[start : start + _IDS_PER_QUERY]
            rows = self._database.execute(
                f"SELECT {_COLUMNS} FROM messages WHERE {_IN_SCOPE}"
                f" AND message_id IN ({', '.join('?' * len(part))})",
                (scope.user_id, scope.context_id, *part),
            )
            found.update((row[0], _record(row)) for row in rows)
        return found

    def recent(
        self,
        scope: Scope,
        conversation_id: str,
        before_ordinal: int | None = None,
        limit: int = 60,
    ) -> list[MessageRecord]:
        """The last ``limit`` messages before an ordinal (or at the end), oldest first."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM messages WHERE {_IN_SCOPE} AND conversation_id = ?"
            " AND (? IS NULL OR ordinal < ?) ORDER BY ordinal DESC LIMIT ?",
            (scope.user_id, scope.context_id, conversation_id, before_ordinal, before_ordinal,
             limit),
        )  # fmt: skip
        return [_record(row) for row in reversed(rows)]

    def after(
        self, scope: Scope, conversation_id: str, ordinal: int, limit: int = 60
    ) -> list[MessageRecord]:
        """The first ``limit`` messages after an ordinal, oldest first."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM messages WHERE {_IN_SCOPE} AND conversation_id = ?"
            " AND ordinal > ? ORDER BY ordinal LIMIT ?",
            (scope.user_id, scope.context_id, conversation_id, ordinal, limit),
        )
        return [_record(row) for row in rows]

    def newest_by_user(
        self, scope: Scope, limit: int, since: date | None = None, until: date | None = None
    ) -> list[MessageRecord]:
        """The person's last messages of any conversation, newest first.

        ``since`` and ``until`` are the days on which they were said, both included.
        """
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM messages WHERE {_IN_SCOPE} AND role = 'user'"
            " AND (? IS NULL OR substr(said_at, 1, 10) >= ?)"
            " AND (? IS NULL OR substr(said_at, 1, 10) <= ?)"
            " ORDER BY row_number DESC LIMIT ?",
            (scope.user_id, scope.context_id, *(_day(since),) * 2, *(_day(until),) * 2, limit),
        )
        return [_record(row) for row in rows]

    def count(self, scope: Scope) -> int:
        """How many messages the scope has."""
        rows = self._database.execute(
            f"SELECT count(*) FROM messages WHERE {_IN_SCOPE}", (scope.user_id, scope.context_id)
        )
        return int(rows[0][0])

    def count_of_import(self, scope: Scope, import_id: str) -> int:
        """How many messages an import brought in."""
        rows = self._database.execute(
            f"SELECT count(*) FROM messages WHERE {_IN_SCOPE} AND import_id = ?",
            (scope.user_id, scope.context_id, import_id),
        )
        return int(rows[0][0])

    # ------------------------------------------------------------ changing

    def save_partial(self, scope: Scope, message_id: str, text: str) -> None:
        """Keep the text of a running answer so far. Raises RecordNotFound if it has ended."""
        changed = self._database.execute(
            f"UPDATE messages SET text = ? WHERE {_IN_SCOPE} AND message_id = ?"
            " AND status = 'streaming' RETURNING message_id",
            (text, scope.user_id, scope.context_id, message_id),
        )
        if not changed:
            raise RecordNotFound("there is no such running answer")

    def resume(self, scope: Scope, message_id: str) -> None:
        """Let an ended answer stream again, to go on from its text. Raises RecordNotFound."""
        changed = self._database.execute(
            f"UPDATE messages SET status = 'streaming' WHERE {_IN_SCOPE} AND message_id = ?"
            " AND role = 'assistant' RETURNING message_id",
            (scope.user_id, scope.context_id, message_id),
        )
        if not changed:
            raise RecordNotFound("there is no such answer")

    def finish(
        self,
        scope: Scope,
        message_id: str,
        text: str,
        status: MessageStatus,
        engine: str | None = None,
        sources: Sequence[str] | None = None,
    ) -> MessageRecord:
        """End a running answer with its last text; None leaves engine or sources as they were.

        Raises RecordNotFound.
        """
        rows = self._database.execute(
            "UPDATE messages SET text = ?, status = ?, engine = coalesce(?, engine),"
            f" sources_json = coalesce(?, sources_json) WHERE {_IN_SCOPE} AND message_id = ?"
            f" RETURNING {_COLUMNS}",
            (text, status, engine, None if sources is None else json.dumps(list(sources)),
             scope.user_id, scope.context_id, message_id),
        )  # fmt: skip
        if not rows:
            raise RecordNotFound("there is no such message")
        return _record(rows[0])

    def interrupt_streaming(self) -> int:
        """At start: mark answers that the last process left unfinished; returns how many."""
        return len(
            self._database.execute(
                "UPDATE messages SET status = 'interrupted' WHERE status = 'streaming'"
                " RETURNING message_id"
            )
        )

    def blank_span(self, scope: Scope, message_id: str, start: int, end: int) -> str:
        """Replace code points [start, end) by as many spaces; returns the new text.

        The length stays, so that the spans of other facts still fit. Raises RecordNotFound, and
        ValueError for a span outside of the text.
        """
        with self._database.transaction():
            message = self.get(scope, message_id)
            if message is None:
                raise RecordNotFound("there is no such message")
            if not 0 <= start <= end <= len(message.text):
                raise ValueError("the span does not lie in the text")
            text = message.text[:start] + " " * (end - start) + message.text[end:]
            self._database.execute(
                f"UPDATE messages SET text = ? WHERE {_IN_SCOPE} AND message_id = ?",
                (text, scope.user_id, scope.context_id, message_id),
            )
            return text


def _record(row: Row) -> MessageRecord:
    return MessageRecord(*(*row[:-1], tuple(json.loads(row[-1]))))


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
