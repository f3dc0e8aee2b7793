"""The box people type into: grows with its text, waits for input methods, guards against pastes."""

from __future__ import annotations

import math

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QInputMethodEvent,
    QKeyEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from ui.theme import ThemeManager

LARGEST_PASTE = 50_000
"""Characters that may be pasted as text (reference/desktop §4.4: about 50 KB)."""

LONGEST_PASTED_LINE = 5_000
"""Characters: a longer line freezes the box for seconds per key (reference/desktop §4.2)."""

_MOST_LINES = 9


def is_too_big(text: str) -> bool:
    """Whether a paste must become an attachment instead of text in the box."""
    return len(text) > LARGEST_PASTE or any(
        len(line) > LONGEST_PASTED_LINE for line in text.splitlines()
    )


class ComposerText(QPlainTextEdit):
    """A plain text box whose Enter is a wish and not a character."""

    enter_pressed = Signal()
    #: Enter without Shift, and not while an input method composes.
    escape_pressed = Signal()
    #: Esc.
    big_paste_arrived = Signal(str)
    #: arg 0: pasted or dropped text that is too big for the box.
    focus_changed = Signal(bool)
    #: arg 0: whether the box has the focus now.

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._preedit = ""
        self._height = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setPlaceholderText("Write a message…")
        self.setAccessibleName("Message")
        self.setAccessibleDescription("Enter sends, Shift and Enter starts a new line")
        self.viewport().setAutoFillBackground(False)
        self.restyle()
        self.textChanged.connect(self._fit_height)

    @property
    def composing(self) -> bool:
        """Whether an input method holds text that is not yet in the box."""
        return bool(self._preedit)

    def restyle(self) -> None:
        """Draw again in the theme's present colours and sizes."""
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, self._theme.colour("text"))
        palette.setColor(QPalette.ColorRole.PlaceholderText, self._theme.colour("text_muted"))
        self.setPalette(palette)
        self.setFont(self._theme.font())
        # The place holder is drawn in the viewport's font, which does not follow by itself.
        self.viewport().setFont(self._theme.font())
        self.document().setDocumentMargin(self._theme.em(0.3))
        self._fit_height()

    def _fit_height(self) -> None:
        """Be as high as the text, between one line and the most lines."""
        # In QPlainTextEdit the document's height is its number of laid-out lines.
        wanted = max(1, math.ceil(self.document().size().height()))
        lines = min(_MOST_LINES, wanted)
        line = QFontMetricsF(self.font()).lineSpacing()
        height = math.ceil(lines * line) + 2 * self._theme.em(0.3) + self._theme.em(0.25)
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if wanted > lines else policy.ScrollBarAlwaysOff
        )
        if height != self._height:
            self._height = height
            self.setFixedHeight(height)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember what the input method is composing (reference/ux §2f, rule 51)."""
        self._preedit = event.preeditString()
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter, break the line on Shift+Enter, do neither while composing."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_enter(event)
        elif event.key() == Qt.Key.Key_Escape:
            self.escape_pressed.emit()
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and not self._scrolls:
            event.ignore()
        else:
            super().keyPressEvent(event)

    @property
    def _scrolls(self) -> bool:
        return self.verticalScrollBar().maximum() > 0

    def _on_enter(self, event: QKeyEvent) -> None:
        if self.composing:
            event.ignore()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()
        else:
            self.enter_pressed.emit()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Turn a paste that would freeze the box into an attachment."""
        text = source.text()
        if is_too_big(text):
            self.big_paste_arrived.emit(text)
        else:
            super().insertFromMimeData(source)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps the text into other lines."""
        super().resizeEvent(event)
        self._fit_height()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell the frame to show that typing goes here."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell the frame that typing goes elsewhere."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)
