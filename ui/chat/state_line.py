"""The line under a message that says what really happens now, in an icon and words."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from ui.chat.wording import StateWords
from ui.theme import ThemeManager, set_text_role
from ui.widgets.action_row import ActionRow
from ui.widgets.icons import icon_pixmap


class StateLine(QWidget):
    """Shows one :class:`StateWords`; hidden while there is nothing to say."""

    action_requested = Signal(str)
    #: arg 0: the verb of a pressed button.

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words: StateWords | None = None
        self._icon = QLabel(self)
        self._text = QLabel(self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        set_text_role(self._text, "small")
        self._actions = ActionRow(self, kind="quiet")
        self._actions.triggered.connect(self.action_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.em(0.3))
        row.addWidget(self._icon)
        row.addWidget(self._text)
        row.addWidget(self._actions)
        self.hide()

    @property
    def words(self) -> StateWords | None:
        """What is shown now."""
        return self._words

    def show_words(self, words: StateWords | None) -> bool:
        """Show ``words``; True when the line may need another size now."""
        if words == self._words:
            return False
        old, self._words = self._words, words
        if words is None:
            self.hide()
            return True
        if old is None or old.icon != words.icon:
            self._draw_icon()
        self._text.setText(words.text)
        self._actions.set_actions(words.actions, describe="this answer")
        self.setAccessibleName(words.text)
        self.show()
        return True

    def restyle(self) -> None:
        """Draw again in the theme's present colours and sizes."""
        if self._words is not None:
            self._draw_icon()

    def _draw_icon(self) -> None:
        if self._words is not None:
            colour = "warning" if self._words.icon == "alert" else "accent"
            self._icon.setPixmap(
                icon_pixmap(self._words.icon, self._theme.colour(colour), self._theme.em(0.9))
            )
