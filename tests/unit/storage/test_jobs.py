"""The job queue: order, retries, pre-emption, and jobs that take the process down."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from backend.storage.database import Database
from backend.storage.errors import ForeignKeyViolation, RecordNotFound
from backend.storage.jobs import MAX_CRASHES, JobRecord, JobRepository
from backend.storage.messages import MessageRepository, NewMessage
from backend.storage.scope import Scope

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


@pytest.fixture
def jobs(database: Database) -> JobRepository:
    return JobRepository(database, clock=lambda: NOW)


@pytest.fixture
def message_ids(database: Database, scope: Scope, conversation_id: str) -> list[str]:
    new = NewMessage(conversation_id, "user", "me", "I like tea.", "2026-11-30T09:00:00Z", "UTC")
    messages = MessageRepository(database)
    return [messages.add(scope, new).message.message_id for _ in range(6)]


def _take(jobs: JobRepository, now: datetime = NOW) -> JobRecord:
    job = jobs.take_next(now)
    assert job is not None
    return job


def test_that_what_was_said_now_goes_before_imports(
    jobs: JobRepository, scope: Scope, message_ids: list[str]
) -> None:
    imported = [jobs.enqueue(scope, "learn", m, import_id="i1") for m in message_ids[:2]]
    said = [jobs.enqueue(scope, "learn", m, turn_id="t1") for m in message_ids[2:4]]
    taken = [_take(jobs).job_id for _ in range(4)]
    assert taken == [job.job_id for job in said + imported]
    assert jobs.take_next(NOW) is None


def test_that_a_job_is_enqueued_once(
    jobs: JobRepository, scope: Scope, message_ids: list[str]
) -> None:
    first = jobs.enqueue(scope, "learn", message_ids[0])
    assert jobs.enqueue(scope, "learn", message_ids[0]) == first
    assert jobs.enqueue(scope, "title", message_ids[0]) != first
    with pytest.raises(ForeignKeyViolation):
        jobs.enqueue(scope, "learn", "nothing")


def test_that_two_threads_never_take_the_same_job(
    jobs: JobRepository, scope: Scope, message_ids: list[str]
) -> None:
    for message_id in message_ids:
        jobs.enqueue(scope, "learn", message_id)
    taken: list[str] = []

    def work() -> None:
        while (job := jobs.take_next(NOW)) is not None:
            taken.append(job.job_id)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(taken) == len(set(taken)) == len(message_ids)


def test_that_a_failed_attempt_waits_for_its_time(
    jobs: JobRepository, scope: Scope, message_ids: list[str]
) -> None:
    jobs.enqueue(scope, "learn", message_ids[0])
    job = _take(jobs)
    later = NOW + timedelta(seconds=30)
    jobs.fail(scope, job.job_id, "the model did not answer", later)
    assert jobs.take_next(NOW) is None
    assert jobs.next_due() == later
    again = _take(jobs, later)
    assert (again.job_id, again.attempts, again.reason) == (
        job.job_id,
        1,
        "the model did not answer",
    )
    jobs.fail(scope, job.job_id, "gave up", None)
    failed = jobs.get(scope, job.job_id)
    assert failed is not None
    assert (failed.state, failed.attempts, failed.reason) == ("failed", 2, "gave up")
    assert jobs.not_done(scope) == [failed]
    assert jobs.next_due() is None


def test_that_a_failed_job_can_be_retried_afresh(
    jobs: JobRepository, scope: Scope, message_ids: list[str]
) -> None:
    jobs.enqueue(scope, "learn", message_ids[0])
    job = _take(jobs)
    with pytest.raises(RecordNotFound):
        jobs.retry(scope, job.job_id)
    jobs.fail(scope, job.job_id, "gave up", None)
    jobs.retry(scope, job.job_id)
    again = _take(jobs)
    assert (again.attempts, again.crashes, again.reason, again.finished_at) == (0, 0, "", None)
    jobs.finish(scope, job.job_id)
    assert jobs.not_done(scope) == []
    assert jobs.counts(scope).done == 1


def test_that_a_preempted_job_keeps_its_place_and_loses_no_attempt(
    jobs: JobRepository, scope: Scope, message_ids: list[str]
) -> None:
    first, _ = (jobs.enqueue(scope, "learn", m) for m in message_ids[:2])
    assert _take(jobs).job_id == first.job_id
    jobs.requeue(scope, first.job_id)
    again = _take(jobs)
    assert (again.job_id, again.attempts, again.crashes) == (first.job_id, 0, 0)


def test_that_a_job_that_kills_the_process_is_given_up(
    jobs: JobRepository, scope: Scope, message_ids: list[str]
) -> None:
    jobs.enqueue(scope, "learn", message_ids[0])
    for crash in range(1, MAX_CRASHES):
        _take(jobs)
        assert jobs.recover_running() == 1
        (waiting,) = jobs.not_done(scope)
        assert (waiting.state, waiting.crashes, waiting.attempts) == ("pending", crash, 0)
    _take(jobs)
    jobs.recover_running()
    (failed,) = jobs.not_done(scope)
    assert (failed.state, failed.crashes) == ("failed", MAX_CRASHES)
    assert "stopped 3 times" in failed.reason
    assert failed.finished_at is not None
    assert jobs.take_next(NOW) is None
    assert jobs.recover_running() == 0


def test_that_only_a_running_job_can_end(
    jobs: JobRepository, scope: Scope, message_ids: list[str]
) -> None:
    job = jobs.enqueue(scope, "learn", message_ids[0])
    with pytest.raises(RecordNotFound):
        jobs.finish(scope, job.job_id)
    _take(jobs)
    with pytest.raises(RecordNotFound):
        jobs.finish(Scope("other"), job.job_id)
    jobs.finish(scope, job.job_id)
    with pytest.raises(RecordNotFound):
        jobs.fail(scope, job.job_id, "late", None)


def test_that_an_import_is_counted_by_itself(
    jobs: JobRepository, scope: Scope, message_ids: list[str]
) -> None:
    for message_id in message_ids[:3]:
        jobs.enqueue(scope, "learn", message_id, import_id="i1")
    jobs.enqueue(scope, "learn", message_ids[3])
    job = _take(jobs)
    assert job.import_id is None
    counts = jobs.counts(scope, "i1")
    assert (counts.pending, counts.running, counts.unfinished) == (3, 0, 3)
    assert jobs.counts(scope).unfinished == 4
    assert jobs.counts(Scope("other")).unfinished == 0
    assert jobs.of_message(scope, message_ids[3]) == [job]


def test_that_taking_a_job_does_not_sort_the_whole_queue(database: Database) -> None:
    plan = database.execute(
        "EXPLAIN QUERY PLAN SELECT sequence FROM jobs WHERE state = 'pending'"
        " AND not_before <= '2026' ORDER BY priority, sequence LIMIT 1"
    )
    text = " ".join(str(row[-1]) for row in plan)
    assert "jobs_waiting" in text
    assert "TEMP B-TREE" not in text
