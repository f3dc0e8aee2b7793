"""The column of live message rows: stacks them by hand and keeps the reader's place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from ui.chat.message_row import MessageRow
from ui.theme import ThemeManager

COLUMN_EM = 46
"""Line heights across: beyond this a line of text is too long to read with ease."""

COLUMN_SIDE_EM = 0.9
"""Line heights of air beside the column."""


@dataclass(frozen=True)
class Anchor:
    """What stands at the top of the view: a row, and how far its top is above it in pixels."""

    row: MessageRow
    offset: int


class TranscriptColumn(QWidget):
    """Owns the rows. Only rows that changed are laid out again; the others are moved.

    Nested Qt layouts would ask every row again for each token (reference/desktop §4.2: O(rows)
    layout is what costs).
    """

    layout_wanted = Signal()
    #: A row needs another height; the transcript lays out and keeps the reader's place.

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[MessageRow] = []

    def insert_row(self, index: int, row: MessageRow) -> None:
        """Take over a row at ``index`` of the live rows."""
        row.setParent(self)
        self.rows.insert(index, row)
        row.show()

    def remove_row(self, index: int) -> None:
        """Drop the row at ``index``."""
        row = self.rows.pop(index)
        row.hide()
        row.deleteLater()

    def clear(self) -> None:
        """Drop all rows."""
        while self.rows:
            self.remove_row(len(self.rows) - 1)

    def row_where(self, fits: Callable[[MessageRow], bool]) -> MessageRow | None:
        """The newest live row that fits."""
        return next((row for row in reversed(self.rows) if fits(row)), None)

    def arrange(self, width: int, least_height: int) -> None:
        """Stack the rows in ``width`` pixels; few rows stand at the bottom of the view."""
        side = self._theme.em(COLUMN_SIDE_EM)
        inner = min(width - 2 * side, self._theme.em(COLUMN_EM))
        left = (width - inner) // 2
        gap = self._theme.em(0.75)
        heights = [row.arrange(inner) for row in self.rows]
        content = sum(heights) + gap * max(0, len(heights) - 1) + 2 * side
        top = self._theme.em(0.9) + max(0, least_height - content)
        for row, height in zip(self.rows, heights, strict=True):
            row.setGeometry(left, top, inner, height)
            top += height + gap
        self.resize(width, max(content, least_height))

    def anchor_at(self, top: int) -> Anchor | None:
        """The first row that reaches below ``top``, to find the place again later."""
        for row in self.rows:
            if row.y() + row.height() > top:
                return Anchor(row, top - row.y())
        return None

    def event(self, event: QEvent) -> bool:
        """Hear that a row asked for another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.layout_wanted.emit()
        return super().event(event)
