"""The memory job: exactly once, all or nothing, giving way, retried, visible when it fails."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from backend.storage.rejections import RejectionRepository
from tests.unit.learning.workshop import PATIENCE_SECONDS, Workshop, WrappedReader


def test_that_a_message_becomes_facts_with_its_words(workshop: Workshop) -> None:
    workshop.receive("My sister Ana lives in Leipzig.")
    workshop.run()
    assert workshop.story.texts() == ["Ana is your sister", "Ana lives in Leipzig"]
    assert workshop.observer.heard == ["started", "batch"]
    assert [item.op for item in workshop.observer.batches[0].items] == ["added", "added"]
    assert workshop.jobs.counts(workshop.story.scope).done == 1


def test_that_a_story_told_three_times_is_known_once(workshop: Workshop) -> None:
    told = (
        "My sister Sarah lives in Ulm and works at Acme.",
        "I live in Dresden with my dog Rex.",
        "I moved to Leipzig. I love olives, but I don't drink coffee.",
    )
    counts = []
    for _ in range(3):
        for text in told:
            workshop.receive(text)
        worker = workshop.new_worker()
        workshop.run(worker)
        counts.append(len(workshop.story.facts()))
    assert counts[0] >= 6
    assert counts == counts[:1] * 3
    assert {len(fact.evidence) for fact in workshop.story.facts()} == {3}


def test_that_assistant_text_teaches_nothing(workshop: Workshop) -> None:
    workshop.receive("Your sister Ana lives in Leipzig and I love olives.", "assistant", "AICO")
    workshop.run()
    assert workshop.story.service.counts(workshop.story.scope) == {}
    counts = RejectionRepository(workshop.story.database).counts(workshop.story.scope)
    assert counts == {"assistant_role": 1}
    assert workshop.observer.heard == ["nothing"]


def test_that_a_message_is_read_once_by_each_version(workshop: Workshop) -> None:
    message = workshop.receive("I play chess.")
    workshop.run()
    before = workshop.story.hash()
    workshop.story.database.execute("DELETE FROM jobs")
    workshop.jobs.enqueue(workshop.story.scope, "learn", message.message_id)
    workshop.run(workshop.new_worker())
    assert workshop.story.hash() == before
    assert workshop.observer.heard == ["started", "batch", "nothing"]


def test_that_reading_forgotten_text_again_does_not_bring_it_back(workshop: Workshop) -> None:
    story = workshop.story
    workshop.receive("I play the trombone. I live in Ulm.")
    story.message("The trombone is a fine instrument!", "assistant", "AICO")
    workshop.run()
    story.service.forget_fact(
        story.scope, next(fact.id for fact in story.facts() if "trombone" in fact.text)
    )
    assert "trombone" not in story.every_text()
    story.database.execute("DELETE FROM jobs")
    story.database.execute("DELETE FROM ledger")
    newer = WrappedReader(workshop.reader, lambda text, cancelled: None)
    newer.version = "rules-next"
    for row in story.database.execute("SELECT message_id FROM messages WHERE role = 'user'"):
        workshop.jobs.enqueue(story.scope, "learn", row[0])
    workshop.run(workshop.new_worker(newer))
    assert story.texts() == ["You live in Ulm"]


def test_that_a_new_message_pre_empts_the_job_and_nothing_is_lost(workshop: Workshop) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def hold(text: str, cancelled: Callable[[], bool]) -> None:
        reading.set()
        assert go_on.wait(PATIENCE_SECONDS)

    worker = workshop.new_worker(WrappedReader(workshop.reader, hold))
    workshop.receive("I play chess.")
    worker.start()
    assert reading.wait(PATIENCE_SECONDS)
    worker.pause()
    go_on.set()
    assert workshop.observer.put_off.wait(PATIENCE_SECONDS)
    assert workshop.story.facts() == []
    assert workshop.jobs.counts(workshop.story.scope).pending == 1
    assert workshop.jobs.not_done(workshop.story.scope)[0].attempts == 0
    worker.resume()
    assert worker.wait_until_idle(PATIENCE_SECONDS)
    worker.close()
    assert workshop.story.texts() == ["You play chess"]
    assert workshop.observer.heard == ["started", "put off", "started", "batch"]


def test_that_a_message_that_fails_is_tried_again_then_shown_and_stops_no_other(
    workshop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(text: str, cancelled: Callable[[], bool]) -> None:
        if "curse" in text:
            raise RuntimeError("words of the message")

    broken = workshop.receive("The curse: I play the harp.")
    workshop.receive("I play chess.")
    with caplog.at_level("WARNING"):
        workshop.run(workshop.new_worker(WrappedReader(workshop.reader, fail)))
    assert workshop.story.texts() == ["You play chess"]
    failed = workshop.jobs.not_done(workshop.story.scope)
    assert [(job.message_id, job.state, job.attempts) for job in failed] == [
        (broken.message_id, "failed", 3)
    ]
    assert failed[0].reason == "This message could not be read (RuntimeError)."
    assert workshop.observer.heard.count("put off") == 2
    assert workshop.observer.failed.is_set()
    assert "words" not in caplog.text
    caplog.clear()
    workshop.jobs.retry(workshop.story.scope, failed[0].job_id)
    workshop.run(workshop.new_worker())
    assert workshop.story.texts() == ["You play chess", "You play harp"]


def test_that_a_full_disk_is_waited_out_and_not_held_against_the_job(
    workshop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    database = workshop.story.database
    readings: list[str] = []
    troubles: list[str] = []

    def fill_and_free(text: str, cancelled: Callable[[], bool]) -> None:
        readings.append(text)
        troubles.append(worker.trouble)
        if len(readings) == 1:
            database.script(
                "CREATE TEMP TRIGGER full BEFORE INSERT ON statements"
                " BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END;"
            )
        if len(readings) == 6:
            database.execute("DROP TRIGGER full")

    workshop.receive("I play chess.")
    worker = workshop.new_worker(WrappedReader(workshop.reader, fill_and_free))
    with caplog.at_level("ERROR"):
        workshop.run(worker)
    assert len(caplog.records) == 1  # it may last for days
    caplog.clear()
    assert len(readings) == 6
    assert troubles == ["", *["disk_full"] * 5]
    assert worker.trouble == ""
    assert workshop.story.texts() == ["You play chess"]
    assert workshop.story.database.execute("SELECT state, attempts, crashes FROM jobs") == [
        ("done", 0, 0)
    ]


def test_that_facts_that_break_a_rule_of_the_file_fail_visibly_and_stop_no_other(
    workshop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    broken = workshop.receive("I play the harp.")
    workshop.receive("I play chess.")
    workshop.story.database.script(
        "CREATE TEMP TRIGGER rule BEFORE INSERT ON statements"
        f" WHEN NEW.message_id = '{broken.message_id}'"
        " BEGIN SELECT RAISE(ABORT, 'constraint failed'); END;"
    )
    with caplog.at_level("WARNING"):
        workshop.run()
    caplog.clear()
    assert workshop.story.texts() == ["You play chess"]
    (failed,) = workshop.jobs.not_done(workshop.story.scope)
    assert failed.reason == "This message could not be read (ConstraintViolation)."
    assert workshop.observer.failed.is_set()


@pytest.mark.parametrize("place", ["statements", "propositions", "kg_nodes", "ledger", "batches"])
def test_that_a_crash_between_statements_and_commit_leaves_nothing_half(
    workshop: Workshop, place: str
) -> None:
    """The process dies after a row of ``place`` was written: the file is opened again as it is."""
    story = workshop.story
    workshop.receive("My sister Ana lives in Leipzig.")
    before, empty = story.hash(), _filled_tables(workshop)
    job = workshop.jobs.take_next(story.clock())
    assert job is not None
    story.database.script(
        f"CREATE TEMP TRIGGER crash AFTER INSERT ON {place} BEGIN SELECT RAISE(FAIL, 'crash'); END;"
    )
    message = story.messages.get(story.scope, job.message_id)
    assert message is not None
    found = workshop.step.read(job, message, workshop.reader, lambda: False)
    with pytest.raises(Exception, match="crash"):
        workshop.step.commit(job, message, workshop.reader.version, found)
    story.close()
    story.open()
    assert story.hash() == before
    again = Workshop(story, workshop.reader)
    assert _filled_tables(again) == empty
    again.run()
    assert story.texts() == ["Ana is your sister", "Ana lives in Leipzig"]
    assert again.jobs.counts(story.scope).done == 1


def test_that_words_blanked_while_they_are_read_are_not_learnt(workshop: Workshop) -> None:
    story = workshop.story
    message = workshop.receive("I play the trombone.")
    once: list[str] = []

    def forget_meanwhile(text: str, cancelled: Callable[[], bool]) -> None:
        if not once:
            once.append(text)
            story.messages.blank_span(story.scope, message.message_id, 0, len(text))

    workshop.run(workshop.new_worker(WrappedReader(workshop.reader, forget_meanwhile)))
    assert story.facts() == []
    assert workshop.observer.heard == ["started", "put off", "nothing"]


def test_that_an_observer_that_fails_does_not_repeat_the_job(
    workshop: Workshop, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(workshop.observer, "on_batch", fail)
    workshop.receive("I play chess.")
    with caplog.at_level("ERROR"):
        workshop.run()
    caplog.clear()
    assert [len(fact.evidence) for fact in workshop.story.facts()] == [1]
    assert workshop.jobs.counts(workshop.story.scope).done == 1


def _filled_tables(workshop: Workshop) -> dict[str, int]:
    names = ("statements", "identity_decisions", "propositions", "evidence", "kg_nodes", "ledger")
    return {
        name: workshop.story.database.execute(f"SELECT count(*) FROM {name}")[0][0]
        for name in (*names, "batches", "entities", "vector_outbox", "proposition_history")
    }


def test_that_a_job_that_cannot_even_be_put_back_is_put_back_later(
    workshop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    database = workshop.story.database
    full = threading.Event()

    def fill(text: str, cancelled: Callable[[], bool]) -> None:
        if not full.is_set():
            for event in ("INSERT ON statements", "UPDATE ON jobs"):
                database.script(
                    f"CREATE TEMP TRIGGER full_{event[0]} BEFORE {event}"
                    " BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END;"
                )
            full.set()

    workshop.receive("I play chess.")
    worker = workshop.new_worker(WrappedReader(workshop.reader, fill))
    with caplog.at_level("ERROR"):
        worker.start()
        assert full.wait(PATIENCE_SECONDS)
        while worker.trouble != "disk_full":
            threading.Event().wait(0.01)
        database.script("DROP TRIGGER full_I")
        database.script("DROP TRIGGER full_U")
        assert worker.wait_until_idle(PATIENCE_SECONDS)
        worker.close()
    caplog.clear()
    assert database.execute("SELECT state, attempts, crashes FROM jobs") == [("done", 0, 0)]
