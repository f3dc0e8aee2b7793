"""The shapes that tell the kinds of nodes apart without colour, and the legend that names them."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.knowledge import colours
from ui.knowledge.graph_scene import KIND_WORDS


def mark_path(kind: str, radius: float) -> QPainterPath:
    """The outline of a node of this kind around (0, 0); all have about the same area."""
    path = QPainterPath()
    r = radius
    match kind:
        case "PERSON":
            path.addEllipse(QPointF(0, 0), r, r)
        case "PET":
            path.addPolygon(_polygon(3, r * 1.3, math.pi / 2, sink=r * 0.2))
        case "PLACE":
            path.addPolygon(_polygon(4, r * 1.25, 0))
        case "ORGANIZATION":
            path.addRoundedRect(QRectF(-r * 0.9, -r * 0.9, r * 1.8, r * 1.8), r * 0.2, r * 0.2)
        case "EVENT":
            path.addPolygon(_star(r * 1.35))
        case "PROJECT":
            path.addPolygon(_polygon(6, r * 1.08, 0))
        case "GOAL":
            path.addPolygon(_polygon(5, r * 1.15, math.pi / 2))
        case "INTEREST":
            path.addRoundedRect(QRectF(-r * 1.25, -r * 0.72, r * 2.5, r * 1.44), r * 0.72, r * 0.72)
        case _:
            path.addPolygon(_plus(r * 1.05))
    path.closeSubpath()
    return path


def _polygon(corners: int, radius: float, first: float, sink: float = 0.0) -> QPolygonF:
    return QPolygonF(
        [
            QPointF(
                radius * math.cos(first + 2 * math.pi * number / corners),
                -radius * math.sin(first + 2 * math.pi * number / corners) + sink,
            )
            for number in range(corners)
        ]
    )


def _star(radius: float) -> QPolygonF:
    points = []
    for number in range(10):
        reach = radius if number % 2 == 0 else radius * 0.5
        angle = math.pi / 2 + math.pi * number / 5
        points.append(QPointF(reach * math.cos(angle), -reach * math.sin(angle)))
    return QPolygonF(points)


def _plus(radius: float) -> QPolygonF:
    arm = radius * 0.42
    corners = (
        (-arm, -radius),
        (arm, -radius),
        (arm, -arm),
        (radius, -arm),
        (radius, arm),
        (arm, arm),
        (arm, radius),
        (-arm, radius),
        (-arm, arm),
        (-radius, arm),
        (-radius, -arm),
        (-arm, -arm),
    )
    return QPolygonF([QPointF(x, y) for x, y in corners])


class Legend(QWidget):
    """Names the shape and colour of each kind in the graph, wrapping into lines as needed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kinds: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend")

    def show_kinds(self, kinds: tuple[str, ...]) -> None:
        """Explain these kinds."""
        self._kinds = kinds
        self.setAccessibleDescription(", ".join(KIND_WORDS[kind] for kind in kinds))
        self.setVisible(bool(kinds))
        self.updateGeometry()
        self.update()

    def heightForWidth(self, width: int) -> int:
        """Height of all lines."""
        places = self._places(width)
        line = QFontMetricsF(self.font()).height() * 1.35
        return round((places[-1][1] + 1) * line) if places else 0

    def sizeHint(self) -> QSize:
        """As high as the present width needs."""
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        """As narrow as one entry, as high as the present width needs."""
        return QSize(80, self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width needs another number of lines; a splitter does not ask for that itself."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw each mark with its word."""
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            metrics = QFontMetricsF(self.font())
            line = metrics.height() * 1.35
            radius = metrics.height() * 0.3
            for kind, (left, row) in zip(self._kinds, self._places(self.width()), strict=True):
                middle = (row + 0.5) * line
                painter.save()
                painter.translate(left + radius * 1.4, middle)
                draw_mark(painter, kind, radius, colours.kind_colour(kind, self.palette()), None)
                painter.restore()
                painter.setPen(colours.text_colour(self.palette()))
                baseline = middle + (metrics.ascent() - metrics.descent()) / 2
                painter.drawText(QPointF(left + radius * 3.4, baseline), KIND_WORDS[kind])
        finally:
            painter.end()

    def _places(self, width: int) -> list[tuple[float, int]]:
        """Left edge and line of each entry."""
        metrics = QFontMetricsF(self.font())
        radius = metrics.height() * 0.3
        places = []
        left, row = 0.0, 0
        for kind in self._kinds:
            needed = radius * 3.4 + metrics.horizontalAdvance(KIND_WORDS[kind]) + metrics.height()
            if left > 0 and left + needed - metrics.height() > width:
                left, row = 0.0, row + 1
            places.append((left, row))
            left += needed
        return places


def draw_mark(
    painter: QPainter, kind: str, radius: float, fill: QColor, rim: QColor | None
) -> None:
    """Draw a node around the painter's origin, with a rim that separates it from edges."""
    painter.setBrush(fill)
    painter.setPen(QPen(rim, max(1.5, radius * 0.14)) if rim else QPen(Qt.PenStyle.NoPen))
    painter.drawPath(mark_path(kind, radius))
