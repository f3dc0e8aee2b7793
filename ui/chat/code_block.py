"""A fenced block of code in its own frame, with its language and a Copy button."""

from __future__ import annotations

import math

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Token
from pygments.util import ClassNotFound
from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QLabel, QTextEdit, QWidget

from ui.theme import ThemeManager, set_text_role
from ui.widgets.announcer import announce
from ui.widgets.buttons import text_button

_LONGEST_HIGHLIGHTED = 20_000
"""Characters; beyond this the colours cost more than they help."""

_COPIED_SHOWN_MS = 1500

_TOKEN_COLOURS = (
    (Comment, "text_muted"),
    (Keyword, "accent"),
    (String, "success"),
    (Number, "warning"),
    (Name.Function, "link"),
    (Name.Class, "link"),
    (Operator.Word, "accent"),
)


class _CodeText(QTextEdit):
    """Read-only code that scrolls sideways and leaves the vertical wheel to the transcript."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        if abs(delta.x()) > abs(delta.y()):
            super().wheelEvent(event)
        else:
            event.ignore()


class CodeBlock(QWidget):
    """Shows code as it was written; colours come once the block is closed, not per token."""

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[str, str, bool] | None = None
        self._language = QLabel(self)
        set_text_role(self._language, "small")
        self._copy = text_button("Copy", "quiet", self, accessible="Copy code")
        self._copy.clicked.connect(self._on_copy_clicked)
        self._text = _CodeText(self)
        self._setup_text()
        self._measure()

    @property
    def code(self) -> str:
        """The code that is shown."""
        return self._shown[0] if self._shown else ""

    def show_code(self, code: str, language: str, *, closed: bool) -> None:
        """Show ``code``; ``closed`` code is coloured by its language if that is known."""
        wanted = (code, language, closed)
        if wanted == self._shown:
            return
        before = self._shown
        self._shown = wanted
        self._language.setText(language or "code")
        self._text.setAccessibleName(f"Code, {language}" if language else "Code")
        grown = before is not None and code.startswith(before[0]) and not closed
        if grown and before is not None:
            cursor = QTextCursor(self._text.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(code[len(before[0]) :])
        else:
            self._text.setPlainText(code)
        if closed:
            self._colour()
        self._measure()

    def restyle(self) -> None:
        """Draw again in the theme's present colours and sizes."""
        self._setup_text()
        shown, self._shown = self._shown, None
        if shown is not None:
            self.show_code(shown[0], shown[1], closed=shown[2])

    def natural_width(self, most: int) -> int:
        """Pixels that the longest line takes, up to ``most``."""
        return min(most, max(self._text_width + 2 * self._pad, self._theme.em(9)))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._header_height + self._text_height(width) + self._pad

    def resizeEvent(self, event: QResizeEvent) -> None:
        button = self._copy.sizeHint()
        left = self.width() - button.width() - self._pad // 2
        self._copy.setGeometry(
            QRect(
                left, (self._header_height - button.height()) // 2, button.width(), button.height()
            )
        )
        self._language.setGeometry(self._pad, 0, max(0, left - self._pad), self._header_height)
        inner = self.width() - 2 * self._pad
        self._text.setGeometry(
            self._pad, self._header_height, inner, self._text_height(self.width())
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self._theme.colour("border"))
            painter.setBrush(self._theme.colour("code_ground"))
            radius = self._theme.em(0.4)
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), radius, radius)
        finally:
            painter.end()

    def _setup_text(self) -> None:
        text = self._text
        text.setReadOnly(True)
        text.setFrameShape(QFrame.Shape.NoFrame)
        text.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        text.viewport().setAutoFillBackground(False)
        text.document().setDocumentMargin(0)
        text.document().setDefaultFont(self._theme.code_font())
        palette = text.palette()
        palette.setColor(QPalette.ColorRole.Text, self._theme.colour("code_text"))
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        text.setPalette(palette)

    def _text_height(self, width: int) -> int:
        if self._text_width > width - 2 * self._pad:
            return self._text_size.height() + self._bar_height
        return self._text_size.height()

    @property
    def _text_width(self) -> int:
        return self._text_size.width()

    def _measure(self) -> None:
        """Take the sizes once per change; they are asked for at each token of the answer."""
        document = self._text.document()
        self._text_size = QSize(
            math.ceil(document.idealWidth()) + 2, math.ceil(document.size().height()) + 2
        )
        self._bar_height = self._text.horizontalScrollBar().sizeHint().height()
        self._pad = self._theme.em(0.55)
        self._header_height = max(self._theme.em(1.7), self._copy.sizeHint().height() + 4)

    def _colour(self) -> None:
        if self._shown is None or len(self._shown[0]) > _LONGEST_HIGHLIGHTED:
            return
        code, language, _ = self._shown
        try:
            lexer = get_lexer_by_name(language or "text", stripnl=False, ensurenl=False)
        except ClassNotFound:
            return
        cursor = QTextCursor(self._text.document())
        position = 0
        for kind, value in lexer.get_tokens(code):
            # Qt counts UTF-16 units, so one emoji in a comment moves everything after it by one.
            length = len(value.encode("utf-16-le")) // 2
            colour = self._token_colour(kind)
            if colour is not None:
                style = QTextCharFormat()
                style.setForeground(colour)
                cursor.setPosition(position)
                cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(style)
            position += length

    def _token_colour(self, kind: object) -> QColor | None:
        if kind is Token.Text:
            return None
        for family, name in _TOKEN_COLOURS:
            if kind in family:
                return self._theme.colour(name)
        return None

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.code)
        self._copy.setText("Copied")
        announce(self, "Code copied")
        QTimer.singleShot(_COPIED_SHOWN_MS, self._copy, self._on_copied_shown)

    def _on_copied_shown(self) -> None:
        self._copy.setText("Copy")
