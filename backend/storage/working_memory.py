"""Working memory of running conversations: LMDB, 24 hours to live, forgettable byte for byte."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import lmdb

from backend.storage.clock import Clock, utc_now
from backend.storage.errors import DatabaseClosed, DiskFull, StorageError
from backend.storage.scope import Scope
from backend.storage.word_forms import forms_of
from backend.storage.working_memory_codec import MOMENT, blanked, item_key, moment_of, prefix

TIME_TO_LIVE = timedelta(hours=24)
INITIAL_MAP_BYTES = 4 * 1024 * 1024
"""Small, because Windows allocates the whole map at once; it doubles when it is full."""

SWEEP_BATCH = 500
SWEPT_WITH_EACH_PUT = 8
_DAMAGED = (
    lmdb.CorruptedError,
    lmdb.InvalidError,
    lmdb.PageNotFoundError,
    lmdb.PanicError,
    lmdb.VersionMismatchError,
)

_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)

Payload = Mapping[str, Any]
"""A JSON object, such as role, speaker and text of a message."""


class WorkingMemory:
    """The last messages of each conversation, quickly at hand; a copy, never the only place.

    Every access happens under one lock, because the map may only grow while no transaction is
    open (reference/storage §4). A damaged file is replaced by an empty one.
    """

    def __init__(self, path: Path, clock: Clock = utc_now) -> None:
        """Open or create the folder ``path``. Raises StorageError if that is impossible."""
        self._path = path
        self._clock = clock
        self._lock = threading.RLock()
        self._environment: lmdb.Environment | None = None
        shutil.rmtree(path / "rewrite", ignore_errors=True)  # left by a crash
        try:
            try:
                self._open()
            except _DAMAGED as error:
                self._start_afresh(error)
        except (lmdb.Error, OSError) as error:
            raise StorageError(f"The working memory cannot be opened. ({error})") from error

    def _open(self, map_bytes: int = INITIAL_MAP_BYTES) -> None:
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = self._path / "data.mdb"
        size = max(map_bytes, data.stat().st_size if data.exists() else 0)
        self._environment = _environment(self._path, size)
        self._items = self._environment.open_db(b"items")
        self._expiry = self._environment.open_db(b"expiry")

    def _start_afresh(self, error: Exception) -> None:
        _log.warning("working memory was damaged and is emptied: %s", type(error).__name__)
        self._close_environment()
        (self._path / "data.mdb").unlink(missing_ok=True)
        self._open()

    # ------------------------------------------------------------ use

    def put(self, conversation_id: str, ordinal: int, payload: Payload) -> None:
        """Keep one message (again); some expired ones are swept on the way."""
        now = self._now()
        expires = MOMENT.pack(now + int(TIME_TO_LIVE.total_seconds() * 1000))
        key = item_key(conversation_id, ordinal)
        body = json.dumps(dict(payload), ensure_ascii=False).encode("utf-8", "replace")

        def write(txn: lmdb.Transaction) -> None:
            old = txn.get(key, db=self._items)
            if old is not None:
                txn.delete(bytes(old[: MOMENT.size]) + key, db=self._expiry)
            txn.put(key, expires + body, db=self._items)
            txn.put(expires + key, b"", db=self._expiry)
            self._sweep_some(txn, now, SWEPT_WITH_EACH_PUT)

        self._write(write)

    def recent(self, conversation_id: str, limit: int) -> list[tuple[int, dict[str, Any]]]:
        """The last ``limit`` messages kept as (ordinal, payload), oldest first."""
        now = self._now()
        start = prefix(conversation_id)
        found: list[tuple[int, dict[str, Any]]] = []

        def read(txn: lmdb.Transaction) -> None:
            cursor = txn.cursor(self._items)
            if cursor.set_range(start + b"\xff" * MOMENT.size):
                cursor.prev()
            else:
                cursor.last()
            for key, value in cursor.iterprev(keys=True, values=True):
                if len(found) >= limit or not bytes(key).startswith(start):
                    break
                if moment_of(value) > now:
                    ordinal: int = MOMENT.unpack(bytes(key)[-MOMENT.size :])[0]
                    found.append((ordinal, json.loads(bytes(value)[MOMENT.size :])))

        self._access(read, write=False)
        return found[::-1]

    def delete_message(self, conversation_id: str, ordinal: int) -> None:
        """Drop one message; its bytes go with the next ``rewrite``."""
        key = item_key(conversation_id, ordinal)
        self._write(lambda txn: self._delete(txn, key))

    def sweep(self) -> int:
        """Delete what has expired, in small transactions; returns how many."""
        now = self._now()
        total = 0
        while swept := self._write(lambda txn: self._sweep_some(txn, now, SWEEP_BATCH)):
            total += swept
        return total

    def _sweep_some(self, txn: lmdb.Transaction, now: int, limit: int) -> int:
        cursor = txn.cursor(self._expiry)
        expired: list[bytes] = []
        for key, _ in cursor:
            if len(expired) >= limit or moment_of(key) > now:
                break
            expired.append(bytes(key))
        for key in expired:
            txn.delete(key, db=self._expiry)
            txn.delete(key[MOMENT.size :], db=self._items)
        return len(expired)

    def _delete(self, txn: lmdb.Transaction, key: bytes) -> None:
        old = txn.get(key, db=self._items)
        if old is not None:
            txn.delete(bytes(old[: MOMENT.size]) + key, db=self._expiry)
            txn.delete(key, db=self._items)

    # ------------------------------------------------------------ forgetting

    def forget_message_span(
        self, scope: Scope, message_id: str, start: int, end: int, text: str
    ) -> None:
        """See Forgettable; every copy of the words goes, whichever message it stands in."""
        self.forget_text(text)

    def forget_fact(self, scope: Scope, fact_id: str, text: str) -> None:
        """See Forgettable."""
        self.forget_text(text)

    def forget_text(self, text: str) -> int:
        """Blank a text wherever it stands, keeping the length; returns in how many messages.

        The old bytes stay in free pages until ``rewrite``.
        """
        if not text.strip():
            return 0
        return self._forget_pattern(re.compile(re.escape(text)))

    def forget_word(self, scope: Scope, word: str) -> None:
        """See Forgettable."""
        if word.strip():
            self._forget_pattern(forms_of(word))

    def _forget_pattern(self, pattern: re.Pattern[str]) -> int:
        def blank(txn: lmdb.Transaction) -> int:
            changed = [
                (bytes(key), bytes(value[: MOMENT.size]) + new)
                for key, value in txn.cursor(self._items)
                if (new := blanked(bytes(value)[MOMENT.size :], pattern)) is not None
            ]
            for key, value in changed:
                txn.put(key, value, db=self._items)
            return len(changed)

        return self._write(blank)

    def clear(self) -> None:
        """Drop everything; the bytes go with the next ``rewrite``."""

        def drop(txn: lmdb.Transaction) -> None:
            txn.drop(self._items, delete=False)
            txn.drop(self._expiry, delete=False)

        self._write(drop)

    def rewrite(self) -> None:
        """Write the file anew with nothing but what is kept and has not expired.

        LMDB never clears a page that it frees, so this alone removes forgotten bytes.
        """
        self.sweep()
        fresh = self._path / "rewrite"
        with self._lock:
            environment = self._opened()
            size = int(environment.info()["map_size"])
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(mode=0o700)
            try:
                copy = _environment(fresh, size)
                with contextlib.closing(copy):
                    self._copy_into(environment, copy)
                    copy.sync(True)
                self._close_environment()
                os.replace(fresh / "data.mdb", self._path / "data.mdb")
            except (lmdb.Error, OSError) as error:
                raise StorageError(
                    f"The working memory cannot be written anew. ({error})"
                ) from error
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
                if self._environment is None:
                    self._open(size)

    def _copy_into(self, source: lmdb.Environment, target: lmdb.Environment) -> None:
        for name, database in ((b"items", self._items), (b"expiry", self._expiry)):
            into = target.open_db(name)
            with source.begin(db=database) as reading, target.begin(db=into, write=True) as writing:
                for key, value in reading.cursor():
                    writing.put(key, value, append=True)

    # ------------------------------------------------------------ the rest

    def close(self) -> None:
        """Flush and close; further use raises DatabaseClosed."""
        with self._lock:
            if self._environment is not None:
                self._environment.sync(True)
            self._close_environment()

    def _close_environment(self) -> None:
        if self._environment is not None:
            self._environment.close()
            self._environment = None

    def _opened(self) -> lmdb.Environment:
        if self._environment is None:
            raise DatabaseClosed("the working memory is closed")
        return self._environment

    def _write(self, action: Callable[[lmdb.Transaction], _Result]) -> _Result:
        while True:
            try:
                return self._access(action, write=True)
            except lmdb.MapFullError:
                with self._lock:
                    environment = self._opened()
                    environment.set_mapsize(int(environment.info()["map_size"]) * 2)
            except lmdb.DiskError as error:
                raise DiskFull("The disk is full.") from error

    def _access(self, action: Callable[[lmdb.Transaction], _Result], *, write: bool) -> _Result:
        with self._lock:
            try:
                with self._begin(write) as txn:
                    return action(txn)
            except _DAMAGED as error:
                self._start_afresh(error)
                with self._begin(write) as txn:
                    return action(txn)

    @contextmanager
    def _begin(self, write: bool) -> Iterator[lmdb.Transaction]:
        with self._opened().begin(write=write) as txn:
            yield txn

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)


def _environment(path: Path, map_bytes: int) -> lmdb.Environment:
    """Open or create a folder.

    ``sync=False``: a power cut may cost this copy, a killed process costs nothing (reference
    §4). ``lock=False``: the lock file is mapped memory, and touching it on a full disk kills the
    process; the one process that owns the home has a lock of its own around every access.
    """
    return lmdb.open(str(path), map_size=map_bytes, max_dbs=2, sync=False, lock=False, mode=0o600)
