"""What the learning worker tells the rest of the app, and what it asks of understanding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from aico_desktop.contract.messages import MemoryBatchView
from backend.storage.jobs import JobRecord
from backend.storage.messages import MessageRecord
from backend.storage.scope import Scope
from backend.understanding.statements import DialogueContext, Understanding


class LearningObserver(Protocol):
    """Hears of each job, in the worker's thread, after what it tells of was committed."""

    def on_started(self, scope: Scope, message: MessageRecord) -> None:
        """The message is being read now."""

    def on_put_off(self, scope: Scope, message: MessageRecord) -> None:
        """It will be read later: somebody waits for an answer, or reading failed this time."""

    def on_batch(
        self,
        scope: Scope,
        message: MessageRecord,
        batch: MemoryBatchView,
        fact_ids: Sequence[str],
    ) -> None:
        """The message taught something; ``fact_ids`` are all facts that are not as they were."""

    def on_nothing(self, scope: Scope, message: MessageRecord) -> None:
        """The message was read and taught nothing."""

    def on_failed(self, scope: Scope, message: MessageRecord, job: JobRecord) -> None:
        """Reading failed for good; ``job.reason`` says why, in words for the person."""


class Reader(Protocol):
    """The Understander, as the worker uses it."""

    @property
    def version(self) -> str:
        """Changes whenever the same text may be read differently."""

    def understand(
        self, text: str, context: DialogueContext, cancelled: Callable[[], bool] = ...
    ) -> Understanding:
        """Read a text. Raises UnderstandingCancelled once ``cancelled`` says so."""
