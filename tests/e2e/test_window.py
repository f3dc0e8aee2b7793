"""The real window over the real backend: said today, known tomorrow, with the very words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from aico_desktop.paths import HomePaths
from ui.app import Session
from ui.chat.message_row import MessageRow
from ui.theme import ThemeManager
from ui.window_memory import WindowMemory

START_MS = 60_000
ANSWER_MS = 120_000


class Run:
    """One run of the app; closing it ends its backend."""

    def __init__(self, qtbot: QtBot, theme: ThemeManager, home: HomePaths) -> None:
        self._qtbot = qtbot
        self._owner = QObject()
        home.prepare()
        memory = WindowMemory(home.root / "window.ini")
        self.session = Session(theme, home, memory, self._owner)
        qtbot.addWidget(self.session.desktop.window)
        self.session.start()
        indicator = self.session.desktop.window.chat.engine
        qtbot.waitUntil(indicator.isEnabled, timeout=START_MS)

    def say(self, text: str) -> None:
        """Type, send, and wait until the answer is there and the memory has done its work."""
        box = self.session.desktop.window.chat.composer.text_box
        self._qtbot.keyClicks(box, text)
        self._qtbot.keyClick(box, Qt.Key.Key_Return)
        self._qtbot.waitUntil(self._is_done, timeout=ANSWER_MS)

    def _is_done(self) -> bool:
        model = self.session.desktop.chat.model
        turns = model.recent_turns
        return bool(
            turns
            and turns[-1].state in ("done", "nothing")
            and model.items[-1].message.role == "assistant"
            and model.turn_of(model.items[-1].message.message_id) is turns[-1]
        )

    @property
    def rows(self) -> list[MessageRow]:
        """The live rows of the transcript."""
        return self.session.desktop.window.chat.transcript.rows

    def close(self) -> None:
        """Close the window as a person does."""
        self.session.desktop.window.close()
        self.session.close()


@pytest.fixture
def runs(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[list[Run]]:
    """Runs of the app over one home; whatever still runs is closed."""
    started: list[Run] = []
    yield started
    for run in started:
        run.close()


def test_that_what_was_said_is_remembered_and_found_again_in_the_next_run(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, runs: list[Run]
) -> None:
    theme, home = ThemeManager(qapp), HomePaths(tmp_path / "aico")
    first = Run(qtbot, theme, home)
    runs.append(first)
    first.say("My sister Ana lives in Porto.")
    qtbot.waitUntil(lambda: first.rows[0].chip is not None, timeout=ANSWER_MS)
    chip = first.rows[0].chip
    assert chip is not None
    assert chip.title.startswith("Remembered")
    first.close()

    second = Run(qtbot, theme, home)
    runs.append(second)
    qtbot.waitUntil(lambda: second.session.desktop.rows.rowCount() == 1, timeout=START_MS)
    second.say("What is my sister's name?")
    answer = second.rows[-1].item.message
    assert "Ana" in answer.text
    assert answer.sources
    button = next(
        button
        for button in second.rows[-1].findChildren(QAbstractButton)
        if button.text() == "1 source"
    )
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: any(
            row.item.message.text == "My sister Ana lives in Porto." for row in second.rows
        ),
        timeout=START_MS,
    )
