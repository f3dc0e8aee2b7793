"""Sends, stops, repeats and restores turns: all that clients can wish of a conversation."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable
from typing import Literal

from aico_desktop.contract.messages import (
    Acknowledged,
    ConversationChanged,
    SendMessage,
    TurnView,
)
from aico_desktop.redaction import error_places
from backend.conversation.errors import ConversationError
from backend.conversation.history import ConversationHistory
from backend.conversation.inbox import MessageInbox
from backend.conversation.learning_hold import LearningHold
from backend.conversation.learning_states import LearningStates
from backend.conversation.ports import EventSink, LearningGate
from backend.conversation.replier import Replier
from backend.conversation.running_turn import RunningTurn
from backend.conversation.titles import title_from
from backend.conversation.turn_queue import TurnQueue
from backend.conversation.turn_store import TurnStore
from backend.conversation.views import (
    ANSWERED,
    conversation_view,
    message_view,
    stored_turn_view,
)
from backend.storage.messages import MessageRecord
from backend.storage.scope import Scope
from backend.storage.turns import TurnRecord
from backend.storage.word_forms import forms_of, name_of

_SNAPSHOT_TURNS = 20
_CONTINUABLE = ("stopped", "interrupted", "failed")
_log = logging.getLogger(__name__)


class TurnRunner:
    """Runs every turn of this backend, one at a time, in a thread of its own.

    Call :meth:`start` before the first client, :meth:`close` at the end. All other methods may be
    called from any thread.
    """

    def __init__(
        self,
        store: TurnStore,
        inbox: MessageInbox,
        history: ConversationHistory,
        replier: Replier,
        learning: LearningStates,
        gate: LearningGate,
        sink: EventSink,
    ) -> None:
        self._store = store
        self._inbox = inbox
        self._history = history
        self._replier = replier
        self._learning = learning
        self._sink = sink
        self._hold = LearningHold(gate)
        self._queue = TurnQueue()
        self._retrying = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="conversation", daemon=True)

    def start(self) -> int:
        """Mark what the last process left unfinished as interrupted, and begin to work.

        Returns how many turns were interrupted; they are offered again, never run by themselves.
        """
        interrupted = self._store.interrupt_unfinished()
        self._thread.start()
        return interrupted

    def close(self) -> None:
        """End the running answer, keeping its text as interrupted, and stop working."""
        for turn in self._queue.close():
            turn.end("interrupted")
        if self._thread.is_alive():
            self._thread.join()
        self._replier.wait_for_streams()

    def wait_until_idle(self, timeout: float) -> bool:
        """Wait until no turn runs or waits; False when that took longer than ``timeout`` s."""
        return self._queue.wait_until_idle(timeout)

    # ------------------------------------------------------------ forgetting

    def forget_message_span(
        self, scope: Scope, message_id: str, start: int, end: int, text: str
    ) -> None:
        """See Forgettable: an answer that is being written may repeat the words."""
        self._forget(scope, text, name_of)

    def forget_fact(self, scope: Scope, fact_id: str, text: str) -> None:
        """See Forgettable."""
        self._forget(scope, text, name_of)

    def forget_word(self, scope: Scope, word: str) -> None:
        """See Forgettable."""
        self._forget(scope, word, forms_of)

    def _forget(self, scope: Scope, text: str, make: Callable[[str], re.Pattern[str]]) -> None:
        if text.strip():
            for turn in self._queue.turns():
                if turn.scope == scope:
                    turn.forget(make(text))

    # ------------------------------------------------------------ wishes

    def send(self, scope: Scope, request: SendMessage) -> Acknowledged:
        """Commit a message and begin its turn; a resend of it only gets the same reply.

        Raises ConversationError for a message that cannot be taken, StorageError when it could
        not be kept: then nothing of it exists.
        """
        with self._hold.while_committing() as keep:
            accepted = self._inbox.accept(scope, request)
            if accepted.turn is not None:
                self._history.remember(accepted.message)
                keep()
                self._begin(scope, accepted.turn, accepted.message)
        return Acknowledged(
            message=message_view(accepted.message),
            turn_id=accepted.message.turn_id or "",
            notice=accepted.notice,
        )

    def stop(self, scope: Scope, turn_id: str) -> None:
        """End a turn now, keeping its partial text; an ended turn stays as it is.

        Raises ConversationError when there is no such turn.
        """
        turn = self._queue.find(turn_id)
        if turn is None or turn.scope != scope:
            if self._store.turns.get(scope, turn_id) is None:
                raise ConversationError("not_found", "There is no such answer.")
            return
        turn.end("stopped")
        if self._queue.remove(turn):
            self._hold.release()

    def retry(
        self,
        scope: Scope,
        turn_id: str,
        mode: Literal["again", "continue"],
        use_built_in: bool = False,
    ) -> Acknowledged:
        """Answer a question again, or go on from its partial answer, as a new turn.

        Raises ConversationError when that is not possible.
        """
        old = self._store.turns.get(scope, turn_id)
        question = self._store.messages.get(scope, old.user_message_id) if old else None
        if old is None or question is None:
            raise ConversationError("not_found", "There is no such answer.")
        partial = self._partial_answer(scope, old) if mode == "continue" else None
        with self._retrying, self._hold.while_committing() as keep:
            if self._is_being_answered(question):
                raise ConversationError("invalid", "This message is being answered already.")
            new = self._store.restart(scope, old, partial)
            keep()
            self._begin(scope, new, question, partial, use_built_in)
        return Acknowledged(message=message_view(question), turn_id=new.turn_id)

    def snapshot(self, scope: Scope, conversation_id: str | None = None) -> tuple[TurnView, ...]:
        """Return a conversation's newest turns, or every running one, as they are now."""
        running = {each.turn_id: each for each in self._queue.turns() if each.scope == scope}
        if conversation_id is None:
            return tuple(each.view() for each in running.values())
        stored = self._store.turns.newest(scope, conversation_id, _SNAPSHOT_TURNS)
        answer_ids = [each.assistant_message_id for each in stored if each.assistant_message_id]
        answers = self._store.messages.get_many(scope, answer_ids)
        return tuple(
            running[each.turn_id].view()
            if each.turn_id in running
            else stored_turn_view(each, answers.get(each.assistant_message_id or ""))
            for each in stored
        )

    # ------------------------------------------------------------ work

    def _is_being_answered(self, question: MessageRecord) -> bool:
        return any(each.question.message_id == question.message_id for each in self._queue.turns())

    def _partial_answer(self, scope: Scope, turn: TurnRecord) -> MessageRecord | None:
        if turn.assistant_message_id is None:
            return None
        answer = self._store.messages.get(scope, turn.assistant_message_id)
        return answer if answer and answer.text and answer.status in _CONTINUABLE else None

    def _begin(
        self,
        scope: Scope,
        record: TurnRecord,
        question: MessageRecord,
        partial: MessageRecord | None = None,
        use_built_in: bool = False,
    ) -> None:
        self._queue.put(
            RunningTurn(self._store, self._sink, scope, record, question, partial, use_built_in)
        )

    def _work(self) -> None:
        while (turn := self._queue.take()) is not None:
            try:
                self._unless_it_fails(turn, self._announce_conversation)
                if not turn.has_ended:
                    self._replier.run(turn)
                self._unless_it_fails(turn, self._follow_up)
            finally:
                self._hold.release()

    def _unless_it_fails(self, turn: RunningTurn, step: Callable[[RunningTurn], None]) -> None:
        """Do what surrounds an answer; nobody may be left unanswered because of it."""
        try:
            step(turn)
        except Exception as error:
            _log.error("around a turn: %s", error_places(error))

    def _follow_up(self, turn: RunningTurn) -> None:
        """Do what need not keep the person waiting: working memory, title, state of the memory."""
        scope = turn.scope
        record = self._store.turns.get(scope, turn.turn_id)
        if record is None:
            return
        if record.assistant_message_id is not None:
            answer = self._store.messages.get(scope, record.assistant_message_id)
            if answer is not None:
                self._history.remember(answer)
        self._give_title(turn)
        if record.state == ANSWERED and not self._store.has_unfinished_job(
            scope, record.user_message_id
        ):
            self._learning.nothing_to_do(scope, record)

    def _give_title(self, turn: RunningTurn) -> None:
        conversation = self._store.conversation(turn.scope, turn.conversation_id)
        if conversation is None or conversation.title_origin != "none":
            return
        title = title_from(self._store.first_question(turn.scope, turn.conversation_id))
        if title and self._store.title_automatically(turn.scope, turn.conversation_id, title):
            self._announce_conversation(turn)

    def _announce_conversation(self, turn: RunningTurn) -> None:
        conversation = self._store.conversation(turn.scope, turn.conversation_id)
        if conversation is not None:
            self._sink.emit(ConversationChanged(conversation=conversation_view(conversation)))
