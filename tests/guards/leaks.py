"""Fails a test that leaves a thread, a QThread or a visible window behind."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

GRACE_SECONDS = 2.0
"""How long a thread may take to end after the test told it to."""

OUR_PACKAGES = ("aico_desktop", "backend", "ui", "tests")


def _is_ours(thread: threading.Thread) -> bool:
    """Tell our threads from those that a library keeps for the life of the process."""
    target = getattr(thread, "_target", None)
    modules = (type(thread).__module__, getattr(target, "__module__", None) or "")
    return any(module.split(".")[0] in OUR_PACKAGES for module in modules)


def _left_over(before: set[threading.Thread]) -> list[threading.Thread]:
    """List the threads that began after ``before`` was taken and should have ended."""
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before and thread.is_alive() and (not thread.daemon or _is_ours(thread))
    ]


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    """Fail when a thread of ours, or any that would keep the process alive, outlives its test."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + GRACE_SECONDS
    while (left := _left_over(before)) and time.monotonic() < deadline:
        left[0].join(0.05)
    if left:
        names = ", ".join(sorted(thread.name for thread in left))
        pytest.fail(f"threads left running: {names}", pytrace=False)


@pytest.fixture(autouse=True)
def no_leaked_qt(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail when a QThread still runs, or a window is still open, after the test."""
    if "PySide6.QtCore" not in sys.modules:
        yield
        return
    from PySide6.QtCore import QThread
    from shiboken6 import isValid

    started: list[QThread] = []
    original = QThread.start

    def start(thread: QThread, *arguments: Any) -> None:
        started.append(thread)
        original(thread, *arguments)

    monkeypatch.setattr(QThread, "start", start)
    yield
    running = [
        type(thread).__name__
        for thread in started
        if isValid(thread) and not thread.wait(int(GRACE_SECONDS * 1000))
    ]
    windows = _open_windows()
    if running or windows:
        pytest.fail(f"left behind: QThreads {running}, windows {windows}", pytrace=False)


def _open_windows() -> list[str]:
    """Name the top-level widgets that are still shown, and close them for the next test."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    application = widgets.QApplication.instance() if widgets else None
    if application is None:
        return []
    shown = [widget for widget in application.topLevelWidgets() if widget.isVisible()]
    for widget in shown:
        widget.close()
    return [f"{type(widget).__name__}({widget.objectName()})" for widget in shown]
