"""The real backend as a process that can be killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from aico_desktop.backend_command import BackendCommand, ReadyLine, read_ready_line
from aico_desktop.contract.client import BackendClient
from aico_desktop.paths import HomePaths
from backend.stopping import EXIT_CUT_SHORT

STOP_TIMEOUT_S = 30


class BackendUnderTest:
    """One life of the backend of a home; ``kill`` ends it as a crash does."""

    def __init__(self, home: HomePaths, environment: Mapping[str, str]) -> None:
        home.prepare()
        command = BackendCommand((sys.executable, "-m", "backend"))
        # A file, because a full pipe that nobody reads would stop the backend.
        self._errors_path = home.logs / "stderr-of-the-test.log"
        self._stderr = self._errors_path.open("ab")
        self._process = subprocess.Popen(
            command.arguments(home, lease=True),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env={**command.environment(), **environment},
        )
        self._home = home
        self.client: BackendClient | None = None

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def connect(self) -> BackendClient:
        """Wait until it is ready and greet it."""
        self._wait_until_ready()
        self.client = BackendClient(self._home, "fault-test", wants_events=True)
        self.client.connect(30)
        return self.client

    def _wait_until_ready(self) -> ReadyLine:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            ready = read_ready_line(line)
            if ready is not None:
                assert ready.ready, ready.human
                return ready
        raise AssertionError(f"the backend ended without a ready line:\n{self._errors()}")

    def kill(self) -> None:
        """End it by signal 9, whatever it is doing."""
        self._process.kill()
        self._release()

    def stop(self) -> None:
        """End it in order, by letting go of its lease."""
        if self.client is not None:
            self.client.close()
            self.client = None
        assert self._process.stdin is not None
        self._process.stdin.close()
        code = self._process.wait(STOP_TIMEOUT_S)
        # Cut short is an orderly end that took too long on a busy computer: as safe as a kill.
        assert code in (0, EXIT_CUT_SHORT), f"exit code {code}:\n{self._errors()}"
        self._release()

    def _release(self) -> None:
        self._process.wait()
        if self.client is not None:
            self.client.close()
            self.client = None
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._stderr.close()

    def _errors(self) -> str:
        return self._errors_path.read_text("utf-8", "replace")[-3000:]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self.kill()


def home_in(folder: Path) -> HomePaths:
    """A home of a test's own."""
    return HomePaths(folder / "home-under-test")
