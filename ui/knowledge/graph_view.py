"""The picture of a neighbourhood: one widget that draws, pans, zooms, highlights and selects."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from aico_desktop.contract.messages import Graph
from ui.knowledge import colours
from ui.knowledge.fact_delegate import focus_ring, small_font
from ui.knowledge.graph_camera import Camera
from ui.knowledge.graph_painter import GraphPainter, node_label, node_radii
from ui.knowledge.graph_picture import RestingPicture
from ui.knowledge.graph_scene import GraphScene, Viewport
from ui.knowledge.wording import label_in_words

_REST_MS = 80
"""Pause after the last move before the picture is drawn anew (reference/desktop §5.1)."""
_ZOOM_STEP = 1.25
_PAN_STEP = 60.0
_EMPTY = Graph(center_id="me", nodes=(), edges=())
_DIRECTIONS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class GraphView(QWidget):
    """Draws positions that the backend laid out; never lays out itself.

    While the person drags or zooms, the last picture is drawn transformed; it is drawn anew when
    the view rests. Hover and selection are drawn above the picture, so that they are cheap.
    """

    node_selected = Signal(str)
    #: The id of the node that was selected, "" when nothing is any more.
    edge_selected = Signal(object)
    #: The fact ids (tuple of str) of the edge that was clicked.
    centre_requested = Signal(str)
    #: The id of the node whose neighbourhood the person wants.

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = GraphScene(_EMPTY)
        self._camera = Camera()
        self._picture = RestingPicture(self._painter_for)
        self._selected: int | None = None
        self._hovered: int | None = None
        self._hovered_edge: int | None = None
        self._pressed: QPointF | None = None
        self._dragged = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._on_rest)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 140)
        self.setAccessibleName("Picture of what I know")
        self._describe()

    @property
    def scene(self) -> GraphScene:
        """What is drawn."""
        return self._scene

    @property
    def viewport_now(self) -> Viewport:
        """How positions become pixels at present."""
        return self._camera.viewport

    @property
    def selected_id(self) -> str:
        """The id of the selected node, "" for none."""
        return self._scene.nodes[self._selected].id if self._selected is not None else ""

    def sizeHint(self) -> QSize:
        """Room for a readable neighbourhood."""
        return QSize(640, 480)

    # ------------------------------------------------------------ what it is told

    def show_graph(self, graph: Graph) -> None:
        """Draw this graph, fitted; a selected node stays selected if it is still there."""
        selected = self.selected_id
        self._scene = GraphScene(graph)
        self._selected = self._scene.row_of(selected) if selected else None
        self._hovered = self._hovered_edge = None
        self.fit()
        self._describe()

    def select(self, node_id: str) -> None:
        """Select a node without telling (the outline did), and bring it into view."""
        row = self._scene.row_of(node_id)
        if row != self._selected:
            self._selected = row
            self._bring_into_view(row)
            self._describe()
            self.update()

    def fit(self) -> None:
        """Show the whole graph with its centre in the middle."""
        margin = self.fontMetrics().height() * 2.2
        self._camera.fit(self._scene, self.width(), self.height(), margin)
        self._on_rest()

    def zoom_in(self) -> None:
        """Larger around the middle."""
        self._zoom(_ZOOM_STEP, self.width() / 2, self.height() / 2)

    def zoom_out(self) -> None:
        """Smaller around the middle."""
        self._zoom(1 / _ZOOM_STEP, self.width() / 2, self.height() / 2)

    # ------------------------------------------------------------ moving

    def _zoom(self, factor: float, x: float, y: float) -> None:
        self._camera.zoom(factor, x, y)
        self._on_moved()

    def _on_moved(self) -> None:
        self._rest.start()
        self.update()

    def _on_rest(self) -> None:
        self._picture.forget()
        self.update()

    def _bring_into_view(self, row: int | None) -> None:
        margin = self.fontMetrics().height() * 1.5
        if row is not None and self._camera.bring_into_view(
            self._scene, row, self.width(), self.height(), margin
        ):
            self._on_moved()

    # ------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture, what is lifted out of it, and the focus ring.

        The painter is ended whatever happens: one left active crashes Qt at exit.
        """
        painter = QPainter(self)
        try:
            ground = self.palette().base().color()
            painter.fillRect(self.rect(), ground)
            if self._scene.nodes:
                ratio = self.devicePixelRatioF()
                area = QRectF(self.rect())
                self._picture.paint(painter, self._camera.viewport, area, ratio, ground)
                self._paint_above(painter)
            self._paint_frame(painter)
        finally:
            painter.end()

    def _paint_frame(self, painter: QPainter) -> None:
        if self.hasFocus():
            focus_ring(painter, self)
            return
        painter.setPen(colours.hairline(self.palette()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _painter_for(self, area: QRectF) -> GraphPainter:
        font = small_font(self.font())
        seen, viewport = QRectF(self.rect()), self._camera.viewport
        return GraphPainter(self._scene, viewport, area, seen, self.palette(), font)

    def _paint_above(self, painter: QPainter) -> None:
        """Lift what is hovered, else what is selected, out of the picture."""
        focus = self._hovered if self._hovered is not None else self._selected
        if self._hovered_edge is not None:
            rows = [int(end) for end in self._scene.ends[self._hovered_edge]]
            edges = [self._hovered_edge]
        elif focus is not None:
            rows = [focus, *self._scene.neighbours_of(focus)]
            edges = self._scene.edges_of(focus)
        else:
            return
        above = self._painter_for(QRectF(self.rect()))
        above.labels = self._picture.labels_in(self._camera.viewport)
        above.paint_lifted(painter, rows, edges, self._selected)

    # ------------------------------------------------------------ mouse

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer."""
        at = event.position()
        self._zoom(1.0015 ** event.angleDelta().y(), at.x(), at.y())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press may become a click or a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()
            self._dragged = False
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the picture, or highlight what is under the pointer."""
        at = event.position()
        if self._pressed is None:
            self._hover(at)
            return
        moved = at - self._pressed
        if self._dragged or moved.manhattanLength() >= QApplication.startDragDistance():
            self._dragged = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._camera.move(moved.x(), moved.y())
            self._on_moved()
            self._pressed = at

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click selects a node or an edge, or nothing."""
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            return
        self._pressed = None
        self.unsetCursor()
        if self._dragged:
            return
        row = self._node_under(event.position())
        edge = self._edge_under(event.position()) if row is None else None
        self._choose(row)
        if edge is not None:
            self.edge_selected.emit(self._scene.edges[edge].fact_ids)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click asks for the neighbourhood of a node."""
        row = self._node_under(event.position())
        if row is not None:
            self.centre_requested.emit(self._scene.nodes[row].id)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._set_hovered(None, None)

    def _hover(self, at: QPointF) -> None:
        row = self._node_under(at)
        self._set_hovered(row, self._edge_under(at) if row is None else None)
        pointing = self._hovered is not None or self._hovered_edge is not None
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if pointing else Qt.CursorShape.OpenHandCursor
        )

    def _set_hovered(self, row: int | None, edge: int | None) -> None:
        if (row, edge) != (self._hovered, self._hovered_edge):
            self._hovered, self._hovered_edge = row, edge
            self.update()

    def _node_under(self, at: QPointF) -> int | None:
        screen = self._camera.viewport.to_screen(self._scene.positions)
        radii = node_radii(self._scene, self._camera.viewport, small_font(self.font()))
        return self._scene.node_at(screen, radii, at.x(), at.y())

    def _edge_under(self, at: QPointF) -> int | None:
        screen = self._camera.viewport.to_screen(self._scene.positions)
        return self._scene.edge_at(screen, at.x(), at.y())

    # ------------------------------------------------------------ keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows pan, Ctrl+arrows walk, Page keys step by importance, Enter centres."""
        key = Qt.Key(event.key())
        if key in _DIRECTIONS:
            self._go(*_DIRECTIONS[key], walk=_holds_control(event))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_in()
        elif key == Qt.Key.Key_Minus:
            self.zoom_out()
        elif key in (Qt.Key.Key_0, Qt.Key.Key_Home):
            self.fit()
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self._step(1 if key == Qt.Key.Key_PageDown else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._selected is not None:
            self.centre_requested.emit(self.selected_id)
        elif key == Qt.Key.Key_Escape and self._selected is not None:
            self._choose(None)
        else:
            super().keyPressEvent(event)

    def _go(self, right: int, down: int, *, walk: bool) -> None:
        if not walk:
            self._camera.move(-right * _PAN_STEP, -down * _PAN_STEP)
            self._on_moved()
            return
        start = self._selected if self._selected is not None else self._scene.center
        if start is None:
            return
        target = (
            self._scene.node_towards(start, right, down) if self._selected is not None else start
        )
        if target is not None:
            self._choose(target)

    def _step(self, by: int) -> None:
        order = self._scene.by_importance
        if not order:
            return
        place = order.index(self._selected) + by if self._selected is not None else 0
        self._choose(order[place % len(order)])

    def _choose(self, row: int | None) -> None:
        if row == self._selected:
            return
        self._selected = row
        self._bring_into_view(row)
        self._describe()
        self.update()
        self.node_selected.emit(self.selected_id)

    def _describe(self) -> None:
        """Keep the words for screen readers in step; the outline is the real interface."""
        help_text = (
            "Arrow keys move the picture, Control with arrow keys walks from node to node, Page Up "
            "and Page Down go by importance, plus and minus zoom, Enter shows what is around."
        )
        if self._selected is None:
            words = f"{len(self._scene.nodes)} nodes. "
        else:
            node = self._scene.nodes[self._selected]
            count = len(self._scene.edges_of(self._selected))
            links = "1 link" if count == 1 else f"{count} links"
            name = node_label(self._scene, self._selected)
            words = f"Selected: {name}, {label_in_words(node.label)}, {links}. "
        self.setAccessibleDescription(words + help_text)

    # ------------------------------------------------------------ changes around it

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stay fitted, or keep the middle in the middle."""
        super().resizeEvent(event)
        if self._camera.is_fitted:
            self.fit()
            return
        grown = event.size() - event.oldSize()
        self._camera.move(grown.width() / 2, grown.height() / 2)
        self._on_rest()

    def changeEvent(self, event: QEvent) -> None:
        """Light, dark and text size change the picture."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._on_rest()

    def screen_place(self, node_id: str) -> QPoint | None:
        """Where a node is drawn now, in widget pixels; None if it is not in the graph."""
        row = self._scene.row_of(node_id)
        if row is None:
            return None
        x, y = self._camera.viewport.to_screen(self._scene.positions)[row].tolist()
        return QPoint(round(x), round(y))


def _holds_control(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
