"""A layout that sets its items in lines and wraps them like words, for buttons at any text size."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Places items left to right (or from the right edge) and starts a new line when one is full.

    Rows of buttons that would be cut off at 200 % text wrap instead.
    """

    def __init__(
        self, parent: QWidget | None = None, *, spacing: int = 6, align_right: bool = False
    ) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._align_right = align_right
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._items if not item.isEmpty()]
        if not hints:
            return QSize(0, 0)
        width = sum(hint.width() for hint in hints) + self.spacing() * (len(hints) - 1)
        return QSize(width, max(hint.height() for hint in hints))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._items:
            if item.isEmpty():
                continue
            wanted = item.sizeHint().width()
            if not lines or used + self.spacing() + wanted > width:
                lines.append([])
                used = 0
            used += wanted + (self.spacing() if lines[-1] else 0)
            lines[-1].append(item)
        return lines

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        top = rect.top()
        for line in self._lines(rect.width()):
            height = max(item.sizeHint().height() for item in line)
            widths = [min(item.sizeHint().width(), rect.width()) for item in line]
            left = rect.left()
            if self._align_right:
                left = rect.right() + 1 - sum(widths) - self.spacing() * (len(line) - 1)
            for item, width in zip(line, widths, strict=True):
                if move:
                    own = self._height_of(item, width, height)
                    place = QPoint(left, top + (height - own) // 2)
                    item.setGeometry(QRect(place, QSize(width, own)))
                left += width + self.spacing()
            top += height + self.spacing()
        return max(0, top - rect.top() - self.spacing())

    @staticmethod
    def _height_of(item: QLayoutItem, width: int, line_height: int) -> int:
        wanted = item.heightForWidth(width) if item.hasHeightForWidth() else -1
        return min(line_height, wanted if wanted > 0 else item.sizeHint().height())
