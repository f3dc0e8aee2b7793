"""Draws a graph: the picture at rest, and what is lifted out of it by hover and selection."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
)

from ui.knowledge import colours
from ui.knowledge.graph_labels import LabelPlaces
from ui.knowledge.graph_marks import draw_mark, mark_path
from ui.knowledge.graph_scene import GraphScene, Points, Viewport

MOST_LABELS = 60
"""Labels drawn at once, by importance (reference/desktop §5.1)."""
_MOST_EDGE_LABELS = 12
_SMALLEST_OBSTACLE = 4.0
"""Radius in pixels from which a node is kept free of labels."""
_LONGEST_LABEL = 26
_LONGEST_EDGE_LABEL = 40


class GraphPainter:
    """Draws one scene in one viewport with one palette and font.

    Args:
        scene: what to draw.
        viewport: where positions are on the screen.
        area: the rectangle that is painted; nothing outside it is drawn.
        seen: the part of it that shows in the window; no label is cut by its border.
        palette: colours of the widget.
        font: font of the labels.
    """

    def __init__(
        self,
        scene: GraphScene,
        viewport: Viewport,
        area: QRectF,
        seen: QRectF,
        palette: QPalette,
        font: QFont,
    ) -> None:
        self._seen = seen
        self.labels: dict[int, QRectF] = {}
        self._ringed: int | None = None
        self._scene = scene
        self._area = area
        self._palette = palette
        self._font = font
        self.screen: Points = viewport.to_screen(scene.positions)
        self.radii: Points = node_radii(scene, viewport, font)

    # ------------------------------------------------------------ the picture at rest

    def paint_rest(self, painter: QPainter) -> None:
        """Edges, nodes and the most important labels."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        visible = self._visible_rows()
        self._paint_edges(painter)
        for row in reversed(self._scene.by_importance):
            if row in visible:
                self._paint_node(painter, row)
        places = self._places_of_nodes(visible)
        rows = [row for row in self._scene.by_importance if row in visible][:MOST_LABELS]
        self._paint_labels(painter, rows, places)

    def _visible_rows(self) -> set[int]:
        grown = self._area.adjusted(-40, -40, 40, 40)
        x, y = self.screen[:, 0], self.screen[:, 1]
        inside = (
            (x >= grown.left()) & (x <= grown.right()) & (y >= grown.top()) & (y <= grown.bottom())
        )
        return set(np.flatnonzero(inside).tolist())

    def _places_of_nodes(self, rows: Iterable[int]) -> LabelPlaces:
        places = LabelPlaces(self.screen, self._scene.ends, self._area, self._seen)
        for row in rows:
            radius = float(self.radii[row])
            if radius >= _SMALLEST_OBSTACLE:
                x, y = self._at(row)
                places.block(QRectF(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8))
        return places

    def _paint_edges(self, painter: QPainter) -> None:
        if not len(self._scene.ends):
            return
        strength = 0.62 if len(self._scene.edges) <= 400 else 0.34
        base = self._palette.color(QPalette.ColorRole.Base)
        line = colours.mixed(base, colours.muted(self._palette), strength)
        painter.setPen(QPen(line, 1.15 if len(self._scene.edges) <= 400 else 0.8))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        straight = np.flatnonzero(self._scene.bends == 0)
        starts = self.screen[self._scene.ends[straight, 0]].tolist()
        ends = self.screen[self._scene.ends[straight, 1]].tolist()
        painter.drawLines([QLineF(*a, *b) for a, b in zip(starts, ends, strict=True)])
        for edge in np.flatnonzero(self._scene.bends != 0).tolist():
            painter.drawPath(self._edge_path(edge))

    def _paint_node(self, painter: QPainter, row: int) -> None:
        x, y = self._at(row)
        radius = float(self.radii[row])
        kind = self._scene.kinds[row]
        fill = colours.kind_colour(kind, self._palette)
        rim = self._palette.color(QPalette.ColorRole.Base) if radius > 3.5 else None
        painter.save()
        painter.translate(x, y)
        if row == self._scene.center:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colours.with_alpha(fill, 0.45), max(2.0, radius * 0.22)))
            painter.drawPath(mark_path(kind, radius * 1.42))
        draw_mark(painter, kind, radius, fill, rim)
        painter.restore()

    # ------------------------------------------------------------ labels

    def _paint_labels(self, painter: QPainter, rows: Sequence[int], places: LabelPlaces) -> None:
        for row in rows:
            font = QFont(self._font)
            if row in (self._scene.center, self._ringed):
                font.setWeight(QFont.Weight.DemiBold)
            metrics = QFontMetricsF(font)
            text = node_label(self._scene, row)
            box = places.take_near(
                self._at(row),
                self._reach(row),
                (metrics.horizontalAdvance(text), metrics.height()),
                wished=self.labels.get(row),
                must=row in (self._scene.center, self._ringed),
            )
            if box is not None:
                self.labels[row] = box
                self._paint_haloed(painter, text, box, font, colours.text_colour(self._palette))

    def _paint_haloed(
        self, painter: QPainter, text: str, box: QRectF, font: QFont, ink: QColor
    ) -> None:
        """Text with a rim in the ground's colour, readable across edges."""
        metrics = QFontMetricsF(font)
        baseline = QPointF(box.left(), box.top() + metrics.ascent())
        outline = QPainterPath()
        outline.addText(baseline, font, text)
        halo = colours.with_alpha(self._palette.color(QPalette.ColorRole.Base), 0.88)
        painter.strokePath(
            outline,
            QPen(
                halo,
                metrics.height() * 0.24,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
                Qt.PenJoinStyle.RoundJoin,
            ),
        )
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(baseline, text)

    # ------------------------------------------------------------ what is lifted out

    def paint_lifted(
        self, painter: QPainter, rows: Sequence[int], edges: Sequence[int], ringed: int | None
    ) -> None:
        """Veil the picture and draw some nodes and edges above it; ``ringed`` is selected."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = colours.with_alpha(self._palette.color(QPalette.ColorRole.Base), 0.78)
        painter.fillRect(self._area, veil)
        self._ringed = ringed
        ink = colours.accent(self._palette)
        for edge in edges:
            painter.setPen(QPen(ink, 1.8))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(self._edge_path(edge))
            self._paint_arrow(painter, edge, ink)
        if ringed is not None:
            self._paint_ring(painter, ringed)
        for row in reversed(rows):
            self._paint_node(painter, row)
        places = self._places_of_nodes(rows)
        self._paint_labels(painter, rows[:MOST_LABELS], places)
        self._paint_edge_labels(painter, edges, places)

    def _paint_ring(self, painter: QPainter, row: int) -> None:
        """The ring of the selected node, on a rim that sets it off from edges."""
        middle = QPointF(*self._at(row))
        radius = self._reach(row)
        painter.setBrush(self._palette.color(QPalette.ColorRole.Base))
        painter.setPen(QPen(colours.accent(self._palette), 2.5))
        painter.drawEllipse(middle, radius, radius)

    def _reach(self, row: int) -> float:
        """How far a node's mark reaches, with the ring of the centre or of the selection."""
        factor = 1.6 if row == self._scene.center else 1.25
        return float(self.radii[row]) * factor + (4 if row == self._ringed else 2)

    def _paint_edge_labels(
        self, painter: QPainter, edges: Sequence[int], places: LabelPlaces
    ) -> None:
        font = QFont(self._font)
        font.setItalic(True)
        metrics = QFontMetricsF(font)
        ranked = sorted(
            edges,
            key=lambda edge: -float(self._scene.importance[self._scene.ends[edge]].min()),
        )
        drawn = 0
        for edge in ranked:
            text = shortened(edge_words(self._scene, edge), _LONGEST_EDGE_LABEL)
            middle = self._edge_path(edge).pointAtPercent(0.5)
            width = metrics.horizontalAdvance(text)
            box = QRectF(
                middle.x() - width / 2, middle.y() - metrics.height() / 2, width, metrics.height()
            )
            if not places.take(box):
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._palette.color(QPalette.ColorRole.Base))
            painter.drawRoundedRect(box.adjusted(-4, 0, 4, 0), 4, 4)
            painter.setFont(font)
            painter.setPen(colours.muted(self._palette))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
            drawn += 1
            if drawn == _MOST_EDGE_LABELS:
                return

    def _paint_arrow(self, painter: QPainter, edge: int, ink: QColor) -> None:
        """A small head before the target, because a link reads in one direction."""
        target = int(self._scene.ends[edge][1])
        path = self._edge_path(edge)
        length = path.length()
        gap = self._reach(target) + 1
        if length < gap + 12:
            return
        share = path.percentAtLength(length - gap)
        tip = path.pointAtPercent(share)
        tail = path.pointAtPercent(path.percentAtLength(length - gap - 8))
        angle = math.atan2(tip.y() - tail.y(), tip.x() - tail.x())
        head = QPainterPath(tip)
        for turn in (2.7, -2.7):
            head.lineTo(tip + QPointF(8 * math.cos(angle + turn), 8 * math.sin(angle + turn)))
        head.closeSubpath()
        painter.fillPath(head, ink)

    def _edge_path(self, edge: int) -> QPainterPath:
        source, target = (int(end) for end in self._scene.ends[edge])
        (x1, y1), (x2, y2) = self._at(source), self._at(target)
        path = QPainterPath(QPointF(x1, y1))
        if source == target:
            radius = float(self.radii[source]) * 1.6
            path.addEllipse(QPointF(x1, y1 - radius), radius, radius)
            return path
        bend = float(self._scene.bends[edge])
        if bend == 0:
            path.lineTo(x2, y2)
        else:
            middle = QPointF((x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend)
            path.quadTo(middle, QPointF(x2, y2))
        return path

    def _at(self, row: int) -> tuple[float, float]:
        return float(self.screen[row, 0]), float(self.screen[row, 1])


def node_radii(scene: GraphScene, viewport: Viewport, font: QFont) -> Points:
    """Radius of each node in pixels: by importance, smaller in a crowd, growing with zoom."""
    count = max(len(scene.nodes), 1)
    unit = QFontMetricsF(font).height() * 0.62
    reach = float(np.abs(scene.positions).max()) if len(scene.nodes) > 1 else 1.0
    spacing = viewport.scale * max(reach, 1e-9) * 2 / math.sqrt(count)
    unit = min(unit, max(spacing * 0.16, unit * 0.18))
    spread = np.sqrt(np.clip(scene.importance, 0.0, 1.0)) if len(scene.nodes) else np.zeros(0)
    radii: Points = unit * (0.62 + 0.75 * spread)
    if scene.center is not None:
        radii[scene.center] = max(unit * 1.5, float(radii[scene.center]))
    return radii


def node_label(scene: GraphScene, row: int) -> str:
    """The words at a node: "You" for the owner of the memory."""
    node = scene.nodes[row]
    return "You" if node.id == "me" else shortened(node.name, _LONGEST_LABEL)


def edge_words(scene: GraphScene, edge: int) -> str:
    """The words at an edge."""
    view = scene.edges[edge]
    return view.text or view.predicate.replace("_", " ").casefold()


def shortened(text: str, longest: int) -> str:
    """``text`` cut to ``longest`` characters with an ellipsis."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 1].rstrip() + "…"
