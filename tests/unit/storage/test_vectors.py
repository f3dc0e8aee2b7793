"""The vector store: nearest first, versions, users apart, nothing but numbers, bytes that go."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.storage import vector_rewrite
from backend.storage.errors import DatabaseClosed
from backend.storage.vector_files import any_vector_in_files
from backend.storage.vector_names import collection_name
from backend.storage.vector_refusal import RefusingEmbedder
from backend.storage.vectors import VectorItem, VectorStore, VectorStoreError

DIMENSION = 32


def _vector(seed: int) -> NDArray[np.float32]:
    vector = np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
    return vector / np.linalg.norm(vector)


def _items(*seeds: int, version: int = 1) -> list[VectorItem]:
    return [VectorItem(f"id{seed}", _vector(seed), version, "PERSON") for seed in seeds]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[VectorStore]:
    opened = VectorStore(tmp_path / "vectors", DIMENSION, "test-model")
    yield opened
    opened.close()


def test_that_nothing_is_opened_before_it_is_used(tmp_path: Path, store: VectorStore) -> None:
    assert not store.ready
    assert not (tmp_path / "vectors").exists()
    store.open()
    assert store.ready


def test_that_the_library_is_not_imported_with_the_module() -> None:
    script = "import sys; import backend.storage.vectors; sys.exit('chromadb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], timeout=30, check=False).returncode == 0


def test_that_the_nearest_come_first_with_their_cosine(store: VectorStore) -> None:
    store.upsert("me", "kg_nodes", _items(*range(120)))
    near = _vector(7) + 0.1 * _vector(8)
    near = (near / np.linalg.norm(near)).astype(np.float32)
    (first, similarity), (second, lower) = store.query("me", "kg_nodes", near, 2)
    assert (first, second) != ("id8", "id7")
    assert first == "id7"
    assert similarity == pytest.approx(float(near @ _vector(7)), abs=1e-4)
    assert lower < similarity
    assert len(store.query("me", "kg_nodes", near, 500)) == 120
    assert store.query("me", "kg_nodes", near, 0) == []


def test_that_an_upsert_replaces_vector_and_version(store: VectorStore) -> None:
    store.upsert("me", "kg_edges", _items(1, 2))
    store.upsert("me", "kg_edges", [VectorItem("id1", _vector(9), 5)])
    assert store.versions("me", "kg_edges") == {"id1": 5, "id2": 1}
    assert store.query("me", "kg_edges", _vector(9), 1)[0][0] == "id1"
    twice = [VectorItem("id3", _vector(3), 1), VectorItem("id3", _vector(4), 2)]
    store.upsert("me", "kg_edges", twice)
    assert store.versions("me", "kg_edges")["id3"] == 2


def test_that_deleted_items_are_gone_and_unknown_ones_do_not_matter(store: VectorStore) -> None:
    store.upsert("me", "kg_nodes", _items(1, 2, 3))
    store.delete("me", "kg_nodes", ["id2", "nothing"])
    store.delete("me", "kg_nodes", ["nothing"])
    store.delete("me", "kg_nodes", [])
    assert set(store.versions("me", "kg_nodes")) == {"id1", "id3"}
    assert store.count("me", "kg_nodes") == 2
    hits = store.query("me", "kg_nodes", _vector(2), 10)
    assert {item_id for item_id, _ in hits} == {"id1", "id3"}


def test_that_users_and_kinds_are_kept_apart(store: VectorStore) -> None:
    store.upsert("me", "kg_nodes", _items(1))
    store.upsert("me", "kg_edges", _items(2))
    store.upsert("Zoë / 王", "kg_nodes", _items(3))
    assert set(store.versions("me", "kg_nodes")) == {"id1"}
    assert set(store.versions("me", "kg_edges")) == {"id2"}
    assert set(store.versions("Zoë / 王", "kg_nodes")) == {"id3"}
    assert store.query("nobody", "kg_nodes", _vector(1), 3) == []
    assert store.users() == {"me", "Zoë / 王", "nobody"}


def test_that_what_was_stored_survives_reopening(tmp_path: Path, store: VectorStore) -> None:
    store.upsert("me", "kg_nodes", _items(*range(60)))
    store.close()
    again = VectorStore(tmp_path / "vectors", DIMENSION, "test-model")
    assert again.query("me", "kg_nodes", _vector(42), 1)[0][0] == "id42"
    assert again.count("me", "kg_nodes") == 60
    again.close()


def test_that_vectors_of_another_model_are_thrown_away(tmp_path: Path, store: VectorStore) -> None:
    store.upsert("me", "kg_nodes", _items(1))
    store.close()
    again = VectorStore(tmp_path / "vectors", DIMENSION * 2, "larger-model")
    assert again.versions("me", "kg_nodes") == {}
    again.upsert("me", "kg_nodes", [VectorItem("a", np.ones(DIMENSION * 2, np.float32), 1)])
    again.close()


@pytest.mark.parametrize(
    "vector",
    [
        np.ones(DIMENSION - 1, np.float32),
        np.ones((1, DIMENSION), np.float32),
        np.ones(DIMENSION, np.float64),
        np.full(DIMENSION, np.nan, np.float32),
        np.full(DIMENSION, np.inf, np.float32),
    ],
)
def test_that_a_wrong_vector_is_refused(store: VectorStore, vector: NDArray[Any]) -> None:
    with pytest.raises(VectorStoreError):
        store.upsert("me", "kg_nodes", [VectorItem("a", vector, 1)])
    with pytest.raises(VectorStoreError):
        store.query("me", "kg_nodes", vector, 1)
    assert not store.ready


def test_that_texts_are_refused_instead_of_downloading_a_model(store: VectorStore) -> None:
    store.upsert("me", "kg_nodes", _items(1))
    collection = store._folder.of_user("me", "kg_nodes")
    with pytest.raises(RuntimeError, match="texts"):
        collection.add(ids=["x"], documents=["Orla"])
    with pytest.raises(RuntimeError, match="texts"):
        collection.query(query_texts=["Orla"])
    assert RefusingEmbedder.build_from_config({}).get_config() == {}


def test_that_use_after_close_is_an_error(store: VectorStore) -> None:
    store.upsert("me", "kg_nodes", _items(1))
    before = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    store.close()
    store.close()
    if sys.platform == "linux":
        assert len(os.listdir("/proc/self/fd")) < before
    with pytest.raises(DatabaseClosed):
        store.count("me", "kg_nodes")
    with pytest.raises(DatabaseClosed):
        store.open()


def test_that_a_folder_that_cannot_be_read_is_emptied(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "vectors"
    folder.mkdir()
    (folder / "chroma.sqlite3").write_bytes(b"this is a shopping list" * 1000)
    store = VectorStore(folder, DIMENSION, "test-model")
    with caplog.at_level(logging.WARNING):
        store.upsert("me", "kg_nodes", _items(1))
    assert "emptied" in caplog.text
    caplog.clear()
    assert store.count("me", "kg_nodes") == 1
    store.close()


def test_that_a_store_can_be_emptied(store: VectorStore) -> None:
    store.upsert("me", "kg_nodes", _items(1))
    store.empty()
    assert store.users() == set()
    store.upsert("me", "kg_nodes", _items(2))
    assert set(store.versions("me", "kg_nodes")) == {"id2"}


# ---------------------------------------------------------------- forgetting


@pytest.mark.parametrize("count", [3, 130, 1300])
def test_that_deleted_vectors_leave_the_files(
    tmp_path: Path, store: VectorStore, count: int
) -> None:
    folder = tmp_path / "vectors"
    store.upsert("me", "kg_nodes", _items(*range(count)))
    store.upsert("me", "kg_edges", _items(5000, 5001))
    victims = [0, count // 2, count - 1]
    vectors = [_vector(seed) for seed in victims]
    older = _vector(9000)  # what an edited fact was before
    store.upsert("me", "kg_nodes", [VectorItem("id0", older, 1)])
    store.upsert("me", "kg_nodes", _items(0, version=2))
    store.delete("me", "kg_nodes", [f"id{seed}" for seed in victims])
    assert all(any_vector_in_files(folder, [vector]) for vector in [*vectors[:1], older])

    assert store.rewrite_files()
    for vector in [*vectors, older]:
        assert not any_vector_in_files(folder, [vector])
        assert vector.tobytes() not in b"".join(
            path.read_bytes() for path in folder.rglob("*") if path.is_file()
        )
    kept = {f"id{seed}" for seed in range(count) if seed not in victims}
    assert set(store.versions("me", "kg_nodes")) == kept
    assert store.query("me", "kg_edges", _vector(5001), 1)[0][0] == "id5001"
    if kept:
        assert store.query("me", "kg_nodes", _vector(1), 1)[0][0] in {"id1", *kept}
    store.upsert("me", "kg_nodes", _items(7777))
    assert store.query("me", "kg_nodes", _vector(7777), 1)[0][0] == "id7777"


def test_that_the_search_for_a_vector_finds_it_at_any_offset(tmp_path: Path) -> None:
    vector = _vector(1)
    assert not any_vector_in_files(tmp_path, [])
    for offset in (0, 1, 2, 3, 7):
        (tmp_path / "file").write_bytes(b"\x7f" * offset + vector.tobytes() + b"\xff\xff\xff")
        assert any_vector_in_files(tmp_path, [_vector(2), vector])
        assert not any_vector_in_files(tmp_path, [_vector(2)])
    (tmp_path / "file").write_bytes((vector * np.float32(1 + 1e-7)).tobytes())
    assert any_vector_in_files(tmp_path, [vector])


def test_that_the_search_for_a_vector_sees_across_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.storage.vector_files.CHUNK_BYTES", 100)
    vector = _vector(1)
    for offset in range(90, 110):
        (tmp_path / "file").write_bytes(b"\0" * offset + vector.tobytes() + b"\0" * 300)
        assert any_vector_in_files(tmp_path, [vector])


def test_that_everything_is_built_again_when_saving_was_not_enough(
    tmp_path: Path, store: VectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.storage.vectors.save_and_clear", lambda folder, dimension: None)
    store.upsert("me", "kg_nodes", _items(*range(130), version=3))
    store.delete("me", "kg_nodes", ["id5"])
    assert store.rewrite_files()
    assert not any_vector_in_files(tmp_path / "vectors", [_vector(5)])
    versions = store.versions("me", "kg_nodes")
    assert len(versions) == 129
    assert set(versions.values()) == {3}
    assert not (tmp_path / "vectors.new").exists()


def test_that_a_vector_that_stays_is_told(
    store: VectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in ("save_and_clear", "rebuild"):
        monkeypatch.setattr(f"backend.storage.vectors.{step}", lambda *args: None)
    store.upsert("me", "kg_nodes", _items(1, 2))
    store.delete("me", "kg_nodes", ["id1"])
    assert not store.rewrite_files()
    monkeypatch.setattr("backend.storage.vectors.save_and_clear", vector_rewrite.save_and_clear)
    assert store.rewrite_files()


def test_that_an_empty_store_can_be_rewritten(store: VectorStore) -> None:
    assert store.rewrite_files()


@pytest.mark.parametrize(
    ("user_id", "name"),
    [("me", "kg_nodes_me"), ("a-1", "kg_nodes_a-1"), ("a", "kg_nodes_a")],
)
def test_that_plain_ids_stay_readable(user_id: str, name: str) -> None:
    assert collection_name("kg_nodes", user_id) == name


def test_that_odd_ids_get_names_of_their_own(store: VectorStore) -> None:
    odd = ["", " ", "Me", "me ", "..", "a/b", "x" * 600, "王", "x.abc", "-a", "a-", "a_b", "\ud800"]
    names = {collection_name("kg_nodes", user_id) for user_id in odd}
    assert len(names) == len(odd)
    for user_id in odd[:-1]:
        store.upsert(user_id, "kg_nodes", _items(1))


def test_that_a_store_can_be_made_where_one_was_removed(tmp_path: Path, store: VectorStore) -> None:
    store.upsert("me", "kg_nodes", _items(1))
    store.close()
    shutil.rmtree(tmp_path / "vectors")
    again = VectorStore(tmp_path / "vectors", DIMENSION, "test-model")
    again.upsert("me", "kg_nodes", _items(2))
    assert set(again.versions("me", "kg_nodes")) == {"id2"}
    again.close()


def test_that_a_folder_that_kills_the_process_is_emptied_the_third_time(
    tmp_path: Path, store: VectorStore, caplog: pytest.LogCaptureFixture
) -> None:
    store.upsert("me", "kg_nodes", _items(1))
    store.close()
    marker = tmp_path / "vectors.opening"
    assert not marker.exists()
    for deaths, kept in ((1, {"id1"}), (2, set())):
        marker.write_bytes(b"x" * deaths)  # as a process that died while opening leaves it
        again = VectorStore(tmp_path / "vectors", DIMENSION, "test-model")
        with caplog.at_level(logging.WARNING):
            assert set(again.versions("me", "kg_nodes")) == kept
        again.close()
        assert not marker.exists()
    assert "died while opening" in caplog.text
    caplog.clear()


def test_that_a_lost_index_file_only_empties_the_store(
    tmp_path: Path, store: VectorStore, caplog: pytest.LogCaptureFixture
) -> None:
    store.upsert("me", "kg_nodes", _items(*range(1100)))
    store.close()
    (index,) = (tmp_path / "vectors").glob("*/link_lists.bin")
    index.unlink()
    again = VectorStore(tmp_path / "vectors", DIMENSION, "test-model")
    with caplog.at_level(logging.WARNING):
        assert again.versions("me", "kg_nodes") == {}
    caplog.clear()
    again.upsert("me", "kg_nodes", _items(1))
    assert again.query("me", "kg_nodes", _vector(1), 1)[0][0] == "id1"
    again.close()
