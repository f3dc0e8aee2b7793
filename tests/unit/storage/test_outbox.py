"""The outbox: the vector store follows the database through crashes, repeats and failures."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from aico_desktop.paths import HomePaths
from backend.storage.database import Database
from backend.storage.due_work import DueWork
from backend.storage.outbox import OutboxDrainer
from backend.storage.outbox_thread import PATIENCE, OutboxThread
from backend.storage.vector_files import any_vector_in_files
from backend.storage.vectors import VectorStore, VectorStoreError

DIMENSION = 32
WAIT_S = 20.0


def embed_letters(texts: list[str]) -> NDArray[np.float32]:
    """A real if simple embedding: how often each letter stands in the text, as a unit vector."""
    counts = np.full((len(texts), DIMENSION), 0.01, dtype=np.float32)
    for row, text in enumerate(texts):
        for character in text.lower():
            counts[row, ord(character) % DIMENSION] += 1
    counts /= np.linalg.norm(counts, axis=1, keepdims=True)
    return counts


@pytest.fixture
def vectors(home: HomePaths) -> Iterator[VectorStore]:
    store = VectorStore(home.vectors, DIMENSION, "letters")
    yield store
    store.close()


@pytest.fixture
def drainer(database: Database, vectors: VectorStore) -> OutboxDrainer:
    return OutboxDrainer(database, vectors, embed_letters)


def add_fact(database: Database, fact_id: str, text: str, status: str = "ACTIVE") -> None:
    database.execute(
        "INSERT INTO propositions(proposition_id, user_id, context_id, subject_id, predicate,"
        " literal, polarity, modality, speaker_id, episode, text, confidence, importance, decay,"
        " status, recorded_at) VALUES (?, 'me', 'default', 'me', 'LIKES', ?, 'affirmed',"
        " 'asserted', 'me', 0, ?, 0.9, 0.5, 0.1, ?, '2026')",
        (fact_id, fact_id, text, status),
    )


def add_node(database: Database, node_id: str, properties: str, user_id: str = "me") -> None:
    database.execute(
        "INSERT INTO kg_nodes(id, user_id, context_id, label, properties, confidence,"
        " canonical_id, created_at, updated_at) VALUES (?, ?, 'default', 'PERSON', ?, 1.0, ?,"
        " '2026', '2026')",
        (node_id, user_id, properties, node_id),
    )


def nearest(vectors: VectorStore, text: str) -> str:
    return vectors.query("me", "kg_edges", embed_letters([text])[0], 1)[0][0]


def test_that_committed_rows_get_vectors_and_changed_ones_new_vectors(
    database: Database, drainer: OutboxDrainer, vectors: VectorStore
) -> None:
    add_fact(database, "p1", "You like tea")
    add_fact(database, "p2", "Orla rows")
    add_node(database, "n1", '{"name": "Orla", "description": "your sister"}')
    add_node(database, "n2", "{}")
    assert drainer.waiting() == 4
    assert drainer.drain_once() == 4
    assert (drainer.drain_once(), drainer.waiting()) == (0, 0)
    assert nearest(vectors, "You like tea") == "p1"
    assert vectors.versions("me", "kg_nodes") == {"n1": 1, "n2": 1}
    hit, similarity = vectors.query(
        "me", "kg_nodes", embed_letters(["PERSON: Orla your sister"])[0], 1
    )[0]
    assert (hit, round(similarity, 3)) == ("n1", 1.0)

    database.execute(
        "UPDATE propositions SET text = 'Zzz', version = 2 WHERE proposition_id = 'p1'"
    )
    drainer.drain_once()
    assert nearest(vectors, "zzz") == "p1"
    assert vectors.versions("me", "kg_edges") == {"p1": 2, "p2": 1}


def test_that_only_current_propositions_have_vectors(
    database: Database, drainer: OutboxDrainer, vectors: VectorStore
) -> None:
    for number, status in enumerate(("ACTIVE", "PROMOTED", "PROPOSED", "SUPERSEDED", "RETRACTED")):
        add_fact(database, f"p{number}", f"fact {number}", status)
    drainer.drain_once()
    assert set(vectors.versions("me", "kg_edges")) == {"p0", "p1"}
    database.execute("UPDATE propositions SET status = 'SUPERSEDED' WHERE proposition_id = 'p0'")
    database.execute("DELETE FROM propositions WHERE proposition_id = 'p1'")
    drainer.drain_once()
    assert vectors.versions("me", "kg_edges") == {}


def test_that_a_rolled_back_fact_leaves_nothing_to_do(
    database: Database, drainer: OutboxDrainer
) -> None:
    @database.transaction()
    def add_and_fail() -> None:
        add_fact(database, "p1", "You like tea")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        add_and_fail()
    assert drainer.waiting() == 0


def test_that_doing_a_change_twice_is_harmless(
    database: Database, drainer: OutboxDrainer, vectors: VectorStore
) -> None:
    add_fact(database, "p1", "You like tea")
    waiting = database.execute("SELECT * FROM vector_outbox")
    drainer.drain_once()
    database.execute("DELETE FROM propositions")
    # As after a crash before the outbox was cleared: the old entry comes again, the row is gone.
    database.execute("DELETE FROM vector_outbox")
    database.execute("INSERT INTO vector_outbox VALUES (?, ?, ?, ?, ?, ?)", waiting[0])
    drainer.drain_once()
    assert vectors.versions("me", "kg_edges") == {}


def test_that_a_large_backlog_goes_in_batches(
    database: Database, drainer: OutboxDrainer, vectors: VectorStore
) -> None:
    with database.transaction():
        for number in range(120):
            add_fact(database, f"p{number}", f"fact {number}")
    assert [drainer.drain_once() for _ in range(4)] == [50, 50, 20, 0]
    assert vectors.count("me", "kg_edges") == 120


def test_that_reconciling_mends_every_kind_of_difference(
    database: Database, drainer: OutboxDrainer, vectors: VectorStore
) -> None:
    for number in range(3):
        add_fact(database, f"p{number}", f"fact {number}")
    add_node(database, "n1", '{"name": "Orla"}', user_id="other")
    while drainer.drain_once():
        pass
    assert drainer.reconcile() == 0
    database.execute("UPDATE propositions SET version = 7 WHERE proposition_id = 'p1'")
    database.execute("DELETE FROM kg_nodes")
    database.execute("DELETE FROM vector_outbox")  # lost, as if the vector store were older
    vectors.delete("me", "kg_edges", ["p0"])
    assert drainer.reconcile() == 3
    drainer.drain_once()
    assert vectors.versions("me", "kg_edges") == {"p0": 1, "p1": 7, "p2": 1}
    assert vectors.versions("other", "kg_nodes") == {}
    assert drainer.reconcile() == 0


def test_that_a_failure_leaves_the_changes_waiting(
    database: Database, vectors: VectorStore
) -> None:
    def fail(texts: list[str]) -> NDArray[np.float32]:
        raise RuntimeError("no model")

    add_fact(database, "p1", "You like tea")
    drainer = OutboxDrainer(database, vectors, fail)
    with pytest.raises(RuntimeError):
        drainer.drain_once()
    assert drainer.waiting() == 1


def test_that_rewriting_stays_due_until_it_is_clean(
    database: Database, home: HomePaths, drainer: OutboxDrainer, vectors: VectorStore
) -> None:
    due = DueWork(database)
    add_fact(database, "p1", "You like tea")
    add_fact(database, "p2", "Orla rows")
    drainer.drain_once()
    assert drainer.rewrite_if_due()
    with database.transaction():
        database.execute("DELETE FROM propositions WHERE proposition_id = 'p1'")
        due.note("rewrite_vectors")
    drainer.drain_once()
    forgotten = embed_letters(["You like tea"])
    assert any_vector_in_files(home.vectors, list(forgotten))
    assert due.since("rewrite_vectors") is not None
    assert drainer.rewrite_if_due()
    assert due.since("rewrite_vectors") is None
    assert not any_vector_in_files(home.vectors, list(forgotten))
    assert set(vectors.versions("me", "kg_edges")) == {"p2"}


# ---------------------------------------------------------------- the thread


@pytest.fixture
def thread(
    database: Database, drainer: OutboxDrainer, vectors: VectorStore
) -> Iterator[OutboxThread]:
    runner = OutboxThread(database, drainer, vectors, first_wait_s=0.01)
    yield runner
    runner.close()


def test_that_the_thread_follows_commits_and_rests(
    database: Database, vectors: VectorStore, thread: OutboxThread
) -> None:
    add_fact(database, "p1", "You like tea")
    thread.start()
    assert thread.wait_until_idle(WAIT_S)
    assert set(vectors.versions("me", "kg_edges")) == {"p1"}
    for number in range(2, 60):
        add_fact(database, f"p{number}", f"fact {number}")
    assert thread.wait_until_idle(WAIT_S)
    assert vectors.count("me", "kg_edges") == 59
    with database.transaction():
        database.execute("DELETE FROM propositions WHERE proposition_id = 'p1'")
        DueWork(database).note("rewrite_vectors")
    assert thread.wait_until_idle(WAIT_S)
    assert DueWork(database).since("rewrite_vectors") is None
    assert vectors.count("me", "kg_edges") == 58


def test_that_the_thread_survives_failures_and_logs_no_text(
    database: Database, vectors: VectorStore, caplog: pytest.LogCaptureFixture
) -> None:
    failures = iter([RuntimeError("Zanzibarcanary"), VectorStoreError("Zanzibarcanary")])

    def embed(texts: list[str]) -> NDArray[np.float32]:
        error = next(failures, None)
        if error is not None:
            raise error
        return embed_letters(texts)

    drainer = OutboxDrainer(database, vectors, embed)
    thread = OutboxThread(database, drainer, vectors, first_wait_s=0.01)
    add_fact(database, "p1", "Zanzibarcanary")
    with caplog.at_level(logging.WARNING):
        thread.start()
        assert thread.wait_until_idle(WAIT_S)
    thread.close()
    assert set(vectors.versions("me", "kg_edges")) == {"p1"}
    assert len(caplog.records) == 2
    assert "Zanzibar" not in caplog.text
    caplog.clear()


def test_that_a_store_that_keeps_failing_is_emptied_and_filled_again(
    database: Database, vectors: VectorStore, caplog: pytest.LogCaptureFixture
) -> None:
    add_fact(database, "p1", "You like tea")
    OutboxDrainer(database, vectors, embed_letters).drain_once()
    failures = iter([VectorStoreError("broken")] * PATIENCE)

    def embed(texts: list[str]) -> NDArray[np.float32]:
        error = next(failures, None)
        if error is not None:
            raise error
        return embed_letters(texts)

    drainer = OutboxDrainer(database, vectors, embed)
    thread = OutboxThread(database, drainer, vectors, first_wait_s=0.01)
    add_fact(database, "p2", "Orla rows")
    with caplog.at_level(logging.WARNING):
        thread.start()
        assert thread.wait_until_idle(WAIT_S)
    thread.close()
    assert "emptied" in caplog.text
    caplog.clear()
    assert set(vectors.versions("me", "kg_edges")) == {"p1", "p2"}


def test_that_closing_ends_the_thread_at_any_moment(
    database: Database, drainer: OutboxDrainer, vectors: VectorStore
) -> None:
    never_started = OutboxThread(database, drainer, vectors)
    never_started.close()
    for _ in range(3):
        thread = OutboxThread(database, drainer, vectors)
        thread.start()
        thread.close()
        thread.close()
    assert not [t for t in threading.enumerate() if t.name == "vector-outbox"]
