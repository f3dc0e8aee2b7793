"""Carries out the buttons under an answer: stop, continue, ask again, with another model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QObject, Signal

from aico_desktop.contract.messages import (
    Acknowledged,
    Failure,
    Message,
    Request,
    RetryTurn,
    StopTurn,
)
from ui.chat.chat_controller import ChatController
from ui.chat.memory_controller import MemoryController
from ui.client.requests import BackendRequests


class TurnActions(QObject):
    """Knows each verb of the contract's :class:`Action` and those of the state line."""

    choose_model_requested = Signal()
    show_log_requested = Signal()
    restart_requested = Signal()
    #: Verbs that belong to the window and not to a turn.
    failed = Signal(str)
    #: arg 0: words about a wish that could not be carried out.

    def __init__(
        self,
        requests: BackendRequests,
        chat: ChatController,
        memory: MemoryController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._requests = requests
        self._chat = chat
        self._memory = memory

    def stop(self) -> None:
        """Stop the running answer of the shown chat; its text so far stays."""
        turn = self._chat.model.running_turn
        if turn is not None:
            self._ask(StopTurn(turn_id=turn.turn_id))

    def act(self, message_id: str, verb: str) -> None:
        """Carry out the button ``verb`` under a message."""
        match verb:
            case "stop":
                self.stop()
            case "stop_and_use_built_in":
                self._stop_and_use_built_in(message_id)
            case "ask_again":
                self._retry(message_id, "again")
            case "continue":
                self._retry(message_id, "continue")
            case "use_built_in":
                self._retry(message_id, "again", use_built_in=True)
            case "resend":
                self._chat.resend(message_id)
            case "edit_unsent":
                self._chat.give_back(message_id)
            case "retry_memory":
                self._memory.retry_job_of(message_id)
            case "choose_model":
                self.choose_model_requested.emit()
            case "show_log":
                self.show_log_requested.emit()
            case "restart":
                self.restart_requested.emit()
            case _:
                self.failed.emit(f"This version cannot do “{verb}” yet.")

    def _turn_id(self, message_id: str) -> str | None:
        model = self._chat.model
        turn = model.turn_of(message_id)
        if turn is not None:
            return turn.turn_id
        index = model.index_of(message_id)
        return model.items[index].message.turn_id if index >= 0 else None

    def _retry(
        self, message_id: str, mode: Literal["again", "continue"], *, use_built_in: bool = False
    ) -> None:
        turn_id = self._turn_id(message_id)
        if turn_id is None:
            self.failed.emit("This answer is too old to be taken up again.")
            return
        model = self._chat.model

        def begun(reply: Acknowledged) -> None:
            model.begin_turn(reply.turn_id, reply.message.message_id)

        body = RetryTurn(turn_id=turn_id, mode=mode, use_built_in=use_built_in)
        self._requests.ask(body, Acknowledged, begun, self._on_failure)

    def _stop_and_use_built_in(self, message_id: str) -> None:
        turn_id = self._turn_id(message_id)
        if turn_id is None:
            return

        def again(reply: Message) -> None:
            self._retry(message_id, "again", use_built_in=True)

        self._ask(StopTurn(turn_id=turn_id), again)

    def _ask(self, body: Request, then: Callable[[Message], None] | None = None) -> None:
        self._requests.ask(body, Message, then or _nothing, self._on_failure)

    def _on_failure(self, failure: Failure) -> None:
        if failure.code not in ("unreachable", "cancelled"):
            self.failed.emit(failure.human)


def _nothing(reply: Message) -> None:
    """What follows is told by events."""
