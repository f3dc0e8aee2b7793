"""How the backend of a home is started as a process, and what its log says when it fails."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from aico_desktop.paths import HomeFolderError, HomePaths

STDERR_FILE = "backend-stderr.log"
_MOST_STDERR_BYTES = 1_000_000
_TAIL_BYTES = 4000
_TAIL_LINES = 15
_TAIL_FILES = (STDERR_FILE, "backend.log")


class ReadyLine(msgspec.Struct, frozen=True, kw_only=True):
    """The one line a backend prints: ready with its endpoint, or not, with a code and words."""

    ready: bool
    pid: int | None = None
    protocol: int | None = None
    endpoint: str | None = None
    code: str = ""
    human: str = ""


def read_ready_line(line: bytes) -> ReadyLine | None:
    """The ready line that ``line`` is; None for anything else."""
    try:
        return msgspec.json.decode(line, type=ReadyLine)
    except (msgspec.MsgspecError, ValueError):
        return None


def _default_program() -> tuple[str, ...]:
    """A packaged app starts itself; elsewhere Python runs the module."""
    if getattr(sys, "frozen", False):
        return (sys.executable, "--backend")
    return (sys.executable, "-m", "backend")


@dataclass(frozen=True)
class BackendCommand:
    """The command that starts a backend; ``program`` may be replaced by another service."""

    program: Sequence[str] = field(default_factory=_default_program)

    def arguments(self, home: HomePaths, lease: bool) -> list[str]:
        """The whole command line; with ``lease`` the backend ends when its stdin does."""
        lease_arguments = ["--lease", "stdin"] if lease else []
        return [*self.program, "--home", str(home.root), *lease_arguments]

    def environment(self, base: Mapping[str, str] = os.environ) -> dict[str, str]:
        """The environment, in which the backend is found also when run from a source folder."""
        source = str(Path(__file__).resolve().parents[1])
        paths = [source, *filter(None, base.get("PYTHONPATH", "").split(os.pathsep))]
        return {**base, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}


def stderr_file(home: HomePaths) -> Path:
    """Where a new backend's stderr goes; a large old file is moved aside first.

    Raises :class:`HomeFolderError` in words when it cannot be written.
    """
    path = home.logs / STDERR_FILE
    try:
        if path.exists() and path.stat().st_size > _MOST_STDERR_BYTES:
            path.replace(path.with_suffix(".log.1"))
        path.touch(mode=0o600)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise HomeFolderError(
            f"The folder {home.root} cannot be used for your data: {path.name}: {reason}."
        ) from error
    return path


def log_sizes(home: HomePaths) -> dict[str, int]:
    """How many bytes each log holds now, so that :func:`log_tail` can leave out what is old."""
    sizes: dict[str, int] = {}
    for name in _TAIL_FILES:
        try:
            sizes[name] = (home.logs / name).stat().st_size
        except OSError:
            sizes[name] = 0
    return sizes


def log_tail(home: HomePaths, since: Mapping[str, int] | None = None) -> str:
    """The last lines of the backend's logs, for a person who wonders why it does not start.

    Params: ``since`` the sizes of :func:`log_sizes` before the start that is to be explained.
    """
    lines: list[str] = []
    for name in _TAIL_FILES:
        try:
            with (home.logs / name).open("rb") as file:
                file.seek(0, os.SEEK_END)
                size, old = file.tell(), (since or {}).get(name, 0)
                # A file that has become shorter was rotated: all of it is new.
                file.seek(max(0, size - _TAIL_BYTES, old if old <= size else 0))
                tail = file.read().decode("utf-8", "replace").splitlines()
        except OSError:
            continue
        lines += [f"{name}: {line}" for line in tail[-_TAIL_LINES:]]
    return "\n".join(lines)
