"""The thread that keeps the vector store in step with the database."""

from __future__ import annotations

import logging
import threading

from backend.storage.database import Database
from backend.storage.errors import DatabaseClosed
from backend.storage.outbox import OutboxDrainer
from backend.storage.vectors import VectorStore, VectorStoreError

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
PATIENCE = 3
"""Failures of the vector store in a row after which the cache is thrown away and filled again."""

PAUSE_BETWEEN_BATCHES_S = 0.005
"""Lets other threads have the interpreter and the locks between two batches."""

_log = logging.getLogger(__name__)


class OutboxThread:
    """Drains after each commit, in small batches; survives every failure by waiting and trying on.

    Idle it waits for an event and costs nothing. ``close`` ends and joins it.
    """

    def __init__(
        self,
        database: Database,
        drainer: OutboxDrainer,
        vectors: VectorStore,
        first_wait_s: float = FIRST_WAIT_S,
    ) -> None:
        self._drainer = drainer
        self._vectors = vectors
        self._first_wait_s = first_wait_s
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._idle = threading.Condition()
        self._is_idle = False
        self._thread = threading.Thread(target=self._run, name="vector-outbox", daemon=True)
        database.on_commit(self._on_commit)

    def start(self) -> None:
        """Reconcile both stores, then drain until ``close``."""
        self._thread.start()

    def close(self) -> None:
        """End after the running batch and join."""
        self._stopping.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def wait_until_idle(self, timeout_s: float) -> bool:
        """Wait until all that was committed is in the vector store; False if it took longer."""
        with self._idle:
            return self._idle.wait_for(lambda: self._is_idle, timeout_s)

    def _on_commit(self) -> None:
        with self._idle:
            self._is_idle = False
        self._wake.set()

    def _run(self) -> None:
        failures = 0
        reconciled = False
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                if not reconciled:
                    self._drainer.reconcile()
                    reconciled = True
                self._drain_all()
            except DatabaseClosed:
                return
            except Exception as error:
                failures += 1
                self._tell(error, failures)
                if isinstance(error, VectorStoreError) and failures % PATIENCE == 0:
                    self._empty()
                    reconciled = False
                wait = self._first_wait_s * 2 ** min(failures - 1, 10)
                self._stopping.wait(min(wait, LONGEST_WAIT_S))
            else:
                failures = 0
                self._rest()

    def _tell(self, error: Exception, failures: int) -> None:
        # The name of the class only: a text of an error could hold what was said.
        _log.warning("vectors wait: %s, failure %d in a row", type(error).__name__, failures)

    def _drain_all(self) -> None:
        while self._drainer.drain_once() and not self._stopping.is_set():
            self._stopping.wait(PAUSE_BETWEEN_BATCHES_S)
        if not self._stopping.is_set() and not self._drainer.rewrite_if_due():
            raise VectorStoreError("forgotten vectors are still in the files")

    def _rest(self) -> None:
        with self._idle:
            self._is_idle = not self._wake.is_set()
            self._idle.notify_all()
        self._wake.wait()
        with self._idle:
            self._is_idle = False

    def _empty(self) -> None:
        _log.warning("the vector store is emptied after repeated failures")
        try:
            self._vectors.empty()
        except VectorStoreError as error:
            self._tell(error, PATIENCE)
