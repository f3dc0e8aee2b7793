"""The wish that the process end: from a signal, a client or the parent, with a hard limit."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import sys
import threading
from types import FrameType

logger = logging.getLogger(__name__)

EXIT_CUT_SHORT = 70
"""The orderly stop took longer than its limit."""

ORDERLY_LIMIT_S = 5.0
LEASE_LIMIT_S = 1.5
"""The parent is gone: at most this long until the process is, too."""

_PR_SET_PDEATHSIG = 1


class StopRequest:
    """Set once; from then on the process has so many seconds to end in order."""

    def __init__(self) -> None:
        self._wanted = threading.Event()
        self._finished = threading.Event()
        self._watchdogs: list[threading.Thread] = []

    def make(self, reason: str, limit_s: float = ORDERLY_LIMIT_S) -> None:
        """Ask for the end; from any thread and from signal handlers."""
        watchdog = threading.Thread(
            target=self._watch, args=(limit_s,), name="stop-watchdog", daemon=True
        )
        self._watchdogs.append(watchdog)
        watchdog.start()
        if not self._wanted.is_set():
            logger.info("Stopping: %s", reason)
        self._wanted.set()

    def wait(self, seconds: float) -> bool:
        """Wait so long for the wish; True when it is there."""
        return self._wanted.wait(seconds)

    def finish(self) -> None:
        """Everything is closed: call the watchdogs off."""
        self._finished.set()
        for watchdog in self._watchdogs:
            watchdog.join()

    def _watch(self, limit_s: float) -> None:
        """A blocked thread must not keep the process: it would be an orphan that owns the home."""
        if not self._finished.wait(limit_s):
            logger.error("The orderly stop took longer than %.1f s and was cut short", limit_s)
            os._exit(EXIT_CUT_SHORT)


def obey_signals(stop: StopRequest) -> None:
    """Turn SIGTERM and SIGINT into an orderly stop; from the main thread."""

    def on_signal(number: int, frame: FrameType | None) -> None:
        del frame
        stop.make(f"signal {signal.Signals(number).name}")

    signal.signal(signal.SIGTERM, on_signal)
    signal.signal(signal.SIGINT, on_signal)


def watch_lease(stop: StopRequest, descriptor: int) -> threading.Thread:
    """Stop when the pipe that the parent holds open ends, that is when the parent is gone.

    Reads the descriptor itself: a thread that waits in ``sys.stdin`` holds a lock that makes the
    interpreter abort at its exit. Works on every platform (reference/desktop §7).
    """

    def watch() -> None:
        try:
            while os.read(descriptor, 1024):
                pass
        except OSError:
            logger.info("The lease cannot be read")
        stop.make("the parent is gone", LEASE_LIMIT_S)

    thread = threading.Thread(target=watch, name="lease", daemon=True)
    thread.start()
    return thread


def die_with_parent() -> None:
    """On Linux, let the kernel send SIGTERM when the parent dies: belt to the lease's braces."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
