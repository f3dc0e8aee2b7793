"""Parts of the backend that load late, or break, cost their share of an answer and no more."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from backend.background_loading import BackgroundLoading, LoadingFailed
from backend.inference.embedding import Vectors
from backend.late_parts import LateUnderstander, LateVectors
from backend.storage.scope import Scope
from backend.storage.vectors import VectorItem, VectorStore
from backend.understanding.statements import DialogueContext


class SmallEmbedder:
    """Gives every text the same vector."""

    name = "small"
    similarity_threshold = 0.5
    ready = True

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text."""
        return np.tile(np.eye(1, self.dimension, dtype=np.float32), (len(texts), 1))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[VectorStore]:
    """A store of vectors with four numbers, not open yet."""
    store = VectorStore(tmp_path / "vectors", 4, "small")
    yield store
    store.close()


def test_that_nothing_is_found_by_meaning_before_the_store_is_open(store: VectorStore) -> None:
    vectors = LateVectors(SmallEmbedder(4), store)
    assert vectors.similar_facts(Scope(), "tea", 5) == ()
    item = VectorItem("fact-1", np.eye(1, 4, dtype=np.float32)[0], 1)
    store.upsert("me", "kg_edges", [item])
    assert [fact_id for fact_id, _ in vectors.similar_facts(Scope(), "tea", 5)] == ["fact-1"]


def test_that_a_store_that_refuses_finds_nothing_instead_of_failing_the_answer(
    store: VectorStore, caplog: pytest.LogCaptureFixture
) -> None:
    store.open()
    with caplog.at_level("ERROR"):
        assert LateVectors(SmallEmbedder(3), store).similar_facts(Scope(), "tea", 5) == ()
    assert "VectorStoreError" in caplog.text
    assert "tea" not in caplog.text
    caplog.clear()


def test_that_whoever_needs_a_part_that_cannot_be_loaded_is_told_and_the_log_has_no_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def load() -> str:
        raise RuntimeError("odd words")

    loading = BackgroundLoading("parser", load)
    with caplog.at_level("ERROR"):
        loading.start()
        with pytest.raises(LoadingFailed):
            loading.get()
        loading.close()
    assert loading.failed
    assert "odd words" not in caplog.text
    caplog.clear()


def test_that_an_answer_goes_on_without_vectors_while_their_files_are_rewritten(
    store: VectorStore,
) -> None:
    store.upsert("me", "kg_edges", [VectorItem("fact-1", np.eye(1, 4, dtype=np.float32)[0], 1)])
    held, release = threading.Event(), threading.Event()

    def rewrite() -> None:
        with store._opened():
            held.set()
            release.wait()

    thread = threading.Thread(target=rewrite)
    thread.start()
    held.wait()
    try:
        assert LateVectors(SmallEmbedder(4), store).similar_facts(Scope(), "tea", 5) == ()
    finally:
        release.set()
        thread.join()
    assert LateVectors(SmallEmbedder(4), store).similar_facts(Scope(), "tea", 5) != ()


def test_that_only_a_question_waits_for_the_parser() -> None:
    may_load = threading.Event()
    asked: list[str] = []

    class Reader:
        def parse_question(self, text: str, context: DialogueContext) -> None:
            asked.append(text)

    def load() -> Reader:
        may_load.wait()
        return Reader()

    loading = BackgroundLoading("parser", load)
    loading.start()
    late = LateUnderstander(loading)  # type: ignore[arg-type]  # only this method is used
    context = DialogueContext("user", "me", datetime.now(UTC))
    assert late.parse_question("Good morning to you", context) is None
    assert asked == []
    threading.Timer(0.05, may_load.set).start()
    late.parse_question("Where do I live?", context)
    loading.close()
    assert asked == ["Where do I live?"]
