"""One memory job from message to committed facts: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from backend.learning.context_builder import ContextBuilder
from backend.learning.gates import reason_to_learn_nothing
from backend.learning.observer import Reader
from backend.propositions.service import BatchResult, PropositionService
from backend.storage.database import Database
from backend.storage.jobs import JobRecord, JobRepository
from backend.storage.ledger import LedgerRepository
from backend.storage.messages import MessageRecord, MessageRepository
from backend.storage.rejections import RejectionRepository
from backend.understanding.statements import Understanding


class TextChanged(Exception):
    """The message was blanked while it was being read; it must be read anew."""


@dataclass(frozen=True, slots=True)
class JobStep:
    """Reads outside of any transaction and commits everything of a job in one (DESIGN §4)."""

    database: Database
    propositions: PropositionService
    contexts: ContextBuilder
    messages: MessageRepository
    jobs: JobRepository
    ledger: LedgerRepository
    rejections: RejectionRepository

    def must_be_read(self, job: JobRecord, message: MessageRecord, version: str) -> bool:
        """Whether the message passes the gates and was not read by this version."""
        return reason_to_learn_nothing(message) is None and not self.ledger.is_processed(
            job.scope, message.message_id, message.text, version
        )

    def pass_over(self, job: JobRecord, message: MessageRecord | None) -> None:
        """The job is done without reading: the message is gone, teaches nothing, or was read."""
        reason = reason_to_learn_nothing(message) if message is not None else None
        with self.database.transaction():
            if reason is not None:
                self.rejections.add(job.scope, reason)
            self.jobs.finish(job.scope, job.job_id)

    def read(
        self,
        job: JobRecord,
        message: MessageRecord,
        reader: Reader,
        cancelled: Callable[[], bool],
    ) -> Understanding:
        """Understand the message. Raises UnderstandingCancelled."""
        context = self.contexts.context_of(job.scope, message)
        return reader.understand(message.text, context, cancelled)

    def commit(
        self, job: JobRecord, message: MessageRecord, version: str, found: Understanding
    ) -> BatchResult:
        """Facts, batch, counts, ledger and the end of the job. Raises TextChanged."""
        scope = job.scope
        with self.database.transaction():
            present = self.messages.get(scope, message.message_id)
            if present is None or present.text != message.text:
                raise TextChanged
            result = self.propositions.assert_statements(
                scope, message, found.statements, version, turn_id=job.turn_id
            )
            self._count(job, found.rejected)
            self._count(job, result.rejected)
            self.ledger.record(scope, message.message_id, message.text, version)
            self.jobs.finish(scope, job.job_id)
        return result

    def _count(self, job: JobRecord, rejected: Mapping[str, int]) -> None:
        for reason, count in sorted(rejected.items()):
            self.rejections.add(job.scope, reason, count)
