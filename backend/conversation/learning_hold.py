"""Holds the background memory back as long as any message is taken in or answered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from backend.conversation.ports import LearningGate


class LearningHold:
    """Counts those who need the computer for an answer; the first pauses, the last resumes."""

    def __init__(self, gate: LearningGate) -> None:
        self._gate = gate
        self._lock = threading.Lock()
        self._holders = 0

    @contextmanager
    def while_committing(self) -> Iterator[Callable[[], None]]:
        """Hold until the block ends; calling what it yields hands the hold on to a turn.

        That turn then has to :meth:`release` it.
        """
        kept = False

        def keep() -> None:
            nonlocal kept
            kept = True

        self._acquire()
        try:
            yield keep
        finally:
            if not kept:
                self.release()

    def release(self) -> None:
        """Give one hold back."""
        with self._lock:
            self._holders -= 1
            if self._holders == 0:
                self._gate.resume()

    def _acquire(self) -> None:
        with self._lock:
            self._holders += 1
            if self._holders == 1:
                self._gate.pause()
