"""Fixtures for tests that drive the real window over the fake backend."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.fakes import FakeBackend
from tests.ui.chat_driver import ChatDriver
from ui.app import Desktop
from ui.theme import ThemeManager
from ui.window_memory import WindowMemory


@pytest.fixture
def theme(qapp: object) -> Iterator[ThemeManager]:
    """The theme of a window; the application gets its own look back for the next test."""
    from PySide6.QtWidgets import QApplication

    assert isinstance(qapp, QApplication)
    font, palette, sheet = qapp.font(), qapp.palette(), qapp.styleSheet()
    manager = ThemeManager(qapp)
    yield manager
    qapp.setStyleSheet(sheet)
    qapp.setPalette(palette)
    qapp.setFont(font)


@pytest.fixture
def backend(qtbot: QtBot) -> FakeBackend:
    """A backend without conversations; ``start()`` lets the window in."""
    return FakeBackend()


@pytest.fixture
def desktop(
    qtbot: QtBot, theme: ThemeManager, backend: FakeBackend, tmp_path: Path
) -> Iterator[Desktop]:
    """The whole window, shown, over the fake backend."""
    desktop = Desktop(theme, backend, WindowMemory(tmp_path / "window.ini"))
    qtbot.addWidget(desktop.window)
    desktop.window.show()
    qtbot.waitExposed(desktop.window)
    yield desktop
    desktop.window.close()


@pytest.fixture
def chat(qtbot: QtBot, desktop: Desktop, backend: FakeBackend) -> ChatDriver:
    """The connected window with the hands of a person."""
    backend.start()
    driver = ChatDriver(qtbot, desktop, backend)
    driver.settle()
    return driver
