"""Paints one row of the conversation list: heading of its time, title, and when."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ui.chat.conversation_rows import HEADING_ROLE, WHEN_ROLE
from ui.theme import ThemeManager

AnyIndex = QModelIndex | QPersistentModelIndex


class ConversationDelegate(QStyledItemDelegate):
    """Draws with the theme's tokens; the chosen row is marked by a bar as well as by colour."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Higher where a heading stands above the row."""
        height = self._row_height + (self._heading_height if index.data(HEADING_ROLE) else 0)
        return QSize(self._theme.em(6), height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draw heading, ground, title and time."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRect(option.rect)
        heading = index.data(HEADING_ROLE)
        if heading:
            self._paint_heading(painter, rect, str(heading))
            rect.setTop(rect.top() + self._heading_height)
        state = option.state
        self._paint_ground(painter, rect, state)
        self._paint_words(painter, rect, index, bool(state & QStyle.StateFlag.State_Selected))
        painter.restore()

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: AnyIndex
    ) -> None:
        """Put the editor over the title and not over the heading."""
        rect = QRect(option.rect)
        if index.data(HEADING_ROLE):
            rect.setTop(rect.top() + self._heading_height)
        editor.setGeometry(rect)

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex
    ) -> QWidget:
        """A named line edit."""
        editor = super().createEditor(parent, option, index)
        editor.setAccessibleName("Title of the chat")
        return editor

    def _paint_heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        painter.setFont(self._theme.font(0.85, weight=self._theme.font().Weight.DemiBold))
        painter.setPen(self._theme.colour("text_muted"))
        place = rect.adjusted(self._pad, 0, -self._pad, 0)
        place.setHeight(self._heading_height - self._theme.em(0.15))
        painter.drawText(place, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        inner = rect.adjusted(0, 1, 0, -1)
        radius = self._theme.em(0.4)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            ground = self._theme.colour("accent_soft" if selected else "border")
            if not selected:
                ground.setAlphaF(0.55)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(inner, radius, radius)
        if selected:
            bar = QRect(inner.left(), inner.top() + radius, 3, inner.height() - 2 * radius)
            painter.fillRect(bar, self._theme.colour("accent"))
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_Active:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            pen = painter.pen()
            pen.setStyle(Qt.PenStyle.SolidLine)
            pen.setColor(self._theme.colour("focus"))
            pen.setWidth(2)
            painter.setPen(pen)
            painter.drawRoundedRect(inner.adjusted(1, 1, -1, -1), radius, radius)

    def _paint_words(self, painter: QPainter, rect: QRect, index: AnyIndex, selected: bool) -> None:
        place = rect.adjusted(self._pad, 0, -self._pad, 0)
        when = str(index.data(WHEN_ROLE) or "")
        small = self._theme.font(0.85)
        when_width = QFontMetrics(small).horizontalAdvance(when)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(small)
        painter.setPen(self._theme.colour("text_muted"))
        painter.drawText(place, middle | Qt.AlignmentFlag.AlignRight, when)
        weight = self._theme.font().Weight.Medium if selected else self._theme.font().Weight.Normal
        font = self._theme.font(weight=weight)
        painter.setFont(font)
        painter.setPen(self._theme.colour("on_accent_soft" if selected else "text"))
        place.setRight(place.right() - when_width - self._theme.em(0.5))
        title = str(index.data(Qt.ItemDataRole.DisplayRole))
        elided = QFontMetrics(font).elidedText(title, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, middle | Qt.AlignmentFlag.AlignLeft, elided)

    @property
    def _pad(self) -> int:
        return self._theme.em(0.6)

    @property
    def _row_height(self) -> int:
        return self._theme.em(2.1)

    @property
    def _heading_height(self) -> int:
        return self._theme.em(1.9)
