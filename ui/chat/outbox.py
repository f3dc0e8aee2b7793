"""Messages on their way to the backend: shown at once, sent again without doubling, given back."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from aico_desktop.contract.messages import (
    Acknowledged,
    ConversationCreated,
    CreateConversation,
    Failure,
    MessageView,
    SendMessage,
)
from ui.chat.attachment_chip import attachment_label
from ui.chat.composer import Draft
from ui.chat.conversation_model import ConversationModel
from ui.client.requests import BackendRequests


@dataclass
class _Unsent:
    """A message that is not committed yet; ``lost`` when nobody knows whether it arrived."""

    model: ConversationModel
    draft: Draft
    lost: bool = False


class Outbox(QObject):
    """Keeps each message until the backend has committed it (DESIGN §1, promise 9).

    The client key of a message stays the same however often it is sent.
    """

    conversation_created = Signal(object, object)
    #: arg 0: ConversationModel that was stored with its first message, arg 1: ConversationView.
    send_failed = Signal(str)
    #: arg 0: why, in words.

    def __init__(
        self,
        requests: BackendRequests,
        parent: QObject | None = None,
        *,
        new_key: Callable[[], str] = lambda: uuid.uuid4().hex,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        super().__init__(parent)
        self._requests = requests
        self._new_key = new_key
        self._now = now
        self._unsent: dict[str, _Unsent] = {}

    def holds(self, model: ConversationModel) -> bool:
        """Whether a message of ``model`` is not committed yet."""
        return any(unsent.model is model for unsent in self._unsent.values())

    def send(self, model: ConversationModel, draft: Draft) -> None:
        """Show a message at once and have it stored; the chat is stored with its first one."""
        key = self._new_key()
        message = MessageView(
            message_id=f"unsent-{key}",
            conversation_id=model.conversation_id or "",
            ordinal=model.items[-1].message.ordinal + 1 if model.items else 0,
            role="user",
            speaker="me",
            text=draft.text,
            said_at=self._now().isoformat(),
        )
        self._unsent[key] = _Unsent(model, draft)
        model.add_own(message, key, tuple(attachment_label(part) for part in draft.attachments))
        self._submit(key)

    def send_lost_again(self) -> None:
        """Send what may not have arrived, now that there is a connection again."""
        for key, unsent in list(self._unsent.items()):
            if unsent.lost:
                self._submit(key)

    def resend(self, client_key: str) -> None:
        """Try a message again."""
        if client_key in self._unsent:
            self._submit(client_key)

    def take_back(self, client_key: str) -> Draft | None:
        """Take an unsent message out of its chat; the draft goes back to the composer."""
        unsent = self._unsent.pop(client_key, None)
        if unsent is None:
            return None
        unsent.model.remove_own(client_key)
        return unsent.draft

    def _submit(self, key: str) -> None:
        unsent = self._unsent[key]
        unsent.lost = False
        unsent.model.resend_own(key)
        if unsent.model.conversation_id is not None:
            self._send_message(key, unsent)
            return

        def created(reply: ConversationCreated) -> None:
            unsent.model.conversation_id = reply.conversation.conversation_id
            self.conversation_created.emit(unsent.model, reply.conversation)
            self._send_message(key, unsent)

        def fail(failure: Failure) -> None:
            self._on_failed(key, failure)

        self._requests.ask(CreateConversation(), ConversationCreated, created, fail)

    def _send_message(self, key: str, unsent: _Unsent) -> None:
        def acknowledged(reply: Acknowledged) -> None:
            if self._unsent.pop(key, None) is not None:
                unsent.model.begin_turn(reply.turn_id, reply.message.message_id)
                unsent.model.acknowledge(key, reply.message, reply.notice)

        def fail(failure: Failure) -> None:
            self._on_failed(key, failure)

        body = SendMessage(
            conversation_id=unsent.model.conversation_id or "",
            text=unsent.draft.text,
            client_key=key,
            attachments=unsent.draft.attachments,
        )
        self._requests.ask(body, Acknowledged, acknowledged, fail)

    def _on_failed(self, key: str, failure: Failure) -> None:
        unsent = self._unsent.get(key)
        if unsent is not None:
            unsent.lost = failure.code in ("unreachable", "deadline")
            unsent.model.fail_own(key, failure.human)
            self.send_failed.emit(failure.human)
