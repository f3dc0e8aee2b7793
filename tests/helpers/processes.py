"""Starts the small backend as a real process, and watches processes come and go."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from aico_desktop.backend_command import BackendCommand, ReadyLine, read_ready_line
from aico_desktop.paths import HomePaths

SMALL_BACKEND = BackendCommand((sys.executable, "-m", "tests.helpers.small_backend"))
WAIT_S = 20.0


class SmallBackend:
    """One process of the small backend, with its stdin as the lease if wanted."""

    def __init__(self, home: HomePaths, lease: bool = False, idle_grace_s: float = 10.0) -> None:
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [
                *SMALL_BACKEND.arguments(home, lease),
                "--idle-grace",
                str(idle_grace_s),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=SMALL_BACKEND.environment(),
        )

    def ready(self) -> ReadyLine:
        """Wait for the ready line."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            ready = read_ready_line(line)
            if ready is not None:
                return ready
        raise AssertionError("the backend ended without a ready line")

    def end(self) -> None:
        """Kill it if it still runs, and close its pipes."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


def is_running(pid: int) -> bool:
    """Whether the process exists and is no zombie."""
    return _state(pid) not in ("", "Z")


def is_stopped(pid: int) -> bool:
    """Whether all threads of the process are stopped, as by SIGSTOP."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return all(_state(pid, thread.name) == "T" for thread in threads)


def _state(pid: int, thread: str = "") -> str:
    """The letter that /proc has for it; empty when it is gone."""
    path = Path(f"/proc/{pid}/task/{thread}/stat" if thread else f"/proc/{pid}/stat")
    try:
        return path.read_text("ascii", "replace").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def wait_until(holds: Callable[[], bool], seconds: float = WAIT_S) -> None:
    """Wait for something of another process that gives no sign of its own."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, "it never came true"
        time.sleep(0.01)


def kill(pid: int) -> None:
    """End a process as a crash does."""
    os.kill(pid, 9)
