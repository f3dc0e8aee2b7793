"""What lies in Chroma's files: clearing freed pages, and looking for the bytes of a vector."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-6
"""The index scales vectors to length 1 again, which may change the last bits."""

NUMBERS_COMPARED = 16
CHUNK_BYTES = 8 * 1024 * 1024


def clear_freed_pages(folder: Path) -> None:
    """Rewrite Chroma's own database without its freed pages; it must not be open."""
    path = folder / "chroma.sqlite3"
    if not path.exists():
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("VACUUM")


def any_vector_in_files(folder: Path, vectors: Sequence[NDArray[np.float32]]) -> bool:
    """True if the beginning of one of the vectors lies in a file, as float32 at any offset."""
    if not vectors:
        return False
    heads = [np.asarray(vector[:NUMBERS_COMPARED], dtype="<f4") for vector in vectors]
    files = (path for path in folder.rglob("*") if path.is_file())
    return any(_file_holds(path, heads) for path in files)


def _file_holds(path: Path, heads: Sequence[NDArray[np.float32]]) -> bool:
    overlap = NUMBERS_COMPARED * 4 + 3
    tail = b""
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            data = tail + chunk
            for alignment in range(4):
                count = (len(data) - alignment) // 4
                if count < NUMBERS_COMPARED:
                    continue
                numbers = np.frombuffer(data, dtype="<f4", offset=alignment, count=count)
                if any(_holds(numbers, head) for head in heads):
                    return True
            tail = data[-overlap:]
    return False


def _holds(numbers: NDArray[np.float32], head: NDArray[np.float32]) -> bool:
    with np.errstate(all="ignore"):  # other bytes read as numbers may be anything
        last = len(numbers) - len(head) + 1
        places = np.flatnonzero(np.abs(numbers[:last] - head[0]) < TOLERANCE)
        for offset, wanted in enumerate(head[1:], start=1):
            if not len(places):
                return False
            places = places[np.abs(numbers[places + offset] - wanted) < TOLERANCE]
    return bool(len(places))
