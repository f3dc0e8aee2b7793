"""The side bar: a new chat, and the chats so far with renaming in place."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ui.chat.conversation_delegate import ConversationDelegate
from ui.chat.conversation_rows import ID_ROLE, ConversationRows
from ui.theme import ThemeManager, set_text_role
from ui.widgets.buttons import IconButton, text_button
from ui.widgets.icons import icon


class _List(QListView):
    """Opens a chat on Enter too, not only on a click."""

    open_requested = Signal(QModelIndex)
    #: arg 0: row that Enter was pressed on.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the row unless a title is being edited."""
        editing = self.state() == QAbstractItemView.State.EditingState
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not editing:
            self.open_requested.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class ConversationList(QWidget):
    """Shows :class:`ConversationRows` and says which chat is wanted."""

    conversation_chosen = Signal(str)
    #: arg 0: conversation id.
    new_chat_requested = Signal()
    #: Start an empty chat.

    def __init__(
        self, theme: ThemeManager, rows: ConversationRows, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows = rows
        self.menu_button = IconButton(theme, "menu", "Menu", self)
        self.menu_button.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        self._title = QLabel("AICO", self)
        set_text_role(self._title, "heading")
        self._new: QPushButton = text_button(" New chat", "plain", self, accessible="New chat")
        self._empty = QLabel("Your chats will stand here.", self)
        self._empty.setWordWrap(True)
        set_text_role(self._empty, "small")
        self.view = _List(self)
        self._setup_ui()
        self._connect_signals()
        self._on_theme_changed()
        self._show_empty()

    def _setup_ui(self) -> None:
        em = self._theme.em
        view = self.view
        view.setModel(self._rows)
        view.setItemDelegate(ConversationDelegate(self._theme, view))
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setLayoutMode(QListView.LayoutMode.Batched)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.setAccessibleName("Chats")
        view.setMouseTracking(True)
        view.viewport().setAutoFillBackground(False)
        head = QHBoxLayout()
        head.setSpacing(em(0.4))
        head.addWidget(self.menu_button)
        head.addWidget(self._title, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(em(0.6), em(0.5), em(0.6), em(0.5))
        column.setSpacing(em(0.5))
        column.addLayout(head)
        column.addWidget(self._new)
        column.addWidget(self._empty)
        column.addWidget(view, 1)
        self.setMinimumWidth(em(8))
        self.setAccessibleName("Side bar")

    def _connect_signals(self) -> None:
        self._theme.changed.connect(self._on_theme_changed)
        self._new.clicked.connect(self.new_chat_requested)
        self.view.clicked.connect(self._on_row_chosen)
        self.view.open_requested.connect(self._on_row_chosen)
        self.view.customContextMenuRequested.connect(self._on_menu_requested)
        self._rows.modelReset.connect(self._show_empty)
        self._rows.rowsInserted.connect(self._show_empty)

    def mark_current(self, conversation_id: str | None) -> None:
        """Mark the chat that is open; None marks nothing, as for a chat not yet stored."""
        row = self._rows.row_of(conversation_id) if conversation_id else -1
        selection = self.view.selectionModel()
        if row < 0:
            selection.clear()
            return
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        selection.setCurrentIndex(self._rows.index(row), flag)

    def rename_current(self) -> None:
        """Edit the title of the current row in place."""
        index = self.view.currentIndex()
        if index.isValid():
            self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.view.edit(index)

    def focus(self) -> None:
        """Put the focus on the list, or on the button while the list is empty."""
        target = self.view if self._rows.rowCount() else self._new
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the side bar's own ground."""
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), self._theme.colour("sidebar"))
        finally:
            painter.end()

    def _on_row_chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self.conversation_chosen.emit(str(index.data(ID_ROLE)))

    def _on_menu_requested(self, place: QPoint) -> None:
        index = self.view.indexAt(place)
        if not index.isValid():
            return
        self.view.setCurrentIndex(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Rename", self.rename_current)
        menu.popup(self.view.viewport().mapToGlobal(place))

    def _show_empty(self) -> None:
        self._empty.setVisible(self._rows.rowCount() == 0)

    def _on_theme_changed(self) -> None:
        side = self._theme.em(1)
        self._new.setIcon(icon("plus", self._theme.tokens.text, side))
        self._new.setIconSize(QSize(side, side))
        self.view.doItemsLayout()
        self.update()
