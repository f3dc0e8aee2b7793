"""The conversations as a Qt model, newest first, with the heading under which each one stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from aico_desktop.contract.messages import ConversationView
from ui.chat.wording import age_group, clock_words, parsed_time

HEADING_ROLE = int(Qt.ItemDataRole.UserRole) + 1
WHEN_ROLE = int(Qt.ItemDataRole.UserRole) + 2
ID_ROLE = int(Qt.ItemDataRole.UserRole) + 3

UNTITLED = "New chat"

AnyIndex = QModelIndex | QPersistentModelIndex

_TOP = QModelIndex()


class ConversationRows(QAbstractListModel):
    """Rows of the list. A title typed into a row becomes a wish and not yet a fact."""

    rename_requested = Signal(str, str)
    #: arg 0: conversation id, arg 1: new title.

    def __init__(self, today: Callable[[], date] = date.today) -> None:
        super().__init__()
        self._today = today
        self._rows: list[ConversationView] = []

    def replace(self, conversations: Iterable[ConversationView]) -> None:
        """Show exactly these."""
        self.beginResetModel()
        self._rows = sorted(conversations, key=_age_key, reverse=True)
        self.endResetModel()

    def put(self, conversation: ConversationView) -> None:
        """Add a conversation, or show its new title or date."""
        row = self.row_of(conversation.conversation_id)
        if row == 0 or (row > 0 and self._rows[row].updated_at == conversation.updated_at):
            self._rows[row] = conversation
            changed = self.index(row)
            self.dataChanged.emit(changed, changed)
            return
        if row > 0:
            self.beginRemoveRows(_TOP, row, row)
            del self._rows[row]
            self.endRemoveRows()
        place = next(
            (
                at
                for at, other in enumerate(self._rows)
                if _age_key(other) <= _age_key(conversation)
            ),
            len(self._rows),
        )
        self.beginInsertRows(_TOP, place, place)
        self._rows.insert(place, conversation)
        self.endInsertRows()
        if place + 1 < len(self._rows):
            # The row below may have lost its heading to this one, and with it some height.
            below = self.index(place + 1)
            self.dataChanged.emit(below, below)

    def row_of(self, conversation_id: str) -> int:
        """Row of a conversation, or -1."""
        for row, conversation in enumerate(self._rows):
            if conversation.conversation_id == conversation_id:
                return row
        return -1

    def conversation(self, row: int) -> ConversationView | None:
        """The conversation of a row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: AnyIndex = _TOP) -> int:
        """One level only."""
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Each title can be edited."""
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index: AnyIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """What a row says in each role."""
        conversation = self.conversation(index.row())
        if conversation is None:
            return None
        title = conversation.title or UNTITLED
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return title
            case Qt.ItemDataRole.ToolTipRole:
                count = conversation.message_count
                messages = "1 message" if count == 1 else f"{count} messages"
                return f"{title}\n{messages}"
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{title}, {self._when(conversation)}"
            case _ if role == HEADING_ROLE:
                return self._heading(index.row())
            case _ if role == WHEN_ROLE:
                return self._when(conversation)
            case _ if role == ID_ROLE:
                return conversation.conversation_id
            case _:
                return None

    def setData(
        self, index: AnyIndex, value: object, role: int = int(Qt.ItemDataRole.EditRole)
    ) -> bool:
        """Wish for another title; the row changes when the backend says so."""
        conversation = self.conversation(index.row())
        title = str(value).strip()
        if conversation is None or role != Qt.ItemDataRole.EditRole or not title:
            return False
        if title != (conversation.title or UNTITLED):
            self.rename_requested.emit(conversation.conversation_id, title)
        return True

    def _group(self, row: int) -> str:
        day = _day(self._rows[row])
        return age_group(day, self._today()) if day else ""

    def _heading(self, row: int) -> str:
        group = self._group(row)
        return group if row == 0 or self._group(row - 1) != group else ""

    def _when(self, conversation: ConversationView) -> str:
        day = _day(conversation)
        if day is None:
            return ""
        age = (self._today() - day).days
        if age <= 1:
            return clock_words(conversation.updated_at)
        return f"{day:%A}" if age < 7 else f"{day.day} {day:%b}"


def _day(conversation: ConversationView) -> date | None:
    parsed = parsed_time(conversation.updated_at)
    return parsed.date() if parsed else None


def _age_key(conversation: ConversationView) -> float:
    parsed = parsed_time(conversation.updated_at)
    return parsed.timestamp() if parsed else 0.0
