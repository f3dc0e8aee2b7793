"""What was said so far in a conversation: from working memory, else from the database."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from aico_desktop.redaction import error_places
from backend.storage.attachments import AttachmentRepository
from backend.storage.messages import MessageRecord, MessageRepository
from backend.storage.scope import Scope
from backend.storage.turns import TurnRepository

HISTORY_MESSAGES = 60
"""More never fits the prompts of local models, and reading them costs time before each answer."""
_MESSAGES_WITH_ATTACHMENTS = 6
_log = logging.getLogger(__name__)


class QuotedFile(msgspec.Struct, frozen=True):
    """The name and text of an attachment."""

    name: str
    text: str


class HistoryMessage(msgspec.Struct, frozen=True):
    """One earlier message, as far as a prompt needs it."""

    message_id: str
    ordinal: int
    role: Literal["user", "assistant", "other"]
    speaker: str
    text: str
    turn_id: str | None = None
    attachments: tuple[QuotedFile, ...] = ()
    engine: str | None = None


class WorkingMemoryStore(Protocol):
    """Keeps the last messages of running conversations (24 hours, DESIGN §2)."""

    def put(self, conversation_id: str, ordinal: int, payload: Mapping[str, Any]) -> None:
        """Keep one message; a second one of the same ordinal replaces the first."""

    def recent(self, conversation_id: str, limit: int) -> Sequence[tuple[int, Mapping[str, Any]]]:
        """Return the last messages with their ordinals, oldest first."""


class ConversationHistory:
    """Reads and extends the history that prompts are made of.

    Working memory is a cache: whatever it lacks, or holds with a gap, comes from the database.
    """

    def __init__(
        self,
        messages: MessageRepository,
        attachments: AttachmentRepository,
        turns: TurnRepository,
        working_memory: WorkingMemoryStore,
    ) -> None:
        self._messages = messages
        self._attachments = attachments
        self._turns = turns
        self._working_memory = working_memory

    def remember(self, message: MessageRecord) -> None:
        """Put a finished message into working memory; failing that costs only time later."""
        try:
            self._working_memory.put(
                message.conversation_id, message.ordinal, msgspec.to_builtins(_entry(message))
            )
        except Exception as error:  # a cache must never take the conversation down
            _log.error("working memory cannot be written: %s", error_places(error))

    def before(self, scope: Scope, message: MessageRecord) -> list[HistoryMessage]:
        """Return what was said before ``message`` is answered, oldest first, without itself.

        Left out are later questions that still wait, and answers to ``message`` itself or to
        those: an answer that is given again must not read its earlier version.
        """
        entries = self._cached(scope, message.conversation_id)
        if entries is None:
            records = self._messages.recent(scope, message.conversation_id, limit=HISTORY_MESSAGES)
            entries = [_entry(record) for record in records]
            for record in records:
                if record.status != "streaming":
                    self.remember(record)
        earlier = [each for each in entries if self._is_earlier(scope, each, message)]
        return self._with_attachments(scope, earlier)

    def _is_earlier(self, scope: Scope, entry: HistoryMessage, message: MessageRecord) -> bool:
        if entry.ordinal < message.ordinal:
            return bool(entry.text)
        if entry.role != "assistant" or entry.turn_id is None or not entry.text:
            return False
        turn = self._turns.get(scope, entry.turn_id)
        question = turn and self._messages.get(scope, turn.user_message_id)
        return bool(question and question.ordinal < message.ordinal)

    def _cached(self, scope: Scope, conversation_id: str) -> list[HistoryMessage] | None:
        """Return the cached messages if they are exactly the newest ones of the database."""
        try:
            stored = self._working_memory.recent(conversation_id, HISTORY_MESSAGES)
            entries = [msgspec.convert(each, HistoryMessage) for _, each in stored]
        except Exception as error:
            _log.error("working memory cannot be read: %s", error_places(error))
            return None
        newest = self._messages.recent(scope, conversation_id, limit=1)
        last = newest[0].ordinal if newest else 0
        first = max(1, last - HISTORY_MESSAGES + 1)
        if [entry.ordinal for entry in entries] != list(range(first, last + 1)):
            return None
        return entries

    def _with_attachments(
        self, scope: Scope, entries: list[HistoryMessage]
    ) -> list[HistoryMessage]:
        recent_questions = [e for e in entries if e.role == "user"][-_MESSAGES_WITH_ATTACHMENTS:]
        quoted = {each.message_id: self.attachments_of(scope, each.message_id)
                  for each in recent_questions}  # fmt: skip
        return [
            msgspec.structs.replace(entry, attachments=quoted.get(entry.message_id, ()))
            for entry in entries
        ]

    def attachments_of(self, scope: Scope, message_id: str) -> tuple[QuotedFile, ...]:
        """Return what was pasted or dropped beside a message."""
        stored = self._attachments.of_message(scope, message_id)
        return tuple(QuotedFile(each.name, each.text) for each in stored)


def _entry(message: MessageRecord) -> HistoryMessage:
    return HistoryMessage(
        message.message_id,
        message.ordinal,
        message.role,
        message.speaker,
        message.text,
        message.turn_id,
        engine=message.engine,
    )
