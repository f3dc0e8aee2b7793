"""Repairs the files that the engine keeps beside the database, when an old lock-out is in them."""

from __future__ import annotations

import stat
from pathlib import Path

from backend.storage.errors import ReadOnlyDatabase

_ENDINGS = ("-wal", "-shm")
_OWNER_MAY = stat.S_IRUSR | stat.S_IWUSR


def repair_companions(database: Path) -> None:
    """Give ``-wal`` and ``-shm`` the database's rights back, where they have fewer.

    The engine makes them with the rights that the database has at that moment; if that was once
    read-only, they stay so and lock the memory out although its own file can be written again.

    Raises ReadOnlyDatabase, naming the file, if it is somebody else's.
    """
    if not database.exists() or not _is_usable(database):
        return
    for ending in _ENDINGS:
        companion = database.with_name(database.name + ending)
        if not companion.exists() or _is_usable(companion):
            continue
        try:
            companion.chmod(stat.S_IMODE(database.stat().st_mode) | _OWNER_MAY)
        except OSError as error:
            raise ReadOnlyDatabase(
                f"The file {companion.name} beside the memory file cannot be written. Check that"
                " it belongs to you and is not read-only."
            ) from error


def _is_usable(file: Path) -> bool:
    """By its rights, not by access(): for an administrator everything can be written."""
    return file.stat().st_mode & _OWNER_MAY == _OWNER_MAY
