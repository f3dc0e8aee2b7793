"""The queue of memory jobs: kept on disk, taken one by one, retried, visible when failed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from backend.storage.clock import Clock, from_text, to_text, utc_now
from backend.storage.database import Database, Row
from backend.storage.errors import RecordNotFound
from backend.storage.identifiers import new_id
from backend.storage.scope import Scope

JobState = Literal["pending", "running", "failed", "done"]

MAX_CRASHES = 3
"""A job that was running this many times when the process died is not tried again by itself."""

_COLUMNS = (
    "job_id, user_id, context_id, kind, message_id, state, attempts, crashes, not_before, reason,"
    " import_id, turn_id, created_at, finished_at, sequence"
)
_IN_SCOPE = "user_id = ? AND context_id = ?"


@dataclass(frozen=True, slots=True)
class JobRecord:
    """One job; ``attempts`` ended with an error, ``crashes`` with the end of the process."""

    job_id: str
    scope: Scope
    kind: str
    message_id: str
    state: JobState
    attempts: int
    crashes: int
    not_before: str
    reason: str
    import_id: str | None
    turn_id: str | None
    created_at: str
    finished_at: str | None
    sequence: int


@dataclass(frozen=True, slots=True)
class JobCounts:
    """How many jobs are in each state."""

    pending: int = 0
    running: int = 0
    failed: int = 0
    done: int = 0

    @property
    def unfinished(self) -> int:
        """Jobs that will still be worked on."""
        return self.pending + self.running


class JobRepository:
    """Puts jobs into the queue and takes them out; one worker takes at a time."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    def enqueue(
        self,
        scope: Scope,
        kind: str,
        message_id: str,
        turn_id: str | None = None,
        import_id: str | None = None,
    ) -> JobRecord:
        """Add a job, or give back the one of this kind that the message has.

        What was said just now goes before what was imported. Raises ForeignKeyViolation if there
        is no such message.
        """
        with self._database.transaction():
            rows = self._database.execute(
                f"SELECT {_COLUMNS} FROM jobs WHERE {_IN_SCOPE} AND kind = ? AND message_id = ?",
                (scope.user_id, scope.context_id, kind, message_id),
            )
            if not rows:
                now = to_text(self._clock())
                rows = self._database.execute(
                    "INSERT INTO jobs(job_id, user_id, context_id, kind, message_id, state,"
                    " priority, not_before, import_id, turn_id, created_at)"
                    " VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?)"
                    f" RETURNING {_COLUMNS}",
                    (new_id(), scope.user_id, scope.context_id, kind, message_id,
                     0 if import_id is None else 1, now, import_id, turn_id, now),
                )  # fmt: skip
            return _record(rows[0])

    def take_next(self, now: datetime) -> JobRecord | None:
        """Mark the next due job of any user as running and return it; None if there is none."""
        rows = self._database.execute(
            "UPDATE jobs SET state = 'running' WHERE sequence = (SELECT sequence FROM jobs"
            " WHERE state = 'pending' AND not_before <= ? ORDER BY priority, sequence LIMIT 1)"
            f" RETURNING {_COLUMNS}",
            (to_text(now),),
        )
        return _record(rows[0]) if rows else None

    def next_due(self) -> datetime | None:
        """When the earliest waiting job may run; None if nothing waits."""
        rows = self._database.execute("SELECT min(not_before) FROM jobs WHERE state = 'pending'")
        return from_text(rows[0][0]) if rows[0][0] is not None else None

    # ------------------------------------------------------------ ends of a run

    def finish(self, scope: Scope, job_id: str) -> None:
        """The job is done; call it in the transaction that keeps its results."""
        self._end(
            scope, job_id, "state = 'done', reason = '', finished_at = ?", to_text(self._clock())
        )

    def fail(self, scope: Scope, job_id: str, reason: str, retry_at: datetime | None) -> None:
        """Count a failed attempt; try again at ``retry_at``, or leave it failed if that is None.

        ``reason`` is shown to the person and must hold nothing that was said.
        """
        if retry_at is None:
            self._end(
                scope, job_id,
                "state = 'failed', attempts = attempts + 1, reason = ?, finished_at = ?",
                reason, to_text(self._clock()),
            )  # fmt: skip
        else:
            self._end(
                scope, job_id,
                "state = 'pending', attempts = attempts + 1, reason = ?, not_before = ?",
                reason, to_text(retry_at),
            )  # fmt: skip

    def requeue(self, scope: Scope, job_id: str) -> None:
        """Put a pre-empted job back at its old place; it does not count as an attempt."""
        self._end(scope, job_id, "state = 'pending'")

    def _end(self, scope: Scope, job_id: str, changes: str, *values: str) -> None:
        rows = self._database.execute(
            f"UPDATE jobs SET {changes} WHERE {_IN_SCOPE} AND job_id = ? AND state = 'running'"
            " RETURNING job_id",
            (*values, scope.user_id, scope.context_id, job_id),
        )
        if not rows:
            raise RecordNotFound("there is no such running job")

    def retry(self, scope: Scope, job_id: str) -> None:
        """Let a failed job start afresh now. Raises RecordNotFound if it has not failed."""
        rows = self._database.execute(
            "UPDATE jobs SET state = 'pending', attempts = 0, crashes = 0, reason = '',"
            f" not_before = ?, finished_at = NULL WHERE {_IN_SCOPE} AND job_id = ?"
            " AND state = 'failed' RETURNING job_id",
            (to_text(self._clock()), scope.user_id, scope.context_id, job_id),
        )
        if not rows:
            raise RecordNotFound("there is no such failed job")

    def put_back_running(self) -> None:
        """Put back what runs while the file cannot be written, which is not the job's fault."""
        self._database.execute("UPDATE jobs SET state = 'pending' WHERE state = 'running'")

    def recover_running(self) -> int:
        """At start: put the jobs that the last process died with back; returns how many.

        One that did so MAX_CRASHES times becomes failed, so that it cannot stop every start.
        """
        rows = self._database.execute(
            "UPDATE jobs SET crashes = crashes + 1,"
            " state = CASE WHEN crashes + 1 >= ? THEN 'failed' ELSE 'pending' END,"
            " finished_at = CASE WHEN crashes + 1 >= ? THEN ? END,"
            " reason = CASE WHEN crashes + 1 >= ? THEN ? ELSE reason END"
            " WHERE state = 'running' RETURNING job_id",
            (MAX_CRASHES, MAX_CRASHES, to_text(self._clock()), MAX_CRASHES,
             f"The app stopped {MAX_CRASHES} times while it was reading this message."),
        )  # fmt: skip
        return len(rows)

    # ------------------------------------------------------------ looking

    def get(self, scope: Scope, job_id: str) -> JobRecord | None:
        """The job, or None if the scope has no such one."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM jobs WHERE {_IN_SCOPE} AND job_id = ?",
            (scope.user_id, scope.context_id, job_id),
        )
        return _record(rows[0]) if rows else None

    def of_message(self, scope: Scope, message_id: str) -> list[JobRecord]:
        """All jobs of a message."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM jobs WHERE {_IN_SCOPE} AND message_id = ? ORDER BY sequence",
            (scope.user_id, scope.context_id, message_id),
        )
        return [_record(row) for row in rows]

    def not_done(self, scope: Scope, limit: int = 200) -> list[JobRecord]:
        """Failed, running and waiting jobs, in this order."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM jobs WHERE {_IN_SCOPE}"
            " AND state IN ('failed', 'running', 'pending') ORDER BY CASE state"
            " WHEN 'failed' THEN 0 WHEN 'running' THEN 1 ELSE 2 END, priority, sequence LIMIT ?",
            (scope.user_id, scope.context_id, limit),
        )
        return [_record(row) for row in rows]

    def counts(self, scope: Scope, import_id: str | None = None) -> JobCounts:
        """How many jobs are in each state, of all or of one import."""
        of_import = "" if import_id is None else " AND import_id = ?"
        params = (scope.user_id, scope.context_id, *([] if import_id is None else [import_id]))
        rows = self._database.execute(
            f"SELECT state, count(*) FROM jobs WHERE {_IN_SCOPE}{of_import} GROUP BY state", params
        )
        return JobCounts(**dict(rows))


def _record(row: Row) -> JobRecord:
    job_id, user_id, context_id, *rest = row
    return JobRecord(job_id, Scope(user_id, context_id), *rest)
