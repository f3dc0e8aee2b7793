"""The Qt binding keeps the interpreter's own objects alive, and lets go what the window dropped."""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from ui.chat.message_text import MessageText
from ui.theme import ThemeManager

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


def _documents() -> int:
    gc.collect()
    return sum(isinstance(thing, QTextDocument) for thing in gc.get_objects())


def test_that_a_text_that_is_gone_leaves_no_document_behind(
    qtbot: QtBot, theme: ThemeManager
) -> None:
    host = QWidget()
    qtbot.addWidget(host)

    def show_and_drop() -> None:
        text = MessageText(theme, "text", host)
        text.show_text("One\n\n- two", markdown=True)
        text.show_text("One\n\n- two\n- three", markdown=True)
        text.deleteLater()
        del text
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    show_and_drop()
    before = _documents()
    for _ in range(5):
        show_and_drop()
    assert _documents() <= before
