"""The main window: side bar, chat and panel beside each other, with their actions and menu."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QCloseEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QSplitter, QWidget

from ui.chat.chat_page import ChatPage
from ui.chat.conversation_list import ConversationList
from ui.chat.conversation_rows import ConversationRows
from ui.knowledge.panel import KnowledgePanel
from ui.shortcuts import WINDOW_SHORTCUTS, Shortcut, ShortcutSheet, shortcut
from ui.theme import SCALE_STEP, ThemeManager
from ui.window_memory import WindowMemory

_THEMES = (("system", "Like the system"), ("light", "Light"), ("dark", "Dark"))


class MainWindow(QMainWindow):
    """Arranges the panes and carries out what concerns the window alone.

    Params: ``memory`` remembers size, panes, theme and text size between two runs.
    """

    copy_reply_requested = Signal()
    #: Put the last answer on the clipboard.
    closing = Signal()
    #: The window is being closed; the application ends in order.

    def __init__(
        self,
        theme: ThemeManager,
        rows: ConversationRows,
        panel: KnowledgePanel,
        memory: WindowMemory,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._memory = memory
        self.conversations = ConversationList(theme, rows, self)
        self.chat = ChatPage(theme, self)
        self.panel = panel
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._actions: dict[str, QAction] = {}
        self._setup_ui()
        self._setup_actions()
        self._setup_menu()
        self._connect_signals()
        self._restore()

    def _setup_ui(self) -> None:
        self.setWindowTitle("AICO")
        for pane in (self.conversations, self.chat, self.panel):
            self._splitter.addWidget(pane)
        for index, stretch in enumerate((0, 3, 2)):
            self._splitter.setStretchFactor(index, stretch)
            self._splitter.setCollapsible(index, False)
        self._splitter.setHandleWidth(1)
        self._splitter.setAccessibleName("Parts of the window")
        self.setCentralWidget(self._splitter)
        self.panel.hide()

    def _setup_actions(self) -> None:
        slots = {
            "new_chat": self.conversations.new_chat_requested.emit,
            "sidebar": self.toggle_sidebar,
            "panel": self.toggle_panel,
            "review_memory": self.review_memory,
            "copy_reply": self.copy_reply_requested.emit,
            "next_pane": self.focus_next_pane,
            "larger": self._on_larger,
            "smaller": self._on_smaller,
            "normal_size": self._on_normal_size,
            "shortcuts": self.show_shortcuts,
            "quit": self.close,
        }
        for entry in WINDOW_SHORTCUTS:
            action = QAction(entry.what, self)
            action.setShortcuts([entry.sequence, *map(QKeySequence, entry.also)])
            action.triggered.connect(slots[entry.name])
            self.addAction(action)
            self._actions[entry.name] = action

    def _setup_menu(self) -> None:
        menu = QMenu(self)
        menu.addAction(self._actions["new_chat"])
        menu.addAction("Rename this chat", self.conversations.rename_current)
        menu.addAction(self._actions["copy_reply"])
        menu.addSeparator()
        menu.addAction(self._actions["sidebar"])
        menu.addAction(self._actions["panel"])
        menu.addAction(self._actions["review_memory"])
        menu.addMenu(self._theme_menu(menu))
        for name in ("larger", "smaller", "normal_size"):
            menu.addAction(self._actions[name])
        menu.addSeparator()
        menu.addAction(self._actions["shortcuts"])
        menu.addAction(self._actions["quit"])
        self.conversations.menu_button.setMenu(menu)

    def _theme_menu(self, parent: QMenu) -> QMenu:
        menu = QMenu("Colours", parent)
        group = QActionGroup(menu)
        for choice, label in _THEMES:
            action = menu.addAction(label)
            action.setCheckable(True)
            action.setData(choice)
            action.setChecked(choice == self._theme.choice)
            group.addAction(action)
        group.triggered.connect(self._on_theme_chosen)
        return menu

    def _connect_signals(self) -> None:
        self.chat.sidebar_button.clicked.connect(self.toggle_sidebar)
        self.chat.panel_button.clicked.connect(self.toggle_panel)
        for button, name in (
            (self.chat.sidebar_button, "sidebar"),
            (self.chat.panel_button, "panel"),
        ):
            entry: Shortcut = shortcut(name)
            button.set_label(entry.what, entry.sequence.toString())

    # ------------------------------------------------------------------ panes

    def toggle_sidebar(self) -> None:
        """Show or hide the list of chats."""
        self._show_pane(self.conversations, self.conversations.isHidden())

    def toggle_panel(self) -> None:
        """Show or hide what is known."""
        self._show_pane(self.panel, self.panel.isHidden())
        if not self.panel.isHidden():
            self.panel.focus_search()
        else:
            self.chat.composer.focus()

    def show_fact(self, fact_id: str) -> None:
        """Open the panel at one fact."""
        self._show_pane(self.panel, True)
        self.panel.show_fact(fact_id)

    def _show_pane(self, pane: QWidget, shown: bool) -> None:
        focus = self._focused()
        had_focus = focus is not None and pane.isAncestorOf(focus)
        pane.setVisible(shown)
        if not shown and had_focus:
            self.chat.composer.focus()
        self.chat.sidebar_button.setChecked(not self.conversations.isHidden())
        self.chat.panel_button.setChecked(not self.panel.isHidden())

    def focus_next_pane(self) -> None:
        """Go round the side bar, the transcript, the composer and the panel."""
        stops: list[QWidget] = [self.chat.transcript, self.chat.composer.text_box]
        if self.chat.transcript.isHidden():
            stops.remove(self.chat.transcript)
        if not self.conversations.isHidden():
            stops.insert(0, self.conversations)
        if not self.panel.isHidden():
            stops.append(self.panel)
        focus = self._focused()
        around = [focus, *_owners(focus)] if focus is not None else []
        at = next((n for n, stop in enumerate(stops) if stop in around), -1)
        target = stops[(at + 1) % len(stops)]
        if target is self.conversations:
            self.conversations.focus()
        elif target is self.panel:
            self.panel.focus_search()
        else:
            target.setFocus(Qt.FocusReason.TabFocusReason)

    def _focused(self) -> QWidget | None:
        return self.focusWidget()

    def review_memory(self) -> None:
        """Open the newest memory chip."""
        row = self.chat.transcript.newest_chip_row()
        if row is not None and row.chip is not None:
            self.chat.transcript.show_message(row.message_id)
            row.chip.open_list()

    def show_shortcuts(self) -> None:
        """Show every key."""
        sheet = ShortcutSheet(self._theme, self)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.open()

    def raise_window(self) -> None:
        """Come to the front, because a second start of the app asked for it."""
        state = self.windowState() & ~Qt.WindowState.WindowMinimized
        self.setWindowState(state | Qt.WindowState.WindowActive)
        self.show()
        self.raise_()
        self.activateWindow()

    # ------------------------------------------------------------------ looks

    def _on_theme_chosen(self, action: QAction) -> None:
        self._theme.choose(str(action.data()))

    def _on_larger(self) -> None:
        self._theme.set_scale(self._theme.scale + SCALE_STEP)

    def _on_smaller(self) -> None:
        self._theme.set_scale(self._theme.scale - SCALE_STEP)

    def _on_normal_size(self) -> None:
        self._theme.set_scale(100)

    # ------------------------------------------------------------------ between two runs

    def _restore(self) -> None:
        look = self._memory.load()
        em = self._theme.em
        self.resize(em(62), em(42))
        self._splitter.setSizes([em(15), em(48), em(26)])
        if not look.geometry.isEmpty():
            self.restoreGeometry(look.geometry)
        if not look.panes.isEmpty():
            self._splitter.restoreState(look.panes)
        self._show_pane(self.conversations, look.sidebar)
        self._show_pane(self.panel, look.panel)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember how the window looked."""
        self._memory.save(
            geometry=self.saveGeometry(),
            panes=self._splitter.saveState(),
            sidebar=not self.conversations.isHidden(),
            panel=not self.panel.isHidden(),
            theme=self._theme.choice,
            scale=self._theme.scale,
        )
        self.closing.emit()
        super().closeEvent(event)


def _owners(widget: QWidget) -> list[QWidget]:
    """All widgets that a widget lies in."""
    found = []
    parent = widget.parentWidget()
    while parent is not None:
        found.append(parent)
        parent = parent.parentWidget()
    return found
