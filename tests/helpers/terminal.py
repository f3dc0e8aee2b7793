"""Runs `aico` as a person does, in real processes against one home, and ends its backend."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aico_desktop.contract.client import BackendUnreachable
from aico_desktop.contract.messages import Shutdown
from aico_desktop.launcher import attach
from aico_desktop.paths import HomePaths
from tests.helpers.processes import is_running, wait_until

ROOT = Path(__file__).parents[2]
COMMAND_TIMEOUT_S = 180.0


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output read as JSON."""
        return json.loads(self.out)


class Terminal:
    """A home, and the commands given in it. Further settings may be put into its environment."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.home = HomePaths(folder / "aico")
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        self.environment = {
            **os.environ,
            "AICO_HOME": str(self.home.root),
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),
            "XDG_RUNTIME_DIR": str(runtime),
            **settings,
        }

    def aico(self, *arguments: str | Path, typed: str = "") -> Ended:
        """Run one command to its end."""
        return ended(self.begin(*arguments), typed)

    def begin(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """Start a command; :func:`ended` waits for its end."""
        return subprocess.Popen(
            [sys.executable, "-m", "aico_desktop.cli", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=self.environment,
        )

    def close(self) -> None:
        """End the backend in order, if one runs, and wait until its process is gone."""
        client = attach(self.home, "test")
        if client is None:
            return
        with client:
            welcome = client.welcome
            # It may be faster to end than to answer.
            with contextlib.suppress(BackendUnreachable):
                client.request(Shutdown(), timeout_s=10.0)
        if welcome is not None:
            wait_until(lambda: not is_running(welcome.backend_pid))


def ended(process: subprocess.Popen[str], typed: str = "") -> Ended:
    """Wait for a command that was begun; ``typed`` is all of its standard input."""
    out, err = process.communicate(typed, timeout=COMMAND_TIMEOUT_S)
    return Ended(process.returncode, out, err)
