"""Shows on a turn what the memory does with its message after the answer."""

from __future__ import annotations

from backend.conversation.ports import EventSink
from backend.conversation.running_turn import Detail, turn_state
from backend.conversation.turn_store import TurnStore
from backend.conversation.views import ANSWERED
from backend.storage.scope import Scope
from backend.storage.turns import TurnRecord


class LearningStates:
    """Turns the news of the learning worker into states of the message's newest turn.

    A turn that was stopped, failed or was interrupted keeps saying so: its chip comes all the
    same, as an event of its own. May be called from any thread.
    """

    def __init__(self, store: TurnStore, sink: EventSink) -> None:
        self._store = store
        self._sink = sink

    def started(self, scope: Scope, message_id: str) -> None:
        """The job of a message runs now."""
        turn = self._answered_turn(scope, message_id)
        if turn is not None:
            self._emit(turn, "storing")

    def waits(self, scope: Scope, message_id: str) -> None:
        """The job was put off, for a new message or until it is tried again."""
        turn = self._answered_turn(scope, message_id)
        if turn is not None:
            self._emit(turn, "paused")

    def finished(self, scope: Scope, message_id: str, learned: bool) -> None:
        """The job committed; ``learned`` tells whether there is anything to show."""
        self._finish(scope, message_id, "done" if learned else "nothing")

    def failed(self, scope: Scope, message_id: str) -> None:
        """The job was given up; the panel offers to try it again, the chat says nothing."""
        self._finish(scope, message_id, "nothing", {"memory_failed": 1})

    def nothing_to_do(self, scope: Scope, turn: TurnRecord) -> None:
        """End an answered turn whose message has no job any more (it was answered again)."""
        self._store.turns.finish(scope, turn.turn_id, "done")
        self._emit(turn, "done")

    def _finish(
        self, scope: Scope, message_id: str, state: str, detail: Detail | None = None
    ) -> None:
        turn = self._answered_turn(scope, message_id)
        if turn is not None:
            self._store.turns.finish(scope, turn.turn_id, state)
            self._emit(turn, state, detail)

    def _answered_turn(self, scope: Scope, message_id: str) -> TurnRecord | None:
        turn = self._store.turns.of_message(scope, message_id)
        return turn if turn is not None and turn.state == ANSWERED else None

    def _emit(self, turn: TurnRecord, state: str, detail: Detail | None = None) -> None:
        self._sink.emit(
            turn_state(
                turn.turn_id,
                turn.conversation_id,
                turn.user_message_id,
                state,
                detail,
                turn.assistant_message_id,
            )
        )
