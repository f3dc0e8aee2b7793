"""The installed Qt binding keeps the interpreter's own objects alive."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

CALLS = 300
TOLERATED_DRIFT = 30


def test_that_qt_calls_do_not_lose_references_to_none(qtbot: QtBot) -> None:
    # PySide6 6.12.0 drops one reference to None per call on Python 3.10 and 3.11, and the
    # process aborts after some five thousand calls. From Python 3.12 on None is immortal.
    label = QLabel()
    qtbot.addWidget(label)
    label.setText("x")
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        label.setText("x")
    drift = abs(sys.getrefcount(None) - before)
    assert drift < TOLERATED_DRIFT or sys.version_info >= (3, 12)


def test_that_the_binding_is_not_the_release_that_loses_references() -> None:
    import PySide6

    assert not PySide6.__version__.startswith("6.12.")
