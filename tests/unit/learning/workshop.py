"""A learning worker with all its real parts, and an observer that notes what it is told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import timedelta

from aico_desktop.contract.messages import MemoryBatchView
from backend.learning.context_builder import ContextBuilder
from backend.learning.job_step import JobStep
from backend.learning.observer import Reader
from backend.learning.worker import LearningWorker
from backend.storage.entity_rows import EntityRows
from backend.storage.jobs import JobRecord, JobRepository
from backend.storage.ledger import LedgerRepository
from backend.storage.messages import MessageRecord, Role
from backend.storage.rejections import RejectionRepository
from backend.storage.scope import Scope
from backend.understanding.statements import DialogueContext, Understanding
from tests.helpers.story import Story

PATIENCE_SECONDS = 20.0


class NotingObserver:
    """Keeps the names of what happened, in order."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.batches: list[MemoryBatchView] = []
        self.failed = threading.Event()
        self.put_off = threading.Event()

    def on_started(self, scope: Scope, message: MessageRecord) -> None:
        self.heard.append("started")

    def on_put_off(self, scope: Scope, message: MessageRecord) -> None:
        self.heard.append("put off")
        self.put_off.set()

    def on_batch(
        self, scope: Scope, message: MessageRecord, batch: MemoryBatchView, fact_ids: Sequence[str]
    ) -> None:
        self.heard.append("batch")
        self.batches.append(batch)

    def on_nothing(self, scope: Scope, message: MessageRecord) -> None:
        self.heard.append("nothing")

    def on_failed(self, scope: Scope, message: MessageRecord, job: JobRecord) -> None:
        self.heard.append("failed")
        self.failed.set()


class WrappedReader:
    """The real reader, with something done before each reading."""

    def __init__(self, inner: Reader, before: Callable[[str, Callable[[], bool]], None]) -> None:
        self._inner = inner
        self._before = before
        self.version = inner.version

    def understand(
        self, text: str, context: DialogueContext, cancelled: Callable[[], bool] = lambda: False
    ) -> Understanding:
        self._before(text, cancelled)
        return self._inner.understand(text, context, cancelled)


class Workshop:
    """Messages come in with their jobs; ``run`` lets the worker do all of them."""

    def __init__(self, story: Story, reader: Reader) -> None:
        self.story = story
        self.reader = reader
        self.observer = NotingObserver()
        self.jobs = JobRepository(story.database, story.clock)
        self.worker = self.new_worker()

    def new_worker(self, reader: Reader | None = None) -> LearningWorker:
        story, chosen = self.story, reader or self.reader
        self.step = JobStep(
            database=story.database,
            propositions=story.service,
            contexts=ContextBuilder(story.messages, EntityRows(story.database)),
            messages=story.messages,
            jobs=self.jobs,
            ledger=LedgerRepository(story.database, story.clock),
            rejections=RejectionRepository(story.database),
        )
        return LearningWorker(
            self.step,
            lambda: chosen,
            self.observer,
            story.clock,
            back_off=timedelta(0),
            storage_pause=timedelta(0),
        )

    def receive(self, text: str, role: Role = "user", speaker: str = "me") -> MessageRecord:
        message = self.story.message(text, role, speaker)
        self.jobs.enqueue(self.story.scope, "learn", message.message_id)
        return message

    def run(self, worker: LearningWorker | None = None) -> None:
        """Let the worker do every job that is due, then end it."""
        worker = worker or self.worker
        worker.start()
        assert worker.wait_until_idle(PATIENCE_SECONDS)
        worker.close()

    def close(self) -> None:
        self.worker.close()
        self.story.close()
