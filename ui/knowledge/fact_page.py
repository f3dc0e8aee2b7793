"""The page that explains one fact: sources, dates, confidence, how it was learnt, its history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from aico_desktop.contract.messages import FactDetail, FactView, HistoryView
from ui.knowledge.dates import moment_in_words
from ui.knowledge.evidence_card import EvidenceCard
from ui.knowledge.notices import plain_label
from ui.knowledge.wording import (
    change_in_words,
    confidence_in_words,
    dates_in_words,
    marks_of,
    reason_in_words,
)
from ui.theme import set_kind

_CARDS_AT_FIRST = 5
"""Pieces of evidence shown before the person asks for all of them."""


class FactPage(QWidget):
    """Everything about one fact, with the two things one can do to it.

    Args:
        today: gives the day that "past" is told from.
        parent: owner of the page.
    """

    edit_wished = Signal()
    #: The person wants to correct the fact that is shown.
    forget_wished = Signal()
    #: The person wants to see what forgetting this fact would take.
    fact_wished = Signal(str)
    #: The id of a premise that the person wants to read.
    source_requested = Signal(str, str, int, int)
    #: Conversation, message id, start and end of a quote (half-open code points).
    back_wished = Signal()
    #: Back to the entity from which the fact was opened.

    def __init__(self, today: Callable[[], date], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._today = today
        self._detail: FactDetail | None = None
        self.back_button = QPushButton("‹ Back")
        self.edit_button = QPushButton("Edit")
        self.forget_button = QPushButton("Forget…")
        self.cards: tuple[EvidenceCard, ...] = ()
        self.body = QScrollArea()
        self._set_up()

    @property
    def detail(self) -> FactDetail | None:
        """The fact that is explained."""
        return self._detail

    def show_detail(self, detail: FactDetail, *, back_to: str = "") -> None:
        """Explain this fact; ``back_to`` names the entity to go back to, if any."""
        self._detail = detail
        self.back_button.setVisible(bool(back_to))
        self.back_button.setText(f"‹ {back_to}")
        self.back_button.setAccessibleName(f"Back to {back_to}")
        self.edit_button.setAccessibleName(f"Edit: {detail.fact.text}")
        self.forget_button.setAccessibleName(f"Forget: {detail.fact.text}")
        self._fill(_CARDS_AT_FIRST)
        self.body.verticalScrollBar().setValue(0)

    def _set_up(self) -> None:
        set_kind(self.back_button, "quiet")
        set_kind(self.forget_button, "danger")
        self.back_button.hide()
        self.back_button.clicked.connect(self.back_wished)
        self.edit_button.clicked.connect(self.edit_wished)
        self.forget_button.clicked.connect(self.forget_wished)
        self.body.setWidgetResizable(True)
        self.body.setFrameShape(QFrame.Shape.NoFrame)
        self.body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body.setAccessibleName("About this fact")
        buttons = QHBoxLayout()
        buttons.setContentsMargins(16, 8, 16, 12)
        buttons.setSpacing(8)
        buttons.addWidget(self.edit_button)
        buttons.addWidget(self.forget_button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.back_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.body, 1)
        layout.addLayout(buttons)

    def _fill(self, cards: int) -> None:
        detail = self._detail
        if detail is None:
            return
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(8)
        layout.addWidget(_label("title", detail.fact.text))
        layout.addWidget(_label("muted", self._summary(detail.fact)))
        layout.addLayout(self._properties(detail.fact))
        self._add_evidence(layout, detail, cards)
        self._add_premises(layout, detail.premises)
        if detail.history:
            layout.addSpacing(8)
            layout.addWidget(_label("strong", "What happened to it"))
            for entry in detail.history:
                layout.addWidget(_history_entry(entry))
        layout.addStretch(1)
        self.body.setWidget(content)
        self._order_tabs(content)

    def _order_tabs(self, content: QWidget) -> None:
        """Tab goes down the page before it reaches the buttons below it."""
        stops = [self.body, *content.findChildren(QPushButton), self.edit_button]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)
        QWidget.setTabOrder(self.edit_button, self.forget_button)

    def _summary(self, fact: FactView) -> str:
        confidence = confidence_in_words(fact.confidence)
        dots = "●" * confidence.filled + "○" * (3 - confidence.filled)
        words = confidence.words[:1].upper() + confidence.words[1:]
        meanings = [mark.meaning for mark in marks_of(fact, self._today())]
        return "  ·  ".join([f"{dots} {words}", *meanings])

    def _properties(self, fact: FactView) -> QLayout:
        rows = [
            ("When", dates_in_words(fact, self._today()) or "No dates known"),
            ("Learnt", moment_in_words(fact.recorded_at)),
            ("Topic", fact.topic.replace("_", " ").capitalize()),
        ]
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for number, (name, words) in enumerate(row for row in rows if row[1]):
            grid.addWidget(_label("muted", name), number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(_label("", words), number, 1)
        return grid

    def _add_evidence(self, layout: QVBoxLayout, detail: FactDetail, most: int) -> None:
        fact, count = detail.fact, len(detail.fact.evidence)
        self.cards = ()
        if not count and detail.premises:
            return
        layout.addSpacing(8)
        if not count:
            layout.addWidget(_label("strong", "Where I have it from"))
            layout.addWidget(_label("muted", "I no longer have the words it came from."))
            return
        heading = "The words it came from" if count == 1 else f"Said {count} times"
        layout.addWidget(_label("strong", heading))
        cards = []
        for evidence in fact.evidence[:most]:
            card = EvidenceCard(evidence)
            card.source_requested.connect(self.source_requested)
            layout.addWidget(card)
            cards.append(card)
        self.cards = tuple(cards)
        if count > most:
            more = QPushButton(f"Show all {count}")
            set_kind(more, "quiet")
            more.clicked.connect(self._on_show_all)
            layout.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_premises(self, layout: QVBoxLayout, premises: Sequence[FactView]) -> None:
        if not premises:
            return
        layout.addSpacing(8)
        layout.addWidget(_label("strong", "Inferred from"))
        for premise in premises:
            button = QPushButton(premise.text)
            button.setAccessibleName(f"Open: {premise.text}")
            button.setProperty("factId", premise.id)
            set_kind(button, "row")
            button.clicked.connect(self._on_premise)
            layout.addWidget(button)

    def _on_show_all(self) -> None:
        if self._detail is not None:
            self._fill(len(self._detail.fact.evidence))
            self.body.setFocus()

    def _on_premise(self) -> None:
        self.fact_wished.emit(str(self.sender().property("factId")))


def _label(role: str, words: str) -> QLabel:
    label = plain_label(role)
    label.setText(words)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _history_entry(entry: HistoryView) -> QWidget:
    block = QWidget()
    layout = QVBoxLayout(block)
    layout.setContentsMargins(0, 2, 0, 4)
    layout.setSpacing(1)
    layout.addWidget(
        _label("small", f"{moment_in_words(entry.changed_at)}  ·  {change_in_words(entry.change)}")
    )
    if entry.old and entry.new:
        layout.addWidget(_label("", f"{entry.old}  →  {entry.new}"))
    elif entry.old or entry.new:
        layout.addWidget(_label("", entry.new or f"Was: {entry.old}"))
    if entry.reason:
        layout.addWidget(_label("muted", reason_in_words(entry.reason)))
    return block
