"""The rows of turns: one question and its answer, with the state it is in."""

from __future__ import annotations

from dataclasses import dataclass

from backend.storage.clock import Clock, to_text, utc_now
from backend.storage.database import Database
from backend.storage.errors import RecordNotFound
from backend.storage.identifiers import new_id
from backend.storage.scope import Scope

_COLUMNS = (
    "turn_id, conversation_id, user_message_id, assistant_message_id, state, error_json, engine,"
    " started_at, finished_at"
)
_IN_SCOPE = "user_id = ? AND context_id = ?"


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn; ``state`` is a word of DESIGN §3, ``finished_at`` is None while it runs."""

    turn_id: str
    conversation_id: str
    user_message_id: str
    assistant_message_id: str | None
    state: str
    error_json: str | None
    engine: str | None
    started_at: str
    finished_at: str | None


class TurnRepository:
    """Reads and writes turns of one scope at a time."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    def start(
        self,
        scope: Scope,
        conversation_id: str,
        user_message_id: str,
        state: str,
        turn_id: str | None = None,
    ) -> TurnRecord:
        """Begin a turn; ``turn_id`` may be chosen before, to be written into the message too."""
        rows = self._database.execute(
            "INSERT INTO turns(turn_id, user_id, context_id, conversation_id, user_message_id,"
            f" state, started_at) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
            (turn_id or new_id(), scope.user_id, scope.context_id, conversation_id,
             user_message_id, state, to_text(self._clock())),
        )  # fmt: skip
        return TurnRecord(*rows[0])

    def get(self, scope: Scope, turn_id: str) -> TurnRecord | None:
        """The turn, or None if the scope has no such one."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM turns WHERE {_IN_SCOPE} AND turn_id = ?",
            (scope.user_id, scope.context_id, turn_id),
        )
        return TurnRecord(*rows[0]) if rows else None

    def of_message(self, scope: Scope, user_message_id: str) -> TurnRecord | None:
        """The latest turn that answers a message."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM turns WHERE {_IN_SCOPE} AND user_message_id = ?"
            " ORDER BY started_at DESC, rowid DESC LIMIT 1",
            (scope.user_id, scope.context_id, user_message_id),
        )
        return TurnRecord(*rows[0]) if rows else None

    def newest(self, scope: Scope, conversation_id: str, limit: int = 20) -> list[TurnRecord]:
        """The last turns of a conversation, oldest first."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM turns WHERE {_IN_SCOPE} AND conversation_id = ?"
            " ORDER BY started_at DESC, rowid DESC LIMIT ?",
            (scope.user_id, scope.context_id, conversation_id, limit),
        )
        return [TurnRecord(*row) for row in reversed(rows)]

    def unfinished(self, scope: Scope) -> list[TurnRecord]:
        """All turns that still run, oldest first."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM turns WHERE {_IN_SCOPE} AND finished_at IS NULL"
            " ORDER BY started_at, rowid",
            (scope.user_id, scope.context_id),
        )
        return [TurnRecord(*row) for row in rows]

    def update(
        self,
        scope: Scope,
        turn_id: str,
        state: str,
        assistant_message_id: str | None = None,
        engine: str | None = None,
    ) -> None:
        """Move a turn to a state; None leaves the answer or engine as it was.

        An ended turn runs again by this (retry, continue). Raises RecordNotFound.
        """
        self._change(
            scope,
            turn_id,
            "state = ?, assistant_message_id = coalesce(?, assistant_message_id),"
            " engine = coalesce(?, engine), error_json = NULL, finished_at = NULL",
            (state, assistant_message_id, engine),
        )

    def finish(self, scope: Scope, turn_id: str, state: str, error_json: str | None = None) -> None:
        """End a turn in a last state, with what went wrong. Raises RecordNotFound."""
        self._change(
            scope,
            turn_id,
            "state = ?, error_json = ?, finished_at = ?",
            (state, error_json, to_text(self._clock())),
        )

    def _change(
        self, scope: Scope, turn_id: str, changes: str, values: tuple[str | None, ...]
    ) -> None:
        rows = self._database.execute(
            f"UPDATE turns SET {changes} WHERE {_IN_SCOPE} AND turn_id = ? RETURNING turn_id",
            (*values, scope.user_id, scope.context_id, turn_id),
        )
        if not rows:
            raise RecordNotFound("there is no such turn")

    def interrupt_unfinished(self) -> int:
        """At start: end the turns that the last process left running; returns how many."""
        return len(
            self._database.execute(
                "UPDATE turns SET state = 'interrupted', finished_at = ?"
                " WHERE finished_at IS NULL RETURNING turn_id",
                (to_text(self._clock()),),
            )
        )
