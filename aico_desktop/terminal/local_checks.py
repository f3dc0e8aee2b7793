"""The checks of `aico doctor` that need no backend: Python, folder, model, window."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from aico_desktop.contract.messages import DoctorCheck
from aico_desktop.paths import HomePaths, builtin_model_path
from aico_desktop.settings import SettingsError, load_settings
from aico_desktop.terminal.window import display_problem

LEAST_FREE_BYTES = 200_000_000


def local_checks(home: HomePaths) -> list[DoctorCheck]:
    """Look at everything around the backend; nothing is made or changed."""
    return [
        DoctorCheck(name="python", ok=True, detail=f"{platform.python_version()} {sys.executable}"),
        _checked("home", lambda: _home_folder(home)),
        _checked("disk", lambda: _disk(home)),
        _checked("settings", lambda: _settings(home)),
        _checked("built-in chat model", lambda: _model(home)),
        _window(),
    ]


def _checked(name: str, check: Callable[[], DoctorCheck]) -> DoctorCheck:
    """A folder that cannot even be looked into is a finding, not the end of the command."""
    try:
        return check()
    except OSError as error:
        detail = f"{error.filename or name}: {error.strerror or type(error).__name__}"
        return DoctorCheck(name=name, ok=False, detail=detail)


def _home_folder(home: HomePaths) -> DoctorCheck:
    root = home.root
    if not root.exists():
        return DoctorCheck(name="home", ok=True, detail=f"{root} (made at the first start)")
    if not (root.is_dir() and os.access(root, os.R_OK | os.W_OK | os.X_OK)):
        return DoctorCheck(name="home", ok=False, detail=f"{root} cannot be written")
    if os.name == "posix" and root.stat().st_mode & 0o077:
        detail = f"{root} is open to other users of this computer; close it: chmod 700 {root}"
        return DoctorCheck(name="home", ok=False, detail=detail)
    return DoctorCheck(name="home", ok=True, detail=str(root))


def _disk(home: HomePaths) -> DoctorCheck:
    free = shutil.disk_usage(_existing(home.root)).free
    detail = f"{free / 1e9:.1f} GB free"
    return DoctorCheck(name="disk", ok=free >= LEAST_FREE_BYTES, detail=detail)


def _settings(home: HomePaths) -> DoctorCheck:
    try:
        load_settings(home.config)
    except SettingsError as error:
        return DoctorCheck(name="settings", ok=False, detail=str(error))
    detail = str(home.config) if home.config.exists() else "none, so the defaults"
    return DoctorCheck(name="settings", ok=True, detail=detail)


def _model(home: HomePaths) -> DoctorCheck:
    model = builtin_model_path(home)
    if model is None:
        detail = "its file is missing: run `make setup`"
        return DoctorCheck(name="built-in chat model", ok=False, detail=detail)
    return DoctorCheck(name="built-in chat model", ok=True, detail=str(model))


def _window() -> DoctorCheck:
    """That there is no display is not a fault: the terminal is a full client."""
    if importlib.util.find_spec("PySide6") is None:
        return DoctorCheck(name="window", ok=False, detail="Qt is not installed: run `make setup`")
    return DoctorCheck(name="window", ok=True, detail=display_problem() or "a display is there")


def _existing(folder: Path) -> Path:
    """The nearest folder above that exists already."""
    return next(path for path in (folder, *folder.parents) if path.exists())
