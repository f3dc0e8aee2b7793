"""Finds the running backend of a home or starts one: how terminal commands get their client."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time

from aico_desktop.backend_command import (
    BackendCommand,
    ReadyLine,
    log_sizes,
    log_tail,
    read_ready_line,
    stderr_file,
)
from aico_desktop.contract.client import BackendClient, BackendUnreachable
from aico_desktop.contract.rendezvous import read_endpoint, read_owner, somebody_listens
from aico_desktop.paths import HomePaths

START_TIMEOUT_S = 60.0
"""A first start loads models from a cold disk."""

_ATTACH_TIMEOUT_S = 5.0
_MOST_SILENCES = 2
_RETRY_S = 0.1
_START_AGAIN_AFTER_S = 3.0


class BackendStartError(Exception):
    """The backend could not be started, in words; ``log_tail`` holds the end of its logs.

    ``explained``: the backend itself said why in words, to which its log adds nothing for a person.
    """

    def __init__(self, human: str, tail: str = "", *, explained: bool = False) -> None:
        super().__init__(human)
        self.log_tail = tail
        self.explained = explained


def attach_or_start(
    home: HomePaths,
    client_name: str = "terminal",
    wants_events: bool = False,
    command: BackendCommand | None = None,
    timeout_s: float = START_TIMEOUT_S,
) -> BackendClient:
    """A connected client of the home's backend, which is started if none is running.

    A started backend belongs to nobody: it has a session of its own, so that Ctrl-C here does not
    reach it, and it ends some seconds after its last client. Of two starters at once one wins and
    the other attaches. Raises :class:`BackendStartError` in words, and
    :class:`aico_desktop.contract.client.RequestFailed` when the running backend refuses us
    (``wrong_protocol``).
    """
    ends = time.monotonic() + timeout_s
    start_after = 0.0
    silences = 0
    while True:
        try:
            client = attach(home, client_name, wants_events)
        except BackendUnreachable:
            client = None
            silences += 1
        if client is not None:
            return client
        now = time.monotonic()
        if now >= ends or silences >= _MOST_SILENCES:
            raise BackendStartError(_no_answer(home), log_tail(home))
        if now >= start_after:
            home.prepare()  # only here, as a running backend answers for a read-only home too
            # A backend that lost the race waits for the winner, and tries again if that one dies.
            _start(home, command or BackendCommand(), ends)
            start_after = now + _START_AGAIN_AFTER_S
        else:
            time.sleep(_RETRY_S)


def attach(home: HomePaths, client_name: str, wants_events: bool = False) -> BackendClient | None:
    """A connected client if a backend is running, else None.

    Raises :class:`aico_desktop.contract.client.RequestFailed` when it refuses us and
    :class:`aico_desktop.contract.client.BackendUnreachable` when it runs but does not answer.
    """
    record = read_endpoint(home)
    if record is None or not somebody_listens(record.endpoint):
        return None
    client = BackendClient(home, client_name, wants_events)
    try:
        client.connect(_ATTACH_TIMEOUT_S)
    except BaseException:
        client.close()
        raise
    return client


def _start(home: HomePaths, command: BackendCommand, ends: float) -> None:
    """Start a backend and wait until it is ready, or until it found that another one is."""
    before = log_sizes(home)
    with stderr_file(home).open("ab") as stderr:
        process = subprocess.Popen(
            command.arguments(home, lease=False),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=command.environment(),
            start_new_session=True,
            creationflags=_detached_flags(),
        )
    ready = _wait_for_ready_line(process, ends)
    if ready is None:
        if process.poll() is None:
            process.kill()
        process.wait()
        raise BackendStartError(
            f"The AICO backend did not start (exit code {process.returncode}).",
            log_tail(home, before),
        )
    if not ready.ready:
        process.wait()
        if ready.code != "home_in_use":
            raise BackendStartError(
                ready.human, log_tail(home, before), explained=ready.code != "internal"
            )
        return
    # Collects the exit status, so that no zombie stays while this command runs on.
    threading.Thread(target=process.wait, name="backend-reaper", daemon=True).start()


def _wait_for_ready_line(process: subprocess.Popen[bytes], ends: float) -> ReadyLine | None:
    """None when the process ended, or time ran out, without that line."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    reader = threading.Thread(
        target=_read_lines, args=(process, lines), name="ready-line", daemon=True
    )
    reader.start()
    while True:
        try:
            line = lines.get(timeout=max(0.0, ends - time.monotonic()))
        except queue.Empty:
            return None
        ready = read_ready_line(line)
        if ready is not None or not line:
            return ready


def _read_lines(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """The backend closes its stdout after the line, which ends this thread."""
    if process.stdout is not None:
        with process.stdout as stdout:
            for line in stdout:
                lines.put(line)
    lines.put(b"")


def _detached_flags() -> int:
    """On Windows, what ``start_new_session`` is elsewhere."""
    if sys.platform == "win32":
        return subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    return 0


def _no_answer(home: HomePaths) -> str:
    owner = read_owner(home)
    who = f" (process {owner.pid}, since {owner.started_at})" if owner else ""
    return f"The AICO backend that owns {home.root}{who} does not answer."
