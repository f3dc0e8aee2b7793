"""The tree view of grouped facts: keyboard, folding of groups, and what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from ui.knowledge.fact_delegate import FactDelegate
from ui.knowledge.fact_model import AnyIndex, FactTreeModel
from ui.knowledge.grouping import FactGroup


class FactTree(QTreeView):
    """Groups of facts that can be walked, folded and chosen with keyboard or mouse.

    Args:
        today: gives the day that "past" is told from.
        parent: owner of the view.
    """

    fact_chosen = Signal(str)
    #: The id of the fact that the person moved to or clicked.
    fact_opened = Signal(str)
    #: The id of the fact on which Enter or a double click asks for more.

    def __init__(self, today: Callable[[], date], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts = FactTreeModel(today, self)
        self._folded: set[str] = set()
        self._filling = False
        self.setModel(self._facts)
        self.setItemDelegate(FactDelegate(self, today))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.clicked.connect(self._on_clicked)
        self.activated.connect(self._on_activated)
        self.collapsed.connect(self._on_collapsed)
        self.expanded.connect(self._on_expanded)

    @property
    def fact_model(self) -> FactTreeModel:
        """The model that the tree shows."""
        return self._facts

    def show_groups(self, groups: Sequence[FactGroup], *, unfold_all: bool = False) -> None:
        """Show these groups; the chosen fact, folded groups and the position stay.

        ``unfold_all`` opens every group (search results) without forgetting which were folded.
        """
        chosen = self.chosen_fact_id()
        position = self.verticalScrollBar().value()
        self._filling = True
        try:
            self._facts.set_groups(groups)
            for row, group in enumerate(groups):
                is_open = unfold_all or group.key not in self._folded
                self.setExpanded(self._facts.index(row, 0), is_open)
            if chosen is not None:
                self.setCurrentIndex(self._facts.index_of_fact(chosen))
        finally:
            self._filling = False
        self.verticalScrollBar().setValue(position)

    def chosen_fact_id(self) -> str | None:
        """The fact at the cursor, if it is one."""
        fact = self._facts.fact_at(self.currentIndex())
        return fact.id if fact is not None else None

    def choose_fact(self, fact_id: str) -> bool:
        """Move to a fact, unfolding its group; False if it is not in the list."""
        index = self._facts.index_of_fact(fact_id)
        if not index.isValid():
            return False
        self.expand(index.parent())
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return True

    def choose_first(self) -> bool:
        """Move to the first fact shown; False if there is none."""
        for group in self._facts.groups:
            if group.facts:
                return self.choose_fact(group.facts[0].id)
        return False

    # ------------------------------------------------------------ Qt

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Tell which fact the cursor is on now."""
        super().currentChanged(current, previous)
        fact = self._facts.fact_at(current)
        if fact is not None and not self._filling:
            self.fact_chosen.emit(fact.id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Enter fold a group; everything else is Qt's own tree navigation."""
        keys = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Delete):
            event.ignore()  # the panel corrects or forgets; Qt would search for a row by letter
            return
        if event.key() in keys and self._facts.group_at(index) is not None:
            self.setExpanded(index, not self.isExpanded(index))
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Row heights depend on the width, so that they are worked out again."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    # ------------------------------------------------------------ slots

    def _on_clicked(self, index: QModelIndex) -> None:
        if self._facts.group_at(index) is not None:
            self.setExpanded(index, not self.isExpanded(index))

    def _on_activated(self, index: QModelIndex) -> None:
        fact = self._facts.fact_at(index)
        if fact is not None:
            self.fact_opened.emit(fact.id)

    def _on_collapsed(self, index: QModelIndex) -> None:
        group = self._facts.group_at(index)
        if group is not None and not self._filling:
            self._folded.add(group.key)

    def _on_expanded(self, index: QModelIndex) -> None:
        group = self._facts.group_at(index)
        if group is not None and not self._filling:
            self._folded.discard(group.key)
