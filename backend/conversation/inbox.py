"""Takes a message in: repairs and checks it, and commits it with its turn and memory job."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo

from aico_desktop.contract.messages import AttachmentInput, SendMessage
from backend.conversation.errors import ConversationError
from backend.storage.attachments import AttachmentRepository
from backend.storage.clock import Clock, utc_now
from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.identifiers import new_id
from backend.storage.jobs import JobRepository
from backend.storage.messages import MessageRecord, MessageRepository, NewMessage
from backend.storage.scope import Scope
from backend.storage.text_boundary import repair_text
from backend.storage.turns import TurnRecord, TurnRepository

LEARNING_JOB = "learn"
LONGEST_MESSAGE = 1_000_000
"""Characters; more is a file and belongs beside the message."""
LONGEST_ATTACHMENTS = 10_000_000
"""Characters of all attachments of one message together."""


@dataclass(frozen=True)
class Accepted:
    """A committed message; ``turn`` is its new turn, None when it had been sent before."""

    message: MessageRecord
    turn: TurnRecord | None
    notice: str | None


class MessageInbox:
    """Commits what the person sends.

    :param zone: the person's time zone; ``zone_name`` its IANA name.
    :param speaker: how the person is named in the transcript.
    """

    def __init__(
        self,
        database: Database,
        zone: tzinfo,
        zone_name: str,
        speaker: str = "me",
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._conversations = ConversationRepository(database, clock)
        self._messages = MessageRepository(database, clock)
        self._attachments = AttachmentRepository(database)
        self._turns = TurnRepository(database, clock)
        self._jobs = JobRepository(database, clock)
        self._zone = zone
        self._zone_name = zone_name
        self._speaker = speaker
        self._clock = clock

    def accept(self, scope: Scope, request: SendMessage) -> Accepted:
        """Commit message, attachments, turn and memory job together, or nothing.

        Raises ConversationError for a message that cannot be taken, StorageError when it could
        not be kept.
        """
        text, repaired = repair_text(request.text)
        _check(text, request.attachments)
        with self._database.transaction():
            if self._conversations.get(scope, request.conversation_id) is None:
                raise ConversationError("not_found", "This conversation does not exist any more.")
            added = self._messages.add(scope, self._new_message(request, text))
            message = added.message
            if not added.created:
                return Accepted(message, turn=None, notice=None)
            for attachment in request.attachments:
                repaired += self._keep_attachment(scope, message.message_id, attachment)
            turn = self._turns.start(
                scope, message.conversation_id, message.message_id, "listening", message.turn_id
            )
            if text.strip():  # attachments teach nothing (DESIGN §1.5)
                self._jobs.enqueue(scope, LEARNING_JOB, message.message_id, turn.turn_id)
        return Accepted(message, turn, _notice(repaired))

    def _new_message(self, request: SendMessage, text: str) -> NewMessage:
        return NewMessage(
            conversation_id=request.conversation_id,
            role="user",
            speaker=self._speaker,
            text=text,
            said_at=self._clock().astimezone(self._zone).isoformat(timespec="milliseconds"),
            zone=self._zone_name,
            turn_id=new_id(),
            client_key=request.client_key or None,
        )

    def _keep_attachment(self, scope: Scope, message_id: str, attachment: AttachmentInput) -> int:
        name, repaired_name = repair_text(attachment.name)
        text, repaired_text = repair_text(attachment.text)
        self._attachments.add(scope, message_id, name, text)
        return repaired_name + repaired_text


def _check(text: str, attachments: tuple[AttachmentInput, ...]) -> None:
    if not text.strip() and not any(each.text.strip() for each in attachments):
        raise ConversationError("invalid", "There is nothing to send yet.")
    if len(text) > LONGEST_MESSAGE:
        raise ConversationError(
            "invalid",
            f"This message has {len(text):,} characters; {LONGEST_MESSAGE:,} are possible."
            " Send the text as a file instead.",
        )
    size = sum(len(each.text) for each in attachments)
    if size > LONGEST_ATTACHMENTS:
        raise ConversationError(
            "invalid",
            f"The attachments have {size:,} characters; {LONGEST_ATTACHMENTS:,} are possible.",
        )


def _notice(repaired: int) -> str | None:
    if not repaired:
        return None
    subject = "1 character" if repaired == 1 else f"{repaired:,} characters"
    return f"{subject} could not be stored and became �."
