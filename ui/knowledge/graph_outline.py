"""The same neighbourhood as a tree of words: the graph for keyboards and screen readers."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from aico_desktop.contract.messages import Graph
from ui.knowledge.graph_painter import edge_words, node_label
from ui.knowledge.graph_scene import GraphScene
from ui.knowledge.wording import label_in_words

AnyIndex = QModelIndex | QPersistentModelIndex

_NODE_LEVEL = 0
_EMPTY = Graph(center_id="me", nodes=(), edges=())


class OutlineModel(QAbstractItemModel):
    """Nodes by importance; under each, its links in words."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scene = GraphScene(_EMPTY)

    def set_scene(self, scene: GraphScene) -> None:
        """Show the nodes and links of this scene."""
        self.beginResetModel()
        self._scene = scene
        self.endResetModel()

    def node_row(self, index: AnyIndex) -> int | None:
        """The scene's row of a node, or of the far end of a link."""
        if not index.isValid():
            return None
        if index.internalId() == _NODE_LEVEL:
            return self._scene.by_importance[index.row()]
        near = self._scene.by_importance[index.internalId() - 1]
        return self._scene.other_end(self._scene.edges_of(near)[index.row()], near)

    def node_id(self, index: AnyIndex) -> str:
        """The id of that node, "" for none."""
        row = self.node_row(index)
        return "" if row is None else self._scene.nodes[row].id

    def edge_facts(self, index: AnyIndex) -> tuple[str, ...]:
        """The fact ids of a link, () for a node."""
        if not index.isValid() or index.internalId() == _NODE_LEVEL:
            return ()
        near = self._scene.by_importance[index.internalId() - 1]
        return self._scene.edges[self._scene.edges_of(near)[index.row()]].fact_ids

    def index_of(self, node_id: str) -> QModelIndex:
        """The row of a node."""
        row = self._scene.row_of(node_id)
        if row is None:
            return QModelIndex()
        return self.index(self._scene.by_importance.index(row), 0)

    # ------------------------------------------------------------ QAbstractItemModel

    def index(self, row: int, column: int, parent: AnyIndex = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's signature; an invalid index is immutable
        """Nodes carry id 0; links carry their node's row + 1."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else _NODE_LEVEL)

    def parent(self, index: AnyIndex | None = None) -> QModelIndex:  # type: ignore[override]  # QObject.parent() shares the name
        """The node of a link."""
        if index is None or not index.isValid() or index.internalId() == _NODE_LEVEL:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, _NODE_LEVEL)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Nodes, or the links of one."""
        if not parent.isValid():
            return len(self._scene.nodes)
        if parent.internalId() != _NODE_LEVEL or parent.column() != 0:
            return 0
        return len(self._scene.edges_of(self._scene.by_importance[parent.row()]))

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """One column."""
        return 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The words of a node or a link."""
        wanted = (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
            Qt.ItemDataRole.ToolTipRole,
        )
        row = self.node_row(index)
        if row is None or role not in wanted:
            return None
        if index.internalId() != _NODE_LEVEL:
            return self._link_words(index, row)
        name, kind = node_label(self._scene, row), label_in_words(self._scene.nodes[row].label)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{name}  ·  {kind}"
        count = len(self._scene.edges_of(row))
        return f"{name}, {kind}, {'1 link' if count == 1 else f'{count} links'}"

    def _link_words(self, index: AnyIndex, far: int) -> str:
        near = self._scene.by_importance[index.internalId() - 1]
        edge = self._scene.edges_of(near)[index.row()]
        words, other = edge_words(self._scene, edge), node_label(self._scene, far)
        if self._scene.nodes[far].name in words:  # a whole sentence names both ends already
            return words
        outgoing = int(self._scene.ends[edge][0]) == near
        return f"{words} → {other}" if outgoing else f"{words} ← {other}"


class GraphOutline(QTreeView):
    """Walks the graph as a tree; Enter asks for a neighbourhood."""

    node_selected = Signal(str)
    #: The id of the node that the cursor is on.
    edge_selected = Signal(object)
    #: The fact ids (tuple of str) of the link that was chosen.
    centre_requested = Signal(str)
    #: The id of the node whose neighbourhood the person wants.

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outline = OutlineModel(self)
        self._following = False
        self.setModel(self._outline)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setExpandsOnDoubleClick(False)
        self.setAccessibleName("Outline of what I know")
        self.setAccessibleDescription(
            "People and things by importance. The right arrow shows the links of one, Enter shows "
            "what is around it."
        )
        self.clicked.connect(self._on_clicked)
        self.doubleClicked.connect(self._on_centre)

    @property
    def outline_model(self) -> OutlineModel:
        """The model that the tree shows."""
        return self._outline

    def show_scene(self, scene: GraphScene) -> None:
        """Show the nodes and links of this scene."""
        self._outline.set_scene(scene)

    def select(self, node_id: str) -> None:
        """Follow a selection that was made in the picture, without telling."""
        self._following = True
        try:
            self.setCurrentIndex(self._outline.index_of(node_id))
        finally:
            self._following = False

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Tell which node the cursor is on now."""
        super().currentChanged(current, previous)
        if self._following or not current.isValid():
            return
        near = current.parent() if current.parent().isValid() else current
        self.node_selected.emit(self._outline.node_id(near))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows what is around a node, or the facts of a link."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            facts = self._outline.edge_facts(self.currentIndex())
            if facts:
                self.edge_selected.emit(facts)
            else:
                self._on_centre(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _on_clicked(self, index: QModelIndex) -> None:
        facts = self._outline.edge_facts(index)
        if facts:
            self.edge_selected.emit(facts)

    def _on_centre(self, index: QModelIndex) -> None:
        node_id = self._outline.node_id(index)
        if node_id:
            self.centre_requested.emit(node_id)
