"""The item model that shows grouped facts to a tree view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from aico_desktop.contract.messages import FactView
from ui.knowledge.grouping import FactGroup
from ui.knowledge.wording import facts as facts_in_words
from ui.knowledge.wording import spoken_fact

AnyIndex = QModelIndex | QPersistentModelIndex

FACT_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""The :class:`FactView` of a row, None on a group row."""
GROUP_ROLE = FACT_ROLE + 1
"""The :class:`FactGroup` of a group row, None on a fact row."""

_GROUP_LEVEL = 0


class FactTreeModel(QAbstractItemModel):
    """Two levels over a plain list: groups, and the facts in each.

    Args:
        today: gives the day that "past" and "later" are told from.
        parent: owner of the model.
    """

    def __init__(self, today: Callable[[], date], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: tuple[FactGroup, ...] = ()
        self._today = today

    @property
    def groups(self) -> tuple[FactGroup, ...]:
        """What is shown."""
        return self._groups

    @property
    def fact_count(self) -> int:
        """Facts over all groups."""
        return sum(len(group.facts) for group in self._groups)

    def set_groups(self, groups: Sequence[FactGroup]) -> None:
        """Show these groups instead."""
        self.beginResetModel()
        self._groups = tuple(groups)
        self.endResetModel()

    def index_of_fact(self, fact_id: str) -> QModelIndex:
        """The row of a fact, or an invalid index."""
        for group_row, group in enumerate(self._groups):
            for row, fact in enumerate(group.facts):
                if fact.id == fact_id:
                    return self.index(row, 0, self.index(group_row, 0))
        return QModelIndex()

    def fact_at(self, index: AnyIndex) -> FactView | None:
        """The fact of a row, None for a group or an invalid index."""
        if not index.isValid() or index.internalId() == _GROUP_LEVEL:
            return None
        return self._groups[index.internalId() - 1].facts[index.row()]

    def group_at(self, index: AnyIndex) -> FactGroup | None:
        """The group of a group row, else None."""
        if not index.isValid() or index.internalId() != _GROUP_LEVEL:
            return None
        return self._groups[index.row()]

    # ------------------------------------------------------------ QAbstractItemModel

    def index(self, row: int, column: int, parent: AnyIndex = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's signature; an invalid index is immutable
        """Group rows carry id 0; fact rows carry their group's row + 1."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        level = parent.row() + 1 if parent.isValid() else _GROUP_LEVEL
        return self.createIndex(row, column, level)

    def parent(self, index: AnyIndex | None = None) -> QModelIndex:  # type: ignore[override]  # QObject.parent() shares the name
        """The group of a fact."""
        if index is None or not index.isValid() or index.internalId() == _GROUP_LEVEL:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, _GROUP_LEVEL)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Groups at the top, facts within a group."""
        if not parent.isValid():
            return len(self._groups)
        if parent.internalId() != _GROUP_LEVEL or parent.column() != 0:
            return 0
        return len(self._groups[parent.row()].facts)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """One column; the delegate lays a row out."""
        return 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """A name for the hidden header, which a screen reader would else call "1"."""
        return "Facts" if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, tool tip, what a screen reader says, and the plain objects."""
        group = self.group_at(index)
        fact = self.fact_at(index)
        if group is not None:
            return self._group_data(group, role)
        if fact is not None:
            return self._fact_data(fact, role)
        return None

    def _group_data(self, group: FactGroup, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return group.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{group.title}, {facts_in_words(len(group.facts))}"
            case _ if role == GROUP_ROLE:
                return group
        return None

    def _fact_data(self, fact: FactView, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return fact.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken_fact(fact, self._today())
            case _ if role == FACT_ROLE:
                return fact
        return None
