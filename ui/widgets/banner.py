"""A strip across the top of a pane for trouble that does not stop the person from reading on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from ui.theme import ThemeManager
from ui.widgets.action_row import ActionRow
from ui.widgets.announcer import announce
from ui.widgets.icons import icon_pixmap


class Banner(QWidget):
    """Words, an icon and the next steps; hidden while there is nothing to say."""

    action_requested = Signal(str)
    #: arg 0: the verb of the button that was pressed.

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = QLabel(self)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._buttons = ActionRow(self)
        self._buttons.triggered.connect(self.action_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.em(0.8), theme.em(0.45), theme.em(0.8), theme.em(0.45))
        row.setSpacing(theme.em(0.5))
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        row.addWidget(self._buttons)
        self.setAccessibleName("Notice")
        self.hide()
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def text(self) -> str:
        """What the banner says now."""
        return self._text.text()

    def show_notice(self, text: str, actions: Sequence[tuple[str, str]] = ()) -> None:
        """Show ``text`` with buttons given as (verb, label), and say it to screen readers once."""
        if text == self._text.text() and not self.isHidden():
            return
        self._text.setText(text)
        self.setAccessibleName(f"Notice: {text}")
        self._buttons.set_actions(actions)
        self.show()
        announce(self, text)

    def clear(self) -> None:
        """Take the banner away."""
        self._text.clear()
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), self._theme.colour("warning_soft"))
            painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.colour("border"))
        finally:
            painter.end()

    def _on_theme_changed(self) -> None:
        colour = self._theme.tokens.warning
        self._icon.setPixmap(icon_pixmap("alert", colour, self._theme.em(1.1)))
        self.update()
