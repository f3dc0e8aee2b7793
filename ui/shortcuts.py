"""Every shortcut of the window in one table, and the sheet that shows them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from ui.theme import ThemeManager, set_text_role
from ui.widgets.buttons import text_button

StandardKey = QKeySequence.StandardKey


@dataclass(frozen=True)
class Shortcut:
    """One key and what it does; ``standard`` lets each platform use its own habit (Cmd)."""

    name: str
    what: str
    keys: str
    standard: StandardKey | None = None
    also: tuple[str, ...] = ()
    """Further keys that do the same and need no mention."""

    @property
    def sequence(self) -> QKeySequence:
        """The key of this platform."""
        if self.standard is not None:
            bound = QKeySequence.keyBindings(self.standard)
            if bound:
                return bound[0]
        return QKeySequence(self.keys)


WINDOW_SHORTCUTS = (
    Shortcut("new_chat", "New chat", "Ctrl+N", StandardKey.New),
    Shortcut("sidebar", "Show or hide the side bar", "Ctrl+B"),
    Shortcut("panel", "Show or hide “What I know about you”", "Ctrl+K"),
    Shortcut("review_memory", "Review what was remembered last", "Ctrl+M"),
    Shortcut("copy_reply", "Copy the last answer", "Ctrl+Shift+C"),
    Shortcut("next_pane", "Go to the next part of the window", "F6"),
    Shortcut("larger", "Larger text", "Ctrl++", StandardKey.ZoomIn, ("Ctrl+=",)),
    Shortcut("smaller", "Smaller text", "Ctrl+-", StandardKey.ZoomOut),
    Shortcut("normal_size", "Normal text size", "Ctrl+0"),
    Shortcut("shortcuts", "This list", "F1"),
    Shortcut("quit", "Quit", "Ctrl+Q"),
)
"""Shortcuts of the whole window."""

TYPED_KEYS = (
    ("Send", "Enter"),
    ("Start a new line", "Shift+Enter"),
    ("Stop the answer", "Esc"),
    ("Scroll the chat", "PgUp, PgDn"),
    ("First or newest message", "Home, End"),
    ("Go from message to message", "Up, Down"),
    ("Copy the message in focus", "Ctrl+C"),
    ("Rename the chat in the side bar", "F2"),
)
"""Keys that mean something in one part of the window only."""


def shortcut(name: str) -> Shortcut:
    """The shortcut called ``name``."""
    return next(entry for entry in WINDOW_SHORTCUTS if entry.name == name)


class ShortcutSheet(QDialog):
    """Shows all keys; generated from the same table that sets them."""

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        inner = QWidget()
        grid = QGridLayout(inner)
        grid.setHorizontalSpacing(theme.em(2))
        grid.setVerticalSpacing(theme.em(0.35))
        native = QKeySequence.SequenceFormat.NativeText
        rows = [(entry.what, entry.sequence.toString(native)) for entry in WINDOW_SHORTCUTS]
        for row, (what, keys) in enumerate([*TYPED_KEYS, *rows]):
            words = QLabel(what)
            key_label = QLabel(keys)
            set_text_role(key_label, "strong")
            key_label.setAccessibleName(f"{what}: {keys}")
            grid.addWidget(words, row, 0)
            grid.addWidget(key_label, row, 1, Qt.AlignmentFlag.AlignRight)
        area = QScrollArea(self)
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setAccessibleName("Keys and what they do")
        close = text_button("Close", "primary", self)
        close.clicked.connect(self.accept)
        close.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(theme.em(1),) * 4)
        column.setSpacing(theme.em(0.8))
        column.addWidget(area, 1)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        hint = inner.sizeHint()
        self.resize(hint.width() + theme.em(4), min(hint.height() + theme.em(6), theme.em(34)))
