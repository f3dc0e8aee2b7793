"""Sees to it that one process at most owns a home folder."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

import msgspec

from aico_desktop.contract.rendezvous import OwnerRecord, read_owner
from aico_desktop.paths import HomePaths

if sys.platform == "win32":
    import msvcrt

    # Far behind the record: on Windows a locked byte cannot be read by others.
    _LOCKED_BYTE = 1 << 30

    def _take(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class HomeInUse(Exception):
    """Another process owns the home; the text says which, for the person."""


class HomeLock:
    """Held for the life of the backend; the system releases it when the process dies.

    Raises :class:`HomeInUse` from :meth:`acquire`.
    """

    def __init__(self, home: HomePaths) -> None:
        self._home = home
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the home over and write down who did."""
        descriptor = os.open(self._home.lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _take(descriptor)
        except OSError as error:
            os.close(descriptor)
            raise HomeInUse(self._in_words()) from error
        owner = OwnerRecord(
            pid=os.getpid(), started_at=datetime.now(UTC).isoformat(timespec="seconds")
        )
        os.ftruncate(descriptor, 0)
        os.write(descriptor, msgspec.json.encode(owner))
        self._descriptor = descriptor

    def release(self) -> None:
        """Let the home go; harmless when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def _in_words(self) -> str:
        owner = read_owner(self._home)
        who = f" (process {owner.pid}, since {owner.started_at})" if owner else ""
        return (
            f"The folder {self._home.root} is in use by another AICO backend{who}."
            " Only one at a time can own it."
        )
