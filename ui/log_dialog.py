"""Shows the end of the companion service's log, to be read and copied."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from ui.theme import ThemeManager
from ui.widgets.buttons import text_button


class LogDialog(QDialog):
    """The log holds ids and states, never what people said."""

    def __init__(self, theme: ThemeManager, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Log of the companion service")
        box = QPlainTextEdit(text or "The log is empty.", self)
        box.setReadOnly(True)
        box.setFont(theme.code_font())
        box.setAccessibleName("Log")
        close = text_button("Close", "primary", self)
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.addWidget(box, 1)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        self.resize(theme.em(42), theme.em(24))
