"""The page that shows what forgetting takes away, before it is done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from aico_desktop.contract.messages import Forgotten
from ui.knowledge.notices import plain_label
from ui.knowledge.wording import facts as facts_in_words
from ui.knowledge.wording import passages
from ui.theme import set_kind
from ui.widgets.announcer import announce

_MOST_LISTED = 8
"""Facts listed by their text; of the others the number is said."""


class ForgetPage(QWidget):
    """Names the facts and the passages that would go; Keep has the focus."""

    forget_wished = Signal(str)
    #: The target (a fact id or a name) that the person decided to forget.
    kept = Signal()
    #: The person keeps it.

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._target = ""
        self.heading = plain_label("title")
        self.consequence = plain_label("")
        self.list = plain_label("")
        self.blanked = plain_label("")
        self.final = plain_label("muted")
        self.problem = plain_label("danger")
        self.keep_button = QPushButton("Keep")
        self.forget_button = QPushButton("Forget")
        self._set_up()

    @property
    def target(self) -> str:
        """What would be forgotten: a fact id or a name."""
        return self._target

    def ask(self, target: str, words: str) -> None:
        """Begin for a target; Forget stays off until the preview is here."""
        self._target = target
        self.heading.setText(f"Forget “{words}”?")
        self.consequence.setText("Looking up what would go…")
        for label in (self.list, self.blanked, self.final, self.problem):
            label.hide()
        self.forget_button.setText("Forget")
        self.forget_button.setEnabled(False)
        self.keep_button.setEnabled(True)
        self.keep_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_preview(self, preview: Forgotten) -> None:
        """Say what goes."""
        count = len(preview.facts)
        verb = "goes" if count == 1 else "go"
        self.consequence.setText(f"{facts_in_words(count)} {verb}:")
        lines = [f"–  {fact.text}" for fact in preview.facts[:_MOST_LISTED]]
        if count > _MOST_LISTED:
            lines.append(f"and {count - _MOST_LISTED} more")
        self.list.setText("\n".join(lines))
        self.list.setVisible(bool(lines))
        self.blanked.setText(_blanked_in_words(preview.blanked_spans))
        self.final.setText("This cannot be undone. I will not learn it again from old messages.")
        self.blanked.show()
        self.final.show()
        self.forget_button.setEnabled(True)
        announce(self, f"{self.consequence.text()} {self.blanked.text()}")

    def show_busy(self) -> None:
        """The person decided; the backend is at it."""
        self.forget_button.setText("Forgetting…")
        self.forget_button.setEnabled(False)
        self.keep_button.setEnabled(False)

    def show_problem(self, human: str) -> None:
        """Say why it could not be looked up or forgotten."""
        self.problem.setText(human)
        self.problem.show()
        self.consequence.setText("Nothing was forgotten.")
        self.forget_button.setText("Forget")
        self.forget_button.setEnabled(False)
        self.keep_button.setEnabled(True)
        self.keep_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_up(self) -> None:
        set_kind(self.forget_button, "danger")
        self.keep_button.setDefault(True)
        self.keep_button.setAccessibleName("Keep it")
        self.forget_button.setAccessibleName("Forget it for good")
        self.keep_button.clicked.connect(self.kept)
        self.forget_button.clicked.connect(self._on_forget)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(10)
        for label in (
            self.heading,
            self.consequence,
            self.list,
            self.blanked,
            self.final,
            self.problem,
        ):
            column.addWidget(label)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(body)
        scroll.setWidgetResizable(True)
        scroll.setAccessibleName("What would be forgotten")
        buttons = QHBoxLayout()
        buttons.setContentsMargins(16, 8, 16, 12)
        buttons.setSpacing(8)
        buttons.addWidget(self.keep_button)
        buttons.addWidget(self.forget_button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll, 1)
        layout.addLayout(buttons)
        self.setTabOrder(self.keep_button, self.forget_button)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape keeps; Enter presses the button that has the focus."""
        focused = self.focusWidget()
        if event.key() == Qt.Key.Key_Escape and self.keep_button.isEnabled():
            self.kept.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(
            focused, QPushButton
        ):
            focused.click()
        else:
            super().keyPressEvent(event)

    def _on_forget(self) -> None:
        self.forget_wished.emit(self._target)


def _blanked_in_words(count: int) -> str:
    if count == 0:
        return "No words in your messages are blanked."
    owner = "its words become" if count == 1 else "their words become"
    return (
        f"{passages(count)} in your messages {'is' if count == 1 else 'are'} blanked: "
        f"{owner} empty space, the rest of the message stays."
    )
