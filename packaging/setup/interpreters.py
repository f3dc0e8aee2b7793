"""Finds a Python that can run AICO Desktop."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass

from problems import SetupProblem

OLDEST = (3, 11)
NEWEST = (3, 14)
"""Every pinned package has a ready-built wheel for these and those between, and no further."""

_PROBE = "import sys; print(sys.version_info[0], sys.version_info[1]); import venv, ensurepip"


@dataclass(frozen=True)
class Interpreter:
    """A Python that was started once. ``can_make_environments`` is false where Debian split it."""

    path: str
    version: tuple[int, int]
    can_make_environments: bool

    @property
    def suits(self) -> bool:
        """Whether the pinned packages exist for it."""
        return OLDEST <= self.version <= NEWEST


def probe(path: str) -> Interpreter | None:
    """Start ``path`` and ask for its version; None when it is no working Python."""
    try:
        result = subprocess.run(
            [path, "-c", _PROBE], capture_output=True, text=True, timeout=60, check=False
        )
        major, minor = (int(part) for part in result.stdout.split()[:2])
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return Interpreter(path, (major, minor), result.returncode == 0)


def find_interpreter() -> Interpreter:
    """Take the Python that runs set-up if it suits, else the newest on the search path that does.

    Raises :class:`SetupProblem` when there is none, or none that can make environments.
    """
    names = ["python3"] + [f"python3.{minor}" for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
    paths = [sys.executable] + [found for name in names if (found := shutil.which(name))]
    seen = [interpreter for path in dict.fromkeys(paths) if (interpreter := probe(path))]
    suitable = [interpreter for interpreter in seen if interpreter.suits]
    for interpreter in suitable:
        if interpreter.can_make_environments:
            return interpreter
    if suitable:
        version = ".".join(map(str, suitable[0].version))
        raise SetupProblem(
            f"Python {version} is here, but not its part that makes environments.\n"
            f"On Debian and Ubuntu install it with: sudo apt-get install python{version}-venv\n"
            "and then run the same command again."
        )
    found = ", ".join(sorted({".".join(map(str, each.version)) for each in seen})) or "none"
    raise SetupProblem(
        f"AICO Desktop needs Python 3.{OLDEST[1]} to 3.{NEWEST[1]}; found here: {found}.\n"
        "Install one of them (Debian 12 and newer: sudo apt-get install python3 python3-venv; "
        "macOS and Windows: the installer from python.org) and run the same command again."
    )
