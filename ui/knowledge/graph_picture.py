"""The graph's picture at rest, kept as pixels so that moving it costs next to nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPixmap

from ui.knowledge.graph_painter import GraphPainter
from ui.knowledge.graph_scene import Viewport


class RestingPicture:
    """Draws the last full picture moved and scaled into the present viewport.

    It is a third larger than the widget on each side, so that a pan uncovers no blank at once.

    Args:
        painter_for: gives the painter of the whole graph for an area of pixels.
    """

    def __init__(self, painter_for: Callable[[QRectF], GraphPainter]) -> None:
        self._painter_for = painter_for
        self._pixels: QPixmap | None = None
        self._viewport = Viewport(1.0, 0.0, 0.0)
        self._area = QRectF()
        self._labels: dict[int, QRectF] = {}

    def forget(self) -> None:
        """Draw anew at the next chance."""
        self._pixels = None

    def labels_in(self, viewport: Viewport) -> dict[int, QRectF]:
        """Where the labels of nodes are, by row; empty while the picture is moved."""
        return dict(self._labels) if viewport == self._viewport else {}

    def paint(
        self, painter: QPainter, viewport: Viewport, widget: QRectF, ratio: float, ground: QColor
    ) -> None:
        """Draw onto a widget's rectangle; ``ratio`` is device pixels per pixel."""
        if self._pixels is None:
            self._pixels = self._drawn(widget, ratio, ground)
            self._viewport = viewport
        factor = viewport.scale / self._viewport.scale
        painter.save()
        painter.translate(
            viewport.left - self._viewport.left * factor, viewport.top - self._viewport.top * factor
        )
        painter.scale(factor, factor)
        painter.drawPixmap(self._area.topLeft(), self._pixels)
        painter.restore()

    def _drawn(self, widget: QRectF, ratio: float, ground: QColor) -> QPixmap:
        aside, above = widget.width() // 3, widget.height() // 3
        self._area = widget.adjusted(-aside, -above, aside, above)
        pixels = QPixmap(self._area.size().toSize() * ratio)
        pixels.setDevicePixelRatio(ratio)
        pixels.fill(ground)
        painter = QPainter(pixels)
        try:
            painter.translate(-self._area.topLeft())
            whole = self._painter_for(self._area)
            whole.paint_rest(painter)
            self._labels = whole.labels
        finally:
            painter.end()
        return pixels
