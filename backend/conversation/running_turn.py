"""One turn that runs now: its state, its growing answer, and its end, which comes exactly once."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Literal

from aico_desktop.contract.messages import (
    AnswerFinished,
    TurnDelta,
    TurnError,
    TurnState,
    TurnView,
)
from aico_desktop.redaction import error_places
from backend.conversation.ports import EventSink
from backend.conversation.turn_store import TurnStore
from backend.conversation.views import ANSWERED, ActionVerb, actions, message_view
from backend.storage.errors import StorageError
from backend.storage.messages import MessageRecord, MessageStatus
from backend.storage.scope import Scope
from backend.storage.turns import TurnRecord
from backend.storage.word_forms import blanked_in

RunningState = Literal["listening", "waiting", "understanding", "loading", "thinking", "responding"]
EndState = Literal["answered", "stopped", "failed", "interrupted"]
Detail = dict[str, str | int | float]

_MESSAGE_STATUS: dict[EndState, MessageStatus] = {
    "answered": "complete",
    "stopped": "stopped",
    "failed": "failed",
    "interrupted": "interrupted",
}
_log = logging.getLogger(__name__)


class RunningTurn:
    """The live side of a turn; every method may be called from any thread.

    After :meth:`end` nothing is emitted any more, so that a late piece of a stopped answer can
    not appear (reference/ux §2a, rule 9).

    :param partial: an earlier answer to go on from, None for a new one.
    """

    def __init__(
        self,
        store: TurnStore,
        sink: EventSink,
        scope: Scope,
        record: TurnRecord,
        question: MessageRecord,
        partial: MessageRecord | None = None,
        use_built_in: bool = False,
    ) -> None:
        self._store = store
        self._sink = sink
        self._record = record
        self._lock = threading.RLock()
        self._state: str = record.state
        self._answer: MessageRecord | None = None
        self._text = partial.text if partial is not None else ""
        self._saved_text = self._text
        self._ended = False
        self._forgotten: list[re.Pattern[str]] = []
        self._at_end: list[Callable[[], None]] = []
        self.scope = scope
        self.question = question
        self.partial = partial
        self.use_built_in = use_built_in
        self.cancelled = threading.Event()
        """Set at the end; model streams watch it."""

    @property
    def turn_id(self) -> str:
        """The turn's id."""
        return self._record.turn_id

    @property
    def conversation_id(self) -> str:
        """The conversation it belongs to."""
        return self._record.conversation_id

    @property
    def has_ended(self) -> bool:
        """Whether it was stopped or ended otherwise."""
        return self._ended

    @property
    def has_new_text(self) -> bool:
        """Whether this turn has added text to the answer."""
        return self._answer is not None

    def when_ended(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` at the end, or now if that has passed; it must return at once."""
        with self._lock:
            if not self._ended:
                self._at_end.append(callback)
                return
        callback()

    def enter(self, state: RunningState, detail: Detail | None = None) -> None:
        """Tell that the work of a state begins now."""
        with self._lock:
            if not self._ended:
                self._state = state
                self._emit_state(state, detail)

    def add_text(self, text: str, engine: str) -> None:
        """Extend the answer; its first text stores it. Raises StorageError."""
        with self._lock:
            if self._ended:
                return
            if self._answer is None:
                self._answer = self._open(engine, text)
                self._state = "responding"
                self._emit_state("responding")
            offset = len(self._text)
            self._text += text
            self._sink.emit(
                TurnDelta(
                    turn_id=self.turn_id,
                    conversation_id=self.conversation_id,
                    offset=offset,
                    text=text,
                )
            )

    def forget(self, pattern: re.Pattern[str]) -> None:
        """Blank what was forgotten while the answer is written, and what of it is still to come.

        What is stored is blanked as well, else the next save would bring it back; the clients get
        the blanked text with the end of the answer. Raises StorageError.
        """
        with self._lock:
            if not self._ended:
                self._forgotten.append(pattern)
                self._blank()
                self.save_partial()

    def _blank(self) -> None:
        for pattern in self._forgotten:
            self._text = blanked_in(self._text, pattern)  # as long as before: offsets stay

    def save_partial(self) -> None:
        """Keep the text so far. Raises StorageError."""
        with self._lock:
            self._blank()
            if self._ended or self._answer is None or self._text == self._saved_text:
                return
            self._store.messages.save_partial(self.scope, self._answer.message_id, self._text)
            self._saved_text = self._text

    def end(
        self,
        state: EndState,
        error: TurnError | None = None,
        sources: Sequence[str] | None = None,
        tokens_per_second: float | None = None,
    ) -> MessageRecord | None:
        """End turn and answer; returns the stored answer, None without one or at a second call."""
        with self._lock:
            if self._ended:
                return None
            self._ended = True
            self._blank()
            self.cancelled.set()
            for callback in self._at_end:
                callback()
            answer = self._answer or self.partial
            try:
                stored = self._store.close_turn(
                    self.scope,
                    self.turn_id,
                    state,
                    (answer.message_id, self._text, _MESSAGE_STATUS[state]) if answer else None,
                    error,
                    sources,
                )
            except StorageError as failure:
                _log.error("the end of a turn was not stored: %s", error_places(failure))
                self._tell_unsaved(failure)
                return None
            self._tell_end(state, stored, error, tokens_per_second)
            return stored

    def error(
        self, code: str, human: str, technical: str = "", *, verbs: Sequence[ActionVerb]
    ) -> TurnError:
        """Make the error event of this turn."""
        return TurnError(
            turn_id=self.turn_id,
            conversation_id=self.conversation_id,
            code=code,
            human=human,
            technical=technical,
            actions=actions(*verbs),
        )

    def view(self) -> TurnView:
        """Return the turn as it is now."""
        with self._lock:
            answer = self._answer or self.partial
            return TurnView(
                turn_id=self.turn_id,
                conversation_id=self.conversation_id,
                user_message_id=self.question.message_id,
                assistant_message_id=answer.message_id if answer else None,
                state=self._state,
                text=self._text,
            )

    def _open(self, engine: str, text: str) -> MessageRecord:
        if self.partial is not None:
            return self._store.reopen_answer(self.scope, self._record, self.partial, engine)
        self._saved_text = text
        return self._store.open_answer(self.scope, self._record, engine, text)

    def _tell_end(
        self,
        state: EndState,
        stored: MessageRecord | None,
        error: TurnError | None,
        tokens_per_second: float | None,
    ) -> None:
        self._state = state
        if stored is not None:
            self._sink.emit(
                AnswerFinished(
                    turn_id=self.turn_id,
                    message=message_view(stored),
                    tokens_per_second=tokens_per_second,
                )
            )
        if state != ANSWERED:
            self._emit_state(state)
        if error is not None:
            self._sink.emit(error)

    def _tell_unsaved(self, failure: StorageError) -> None:
        self._state = "failed"
        self._emit_state("failed")
        self._sink.emit(
            self.error(
                "not_saved", f"The answer could not be saved. {failure}", verbs=("ask_again",)
            )
        )

    def _emit_state(self, state: str, detail: Detail | None = None) -> None:
        answer = self._answer or self.partial
        self._sink.emit(
            turn_state(
                self.turn_id,
                self.conversation_id,
                self.question.message_id,
                state,
                detail,
                answer.message_id if answer else None,
            )
        )


def turn_state(
    turn_id: str,
    conversation_id: str,
    message_id: str,
    state: str,
    detail: Detail | None = None,
    assistant_message_id: str | None = None,
) -> TurnState:
    """Make a state event of this moment."""
    return TurnState(
        turn_id=turn_id,
        conversation_id=conversation_id,
        message_id=message_id,
        state=state,  # type: ignore[arg-type]  # the contract's words, narrowed by our callers
        wall_time=datetime.now(UTC).isoformat(timespec="milliseconds"),
        detail=detail or {},
        assistant_message_id=assistant_message_id,
    )
