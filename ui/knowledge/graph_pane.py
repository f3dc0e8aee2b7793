"""The graph side of the panel: picture, outline, legend, and the controls around them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from aico_desktop.contract.messages import Graph
from ui.knowledge.graph_marks import Legend
from ui.knowledge.graph_outline import GraphOutline
from ui.knowledge.graph_painter import node_label
from ui.knowledge.graph_view import GraphView
from ui.knowledge.notices import StatePage
from ui.theme import set_kind, set_text_role
from ui.widgets.flow_layout import FlowLayout

_NARROW_LETTERS, _ROOMY_LETTERS = 70, 110
"""Width in letters below which the outline lies under the picture instead of beside it, and from
which it is shown without being asked for."""


class GraphPane(QWidget):
    """A neighbourhood as a picture and as an outline that select together."""

    graph_requested = Signal(object, int)
    #: The id of the centre (None for the person) and the depth in links.
    node_selected = Signal(str)
    #: The id of the node that was selected, "" when nothing is any more.
    edge_selected = Signal(object)
    #: The fact ids (tuple of str) of the link that was chosen.

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._center: str | None = None
        self._depth = 2
        self._outline_chosen = False
        self.view = GraphView()
        self.outline = GraphOutline()
        self.legend = Legend()
        self.title = QLabel()
        self.hidden_note = QLabel()
        self.home_button = _tool("Around me", "Show what is around me")
        self.depth_one = _tool("1 step", "Show one step around the centre", checkable=True)
        self.depth_two = _tool("2 steps", "Show two steps around the centre", checkable=True)
        self.zoom_in_button = _tool("+", "Zoom in")
        self.zoom_out_button = _tool("−", "Zoom out")
        self.fit_button = _tool("Fit", "Fit the whole graph")
        self.outline_button = _tool("Outline", "Show the outline", checkable=True)
        self.state_page = StatePage()
        self._both = QSplitter(Qt.Orientation.Horizontal)
        self._pages = QStackedWidget()
        self._set_up()
        self._connect()
        self.show_loading()

    # ------------------------------------------------------------ what it is told

    def show_graph(self, graph: Graph) -> None:
        """Show this neighbourhood."""
        self._center = None if graph.center_id == "me" else graph.center_id
        if len(graph.nodes) < 2:
            self.state_page.show_state(
                "Nothing to draw yet",
                "When you tell me about people, places and work, I draw here how they belong "
                "together, with you in the middle.",
                "" if self._center is None else "Back to me",
            )
            self._pages.setCurrentWidget(self.state_page)
            self.view.show_graph(graph)
            self.outline.show_scene(self.view.scene)
            return
        self.view.show_graph(graph)
        scene = self.view.scene
        self.outline.show_scene(scene)
        self.outline.select(self.view.selected_id)
        self.legend.show_kinds(scene.kinds_present())
        name = node_label(scene, scene.center) if scene.center is not None else ""
        self.title.setText(f"Around {'you' if name == 'You' else name}" if name else "")
        self.hidden_note.setText(f"{graph.hidden} more are not drawn" if graph.hidden else "")
        self.hidden_note.setVisible(graph.hidden > 0)
        self.home_button.setEnabled(self._center is not None)
        self._pages.setCurrentWidget(self._both)

    def show_loading(self) -> None:
        """Say that the graph is being read, unless one is shown."""
        if not self.view.scene.nodes:
            self.state_page.show_state("Drawing what I know…", "")
            self._pages.setCurrentWidget(self.state_page)

    def show_failure(self, human: str) -> None:
        """Say why the graph could not be read."""
        self.state_page.show_state("I could not draw this", human, "Try again")
        self._pages.setCurrentWidget(self.state_page)

    def ask_for(self, center_id: str | None) -> None:
        """Ask for the neighbourhood of a node, of the person if None."""
        self._center = None if center_id == "me" else center_id
        self.show_loading()
        self.graph_requested.emit(self._center, self._depth)

    def ask_again(self) -> None:
        """Ask for the present neighbourhood once more."""
        self.ask_for(self._center)

    # ------------------------------------------------------------ setup

    def _set_up(self) -> None:
        set_text_role(self.title, "heading")
        set_text_role(self.hidden_note, "small")
        for label in (self.title, self.hidden_note):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.hidden_note.hide()
        self.home_button.setEnabled(False)
        self.depth_two.setChecked(True)
        self.outline_button.setChecked(True)
        self.outline.setMinimumWidth(120)
        group = QButtonGroup(self)
        group.addButton(self.depth_one)
        group.addButton(self.depth_two)
        tools = FlowLayout()
        for button in (
            self.depth_one,
            self.depth_two,
            self.home_button,
            self.outline_button,
            self.zoom_out_button,
            self.zoom_in_button,
            self.fit_button,
        ):
            tools.addWidget(button)
        picture = QWidget()
        column = QVBoxLayout(picture)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.view, 1)
        column.addWidget(self.legend)
        self._both.setChildrenCollapsible(False)
        self._both.addWidget(picture)
        self._both.addWidget(self.outline)
        self._both.setStretchFactor(0, 3)
        self._both.setStretchFactor(1, 1)
        self._both.setSizes([600, 220])
        self._pages.addWidget(self._both)
        self._pages.addWidget(self.state_page)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.hidden_note)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 10, 0)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addLayout(tools)
        layout.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self.view.node_selected.connect(self._on_view_selected)
        self.view.edge_selected.connect(self.edge_selected)
        self.view.centre_requested.connect(self.ask_for)
        self.outline.node_selected.connect(self._on_outline_selected)
        self.outline.edge_selected.connect(self.edge_selected)
        self.outline.centre_requested.connect(self.ask_for)
        self.home_button.clicked.connect(self._on_home)
        self.depth_two.toggled.connect(self._on_depth)
        self.zoom_in_button.clicked.connect(self.view.zoom_in)
        self.zoom_out_button.clicked.connect(self.view.zoom_out)
        self.fit_button.clicked.connect(self.view.fit)
        self.outline_button.toggled.connect(self.outline.setVisible)
        self.outline_button.clicked.connect(self._on_outline_chosen)
        self.state_page.action_chosen.connect(self._on_page_action)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside each other when wide, above each other when narrow."""
        super().resizeEvent(event)
        letter = self.fontMetrics().averageCharWidth()
        narrow = event.size().width() < letter * _NARROW_LETTERS
        self._both.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
        if not self._outline_chosen and not QAccessible.isActive():
            self.outline_button.setChecked(event.size().width() >= letter * _ROOMY_LETTERS)

    # ------------------------------------------------------------ slots

    def _on_view_selected(self, node_id: str) -> None:
        self.outline.select(node_id)
        self.node_selected.emit(node_id)

    def _on_outline_selected(self, node_id: str) -> None:
        self.view.select(node_id)
        self.node_selected.emit(node_id)

    def _on_outline_chosen(self) -> None:
        self._outline_chosen = True

    def _on_home(self) -> None:
        self.ask_for(None)

    def _on_depth(self, two: bool) -> None:
        self._depth = 2 if two else 1
        self.ask_again()

    def _on_page_action(self) -> None:
        if self.state_page.action.text() == "Back to me":
            self.ask_for(None)
        else:
            self.ask_again()


def _tool(text: str, spoken: str, *, checkable: bool = False) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setAccessibleName(spoken)
    button.setToolTip(spoken)
    button.setCheckable(checkable)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    set_kind(button, "pill")
    return button
