"""The panel "What I know about you": a list and a graph beside the detail of what was chosen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Literal

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLayout, QSplitter, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from aico_desktop.contract.messages import FactDetail, FactView, Forgotten, Graph
from ui.knowledge.detail_pane import DetailPane
from ui.knowledge.graph_pane import GraphPane
from ui.knowledge.list_pane import FactListPane
from ui.knowledge.notices import NoticeLine, plain_label
from ui.knowledge.wording import facts as facts_in_words
from ui.knowledge.wording import passages

Wish = Literal["facts", "detail", "graph", "forget_preview", "forget", "edit"]
"""What the panel asked for, to say which of its wishes failed."""

_LIST, _GRAPH = 0, 1
_NARROW_LETTERS = 84
"""Width in letters below which the detail lies under the list instead of beside it."""
_HANDLE_AND_MARGINS = 40
_GATHER_MS = 150
"""Changes of facts that arrive within this time are asked for once."""


class KnowledgePanel(QWidget):
    """Shows what is known and emits what the person wants; never calls the client.

    Args:
        today: gives the day that "past" and "later" are told from.
        parent: owner of the panel.
    """

    facts_requested = Signal(object, object)
    #: About whom (str or None) and which words (str or None); both None means all facts.
    detail_requested = Signal(str)
    #: The id of a fact to explain.
    graph_requested = Signal(object, int)
    #: The id of the centre (str, None for the person) and the depth in links.
    forget_preview_requested = Signal(str)
    #: The target (fact id or name) whose forgetting shall be previewed.
    forget_requested = Signal(str)
    #: The target to forget for good.
    edit_requested = Signal(str, object, object, object)
    #: Fact id; object, valid from, valid until (str or None). None: unchanged, "": cleared.
    source_requested = Signal(str, str, int, int)
    #: Conversation, message id, start and end of a quote (half-open code points).

    def __init__(
        self, today: Callable[[], date] = date.today, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._is_stale = True
        self._graph_is_stale = True
        self._detail_occupied = False
        self._tab = _LIST
        self._shares: dict[int, list[int]] = {_LIST: [560, 440], _GRAPH: [680, 320]}
        self.tabs = QTabBar()
        self.notice = NoticeLine()
        self.list_pane = FactListPane(today)
        self.graph_pane = GraphPane()
        self.detail_pane = DetailPane(today)
        self._column = QVBoxLayout(self)
        self._left = QStackedWidget()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._gather = QTimer(self)
        self._gather.setSingleShot(True)
        self._gather.setInterval(_GATHER_MS)
        self._lay_out()
        self._connect()

    # ------------------------------------------------------------ what it is told

    def show_facts(self, facts: tuple[FactView, ...]) -> None:
        """Show all facts (the answer to ``facts_requested``)."""
        self.list_pane.show_facts(facts)
        wanted = self.detail_pane.wanted_fact_id
        if wanted and wanted not in {fact.id for fact in facts}:
            self.detail_pane.show_nothing()

    def show_detail(self, detail: FactDetail) -> None:
        """Explain a fact (the answer to ``detail_requested`` and ``edit_requested``)."""
        self.detail_pane.show_detail(detail)

    def show_graph(self, graph: Graph) -> None:
        """Draw a neighbourhood (the answer to ``graph_requested``)."""
        self.graph_pane.show_graph(graph)

    def show_forget_preview(self, preview: Forgotten) -> None:
        """Say what would go (the answer to ``forget_preview_requested``)."""
        self.detail_pane.show_forget_preview(preview)

    def show_forgotten(self, forgotten: Forgotten) -> None:
        """Say what went (the answer to ``forget_requested``), and read the rest again."""
        words = f"Forgotten: {facts_in_words(len(forgotten.facts))}"
        if forgotten.blanked_spans:
            words += f", {passages(forgotten.blanked_spans)} blanked"
        if forgotten.vectors_pending:
            words += ". The last traces are being removed in the background"
        self.notice.say(f"{words}.")
        self.detail_pane.show_nothing()
        self.facts_changed()
        self.list_pane.tree.setFocus()

    def show_failure(self, wish: Wish, human: str) -> None:
        """Say in words that a wish failed, where it was made."""
        match wish:
            case "facts":
                self.list_pane.show_failure(human)
            case "graph":
                self.graph_pane.show_failure(human)
            case _:
                self.detail_pane.show_failure(human)

    def facts_changed(self) -> None:
        """Facts appeared, changed or went: ask again, at once if the panel is seen."""
        self._is_stale = self._graph_is_stale = True
        if self.isVisible():
            self._gather.start()

    # ------------------------------------------------------------ moving about

    def show_fact(self, fact_id: str) -> None:
        """Open one fact, for a chip or a link in the chat."""
        self.tabs.setCurrentIndex(_LIST)
        if not self.list_pane.choose_fact(fact_id):
            self.detail_pane.want_fact(fact_id)

    def focus_search(self) -> None:
        """Put the cursor into the search box."""
        self.tabs.setCurrentIndex(_LIST)
        self.list_pane.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.list_pane.search.selectAll()

    # ------------------------------------------------------------ setup

    def _lay_out(self) -> None:
        title = plain_label("title")
        title.setText("What I know about you")
        self.tabs.addTab("List")
        self.tabs.addTab("Graph")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName("List or graph")
        self._left.addWidget(self.list_pane)
        self._left.addWidget(self.graph_pane)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self._left)
        self.splitter.addWidget(self.detail_pane)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes(list(self._shares[_LIST]))
        layout = self._column
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        layout.setContentsMargins(14, 12, 14, 8)
        layout.setSpacing(8)
        layout.addWidget(title)
        layout.addWidget(self.tabs)
        layout.addWidget(self.notice)
        layout.addWidget(self.splitter, 1)
        self.setAccessibleName("What I know about you")

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._gather.timeout.connect(self._ask)
        self.list_pane.fact_chosen.connect(self.detail_pane.want_fact)
        self.list_pane.fact_opened.connect(self._on_fact_opened)
        self.list_pane.retry_requested.connect(self._ask)
        self.graph_pane.graph_requested.connect(self.graph_requested)
        self.graph_pane.node_selected.connect(self._on_node_selected)
        self.graph_pane.edge_selected.connect(self._on_edge_selected)
        detail = self.detail_pane
        detail.detail_requested.connect(self.detail_requested)
        detail.forget_preview_requested.connect(self.forget_preview_requested)
        detail.forget_requested.connect(self.forget_requested)
        detail.edit_requested.connect(self.edit_requested)
        detail.source_requested.connect(self.source_requested)
        detail.centre_requested.connect(self._on_centre_requested)
        detail.occupied_changed.connect(self._on_detail_occupied)

    def event(self, event: QEvent) -> bool:
        """Claim the panel's own keys, which mean other things in the rest of the window."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._action_of(event) is not None
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 corrects and Delete forgets the fact that is shown; Find goes to the search."""
        action = self._action_of(event)
        if action is None:
            super().keyPressEvent(event)
        else:
            action()

    def _action_of(self, event: QKeyEvent) -> Callable[[], None] | None:
        if event.matches(QKeySequence.StandardKey.Find):
            return self.focus_search
        if event.modifiers() != Qt.KeyboardModifier.NoModifier:
            return None
        keys = {
            int(Qt.Key.Key_F2): self.detail_pane.begin_edit,
            int(Qt.Key.Key_Delete): self.detail_pane.begin_forget,
        }
        return keys.get(event.key())

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for what is missing or stale when the panel is opened."""
        super().showEvent(event)
        if self._is_stale or (self._graph_is_stale and self.tabs.currentIndex() == _GRAPH):
            self._ask()

    def minimumSizeHint(self) -> QSize:
        """As narrow as the wider of the two sides, because they stack when there is no room."""
        left, right = self._left.minimumSizeHint(), self.detail_pane.minimumSizeHint()
        margins = self.contentsMargins() + self._column.contentsMargins()
        aside = margins.left() + margins.right()
        return QSize(max(left.width(), right.width()) + aside, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside each other when wide, above each other when narrow."""
        super().resizeEvent(event)
        letters = self.fontMetrics().averageCharWidth() * _NARROW_LETTERS
        needed = self._left.minimumSizeHint().width() + self.detail_pane.minimumSizeHint().width()
        narrow = event.size().width() < max(letters, needed + _HANDLE_AND_MARGINS)
        wanted = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if self.splitter.orientation() != wanted:
            self.splitter.setOrientation(wanted)
            self._place_detail()

    # ------------------------------------------------------------ slots

    def _ask(self) -> None:
        self._is_stale = False
        self.list_pane.show_loading()
        self.facts_requested.emit(None, None)
        if self.tabs.currentIndex() == _GRAPH and self._graph_is_stale:
            self._graph_is_stale = False
            self.graph_pane.ask_again()

    def _on_detail_occupied(self, occupied: bool) -> None:
        self._detail_occupied = occupied
        self._place_detail()

    def _place_detail(self) -> None:
        """Below the list there is no room for a pane that only says that it is empty."""
        stacked = self.splitter.orientation() == Qt.Orientation.Vertical
        self.detail_pane.setVisible(self._detail_occupied or not stacked)

    def _on_tab_changed(self, tab: int) -> None:
        self._left.setCurrentIndex(tab)
        self._shares[self._tab] = self.splitter.sizes()
        self._tab = tab
        self.splitter.setSizes(self._shares[tab])
        if tab == _GRAPH and self._graph_is_stale:
            self._graph_is_stale = False
            self.graph_pane.ask_again()

    def _on_fact_opened(self, fact_id: str) -> None:
        if self.detail_pane.wanted_fact_id != fact_id:
            self.detail_pane.want_fact(fact_id)
        self.detail_pane.fact_page.edit_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_node_selected(self, node_id: str) -> None:
        row = self.graph_pane.view.scene.row_of(node_id) if node_id else None
        if row is None:
            self.detail_pane.show_nothing()
            return
        node = self.graph_pane.view.scene.nodes[row]
        index = self.list_pane.index
        title = index.title_of(node.id, node.name)
        self.detail_pane.show_entity(node.id, title, node.label, index.about(node.id))

    def _on_edge_selected(self, fact_ids: tuple[str, ...]) -> None:
        if fact_ids:
            self.detail_pane.want_fact(fact_ids[0])

    def _on_centre_requested(self, entity_id: str) -> None:
        self.tabs.setCurrentIndex(_GRAPH)
        self.graph_pane.ask_for(entity_id)
