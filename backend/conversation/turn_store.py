"""Keeps turns and their answers in the database, each step whole."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

import msgspec

from aico_desktop.contract.messages import TurnError
from backend.storage.clock import Clock, utc_now
from backend.storage.conversations import ConversationRecord, ConversationRepository
from backend.storage.database import Database
from backend.storage.jobs import JobRepository
from backend.storage.messages import (
    MessageRecord,
    MessageRepository,
    MessageStatus,
    NewMessage,
)
from backend.storage.scope import Scope
from backend.storage.turns import TurnRecord, TurnRepository

COMPANION = "AICO"
_TITLE_MESSAGES = 10
"""How far from the start of a conversation its title may come."""


class TurnStore:
    """The rows of turns and answers.

    :param zone: the person's time zone; ``zone_name`` its IANA name.
    """

    def __init__(
        self, database: Database, zone: tzinfo, zone_name: str, clock: Clock = utc_now
    ) -> None:
        self._database = database
        self._conversations = ConversationRepository(database, clock)
        self._jobs = JobRepository(database, clock)
        self._zone = zone
        self._zone_name = zone_name
        self._clock = clock
        self.messages = MessageRepository(database, clock)
        self.turns = TurnRepository(database, clock)

    def interrupt_unfinished(self) -> int:
        """Mark what the last process left running; returns the number of turns."""
        with self._database.transaction():
            self.messages.interrupt_streaming()
            return self.turns.interrupt_unfinished()

    def restart(self, scope: Scope, old: TurnRecord, partial: MessageRecord | None) -> TurnRecord:
        """Begin a new turn for the same question, to go on from ``partial`` if there is one."""
        with self._database.transaction():
            new = self.turns.start(scope, old.conversation_id, old.user_message_id, "listening")
            if partial is not None:
                self.turns.update(scope, new.turn_id, "listening", partial.message_id)
            return new

    def open_answer(self, scope: Scope, turn: TurnRecord, engine: str, text: str) -> MessageRecord:
        """Add the answer's row with its first text."""
        with self._database.transaction():
            added = self.messages.add(
                scope,
                NewMessage(
                    conversation_id=turn.conversation_id,
                    role="assistant",
                    speaker=COMPANION,
                    text=text,
                    said_at=self._clock().astimezone(self._zone).isoformat(timespec="milliseconds"),
                    zone=self._zone_name,
                    status="streaming",
                    turn_id=turn.turn_id,
                    engine=engine,
                ),
            )
            answer = added.message
            self.turns.update(scope, turn.turn_id, "responding", answer.message_id, engine)
            return answer

    def reopen_answer(
        self, scope: Scope, turn: TurnRecord, answer: MessageRecord, engine: str
    ) -> MessageRecord:
        """Let a partial answer go on in a new turn."""
        with self._database.transaction():
            self.messages.resume(scope, answer.message_id)
            self.turns.update(scope, turn.turn_id, "responding", answer.message_id, engine)
            return answer

    def close_turn(
        self,
        scope: Scope,
        turn_id: str,
        state: str,
        answer: tuple[str, str, MessageStatus] | None,
        error: TurnError | None = None,
        sources: Sequence[str] | None = None,
    ) -> MessageRecord | None:
        """End turn and answer together; ``answer`` is (message id, text, status)."""
        error_json = None if error is None else msgspec.json.encode(error).decode()
        with self._database.transaction():
            stored = None
            if answer is not None:
                message_id, text, status = answer
                stored = self.messages.finish(scope, message_id, text, status, sources=sources)
            self.turns.finish(scope, turn_id, state, error_json)
            return stored

    def has_unfinished_job(self, scope: Scope, message_id: str) -> bool:
        """Return whether the memory will still work on a message."""
        jobs = self._jobs.of_message(scope, message_id)
        return any(job.state in ("pending", "running") for job in jobs)

    def conversation(self, scope: Scope, conversation_id: str) -> ConversationRecord | None:
        """Return a conversation."""
        return self._conversations.get(scope, conversation_id)

    def first_question(self, scope: Scope, conversation_id: str) -> str:
        """Return the text with which the person began a conversation; "" if they said nothing."""
        first = self.messages.after(scope, conversation_id, 0, limit=_TITLE_MESSAGES)
        return next((each.text for each in first if each.role == "user" and each.text), "")

    def title_automatically(self, scope: Scope, conversation_id: str, title: str) -> bool:
        """Give an automatic title; the person's own is never replaced."""
        return self._conversations.title_automatically(scope, conversation_id, title)
