"""The strict wrapper around the libSQL driver: the only way into the database file."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import libsql

from backend.storage.companions import repair_companions
from backend.storage.errors import (
    DatabaseClosed,
    DatabaseCorrupt,
    ParameterCountError,
    StatementRefused,
    StorageError,
    TransactionLost,
    classify,
)
from backend.storage.parameters import Value, bind, refuse_nul
from backend.storage.sql_text import cast_places, shape_of

Row = tuple[Any, ...]

_Result = TypeVar("_Result")

_log = logging.getLogger(__name__)


class Database:
    """One connection to one file, shared by all threads of the process behind a lock.

    Closes every trap of reference/storage §1.6. The driver never releases the interpreter lock,
    and two connections in one process can block each other for good, so there is exactly one.
    """

    def __init__(self, path: Path, key: str | None = None, busy_timeout_ms: int = 5000) -> None:
        """Open or create the file and prove that it can be read with ``key``.

        Raises StatementRefused for an empty key (the driver would write plain text), WrongKey,
        DatabaseCorrupt, ReadOnlyDatabase, DatabaseLocked or DatabaseUnavailable.
        """
        if key == "":
            raise StatementRefused("an empty key would leave the memory unencrypted")
        self.path = path
        self._has_key = key is not None
        self._busy_timeout_ms = busy_timeout_ms
        self._connect: Callable[[], Any] = lambda: _connect(path, key)
        self._lock = threading.RLock()
        self._depth = 0
        self._lost = False
        self._wrote = False
        self._commit_listeners: tuple[Callable[[], None], ...] = ()
        self._connection: Any = None
        self._open()

    def _open(self) -> None:
        repair_companions(self.path)
        self._connection = self._guarded(self._connect)
        try:
            self._set_up()
        except BaseException:
            self.close()
            raise

    def _set_up(self) -> None:
        self.execute(f"PRAGMA busy_timeout = {int(self._busy_timeout_ms)}")
        self.execute("SELECT count(*) FROM sqlite_master")  # proves the key
        self.execute("PRAGMA journal_mode = WAL")
        self.execute("PRAGMA synchronous = FULL")
        self.execute("PRAGMA secure_delete = ON")
        self.execute("PRAGMA foreign_keys = ON")
        self.execute("PRAGMA temp_store = MEMORY")  # no text in temporary files
        # Without a limit the -wal file keeps its largest size for ever.
        self.execute("PRAGMA journal_size_limit = 8388608")

    # ------------------------------------------------------------ statements

    def execute(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        """Run one statement and return all its rows; outside a transaction it commits at once.

        Raises a subclass of StorageError; after an error outside a transaction nothing is kept.
        """
        shape = shape_of(sql)
        if shape.copies_file and self._has_key:
            raise StatementRefused("this would write an unencrypted copy of the memory")
        if len(params) != len(shape.places):
            raise ParameterCountError(
                f"the statement has {len(shape.places)} parameters, {len(params)} were given"
            )
        bound, wide = bind(params)
        if wide:
            sql = cast_places(sql, shape.places, wide)
        with self._lock:
            self._check_usable()
            rows = self._run(sql, bound)
            if not shape.reads_only:
                self._wrote = True
                if self._depth == 0:
                    self._announce_commit()
        return rows

    def script(self, sql: str) -> None:
        """Run several statements in one transaction; the first error takes all of them back.

        A script must not open or end transactions itself.
        """
        refuse_nul(sql)
        with self.transaction():
            self._check_usable()
            self._guarded(lambda: self._run_script(sql))
            self._wrote = True
            self._check_transaction_alive()

    def _run_script(self, sql: str) -> None:
        cursor = self._connection.cursor()
        try:
            # Connection.executescript() swallows errors; the cursor's does not (trap 4).
            cursor.executescript(sql)
        finally:
            cursor.close()

    def _run(self, sql: str, bound: tuple[Value, ...]) -> list[Row]:
        def run() -> list[Row]:
            # A fresh cursor each time, fetched once: a second fetch would run the statement
            # again, and an undrained RETURNING would block COMMIT (traps 2, 3, 8, 10).
            cursor = self._connection.cursor()
            try:
                cursor.execute(sql, bound)
                return cursor.fetchall() or []
            finally:
                cursor.close()

        try:
            return self._guarded(run)
        except StorageError:
            self._check_transaction_alive()
            raise

    def _guarded(self, action: Callable[[], _Result]) -> _Result:
        try:
            return action()
        except StorageError:
            raise
        except BaseException as error:
            # The driver panics with a BaseException that `except Exception` misses (trap 6).
            if isinstance(error, Exception) or type(error).__name__ == "PanicException":
                raise classify(error, has_key=self._has_key) from error
            raise

    # ------------------------------------------------------------ transactions

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all statements of the block, or none.

        Inside another transaction of the same thread it joins that one: it is kept when the outer
        one is, and taken back alone when its own block fails. Another thread waits.
        Raises DiskFull and the like from COMMIT, after everything was taken back.
        """
        with self._lock:
            self._check_usable()
            nested = self._depth > 0
            self._run(f"SAVEPOINT level_{self._depth}" if nested else "BEGIN IMMEDIATE", ())
            self._depth += 1
            try:
                yield
                self._check_usable()
            except BaseException:
                self._depth -= 1
                self._take_back()
                raise
            self._depth -= 1
            self._keep()

    @property
    def in_transaction(self) -> bool:
        """True while the calling thread is inside ``transaction()``."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            return self._depth > 0
        finally:
            self._lock.release()

    def _keep(self) -> None:
        if self._depth > 0:
            self._run(f"RELEASE level_{self._depth}", ())
            return
        try:
            self._run("COMMIT", ())
        except StorageError:
            self._take_back()
            raise
        self._announce_commit()

    def _take_back(self) -> None:
        try:
            if not self._lost and self._connection is not None:
                if self._depth > 0:
                    self._run(f"ROLLBACK TO level_{self._depth}", ())
                    self._run(f"RELEASE level_{self._depth}", ())
                elif self._connection.in_transaction:
                    self._run("ROLLBACK", ())
        except StorageError as error:
            # The first error is the one to tell; this one only says that it was worse.
            _log.error("a transaction could not be rolled back: %s", type(error).__name__)
        finally:
            if self._depth == 0:
                self._lost = False
                self._wrote = False

    def _check_transaction_alive(self) -> None:
        # A full disk makes the engine roll back by itself; later statements of the block would
        # then be committed one by one.
        if self._depth > 0 and not self._connection.in_transaction:
            self._lost = True

    def _check_usable(self) -> None:
        if self._connection is None:
            raise DatabaseClosed("the memory file is closed")
        if self._lost:
            raise TransactionLost("the transaction was taken back after an error")

    # ------------------------------------------------------------ the rest

    def on_commit(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` after every commit that may have changed rows.

        It runs in the committing thread and must only signal (set an event), never block.
        """
        with self._lock:
            self._commit_listeners = (*self._commit_listeners, listener)

    def _announce_commit(self) -> None:
        if self._wrote:
            self._wrote = False
            for listener in self._commit_listeners:
                listener()

    def integrity_check(self) -> list[str]:
        """Return what is wrong with the file, one finding a line; an empty list means nothing."""
        try:
            findings = [str(row[0]) for row in self.execute("PRAGMA integrity_check")]
        except DatabaseCorrupt as error:
            return [str(error)]  # too damaged even for the check
        findings = [text for text in findings if text != "ok"]
        broken = self.execute("PRAGMA foreign_key_check")
        findings.extend(f"{table}: row {row} refers to nothing" for table, row, *_ in broken)
        return findings

    def copy_to(self, target: Path) -> None:
        """Copy the whole file as it is on disk, encrypted if it is; other threads wait.

        The file is closed meanwhile: closing a second handle of it in this process would drop
        the engine's locks on it. VACUUM INTO would write a plain copy of an encrypted file
        (reference/storage §1.4).
        """
        with self._lock:
            self._check_usable()
            if self._depth > 0:
                raise StatementRefused("a file cannot be copied inside a transaction")
            self.close()
            try:
                shutil.copyfile(self.path, target)
            finally:
                self._open()

    def close(self) -> None:
        """Wait for the running statement or transaction of other threads, then close."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is None:
                return
            if self._depth > 0:
                self._lost = True
            self._guarded(connection.close)


def _connect(path: Path, key: str | None) -> Any:
    if key is None:
        return libsql.connect(str(path), isolation_level=None)
    return libsql.connect(str(path), isolation_level=None, encryption_key=key)


__all__ = ["Database", "Row", "Value"]
