"""Passes the news of the background memory on to clients, and to the turns it belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from aico_desktop.contract.messages import (
    FactsChanged,
    JobChanged,
    JobView,
    MemoryBatchEvent,
    MemoryBatchView,
)
from backend.conversation.learning_states import LearningStates
from backend.conversation.ports import EventSink
from backend.storage.jobs import JobRecord
from backend.storage.messages import MessageRecord
from backend.storage.scope import Scope


class MemoryEvents:
    """Fulfils the learning worker's observer; called in the worker's thread after each commit."""

    def __init__(self, states: LearningStates, sink: EventSink) -> None:
        self._states = states
        self._sink = sink

    def on_started(self, scope: Scope, message: MessageRecord) -> None:
        """The message is being read now."""
        self._states.started(scope, message.message_id)

    def on_put_off(self, scope: Scope, message: MessageRecord) -> None:
        """It will be read later."""
        self._states.waits(scope, message.message_id)

    def on_batch(
        self,
        scope: Scope,
        message: MessageRecord,
        batch: MemoryBatchView,
        fact_ids: Sequence[str],
    ) -> None:
        """The message taught something: the chip first, so that it is there when the line goes."""
        self._sink.emit(
            MemoryBatchEvent(
                turn_id=message.turn_id, conversation_id=message.conversation_id, batch=batch
            )
        )
        if fact_ids:
            self._sink.emit(FactsChanged(fact_ids=tuple(fact_ids)))
        self._states.finished(scope, message.message_id, learned=True)

    def on_nothing(self, scope: Scope, message: MessageRecord) -> None:
        """The message taught nothing."""
        self._states.finished(scope, message.message_id, learned=False)

    def on_failed(self, scope: Scope, message: MessageRecord, job: JobRecord) -> None:
        """Reading failed for good: the window offers to try it again."""
        self._sink.emit(
            JobChanged(
                job=JobView(
                    job_id=job.job_id,
                    message_id=job.message_id,
                    state=job.state,
                    attempts=job.attempts,
                    reason=job.reason,
                )
            )
        )
        self._states.failed(scope, message.message_id)
