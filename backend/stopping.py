"""The wish that the process end: from a signal, a client or the parent, with a hard limit."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import socket
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
        """Ask for the end; from any thread, but not from a signal handler."""
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


class SignalWatch:
    """Turns SIGTERM and SIGINT into an orderly stop, in a thread of its own.

    A Python signal handler runs inside whatever the main thread does, also while that holds the
    lock of the very event it would set, which is a deadlock. So the interpreter only writes the
    signal's number to a socket. To be made and closed in the main thread.
    """

    _SIGNALS = (signal.SIGTERM, signal.SIGINT)

    def __init__(self, stop: StopRequest) -> None:
        self._stop = stop
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._former_descriptor = signal.set_wakeup_fd(self._writer.fileno())
        self._former = [signal.signal(number, self._leave_to_thread) for number in self._SIGNALS]
        self._thread = threading.Thread(target=self._watch, name="signals", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Give the signals back and end the thread."""
        for number, former in zip(self._SIGNALS, self._former, strict=True):
            signal.signal(number, former)
        signal.set_wakeup_fd(self._former_descriptor)
        self._writer.close()
        self._thread.join()
        self._reader.close()

    def _watch(self) -> None:
        while received := self._reader.recv(1):
            self._stop.make(f"signal {received[0]}")

    @staticmethod
    def _leave_to_thread(number: int, frame: FrameType | None) -> None:
        """The number was written to the socket already."""


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
