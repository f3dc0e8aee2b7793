"""Runs pip inside the environment, shows that it moves, and explains its failures."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import deque
from pathlib import Path

from problems import SetupProblem

NETWORK_SIGNS = (
    "Temporary failure in name resolution",
    "Name or service not known",
    "getaddrinfo failed",
    "nodename nor servname provided",
    "Network is unreachable",
    "No route to host",
    "Connection refused",
    "Connection reset",
    "ConnectTimeoutError",
    "NewConnectionError",
    "ProtocolError",
    "ReadTimeoutError",
    "Tunnel connection failed",
)
DISK_SIGNS = ("No space left on device", "Disk quota exceeded")
MISSING_WHEEL_SIGN = "No matching distribution found for "
STRAY_SETTINGS = ("PIP_PREFIX", "PIP_TARGET", "PIP_USER", "PYTHONHOME", "PYTHONPATH")
"""A person's own settings that would send packages somewhere else than into the environment."""
KEPT_LINES = 400
SHOWN_LINES = 15
AGAIN = "Then run the same command again: it goes on from there."


class PackageInstaller:
    """The pip of one environment.

    Params: ``python`` the environment's interpreter, ``log`` the file that gets pip's own words.
    """

    def __init__(self, python: Path, log: Path) -> None:
        self._python = python
        self._log = log

    def run(self, *arguments: str) -> None:
        """Run ``pip`` with ``arguments``; raise :class:`SetupProblem` in words if it fails."""
        command = [str(self._python), "-m", "pip", *arguments, "--progress-bar", "off"]
        environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1")
        for stray in STRAY_SETTINGS:
            environment.pop(stray, None)
        lines: deque[str] = deque(maxlen=KEPT_LINES)
        with self._log.open("a", encoding="utf-8") as log:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
                encoding="utf-8",
                errors="replace",
            )
            assert process.stdout is not None
            for line in process.stdout:
                log.write(line)
                lines.append(line.rstrip())
                _show_progress(line)
            status = process.wait()
        _show_progress("")
        if status != 0:
            raise SetupProblem(explain_failure(list(lines), self._log))


def explain_failure(lines: list[str], log: Path) -> str:
    """Put pip's last ``lines`` into words: no network, no room, no wheel, or else its own words."""
    text = "\n".join(lines)
    if any(sign in text for sign in DISK_SIGNS):
        return f"The disk is full. Free some space (about 2 GB are needed). {AGAIN}"
    if any(sign in text for sign in NETWORK_SIGNS):
        return (
            "The packages could not be fetched: this computer does not reach the package index.\n"
            "Set-up needs the network once; afterwards AICO Desktop works without it.\n"
            f"Check the connection (or the proxy settings). {AGAIN}"
        )
    for line in lines:
        if MISSING_WHEEL_SIGN in line:
            package = line.split(MISSING_WHEEL_SIGN, 1)[1].split()[0]
            return (
                f"There is no ready-built {package} for this system and Python.\n"
                "AICO Desktop runs on 64-bit Linux, macOS and Windows with Python 3.11 to 3.14. "
                f"If you use such a system, {log} tells more."
            )
    shown = "\n".join(f"  {line}" for line in lines[-SHOWN_LINES:])
    return f"The packages could not be installed. The last lines were:\n{shown}\nAll of it: {log}"


def _show_progress(line: str) -> None:
    """Show what pip is at on one line that overwrites itself; nothing where nobody watches."""
    if not sys.stdout.isatty():
        return
    words = line.split()
    doing = " ".join(words[:2]) if words[:1] in (["Collecting"], ["Installing"]) else ""
    if doing or not line:
        width = shutil.get_terminal_size().columns - 3
        print(f"\r\x1b[K  {doing}"[:width], end="", flush=True)
