"""One open Chroma folder: importing it late, opening, its collections, and its errors as ours."""

from __future__ import annotations

import contextlib
import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from backend.storage.errors import StorageError
from backend.storage.vector_names import collection_name

SYNC_THRESHOLD = 1000
"""Writes after which Chroma saves its index; its own default, restored after a rewrite."""

MAX_DEATHS = 2
"""One may be a kill by chance; two in a row are not."""

_log = logging.getLogger(__name__)


class VectorStoreError(StorageError):
    """The vector store could not do what was asked; the memory itself is not affected."""


class VectorStoreBusy(VectorStoreError):
    """The files are being written anew; nothing is wrong, but it would take long to wait."""


@contextmanager
def vector_errors() -> Iterator[None]:
    """Turn what Chroma raises into VectorStoreError; it also panics outside of Exception."""
    try:
        yield
    except StorageError:
        raise
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise VectorStoreError(f"the vector store failed: {type(error).__name__}") from error
        raise


class VectorFolder:
    """Holds the one client of a folder. Not safe for threads: VectorStore guards it."""

    def __init__(self, path: Path, model: str) -> None:
        """``model`` names the embedder; a collection filled by another one is emptied."""
        self.path = path
        self._marker = path.with_name(path.name + ".opening")
        self._model = model
        self._client: Any = None
        self._collections: dict[str, Any] = {}

    @property
    def is_open(self) -> bool:
        """True while there is a client."""
        return self._client is not None

    def open(self) -> None:
        """Open the folder; one that cannot be read is emptied, since it is only a cache.

        Chroma takes the whole process down on some damaged files. A marker counts openings that
        did not end; after MAX_DEATHS of them the folder is emptied before it is tried again.
        """
        if self._client is not None:
            return
        deaths = self._count_opening()
        try:
            if deaths >= MAX_DEATHS:
                raise VectorStoreError("the process died while opening it")
            with vector_errors():
                self._client = _new_client(self.path)
                self._try_every_index()
        except VectorStoreError as error:
            # What it held is embedded again by the reconciliation at start.
            _log.warning("the vector store is emptied: %s", error)
            self.empty()
        self._marker.unlink(missing_ok=True)

    def _count_opening(self) -> int:
        """Note that an opening begins; returns how many before it did not end."""
        try:
            before = len(self._marker.read_bytes())
        except OSError:
            before = 0
        self._marker.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._marker.write_bytes(b"x" * (before + 1))
        return before

    def _try_every_index(self) -> None:
        """Have each index read now, while the marker stands."""
        for collection in self.all_collections():
            sample = collection.get(limit=1, include=["embeddings"])["embeddings"]
            if len(sample):
                collection.query(query_embeddings=[sample[0]], n_results=1, include=[])

    def empty(self) -> None:
        """Throw everything away and open an empty folder."""
        with contextlib.suppress(VectorStoreError):
            self.close()
        shutil.rmtree(self.path, ignore_errors=True)
        with vector_errors():
            self._client = _new_client(self.path)

    def close(self) -> None:
        """Let go of memory and files."""
        client, self._client = self._client, None
        self._collections.clear()
        if client is not None:
            with vector_errors():
                client.close()

    def of_user(self, user_id: str, kind: str) -> Any:
        """The user's collection of that kind, created if it is new."""
        name = collection_name(kind, user_id)
        if name not in self._collections:
            self._collections[name] = self._made(name, user_id, kind)
        return self._collections[name]

    def _made(self, name: str, user_id: str, kind: str) -> Any:
        self.open()
        wanted = {"user": user_id, "kind": kind, "model": self._model}
        make = {
            "name": name,
            "metadata": wanted,
            "embedding_function": _refusing_embedder(),
            "configuration": {"hnsw": {"space": "cosine", "sync_threshold": SYNC_THRESHOLD}},
        }
        collection = self._client.get_or_create_collection(**make)
        if collection.metadata != wanted:
            self._client.delete_collection(name)
            collection = self._client.create_collection(**make)
        return collection

    def all_collections(self) -> list[Any]:
        """Every collection of every user."""
        self.open()
        names = [str(found.name) for found in self._client.list_collections()]
        embedder = _refusing_embedder()
        return [self._client.get_collection(name, embedding_function=embedder) for name in names]


def _new_client(path: Path) -> Any:
    import chromadb  # 2.5 s: only in the thread that needs it, when it needs it
    from chromadb.api.shared_system_client import SharedSystemClient
    from chromadb.config import Settings

    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        return chromadb.PersistentClient(
            path=str(path), settings=Settings(anonymized_telemetry=False, is_persistent=True)
        )
    except BaseException:
        # Chroma remembers the half-started system and would fail on this path for ever.
        SharedSystemClient.clear_system_cache()
        raise


def _refusing_embedder() -> Any:
    from backend.storage.vector_refusal import RefusingEmbedder

    return RefusingEmbedder()
