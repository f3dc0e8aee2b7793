"""The shipped sentence embedder: what it promises about any text, offline."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from backend.inference.embedding import LONGEST_TEXT, Embedder, UniversalSentenceEmbedder


@pytest.fixture(scope="module")
def embedder() -> UniversalSentenceEmbedder:
    """One loaded model for the whole file."""
    loaded = UniversalSentenceEmbedder()
    loaded.load()
    return loaded


def test_that_the_model_is_loaded_only_when_needed() -> None:
    fresh: Embedder = UniversalSentenceEmbedder()
    assert not fresh.ready


def test_that_vectors_have_length_one(embedder: UniversalSentenceEmbedder) -> None:
    texts = [
        "My sister is called Orla.",
        "",
        " ",
        "\n",
        "🎉",
        "王小明",
        "a\0b",
        "\ud800",
        "?",
        "1" * 50,
    ]
    vectors = embedder.embed(texts)
    assert vectors.shape == (len(texts), embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_that_no_texts_give_no_vectors(embedder: UniversalSentenceEmbedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimension)


def test_that_the_same_text_gives_the_same_vector(embedder: UniversalSentenceEmbedder) -> None:
    text = "I moved to Galway in May."
    first, second = embedder.embed([text]), embedder.embed([text])
    assert np.array_equal(first, second)
    among_others = embedder.embed([f"sentence number {n}" for n in range(20)] + [text])[-1]
    assert np.allclose(first[0], among_others, atol=1e-6)


def test_that_a_very_long_text_is_read_at_its_beginning(
    embedder: UniversalSentenceEmbedder,
) -> None:
    long = "Orla likes rowing. " * 20_000
    vectors = embedder.embed([long, long[:LONGEST_TEXT]])
    assert np.array_equal(vectors[0], vectors[1]) or np.allclose(vectors[0], vectors[1], atol=1e-6)


def test_that_paraphrases_are_near_and_other_facts_are_not(
    embedder: UniversalSentenceEmbedder,
) -> None:
    said, paraphrase, german, other = embedder.embed(
        [
            "My sister lives in Galway.",
            "My sister has her home in Galway.",
            "Meine Schwester lebt in Galway.",
            "The printer is out of paper.",
        ]
    )
    assert said @ paraphrase > embedder.similarity_threshold
    assert said @ german > embedder.similarity_threshold
    assert said @ other < 0.4


def test_that_many_threads_get_what_one_gets(embedder: UniversalSentenceEmbedder) -> None:
    texts = [f"Orla has {n} boats" for n in range(12)]
    expected = embedder.embed(texts)
    results: list[bool] = []

    def work() -> None:
        results.append(bool(np.allclose(embedder.embed(texts), expected, atol=1e-6)))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert results == [True, True, True]
