"""Follows the turns of one conversation as their events arrive, and lets others wait for them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from aico_desktop.contract.client import BackendClient, BackendUnreachable, RequestFailed
from aico_desktop.contract.link_facts import EventsMissed
from aico_desktop.contract.messages import (
    AnswerFinished,
    Event,
    MemoryBatchEvent,
    MemoryBatchView,
    MessageView,
    Snapshot,
    SnapshotReply,
    TurnDelta,
    TurnError,
    TurnState,
    TurnView,
)
from aico_desktop.terminal.chat_view import ChatView

logger = logging.getLogger(__name__)

BROKEN_OFF = frozenset({"stopped", "failed", "interrupted"})
"""Ends of a turn without a whole answer; what its message taught comes without a state."""

REMEMBERED = BROKEN_OFF | {"done", "nothing", "paused"}
"""States after which waiting for the turn's memory is pointless."""

LOST_AFTER_S = 2.0
_LOOK_S = 0.2


@dataclass
class FollowedTurn:
    """What is known of one turn. ``shown`` counts the characters of the answer written so far."""

    shown: int = 0
    text: str = ""
    state: str = ""
    answer: MessageView | None = None
    error: TurnError | None = None
    batches: list[MemoryBatchView] = field(default_factory=list)

    @property
    def is_answered(self) -> bool:
        """Whether the input is free again: the answer is whole, or will never be."""
        return self.answer is not None or self.state in REMEMBERED | {"storing"}

    @property
    def is_explained(self) -> bool:
        """Whether a failure, if there was one, has told its reason; that follows the state."""
        return self.state != "failed" or self.error is not None

    @property
    def is_remembered(self) -> bool:
        """Whether no further word about the memory is to be expected."""
        return self.state in REMEMBERED


class ChatFollower:
    """Reads the events of a client in a thread of its own and hands them to the view.

    Params: ``revive`` starts the backend again when it is gone; the client finds it by itself.
    """

    def __init__(
        self,
        client: BackendClient,
        conversation_id: str,
        view: ChatView,
        revive: Callable[[], None],
    ) -> None:
        self._client = client
        self._conversation_id = conversation_id
        self._view = view
        self._revive = revive
        self._turns: dict[str, FollowedTurn] = {}
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="chat-follower", daemon=True)
        self.last_batch_id: str | None = None

    def start(self) -> None:
        """Begin to read events."""
        self._thread.start()

    def join(self) -> None:
        """Wait for the end of the events, which closing the client brings."""
        self._thread.join()

    def turn(self, turn_id: str) -> FollowedTurn:
        """What is known of a turn; events may come before the reply that names it."""
        with self._changed:
            return self._turns.setdefault(turn_id, FollowedTurn())

    def wait_for(
        self,
        turn_id: str,
        holds: Callable[[FollowedTurn], bool],
        timeout_s: float | None,
    ) -> bool:
        """Wait until something ``holds`` of a turn; False when time runs out.

        A backend that is gone meanwhile is started again; its snapshot tells how the turn ended.
        """
        ends = None if timeout_s is None else time.monotonic() + timeout_s
        lost_at: float | None = None
        turn = self.turn(turn_id)
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: holds(turn), _LOOK_S):
                    return True
            now = time.monotonic()
            if ends is not None and now >= ends:
                return False
            if self._client.welcome is not None:
                lost_at = None
            elif lost_at is None:
                lost_at = now
            elif now - lost_at > LOST_AFTER_S:
                self.revive()
                lost_at = None

    def revive(self) -> None:
        """Start the backend again; the client finds it by itself."""
        self._view.say("The AICO backend ended; starting it again …")
        self._revive()

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        for event in self._client.events():
            with self._changed:
                self._take(event)
                self._changed.notify_all()

    def _take(self, event: Event | EventsMissed) -> None:
        match event:
            case EventsMissed():
                self._catch_up()
            case TurnState() if self._is_ours(event.conversation_id):
                self._enter(event)
            case TurnDelta() if self._is_ours(event.conversation_id):
                self._add_text(event)
            case TurnError() if self._is_ours(event.conversation_id):
                turn = self._turns.setdefault(event.turn_id, FollowedTurn())
                turn.error = event
                self._view.end_answer()
                self._view.show_error(event)
            case AnswerFinished() if self._is_ours(event.message.conversation_id):
                self._finish(event)
            case MemoryBatchEvent() if self._is_ours(event.conversation_id):
                self._remember(event)
            case _:
                pass

    def _is_ours(self, conversation_id: str) -> bool:
        return conversation_id == self._conversation_id

    def _enter(self, event: TurnState) -> None:
        turn = self._turns.setdefault(event.turn_id, FollowedTurn())
        if event.state in REMEMBERED:
            self._view.end_answer()
        if event.state != turn.state:
            model = event.detail.get("model")
            self._view.show_state(event.state, str(model) if model else None)
        turn.state = event.state

    def _add_text(self, event: TurnDelta) -> None:
        turn = self._turns.setdefault(event.turn_id, FollowedTurn())
        if turn.shown == 0:
            # A turn that goes on from a partial answer begins where that ended.
            turn.shown = event.offset
        elif event.offset > turn.shown:
            self._catch_up()
        self._show_from(turn, event.offset, event.text)

    def _show_from(self, turn: FollowedTurn, offset: int, text: str) -> None:
        """Show what is new in ``text``; a text that begins beyond the gap is left to the end."""
        if offset > turn.shown:
            return
        new = text[turn.shown - offset :]
        if new:
            self._view.show_answer(new)
            turn.shown += len(new)
            turn.text += new

    def _finish(self, event: AnswerFinished) -> None:
        turn = self._turns.setdefault(event.turn_id, FollowedTurn())
        self._show_from(turn, 0, event.message.text)
        self._view.end_answer()
        turn.answer = event.message

    def _remember(self, event: MemoryBatchEvent) -> None:
        if event.turn_id is not None:
            self._turns.setdefault(event.turn_id, FollowedTurn()).batches.append(event.batch)
        if event.batch.items and not event.batch.undone:
            self.last_batch_id = event.batch.batch_id
            self._view.show_batch(event.batch)

    def _catch_up(self) -> None:
        """Events were missed: take the state of the conversation's turns as it is now."""
        wish = Snapshot(conversation_id=self._conversation_id)
        try:
            turns = self._client.request_as(SnapshotReply, wish, timeout_s=5.0).turns
        except (BackendUnreachable, RequestFailed) as problem:
            # The next reconnection brings another chance; the answer is stored in any case.
            logger.info("No snapshot: %s", type(problem).__name__)
            return
        for view in turns:
            self._redraw(view)

    def _redraw(self, view: TurnView) -> None:
        turn = self._turns.get(view.turn_id)
        if turn is None:
            return
        self._show_from(turn, 0, view.text)
        if view.error is not None and turn.error is None:
            turn.error = view.error
            self._view.end_answer()
            self._view.show_error(view.error)
        if view.state in REMEMBERED:
            self._view.end_answer()
        if view.state != turn.state:
            self._view.show_state(view.state)
        turn.state = view.state
