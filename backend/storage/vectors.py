"""The vector store: Chroma as a cache that can be thrown away and filled again."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.storage.errors import DatabaseClosed
from backend.storage.vector_files import any_vector_in_files
from backend.storage.vector_folder import (
    VectorFolder,
    VectorStoreBusy,
    VectorStoreError,
    vector_errors,
)
from backend.storage.vector_rewrite import overwrite_and_delete, rebuild, save_and_clear

CollectionKind = Literal["kg_nodes", "kg_edges"]
KINDS: tuple[CollectionKind, ...] = ("kg_nodes", "kg_edges")

ITEMS_AT_ONCE = 50
"""Chroma's ``add`` holds the interpreter lock; 50 keeps each hold short (reference/storage §2)."""

IDS_AT_ONCE = 5000
MOST_HITS = 1000
LONGEST_QUERY_WAIT_S = 0.05
"""An answer goes on without vectors rather than wait for a rewrite of their files."""

MOST_LOOKED_FOR = 5000
"""Deleted vectors that are looked for after a rewrite, the last ones: 10 MB at 512 numbers. Facts
also go without being forgotten, and then nothing rewrites for as long as the app runs."""

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class VectorItem:
    """One vector with the only things that may stand beside it: never a text (DESIGN §4)."""

    item_id: str
    vector: NDArray[np.float32]
    version: int
    label: str = ""


class VectorStore:
    """One pair of collections for each user, compared by cosine.

    There must be one owner process of the folder. The library is imported and the folder opened
    at the first use, in the thread that uses it (2.5 s), so that nothing waits for it at start:
    ask ``ready`` before a query that must be quick. Hits are of all contexts of the user; the
    caller reads them from the database with its scope. All methods are safe for many threads;
    they raise VectorStoreError, or DatabaseClosed after ``close``.
    """

    def __init__(self, path: Path, dimension: int, model: str) -> None:
        """``model`` names the embedder; collections filled by another one are emptied."""
        self._folder = VectorFolder(path, model)
        self._dimension = dimension
        self._model = model
        self._lock = threading.RLock()
        self._removed: deque[NDArray[np.float32]] = deque(maxlen=MOST_LOOKED_FOR)
        self._closed = False

    @property
    def ready(self) -> bool:
        """True once the folder is open."""
        return self._folder.is_open

    def open(self) -> None:
        """Import the library and open the folder; harmless when it is open."""
        with self._opened():
            pass

    # ------------------------------------------------------------ use

    def upsert(self, user_id: str, kind: CollectionKind, items: Sequence[VectorItem]) -> None:
        """Store or replace items. Raises VectorStoreError for a vector of a wrong dimension."""
        for item in items:
            self._check(item.vector)
        # Chroma refuses an id that stands twice in a call; the last one is meant.
        unique = list({item.item_id: item for item in items}.values())
        for part in _parts(unique, ITEMS_AT_ONCE):
            with self._opened() as folder:
                folder.of_user(user_id, kind).upsert(
                    ids=[item.item_id for item in part],
                    embeddings=[item.vector for item in part],
                    metadatas=[{"version": item.version, "label": item.label} for item in part],
                )

    def delete(self, user_id: str, kind: CollectionKind, item_ids: Sequence[str]) -> None:
        """Remove items; ids that are not there are passed over.

        Their bytes stay in the files until ``rewrite_files``.
        """
        for part in _parts(item_ids, ITEMS_AT_ONCE):
            with self._opened() as folder:
                collection = folder.of_user(user_id, kind)
                found = collection.get(ids=list(part), include=["embeddings"])
                if found["ids"]:
                    self._removed.extend(np.asarray(found["embeddings"], dtype=np.float32))
                    overwrite_and_delete(collection, found["ids"], self._dimension)

    def query(
        self, user_id: str, kind: CollectionKind, vector: NDArray[np.float32], n: int
    ) -> list[tuple[str, float]]:
        """The ``n`` (at most MOST_HITS) nearest ids with their cosine, nearest first.

        Raises VectorStoreBusy when the files are being written anew, which may take long.
        """
        self._check(vector)
        if n < 1:
            return []
        with self._opened(LONGEST_QUERY_WAIT_S) as folder:
            result = folder.of_user(user_id, kind).query(
                query_embeddings=[vector], n_results=min(n, MOST_HITS), include=["distances"]
            )
        return [
            (str(item_id), 1.0 - float(distance))
            for item_id, distance in zip(result["ids"][0], result["distances"][0], strict=True)
        ]

    def versions(self, user_id: str, kind: CollectionKind) -> dict[str, int]:
        """The version of every stored item by id."""
        versions: dict[str, int] = {}
        offset = 0
        while True:
            with self._opened() as folder:
                page = folder.of_user(user_id, kind).get(
                    limit=IDS_AT_ONCE, offset=offset, include=["metadatas"]
                )
            for item_id, metadata in zip(page["ids"], page["metadatas"], strict=True):
                versions[item_id] = int(metadata["version"])
            if len(page["ids"]) < IDS_AT_ONCE:
                return versions
            offset += IDS_AT_ONCE

    def count(self, user_id: str, kind: CollectionKind) -> int:
        """How many items are stored."""
        with self._opened() as folder:
            return int(folder.of_user(user_id, kind).count())

    def users(self) -> set[str]:
        """The users who have collections here."""
        with self._opened() as folder:
            return {str(found.metadata["user"]) for found in folder.all_collections()}

    # ------------------------------------------------------------ forgetting

    def rewrite_files(self) -> bool:
        """Write the files anew, so that what was deleted or replaced is in none of them.

        Then looks for the vectors deleted since the last time; if one is still there, everything
        is built again from the items themselves. Queries of other threads wait meanwhile (0.25 s
        at 20,000 vectors, measured). Returns True if none of those vectors was found in the end.
        """
        with self._opened() as folder:
            save_and_clear(folder, self._dimension)
            clean = not any_vector_in_files(folder.path, list(self._removed))
            if not clean:
                rebuild(folder, self._model)
                clean = not any_vector_in_files(folder.path, list(self._removed))
            if clean:
                self._removed.clear()
            return clean

    # ------------------------------------------------------------ the rest

    def empty(self) -> None:
        """Throw everything away, to be filled again by the reconciliation."""
        with self._lock:
            if self._closed:
                raise DatabaseClosed("the vector store is closed")
            self._folder.empty()
            self._removed.clear()

    def close(self) -> None:
        """Free memory and file handles; further use raises DatabaseClosed."""
        with self._lock:
            self._closed = True
            self._folder.close()

    @contextmanager
    def _opened(self, longest_wait_s: float = -1) -> Iterator[VectorFolder]:
        """The folder, for this thread alone; a negative wait has no limit."""
        if not self._lock.acquire(timeout=longest_wait_s):
            raise VectorStoreBusy("the vectors are being written anew")
        try:
            with vector_errors():
                if self._closed:
                    raise DatabaseClosed("the vector store is closed")
                self._folder.open()
                yield self._folder
        finally:
            self._lock.release()

    def _check(self, vector: NDArray[np.float32]) -> None:
        if vector.shape != (self._dimension,) or vector.dtype != np.float32:
            raise VectorStoreError(
                f"a vector of {self._dimension} float32 numbers is needed, not of shape"
                f" {vector.shape} and type {vector.dtype}"
            )
        if not np.isfinite(vector).all():
            raise VectorStoreError("a vector holds a number that is not finite")


def _parts(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


__all__ = ["KINDS", "CollectionKind", "VectorItem", "VectorStore", "VectorStoreError"]
