"""What an empty chat shows: what this is, and three ways to begin."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from ui.theme import ThemeManager, set_text_role
from ui.widgets.buttons import text_button

_BEGINNINGS = (
    ("Tell me about someone", "Let me tell you about someone who matters to me: "),
    ("Ask what I remember", "What do you know about me?"),
    ("Think something through", "Help me think something through: "),
)


class WelcomePane(QScrollArea):
    """Teaches in a few lines; a press on a beginning puts it into the composer."""

    beginning_chosen = Signal(str)
    #: arg 0: text for the composer.

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._buttons: dict[QPushButton, str] = {}
        inner = QWidget()
        middle = QWidget(inner)
        middle.setMaximumWidth(theme.em(30))
        around = QHBoxLayout(inner)
        around.addStretch(1)
        around.addWidget(middle, 100)
        around.addStretch(1)
        column = QVBoxLayout(middle)
        column.setSpacing(theme.em(0.6))
        column.addStretch(2)
        column.addWidget(self._label("Hello. What is on your mind?", "title"))
        column.addWidget(
            self._label(
                "I keep what you tell me, show you the words it came from, and forget when you"
                " say so. Everything stays on this computer.",
                "muted",
            )
        )
        column.addSpacing(theme.em(0.6))
        for title, beginning in _BEGINNINGS:
            button = text_button(title, "card", middle)
            button.clicked.connect(self._on_button_clicked)
            self._buttons[button] = beginning
            column.addWidget(button)
        column.addStretch(3)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName("Empty chat")

    def _label(self, text: str, role: str) -> QLabel:
        label = QLabel(text)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        set_text_role(label, role)
        return label

    def _on_button_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, QPushButton):
            self.beginning_chosen.emit(self._buttons[button])
