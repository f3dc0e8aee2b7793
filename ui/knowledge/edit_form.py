"""The form that corrects a fact: what it says, from when, until when; made for the keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from aico_desktop.contract.messages import FactView
from ui.knowledge.dates import DateProblem, date_in_words, day_of, parse_typed_date
from ui.knowledge.notices import plain_label
from ui.theme import set_kind
from ui.widgets.announcer import announce

_EXAMPLE = "for example 2021, March 2021 or 5 March 2021"
_TYPABLE = (None, "exact", "day", "month", "year")
"""Precisions whose words can be typed again; dates of others are offered as ISO days."""


class EditForm(QWidget):
    """Edits one fact; says in words what is wrong before anything is sent."""

    save_wished = Signal(str, object, object, object)
    #: Fact id; new object text, first and last date as ISO text. None: unchanged, "": cleared.
    cancelled = Signal()
    #: The person leaves the fact as it is.

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fact: FactView | None = None
        self._dates_offered = ("", "")
        self._sentence = plain_label("muted")
        self.object_field = QLineEdit()
        self.from_field = QLineEdit()
        self.until_field = QLineEdit()
        self.problem = plain_label("danger")
        self.save_button = QPushButton("Save")
        self.cancel_button = QPushButton("Leave as it is")
        self._set_up()

    def edit(self, fact: FactView) -> None:
        """Start with the present values of ``fact`` and put the cursor into the first field."""
        self._fact = fact
        self._sentence.setText(f"It reads now: {fact.text}")
        precision = fact.valid_precision
        self._dates_offered = (
            _offered(fact.valid_from, precision),
            _offered(fact.valid_until, precision),
        )
        self.object_field.setText(fact.object)
        self.from_field.setText(self._dates_offered[0])
        self.until_field.setText(self._dates_offered[1])
        self.problem.hide()
        self.set_busy(False)
        self.object_field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.object_field.selectAll()

    def set_busy(self, busy: bool) -> None:
        """While the correction is on its way it cannot be sent twice."""
        self.save_button.setEnabled(not busy)
        self.save_button.setText("Saving…" if busy else "Save")

    def show_problem(self, words: str, field: QWidget | None = None) -> None:
        """Say what is wrong and put the cursor where it can be mended."""
        self.problem.setText(words)
        self.problem.show()
        announce(self, words)
        self.set_busy(False)
        if field is not None:
            field.setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------ setup

    def _set_up(self) -> None:
        set_kind(self.save_button, "primary")
        self.object_field.setAccessibleName("What it should say")
        self.from_field.setAccessibleName("True from")
        self.until_field.setAccessibleName("True until")
        self.save_button.setAccessibleName("Save the correction")
        self.cancel_button.setAccessibleName("Leave the fact as it is")
        for field in (self.from_field, self.until_field):
            field.setPlaceholderText(_EXAMPLE)
            field.setAccessibleDescription(f"A date, {_EXAMPLE}. Empty if it is not known.")
        for field in (self.object_field, self.from_field, self.until_field):
            field.returnPressed.connect(self._on_save)
        self.save_button.clicked.connect(self._on_save)
        self.cancel_button.clicked.connect(self.cancelled)
        form = QWidget()
        column = QVBoxLayout(form)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        heading = plain_label("title")
        heading.setText("Correct this fact")
        column.addWidget(heading)
        column.addWidget(self._sentence)
        for text, field in (
            ("&What it should say", self.object_field),
            ("True &from", self.from_field),
            ("True &until", self.until_field),
        ):
            label = QLabel(text)
            label.setBuddy(field)
            column.addSpacing(6)
            column.addWidget(label)
            column.addWidget(field)
        column.addWidget(self.problem)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(form)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName("Correct this fact")
        buttons = QHBoxLayout()
        buttons.setContentsMargins(16, 8, 16, 12)
        buttons.setSpacing(8)
        buttons.addWidget(self.save_button)
        buttons.addWidget(self.cancel_button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll, 1)
        layout.addLayout(buttons)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves the fact as it is; Enter on a button presses it."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
            return
        focused = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(
            focused, QPushButton
        ):
            focused.click()
            return
        super().keyPressEvent(event)

    # ------------------------------------------------------------ saving

    def _on_save(self) -> None:
        fact = self._fact
        if fact is None or not self.save_button.isEnabled():
            return
        words = self.object_field.text().strip()
        if not words:
            self.show_problem(
                "Write what it should say. To remove the fact, use Forget.", self.object_field
            )
            return
        typed: list[str] = []
        for field in (self.from_field, self.until_field):
            try:
                typed.append(parse_typed_date(field.text()))
            except DateProblem as problem:
                self.show_problem(str(problem), field)
                return
        start, end = day_of(typed[0]), day_of(typed[1])
        if start is not None and end is not None and end < start:
            self.show_problem("It cannot end before it begins.", self.until_field)
            return
        changed = (
            words if words != fact.object else None,
            typed[0] if self._is_changed(self.from_field, 0) else None,
            typed[1] if self._is_changed(self.until_field, 1) else None,
        )
        if changed == (None, None, None):
            self.show_problem("Nothing is changed yet.", self.object_field)
            return
        self.problem.hide()
        self.set_busy(True)
        self.save_wished.emit(fact.id, *changed)

    def _is_changed(self, field: QLineEdit, which: int) -> bool:
        return field.text().strip() != self._dates_offered[which]


def _offered(moment: str | None, precision: str | None) -> str:
    """The date as the person can type it."""
    if not moment:
        return ""
    if precision in _TYPABLE:
        return date_in_words(moment, precision)
    day = day_of(moment)
    return day.isoformat() if day is not None else moment
