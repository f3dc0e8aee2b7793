"""The rounded ground of one message, sized to its text."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.chat.message_body import MessageBody
from ui.theme import ThemeManager


class Bubble(QWidget):
    """Paints the ground and places the body in it.

    Params: ``own`` for the person's messages, which stand on the right and read as plain text.
    """

    def __init__(self, theme: ThemeManager, *, own: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._own = own
        self._marked = False
        self._widest = 0
        colour = "on_bubble_own" if own else "on_bubble_other"
        self.body = MessageBody(theme, colour, markdown=not own, parent=self)

    def set_marked(self, marked: bool) -> None:
        """Show or hide the focus ring of the message."""
        if marked != self._marked:
            self._marked = marked
            self.update()

    def forget_width(self) -> None:
        """Let the bubble become narrower again; while it streams it only grows."""
        self._widest = 0

    def width_for(self, most: int) -> int:
        """Pixels that the bubble takes when it may use up to ``most``."""
        wanted = self.body.natural_width(most - 2 * self._side) + 2 * self._side
        self._widest = min(most, max(self._widest, wanted))
        return self._widest

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.body.heightForWidth(width - 2 * self._side) + 2 * self._top

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.place()

    def place(self) -> None:
        """Set the body to its place; needed when its pieces changed and the size did not."""
        # The line height adds its air below a line; half of it moves above for the eye's sake.
        lift = self._theme.em(0.11)
        self.body.setGeometry(
            self._side,
            self._top + lift,
            self.width() - 2 * self._side,
            self.height() - 2 * self._top,
        )
        self.body.place()

    def restyle(self) -> None:
        """Draw again in the theme's present colours and sizes."""
        self._widest = 0
        self.body.restyle()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ground = "bubble_own" if self._own else "bubble_other"
            painter.setBrush(self._theme.colour(ground))
            painter.setPen(self._outline())
            painter.drawPath(self._shape())
        finally:
            painter.end()

    def _outline(self) -> QPen:
        if self._marked:
            return QPen(self._theme.colour("focus"), 2)
        if self._own:
            return QPen(Qt.PenStyle.NoPen)
        return QPen(self._theme.colour("border"), 1)

    def _shape(self) -> QPainterPath:
        """A rounded rectangle whose corner towards the speaker is nearly square."""
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        radius = min(self._theme.em(0.8), rect.height() / 2)
        corner = self._theme.em(0.2)
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        path.addRoundedRect(rect, radius, radius)
        x = rect.right() - radius if self._own else rect.left()
        path.addRoundedRect(QRectF(x, rect.bottom() - radius, radius, radius), corner, corner)
        return path.simplified()

    @property
    def _side(self) -> int:
        return self._theme.em(0.75)

    @property
    def _top(self) -> int:
        return self._theme.em(0.5)
