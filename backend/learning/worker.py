"""The background thread that turns messages into memory, and gives way to every new message."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

from backend.learning.job_step import JobStep, TextChanged
from backend.learning.observer import LearningObserver, Reader
from backend.storage.clock import Clock, utc_now
from backend.storage.errors import UNWRITABLE_FILE, DiskFull, ReadOnlyDatabase, StorageError
from backend.storage.jobs import JobRecord
from backend.storage.messages import MessageRecord
from backend.understanding.reading import UnderstandingCancelled

ATTEMPTS = 3
"""A job that failed this often is shown as failed and waits for the person."""

BACK_OFF = timedelta(seconds=2)
"""Before the second attempt; four times as long before the next."""

STORAGE_PAUSE = timedelta(seconds=5)
"""When even the failure cannot be noted (disk full), look again after this long."""

DISK_FULL = "disk_full"
READ_ONLY = "read_only"
UNWRITABLE = "unwritable"
"""What :attr:`LearningWorker.trouble` may be, besides nothing."""

_logger = logging.getLogger(__name__)


class LearningWorker:
    """Takes jobs one by one, oldest first, those of the running chat before imports.

    ``load_reader`` is called once, in the worker's thread, before the first job; it may take its
    time. Reading is cancelled by ``pause``; such a job goes back to its place and loses nothing.
    """

    def __init__(
        self,
        step: JobStep,
        load_reader: Callable[[], Reader],
        observer: LearningObserver,
        clock: Clock = utc_now,
        back_off: timedelta = BACK_OFF,
        storage_pause: timedelta = STORAGE_PAUSE,
    ) -> None:
        self._step = step
        self._load_reader = load_reader
        self._observer = observer
        self._clock = clock
        self._back_off = back_off
        self._storage_pause_seconds = storage_pause.total_seconds()
        self._reader: Reader | None = None
        self._changed = threading.Condition()
        self._paused = False
        self._stopping = False
        self._woken = True
        self._idle = False
        self._trouble = ""
        self._interrupted_by: StorageError | None = None
        self._thread = threading.Thread(target=self._run, name="learning", daemon=True)

    # ------------------------------------------------------------ control

    def start(self) -> None:
        """Put back what the last process died with, and begin."""
        self._step.jobs.recover_running()
        self._thread.start()

    @property
    def trouble(self) -> str:
        """Why the memory stands still for now, as a code; empty while it goes on."""
        return self._trouble

    def wake(self) -> None:
        """There may be a new job."""
        with self._changed:
            self._woken, self._idle = True, False
            self._changed.notify_all()

    def pause(self) -> None:
        """Let the running job give up soon and start no other; returns at once."""
        with self._changed:
            self._paused = True

    def resume(self) -> None:
        """Let jobs run again, the one of the message that was just answered among them."""
        with self._changed:
            self._paused = False
            self._woken, self._idle = True, False
            self._changed.notify_all()

    def wait_until_idle(self, timeout_seconds: float) -> bool:
        """Wait until no job is due; False when the time is over."""
        with self._changed:
            return self._changed.wait_for(lambda: self._idle, timeout_seconds)

    def close(self) -> None:
        """Give the running job back and end the thread."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    # ------------------------------------------------------------ the thread

    # The condition is never held while the database is asked: others call wake() and pause()
    # from inside their transactions.

    def _run(self) -> None:
        while self._may_go_on():
            try:
                self._put_back_interrupted()
                seconds = self._seconds_to_next()
                if seconds == 0.0:
                    # Before a job is taken: a crash while models load is not the job's fault,
                    # and must not count as one of the crashes after which it is given up.
                    self._prepare_reader()
                job = self._step.jobs.take_next(self._clock())
                if job is not None:
                    self._do(job)
                    self._trouble = ""
                else:
                    self._trouble = ""
                    self._wait_for_work(self._seconds_to_next())
            except StorageError as error:
                self._note_trouble(error)
                self._pause_for_storage()

    def _may_go_on(self) -> bool:
        """Wait while somebody holds the worker back; False to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or not self._paused)
            self._woken = False
            return not self._stopping

    def _seconds_to_next(self) -> float | None:
        due = self._step.jobs.next_due()
        return None if due is None else max(0.0, (due - self._clock()).total_seconds())

    def _wait_for_work(self, seconds: float | None) -> None:
        with self._changed:
            if self._woken:
                return
            self._idle = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._woken or self._stopping, seconds)
            self._idle = False

    def _note_trouble(self, error: StorageError) -> None:
        """Keep it for those who ask; logged once, as it may last for days on a full disk."""
        trouble = _code_of(error)
        if trouble != self._trouble:
            _logger.error("The memory file refuses: %s", type(error).__name__)
        self._trouble = trouble
        if self._interrupted_by is None:
            self._interrupted_by = error

    def _pause_for_storage(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._stopping, self._storage_pause_seconds)

    def _put_back_interrupted(self) -> None:
        """Before anything else: a job left as running would be waited for without end."""
        if self._interrupted_by is None:
            return
        if isinstance(self._interrupted_by, UNWRITABLE_FILE):
            self._step.jobs.put_back_running()
        else:
            self._step.jobs.recover_running()
        self._interrupted_by = None

    def _must_give_way(self) -> bool:
        return self._paused or self._stopping

    # ------------------------------------------------------------ one job

    def _do(self, job: JobRecord) -> None:
        message = self._step.messages.get(job.scope, job.message_id)
        if message is None:
            self._step.pass_over(job, None)
            return
        try:
            self._learn(job, message)
        except (UnderstandingCancelled, TextChanged):
            self._step.jobs.requeue(job.scope, job.job_id)
            self._tell(lambda: self._observer.on_put_off(job.scope, message))
        except UNWRITABLE_FILE:
            raise
        except Exception as error:
            # One message that cannot be read must not stop the memory of all others.
            self._fail(job, message, error)

    def _learn(self, job: JobRecord, message: MessageRecord) -> None:
        reader = self._ready_reader()
        if not self._step.must_be_read(job, message, reader.version):
            self._step.pass_over(job, message)
            self._tell(lambda: self._observer.on_nothing(job.scope, message))
            return
        self._tell(lambda: self._observer.on_started(job.scope, message))
        found = self._step.read(job, message, reader, self._must_give_way)
        result = self._step.commit(job, message, reader.version, found)
        if not result.items:
            self._tell(lambda: self._observer.on_nothing(job.scope, message))
            return
        batch = self._step.propositions.batch_view(job.scope, message.message_id, result)
        self._tell(lambda: self._observer.on_batch(job.scope, message, batch, result.fact_ids))

    def _prepare_reader(self) -> None:
        try:
            self._ready_reader()
        except Exception as error:
            # The job that is taken next will fail for the same reason, visibly.
            _logger.error("The reader cannot be loaded: %s", type(error).__name__)

    def _ready_reader(self) -> Reader:
        if self._reader is None:
            self._reader = self._load_reader()
        return self._reader

    def _fail(self, job: JobRecord, message: MessageRecord, error: Exception) -> None:
        # The error's own text may hold what was said, so only its kind is kept.
        kind = type(error).__name__
        _logger.warning("Reading message %s failed: %s", message.message_id, kind)
        last = job.attempts + 1 >= ATTEMPTS
        wait = self._back_off * 4**job.attempts
        retry_at = None if last else self._clock() + wait
        reason = f"This message could not be read ({kind})."
        self._step.jobs.fail(job.scope, job.job_id, reason, retry_at)
        failed = self._step.jobs.get(job.scope, job.job_id)
        if last and failed is not None:
            self._tell(lambda: self._observer.on_failed(job.scope, message, failed))
        else:
            self._tell(lambda: self._observer.on_put_off(job.scope, message))

    def _tell(self, news: Callable[[], None]) -> None:
        """An observer's error is its own: the job is committed and must not be done again."""
        try:
            news()
        except Exception as error:
            _logger.error("An observer of the memory failed: %s", type(error).__name__)


def _code_of(error: StorageError) -> str:
    if isinstance(error, DiskFull):
        return DISK_FULL
    return READ_ONLY if isinstance(error, ReadOnlyDatabase) else UNWRITABLE
