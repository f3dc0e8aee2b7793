"""A label that ends in … instead of pushing its neighbours away."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel


class ElidedLabel(QLabel):
    """Shows as much of its text as fits; the tool tip has all of it."""

    def setText(self, text: str) -> None:
        """Show ``text``."""
        super().setText(text)
        self.setToolTip(text)

    def minimumSizeHint(self) -> QSize:
        """Narrow enough to give way."""
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text that fits."""
        painter = QPainter(self)
        try:
            elided = self.fontMetrics().elidedText(
                self.text(), Qt.TextElideMode.ElideRight, self.width()
            )
            painter.drawText(self.rect(), int(self.alignment()), elided)
        finally:
            painter.end()
