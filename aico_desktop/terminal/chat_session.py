"""A chat in the terminal: sends what the person says, stops answers, carries out commands."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from typing import Literal

from aico_desktop.contract.client import BackendClient, BackendUnreachable, RequestFailed
from aico_desktop.contract.messages import (
    Acknowledged,
    Batch,
    MemoryUndo,
    RetryTurn,
    SendMessage,
    StopTurn,
)
from aico_desktop.terminal.chat_follower import ChatFollower, FollowedTurn
from aico_desktop.terminal.chat_view import ChatView

SEND_TIMEOUT_S = 30.0
MEMORY_TIMEOUT_S = 120.0
REASON_TIMEOUT_S = 2.0
MOST_ATTEMPTS = 3

HELP = """/again     answer my last message anew
/continue  go on with the last answer
/builtin   answer again with the built-in model
/undo      take back what was remembered last
/quit      leave (or Ctrl+D); Ctrl+C stops an answer"""


class ChatSession:
    """One conversation with one person at a terminal.

    Params: ``patient`` waits for the memory after each answer, where nobody types meanwhile.
    """

    def __init__(
        self,
        client: BackendClient,
        conversation_id: str,
        follower: ChatFollower,
        view: ChatView,
        *,
        patient: bool,
    ) -> None:
        self._client = client
        self._conversation_id = conversation_id
        self._follower = follower
        self._view = view
        self._patient = patient
        self._last_turn_id: str | None = None
        self._commands: dict[str, Callable[[], None]] = {
            "/again": partial(self._retry, "again"),
            "/continue": partial(self._retry, "continue"),
            "/builtin": partial(self._retry, "again", use_built_in=True),
            "/undo": self._undo,
            "/help": partial(view.say, HELP),
        }

    def say(self, text: str) -> FollowedTurn | None:
        """Send a message and show its answer; None when the backend did not take it."""
        wish = SendMessage(
            conversation_id=self._conversation_id, text=text, client_key=uuid.uuid4().hex
        )
        return self._answer_to(wish)

    def carry_out(self, line: str) -> bool:
        """Carry out a line that is a command; False when it is something said."""
        command = self._commands.get(line.strip().lower())
        if command is None:
            return False
        command()
        return True

    def _retry(self, mode: Literal["again", "continue"], use_built_in: bool = False) -> None:
        if self._last_turn_id is None:
            self._view.say("There is no answer yet.")
            return
        self._answer_to(RetryTurn(turn_id=self._last_turn_id, mode=mode, use_built_in=use_built_in))

    def _undo(self) -> None:
        batch_id = self._follower.last_batch_id
        if batch_id is None:
            self._view.say("Nothing was remembered in this chat yet.")
            return
        try:
            self._client.request_as(Batch, MemoryUndo(batch_id=batch_id))
        except (RequestFailed, BackendUnreachable) as problem:
            self._view.say(str(problem))
            return
        self._follower.last_batch_id = None
        self._view.say("Taken back.")

    def _answer_to(self, wish: SendMessage | RetryTurn) -> FollowedTurn | None:
        acknowledged = self._send(wish)
        if acknowledged is None:
            return None
        if acknowledged.notice:
            self._view.say(acknowledged.notice)
        turn_id = acknowledged.turn_id
        self._last_turn_id = turn_id
        try:
            self._follower.wait_for(turn_id, lambda turn: turn.is_answered, timeout_s=None)
            self._follower.wait_for(turn_id, lambda turn: turn.is_explained, REASON_TIMEOUT_S)
            if self._patient:
                self._follower.wait_for(turn_id, lambda turn: turn.is_remembered, MEMORY_TIMEOUT_S)
        except KeyboardInterrupt:
            self._stop(turn_id)
        return self._follower.turn(turn_id)

    def _send(self, wish: SendMessage | RetryTurn) -> Acknowledged | None:
        """Send, and send again after a lost connection: the message's key makes that harmless."""
        for _ in range(MOST_ATTEMPTS):
            try:
                return self._client.request_as(Acknowledged, wish, SEND_TIMEOUT_S)
            except RequestFailed as refusal:
                self._view.say(refusal.failure.human)
                return None
            except BackendUnreachable:
                self._follower.revive()
        self._view.say("The AICO backend does not keep running; `aico doctor` looks for the cause.")
        return None

    def _stop(self, turn_id: str) -> None:
        """Stop the answer, not the program; a second Ctrl+C while waiting goes to the caller."""
        try:
            self._client.request(StopTurn(turn_id=turn_id), timeout_s=5.0)
        except (RequestFailed, BackendUnreachable) as problem:
            self._view.say(str(problem))
            return
        self._follower.wait_for(turn_id, lambda turn: turn.is_answered, timeout_s=5.0)
