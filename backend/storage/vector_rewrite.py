"""Writing Chroma's files anew, so that deleted and replaced vectors are in none of them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.storage.vector_files import clear_freed_pages
from backend.storage.vector_folder import SYNC_THRESHOLD, VectorFolder

_ROUNDS = 2
_DUMMIES = tuple(f"rewrite-{number}" for number in range(4))
_PAGE = 50


def overwrite_and_delete(collection: Any, item_ids: Sequence[str], dimension: int) -> None:
    """Replace the vectors by one that says nothing, then delete the items.

    Chroma's index only marks an item as deleted and keeps its numbers in place.
    """
    blank = np.full(dimension, 1 / np.sqrt(dimension), dtype=np.float32)
    collection.upsert(
        ids=list(item_ids),
        embeddings=[blank] * len(item_ids),
        metadatas=[{"version": -1, "label": ""}] * len(item_ids),
    )
    collection.delete(ids=list(item_ids))


def save_and_clear(folder: VectorFolder, dimension: int) -> None:
    """Make Chroma save each index and empty its log of writes, then rewrite its database.

    Chroma saves after ``sync_threshold`` writes and reads that number when it opens, so it is
    lowered, the folder opened again, and a few items written and taken back.
    """
    _set_thresholds(folder, 2)
    folder.close()
    for collection in folder.all_collections():
        for _ in range(_ROUNDS):
            overwrite_and_delete(collection, _DUMMIES, dimension)
    _set_thresholds(folder, SYNC_THRESHOLD)
    folder.close()
    clear_freed_pages(folder.path)
    folder.open()


def _set_thresholds(folder: VectorFolder, writes: int) -> None:
    for collection in folder.all_collections():
        collection.modify(configuration={"hnsw": {"sync_threshold": writes}})


def rebuild(folder: VectorFolder, model: str) -> None:
    """Copy every item into a new folder and put that in the place of the old one.

    Slow (20 s at 10,000 items, measured), hence only when ``save_and_clear`` was not enough.
    """
    new_path = folder.path.with_name(folder.path.name + ".new")
    shutil.rmtree(new_path, ignore_errors=True)
    copy = VectorFolder(new_path, model)
    try:
        copy.open()
        for collection in folder.all_collections():
            _copy_items(collection, copy)
        copy.close()
        folder.close()
        shutil.rmtree(folder.path)
        new_path.replace(folder.path)
    finally:
        copy.close()
        shutil.rmtree(new_path, ignore_errors=True)
    folder.open()


def _copy_items(collection: Any, copy: VectorFolder) -> None:
    target = copy.of_user(collection.metadata["user"], collection.metadata["kind"])
    for offset in range(0, int(collection.count()), _PAGE):
        page = collection.get(limit=_PAGE, offset=offset, include=["embeddings", "metadatas"])
        vectors: NDArray[np.float32] = np.asarray(page["embeddings"], dtype=np.float32)
        target.upsert(ids=page["ids"], embeddings=list(vectors), metadatas=page["metadatas"])
