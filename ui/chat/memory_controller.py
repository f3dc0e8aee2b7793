"""Carries out what people wish in a memory chip: undo, correct, forget."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from aico_desktop.contract.messages import (
    Batch,
    FactDetail,
    Failure,
    Forgotten,
    Jobs,
    JobsReply,
    MemoryEdit,
    MemoryForget,
    MemoryUndo,
    MemoryWhy,
    Request,
    RetryJob,
)
from ui.client.requests import BackendRequests, ReplyT


class MemoryController(QObject):
    """Asks the backend and tells how each wish ended, by fact, so that the chip can say it."""

    batch_changed = Signal(object)
    #: arg 0: MemoryBatchView that was taken back.
    edit_ready = Signal(str, str)
    #: arg 0: fact id, arg 1: its object now, to be corrected.
    forget_ready = Signal(str, str)
    #: arg 0: fact id, arg 1: what forgetting would do, in words.
    noted = Signal(str, str)
    #: arg 0: fact id, arg 1: how a wish about it ended, in words.
    words_forgotten = Signal()
    #: Words were blanked in messages.
    failed = Signal(str)
    #: arg 0: words about a wish that could not be carried out.

    def __init__(self, requests: BackendRequests, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._requests = requests

    def undo(self, batch_id: str) -> None:
        """Take back all that one message taught."""

        def undone(reply: Batch) -> None:
            self.batch_changed.emit(reply.batch)

        self._requests.ask(MemoryUndo(batch_id=batch_id), Batch, undone, self._on_failure)

    def start_edit(self, fact_id: str) -> None:
        """Look up what the fact says now."""

        def ready(reply: FactDetail) -> None:
            self.edit_ready.emit(fact_id, reply.fact.object)

        self._ask_about(fact_id, MemoryWhy(fact_id=fact_id), FactDetail, ready)

    def edit(self, fact_id: str, value: str) -> None:
        """Correct the fact's object."""

        def edited(reply: FactDetail) -> None:
            self.noted.emit(fact_id, f"Corrected: {reply.fact.text}")

        self._ask_about(fact_id, MemoryEdit(fact_id=fact_id, object=value), FactDetail, edited)

    def start_forget(self, fact_id: str) -> None:
        """Look up what forgetting would take."""

        def ready(reply: Forgotten) -> None:
            self.forget_ready.emit(fact_id, _consequence(reply))

        body = MemoryForget(target=fact_id, preview=True)
        self._ask_about(fact_id, body, Forgotten, ready)

    def forget(self, fact_id: str) -> None:
        """Forget the fact and blank the words it came from."""

        def forgotten(reply: Forgotten) -> None:
            self.noted.emit(fact_id, "Forgotten.")
            self.words_forgotten.emit()

        self._ask_about(fact_id, MemoryForget(target=fact_id), Forgotten, forgotten)

    def retry_job_of(self, message_id: str) -> None:
        """Learn a message whose memory job failed."""

        def found(reply: JobsReply) -> None:
            for job in reply.jobs:
                if job.message_id == message_id:
                    body = RetryJob(job_id=job.job_id)
                    self._requests.ask(body, JobsReply, _nothing, self._on_failure)

        self._requests.ask(Jobs(), JobsReply, found, self._on_failure)

    def _ask_about(
        self, fact_id: str, body: Request, expected: type[ReplyT], then: Callable[[ReplyT], None]
    ) -> None:
        """Ask, and say a failure where the wish was made."""

        def fail(failure: Failure) -> None:
            self.noted.emit(fact_id, failure.human)

        self._requests.ask(body, expected, then, fail)

    def _on_failure(self, failure: Failure) -> None:
        self.failed.emit(failure.human)


def _nothing(reply: JobsReply) -> None:
    """The job's own event tells how it went."""


def _consequence(preview: Forgotten) -> str:
    spans = preview.blanked_spans
    if spans == 0:
        return "Forget this for good?"
    places = "1 place" if spans == 1 else f"{spans} places"
    return f"Forget this for good? The words in {places} of your messages are blanked too."
