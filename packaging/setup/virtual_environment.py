"""The project's own environment: made once, brought up to date when its inputs change."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from interpreters import find_interpreter
from package_installer import PackageInstaller
from problems import SetupProblem

INPUTS = ("pyproject.toml", "constraints.txt")
NEEDED_BYTES = 2_000_000_000
"""What a full installation with its tests takes, rounded up."""


class VirtualEnvironment:
    """The folder ``.venv`` and what set-up remembers about it.

    A stamp says with which inputs it was filled, so that a second run does nothing. A mark lies in
    it while it is being changed: an environment found with the mark was left half made by an
    interruption, and pip would take half-copied packages for whole ones, so it is made anew.

    Params: ``root`` the project's folder.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self.folder = root / ".venv"
        scripts = self.folder / ("Scripts" if os.name == "nt" else "bin")
        suffix = ".exe" if os.name == "nt" else ""
        self.python = scripts / f"python{suffix}"
        self.command = scripts / f"aico{suffix}"
        self._stamp = self.folder / "aico-setup.json"
        self._unfinished = self.folder / "aico-setup.unfinished"

    @property
    def installer(self) -> PackageInstaller:
        """The environment's pip."""
        return PackageInstaller(self.python, self.folder / "aico-setup.log")

    def is_ready(self, part: str) -> bool:
        """Tell whether ``part`` is in place for the present inputs. Starts no process."""
        return (
            not self._unfinished.exists()
            and self.command.exists()
            and self.python.exists()
            and self.remembered(part) == self._fingerprint()
        )

    def install(self, part: str, extras: str = "") -> None:
        """Bring the environment up to date for ``part``; ``extras`` as in ``.[test]``."""
        self._discard_if_broken()
        if not self.python.exists():
            self._create()
        self._unfinished.touch()
        constraints = ["-c", str(self._root / "constraints.txt")]
        # Ready-built packages only: nobody needs a compiler. The project's own build uses the
        # pinned setuptools of this environment instead of fetching another one.
        self.installer.run("install", *constraints, "--only-binary", ":all:", "setuptools")
        self.installer.run(
            *("install", *constraints, "--only-binary", ":all:", "--no-build-isolation"),
            *("--editable", f"{self._root}{extras}"),
        )
        self.remember(part, self._fingerprint())
        self._unfinished.unlink()

    def remembered(self, part: str) -> Any:
        """What :meth:`remember` wrote for ``part``, or None."""
        return self._read_stamp().get(part)

    def remember(self, part: str, value: Any) -> None:
        """Write one entry of the stamp, in one step so that no half-written stamp is ever read."""
        stamp = self._read_stamp()
        stamp[part] = value
        partial = self._stamp.with_suffix(".partial")
        partial.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
        partial.replace(self._stamp)

    def _read_stamp(self) -> dict[str, Any]:
        try:
            stamp = json.loads(self._stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) else {}

    def _fingerprint(self) -> str:
        """Hash the inputs, and the folder: an environment that was moved no longer runs."""
        digest = hashlib.sha256(str(self.folder).encode("utf-8", "surrogateescape"))
        for name in INPUTS:
            digest.update(b"\0" + (self._root / name).read_bytes())
        return digest.hexdigest()

    def _discard_if_broken(self) -> None:
        """Remove an environment that was left half made, moved, or whose Python is gone."""
        if not self.folder.exists():
            return
        if self._unfinished.exists() or not self._starts():
            print("The environment was not complete; making it anew …", flush=True)
            shutil.rmtree(self.folder)

    def _starts(self) -> bool:
        """Whether the environment's Python runs, and believes that it lives in this folder."""
        try:
            result = subprocess.run(
                [str(self.python), "-c", "import sys, pip; print(sys.prefix)"],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return result.returncode == 0 and Path(result.stdout.strip()) == self.folder

    def _create(self) -> None:
        """Make the empty environment; the mark goes in first, so that an interruption shows."""
        interpreter = find_interpreter()
        free = shutil.disk_usage(self._root).free
        if free < NEEDED_BYTES:
            raise SetupProblem(
                f"Set-up needs about {NEEDED_BYTES / 1e9:.0f} GB of free space, and there are "
                f"{free / 1e9:.1f} GB. Free some space and run the same command again."
            )
        self.folder.mkdir()
        self._unfinished.touch()
        result = subprocess.run(
            [interpreter.path, "-m", "venv", str(self.folder)],
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode != 0:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise SetupProblem(
                f"Python could not make an environment in {self.folder}:\n"
                f"{(result.stdout + result.stderr).strip()}"
            )


def describe_size(folder: Path) -> str:
    """The size of ``folder`` in GB, for the closing line of set-up."""
    total = sum(
        os.lstat(os.path.join(path, name)).st_size
        for path, _, names in os.walk(folder)
        for name in names
    )
    return f"{total / 1e9:.1f} GB"
