"""Forgetting down to the bytes of every file in the home folder."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from aico_desktop.paths import HomePaths
from backend.storage.batches import BatchRepository
from backend.storage.database import Database
from backend.storage.forgetting import Forgetter, ForgottenFact, ForgottenSpan
from backend.storage.messages import MessageRepository, NewMessage
from backend.storage.migrations import NOTE_NAME, back_up
from backend.storage.outbox import OutboxDrainer
from backend.storage.page_scan import leftover_texts
from backend.storage.scope import Scope
from backend.storage.search import FullTextSearch
from backend.storage.vector_files import any_vector_in_files
from backend.storage.vectors import VectorStore
from backend.storage.working_memory import WorkingMemory

DIMENSION = 32
SECRET = "Zanzibarcanary"
FACT_TEXT = f"You kept a {SECRET}"


def embed(texts: list[str]) -> NDArray[np.float32]:
    """Vectors that depend on the whole text."""
    rows = [np.random.default_rng(sum(text.encode())).normal(size=DIMENSION) for text in texts]
    vectors = np.asarray(rows, dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def files_that_hold(home: HomePaths, text: str) -> set[str]:
    """Names of files with the text in UTF-8 or UTF-16, in any case, or its stem."""
    forms = {text, text.lower(), text.upper(), text[:-1].lower()}
    needles = [form.encode(e) for form in forms for e in ("utf-8", "utf-16-le", "utf-16-be")]
    return {
        path.name
        for path in home.root.rglob("*")
        if path.is_file() and any(needle in path.read_bytes() for needle in needles)
    }


@pytest.fixture
def working_memory(home: HomePaths) -> Iterator[WorkingMemory]:
    opened = WorkingMemory(home.working_memory)
    yield opened
    opened.close()


@pytest.fixture
def vectors(home: HomePaths) -> Iterator[VectorStore]:
    store = VectorStore(home.vectors, DIMENSION, "test")
    yield store
    store.close()


@pytest.fixture
def forgetter(database: Database, home: HomePaths, working_memory: WorkingMemory) -> Forgetter:
    return Forgetter(database, working_memory, [working_memory], home.backups)


def say(database: Database, scope: Scope, conversation_id: str, text: str) -> str:
    new = NewMessage(conversation_id, "user", "me", text, "2026-11-30T09:00:00Z", "UTC")
    return MessageRepository(database).add(scope, new).message.message_id


def add_fact(database: Database, fact_id: str, text: str) -> None:
    database.execute(
        "INSERT INTO propositions(proposition_id, user_id, context_id, subject_id, predicate,"
        " literal, polarity, modality, speaker_id, episode, text, confidence, importance, decay,"
        " status, recorded_at) VALUES (?, 'me', 'default', 'me', 'KEEPS', ?, 'affirmed',"
        " 'asserted', 'me', 0, ?, 0.9, 0.5, 0.1, 'ACTIVE', '2026')",
        (fact_id, text.lower(), text),
    )


def forget(database: Database, scope: Scope, message_id: str, fact_id: str) -> ForgottenSpan:
    """What the owners of the rows do, in the caller's transaction."""
    messages = MessageRepository(database)
    message = messages.get(scope, message_id)
    assert message is not None
    start = message.text.index(SECRET)
    messages.blank_span(scope, message_id, start, start + len(SECRET))
    database.execute("DELETE FROM propositions WHERE proposition_id = ?", (fact_id,))
    BatchRepository(database).forget_fact(scope, fact_id)
    return ForgottenSpan(message_id, start, start + len(SECRET), SECRET)


def test_that_a_forgotten_fact_is_in_no_file_of_the_home(
    database: Database,
    home: HomePaths,
    scope: Scope,
    conversation_id: str,
    working_memory: WorkingMemory,
    vectors: VectorStore,
    forgetter: Forgetter,
) -> None:
    drainer = OutboxDrainer(database, vectors, embed)
    message_id = say(database, scope, conversation_id, f"I once kept a {SECRET} at home.")
    other = say(database, scope, conversation_id, "Orla rows on Lough Corrib.")
    add_fact(database, "p1", FACT_TEXT)
    add_fact(database, "p2", "Orla rows on Lough Corrib")
    BatchRepository(database).add(
        scope, message_id, None, json.dumps([{"id": "p1", "text": FACT_TEXT}])
    )
    working_memory.put(conversation_id, 1, {"role": "user", "text": f"I kept a {SECRET}"})
    back_up(database, home.backups / "aico-schema1-20261130.db")
    while drainer.drain_once():
        pass
    vector = embed([FACT_TEXT])
    assert any_vector_in_files(home.vectors, list(vector))
    holding = files_that_hold(home, SECRET)
    assert holding >= {"aico.db", "data.mdb", "aico-schema1-20261130.db"}

    with database.transaction():
        span = forget(database, scope, message_id, "p1")
        forgetter.note()
    assert FullTextSearch(database).messages(scope, [SECRET]) == []
    assert forgetter.is_pending()
    assert forgetter.finish(scope, [span], [ForgottenFact("p1", FACT_TEXT)])
    assert files_that_hold(home, SECRET) == set()

    assert forgetter.is_pending()  # the vectors still are where they were
    while drainer.drain_once():
        pass
    assert drainer.rewrite_if_due()
    assert not forgetter.is_pending()
    assert not any_vector_in_files(home.vectors, list(vector))
    assert files_that_hold(home, SECRET) == set()

    assert files_that_hold(home, "Lough Corrib") >= {"aico.db"}
    assert [i for i, _ in FullTextSearch(database).messages(scope, ["corrib"])] == [other]
    assert set(vectors.versions("me", "kg_edges")) == {"p2"}
    assert database.integrity_check() == []
    assert [path.name for path in home.backups.iterdir()] == [NOTE_NAME]
    database.close()
    assert files_that_hold(home, SECRET) == set()


@pytest.mark.parametrize("seed", range(4))
def test_that_no_order_of_writes_leaves_a_byte(
    database: Database,
    home: HomePaths,
    scope: Scope,
    conversation_id: str,
    forgetter: Forgetter,
    seed: int,
) -> None:
    chance = random.Random(seed)

    def fill(count: int) -> None:
        with database.transaction():
            for _ in range(count):
                words = (f"w{chance.randint(0, 900)}" for _ in range(chance.randint(3, 60)))
                say(database, scope, conversation_id, " ".join(words))

    fill(150)
    secrets: list[tuple[str, str]] = []
    for number in range(25):
        long = "big " * chance.randint(0, 1500)
        message_id = say(database, scope, conversation_id, f"I kept a {SECRET} in my {long}")
        add_fact(database, f"p{number}", f"{FACT_TEXT} number {number}")
        secrets.append((message_id, f"p{number}"))
        fill(chance.randint(0, 12))
    assert "aico.db-wal" in files_that_hold(home, SECRET)
    with database.transaction():
        spans = [forget(database, scope, *secret) for secret in secrets]
        forgetter.note()
    assert forgetter.finish(scope, spans, [])
    assert files_that_hold(home, SECRET) == set()
    assert leftover_texts(database, [SECRET]) == []
    assert database.integrity_check() == []


def test_that_bytes_left_in_pages_are_found_and_removed(
    database: Database, home: HomePaths, scope: Scope, conversation_id: str, forgetter: Forgetter
) -> None:
    message_id = say(database, scope, conversation_id, f"I kept a {SECRET}")
    database.execute("PRAGMA secure_delete = OFF")  # as if a gap had kept the words
    with database.transaction():
        database.execute("DELETE FROM messages WHERE message_id = ?", (message_id,))
        forgetter.note()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert leftover_texts(database, [SECRET]) == [SECRET]
    assert "aico.db" in files_that_hold(home, SECRET)
    assert forgetter.finish(scope, [ForgottenSpan(message_id, 9, 23, SECRET)], [])
    assert files_that_hold(home, SECRET) == set()


def test_that_words_said_elsewhere_too_do_not_count_as_left_over(
    database: Database, scope: Scope, conversation_id: str, forgetter: Forgetter
) -> None:
    kept = say(database, scope, conversation_id, f"A {SECRET} is a bird")
    message_id = say(database, scope, conversation_id, f"I kept a {SECRET}")
    with database.transaction():
        span = forget(database, scope, message_id, "nothing")
        forgetter.note()
    assert forgetter.finish(scope, [span], [])
    assert FullTextSearch(database).messages(scope, [SECRET])[0][0] == kept
    assert leftover_texts(database, [SECRET, "cat", "", "never said at all"]) == []


def test_that_a_crash_after_the_commit_is_made_up_for_at_start(
    database: Database,
    home: HomePaths,
    scope: Scope,
    conversation_id: str,
    working_memory: WorkingMemory,
    forgetter: Forgetter,
) -> None:
    message_id = say(database, scope, conversation_id, f"I kept a {SECRET}")
    working_memory.put(conversation_id, 1, {"text": f"I kept a {SECRET}"})
    with database.transaction():
        forget(database, scope, message_id, "nothing")
        forgetter.note()
    database.close()  # as a process that ended here
    assert files_that_hold(home, SECRET) != set()

    again = Database(home.database)
    restarted = Forgetter(again, working_memory, [working_memory], home.backups)
    assert restarted.resume()
    assert files_that_hold(home, SECRET) == set()
    assert working_memory.recent(conversation_id, 5) == []
    assert restarted.resume()
    again.close()


def test_that_a_transaction_taken_back_forgets_nothing(
    database: Database, scope: Scope, conversation_id: str, forgetter: Forgetter
) -> None:
    message_id = say(database, scope, conversation_id, f"I kept a {SECRET}")

    @database.transaction()
    def forget_and_fail() -> None:
        forget(database, scope, message_id, "nothing")
        forgetter.note()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        forget_and_fail()
    assert not forgetter.is_pending()
    assert forgetter.resume()
    assert FullTextSearch(database).messages(scope, [SECRET])[0][0] == message_id


def test_that_nothing_forgotten_is_logged(
    database: Database,
    scope: Scope,
    conversation_id: str,
    forgetter: Forgetter,
    caplog: pytest.LogCaptureFixture,
) -> None:
    message_id = say(database, scope, conversation_id, f"I kept a {SECRET}")
    with caplog.at_level(logging.DEBUG):
        with database.transaction():
            span = forget(database, scope, message_id, "nothing")
            forgetter.note()
        forgetter.finish(scope, [span], [ForgottenFact("p1", FACT_TEXT)])
    assert SECRET not in caplog.text


def test_that_a_reader_outside_that_holds_the_log_is_told(
    database: Database,
    scope: Scope,
    conversation_id: str,
    forgetter: Forgetter,
    caplog: pytest.LogCaptureFixture,
) -> None:
    message_id = say(database, scope, conversation_id, f"I kept a {SECRET}")
    database.execute("PRAGMA busy_timeout = 20")
    other = Database(database.path)
    # A reader that has begun keeps the engine from cutting the log.
    other._run("BEGIN", ())
    other._run("SELECT count(*) FROM messages", ())
    with database.transaction():
        span = forget(database, scope, message_id, "nothing")
        forgetter.note()
    with caplog.at_level(logging.ERROR):
        assert not forgetter.finish(scope, [span], [])
    assert forgetter.is_pending()
    caplog.clear()
    other._run("COMMIT", ())
    other.close()
    assert forgetter.resume()
