"""What a person does in the chat, for tests that read like a story."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from aico_desktop.contract.messages import ListConversations
from tests.fakes import FakeBackend
from ui.app import Desktop
from ui.chat.composer import Composer
from ui.chat.message_row import MessageRow
from ui.chat.transcript_view import TranscriptView


class ChatDriver:
    """Types, clicks and looks; waits for what the event loop brings."""

    def __init__(self, qtbot: QtBot, desktop: Desktop, backend: FakeBackend) -> None:
        self.qtbot = qtbot
        self.desktop = desktop
        self.backend = backend

    @property
    def composer(self) -> Composer:
        """The composer."""
        return self.desktop.window.chat.composer

    @property
    def transcript(self) -> TranscriptView:
        """The transcript."""
        return self.desktop.window.chat.transcript

    def settle(self) -> None:
        """Wait until the window has read what it asks for after a connection."""
        self.qtbot.waitUntil(lambda: bool(self.backend.requests(ListConversations)))
        self.turn_loop()

    def turn_loop(self) -> None:
        """Let everything that is queued now happen, and what that queues in turn."""
        for _ in range(3):
            self.qtbot.waitUntil(lambda: self.backend.pending == 0)
            self.qtbot.wait(1)

    def type(self, text: str) -> None:
        """Type into the composer."""
        self.qtbot.keyClicks(self.composer.text_box, text)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
        """Press a key in the composer."""
        none = Qt.KeyboardModifier.NoModifier
        self.qtbot.keyClick(self.composer.text_box, key, modifier or none)

    def say(self, text: str) -> str:
        """Type and send; returns the id that the stored message got."""
        turns = len(self.backend.book.turns)
        self.type(text)
        self.press(Qt.Key.Key_Return)
        self.qtbot.waitUntil(lambda: len(self.backend.book.turns) > turns)
        self.turn_loop()
        return self.backend.turn.user_message_id

    def open(self, conversation_id: str) -> None:
        """Open a stored conversation."""
        self.desktop.window.conversations.conversation_chosen.emit(conversation_id)
        self.qtbot.waitUntil(lambda: self.desktop.chat.model.loaded)
        self.turn_loop()

    def row(self, message_id: str) -> MessageRow:
        """The row of a message, which must be alive."""
        row = self.transcript.row_of(message_id)
        assert row is not None, f"no row of {message_id}"
        return row

    def answer_row(self) -> MessageRow:
        """The row of the newest turn's answer."""
        answer = self.backend.turn.answer
        assert answer is not None
        return self.row(answer.message_id)

    def click(self, inside: QWidget, label: str) -> None:
        """Click the visible button called ``label`` (or whose spoken name begins so)."""
        for button in inside.findChildren(QAbstractButton):
            name = button.accessibleName() or button.text()
            if button.isVisible() and (button.text().strip() == label or name.startswith(label)):
                self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
                self.turn_loop()
                return
        names = [b.accessibleName() for b in inside.findChildren(QAbstractButton) if b.isVisible()]
        raise AssertionError(f"no button {label!r} among {names}")
