"""Small pages and lines of the panel that say a state in words: empty, loading, failed, done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.theme import set_text_role
from ui.widgets.announcer import announce
from ui.widgets.buttons import text_button


class StatePage(QWidget):
    """A heading, an explanation and perhaps one next step, in the middle of an empty place."""

    action_chosen = Signal()
    #: The person pressed the next step.

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = plain_label("heading")
        self.explanation = plain_label("muted")
        self.action = QPushButton()
        for label in (self.heading, self.explanation):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.action.clicked.connect(self.action_chosen)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(10)
        layout.addStretch(2)
        layout.addWidget(self.heading)
        layout.addWidget(self.explanation)
        layout.addWidget(self.action, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    def show_state(self, heading: str, explanation: str, action: str = "") -> None:
        """Say these words; without ``action`` there is no button."""
        self.heading.setText(heading)
        self.explanation.setText(explanation)
        self.explanation.setVisible(bool(explanation))
        self.action.setText(action)
        self.action.setAccessibleName(action or "No action")
        self.action.setVisible(bool(action))


class NoticeLine(QFrame):
    """One line at the top of the panel that says what happened, until it is put away."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = plain_label("")
        self.close_button = text_button("Close", "quiet", accessible="Close this message")
        self.close_button.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 4, 4)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def say(self, words: str, *, is_failure: bool = False) -> None:
        """Show ``words`` and tell a screen reader politely."""
        set_text_role(self.words, "danger" if is_failure else "strong")
        self.words.setText(words)
        self.show()
        announce(self, words)


def plain_label(role: str) -> QLabel:
    """A wrapping label that never reads its text as markup, in a text role of the theme."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        set_text_role(label, role)
    return label
