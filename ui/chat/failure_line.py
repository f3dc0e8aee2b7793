"""The line below a partial or missing answer: plain words, next steps, technical text on demand."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ui.chat.wording import FailureWords
from ui.theme import ThemeManager, set_text_role
from ui.widgets.action_row import ActionRow
from ui.widgets.icons import IconName, icon_pixmap

_DETAILS = "details"


class FailureLine(QWidget):
    """Shows one :class:`FailureWords`; never replaces text that was already there."""

    action_requested = Signal(str)
    #: arg 0: the verb of a pressed button.
    height_changed = Signal()
    #: The technical text was opened or closed.

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words: FailureWords | None = None
        self._icon = QLabel(self)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._details = QLabel(self)
        self._details.setWordWrap(True)
        self._details.setTextFormat(Qt.TextFormat.PlainText)
        self._details.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        set_text_role(self._details, "small")
        self._details.hide()
        self._actions = ActionRow(self)
        self._actions.triggered.connect(self._on_action_triggered)
        self._setup_layout()
        self.hide()

    def _setup_layout(self) -> None:
        em = self._theme.em
        line = QHBoxLayout()
        line.setSpacing(em(0.4))
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._text, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(em(0.6), em(0.45), em(0.6), em(0.45))
        column.setSpacing(em(0.4))
        column.addLayout(line)
        column.addWidget(self._actions)
        column.addWidget(self._details)

    @property
    def words(self) -> FailureWords | None:
        """What is shown now."""
        return self._words

    def sizeHint(self) -> QSize:
        """As wide as the sentence on one line, if there is room."""
        hint = super().sizeHint()
        text = self._text.fontMetrics().horizontalAdvance(self._text.text())
        return QSize(max(hint.width(), text + self._theme.em(3)), hint.height())

    def show_words(self, words: FailureWords | None) -> bool:
        """Show ``words``; True when the line may need another size now."""
        if words == self._words:
            return False
        self._words = words
        if words is None:
            self.hide()
            return True
        self._text.setText(words.text)
        self._details.setText(words.technical)
        self._details.hide()
        actions = list(words.actions)
        if words.technical:
            actions.append((_DETAILS, "Details"))
        self._actions.set_actions(actions, describe="this answer")
        self.setAccessibleName(words.text)
        self._draw_icon()
        self.show()
        return True

    def restyle(self) -> None:
        """Draw again in the theme's present colours and sizes."""
        self._draw_icon()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        serious = self._words is not None and self._words.serious
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("danger_soft" if serious else "warning_soft"))
            radius = self._theme.em(0.45)
            painter.drawRoundedRect(self.rect(), radius, radius)
        finally:
            painter.end()

    def _draw_icon(self) -> None:
        if self._words is None:
            return
        serious = self._words.serious
        colour = self._theme.colour("danger" if serious else "warning")
        name: IconName = "alert" if serious else "pause"
        self._icon.setPixmap(icon_pixmap(name, colour, self._theme.em(1.0)))

    def _on_action_triggered(self, verb: str) -> None:
        if verb == _DETAILS:
            self._details.setVisible(self._details.isHidden())
            self.updateGeometry()
            self.height_changed.emit()
        else:
            self.action_requested.emit(verb)
