"""The list side of the panel: search box, grouping switch, the tree, and its states in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from aico_desktop.contract.messages import FactView
from ui.knowledge.fact_tree import FactTree
from ui.knowledge.grouping import FactIndex, Grouping
from ui.knowledge.notices import StatePage
from ui.knowledge.wording import facts as facts_in_words
from ui.theme import set_kind, set_text_role

_TYPING_PAUSE_MS = 80
"""Rest after a key press before the list is filtered, so that fast typing does not filter twice."""


class SearchBox(QLineEdit):
    """A search field that hands Down and Enter on to the results."""

    results_wanted = Signal()
    #: The person wants to go on to what was found.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape empties the field, Down and Enter leave it for the results."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.results_wanted.emit()
        else:
            super().keyPressEvent(event)


class FactListPane(QWidget):
    """Facts by person or topic, filtered as one types.

    Args:
        today: gives the day that "past" is told from.
        parent: owner of the pane.
    """

    fact_chosen = Signal(str)
    #: The id of the fact that the person moved to.
    fact_opened = Signal(str)
    #: The id of the fact that the person wants to read (Enter).
    retry_requested = Signal()
    #: The person asks to read the facts again after a failure.

    def __init__(self, today: Callable[[], date], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._index = FactIndex()
        self._grouping = Grouping.PERSON
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_TYPING_PAUSE_MS)
        self.search = SearchBox()
        self.by_person = _switch("People")
        self.by_topic = _switch("Topics")
        self.count = QLabel()
        self.tree = FactTree(today)
        self._page = StatePage()
        self._pages = QStackedWidget()
        self._set_up_controls()
        self._lay_out()
        self._connect()
        self.show_loading()

    @property
    def index(self) -> FactIndex:
        """All facts that the pane holds, filtered or not."""
        return self._index

    @property
    def state_page(self) -> StatePage:
        """The page shown instead of the tree: loading, empty, failed or nothing found."""
        return self._page

    # ------------------------------------------------------------ what it is told

    def show_facts(self, facts: Sequence[FactView]) -> None:
        """Show these facts; the filter, the chosen fact and folded groups stay."""
        self._index = FactIndex(facts)
        self._refresh()

    def show_loading(self) -> None:
        """Say that the facts are being read, unless some are shown already."""
        if not self._index.facts:
            self._page.show_state("Reading what I know about you…", "")
            self._pages.setCurrentWidget(self._page)
            self.count.clear()

    def show_failure(self, human: str) -> None:
        """Say why the facts could not be read, and offer to try again."""
        self._page.show_state("I could not read what I know", human, "Try again")
        self._pages.setCurrentWidget(self._page)

    def choose_fact(self, fact_id: str) -> bool:
        """Move to a fact, giving up a filter that hides it; False if it is unknown."""
        if self.tree.choose_fact(fact_id):
            return True
        if fact_id in {fact.id for fact in self._index.facts}:
            self.search.clear()
            self._refresh()
            return self.tree.choose_fact(fact_id)
        return False

    # ------------------------------------------------------------ setup

    def _set_up_controls(self) -> None:
        self.search.setPlaceholderText("Search what I know")
        self.search.setAccessibleName("Search what I know about you")
        self.search.setClearButtonEnabled(True)
        for button in self.search.findChildren(QToolButton):
            button.setAccessibleName("Clear the search")
        self.by_person.setAccessibleName("Group by person")
        self.by_topic.setAccessibleName("Group by topic")
        self.by_person.setChecked(True)
        self.tree.setAccessibleName("What I know about you")
        self.tree.setAccessibleDescription(
            "Facts in groups. Arrow keys move, Enter opens a fact, left and right fold a group."
        )
        self.count.setAccessibleName("Number of facts")
        set_text_role(self.count, "small")
        group = QButtonGroup(self)
        group.addButton(self.by_person)
        group.addButton(self.by_topic)

    def _lay_out(self) -> None:
        switches = QHBoxLayout()
        switches.setSpacing(4)
        switches.addWidget(self.by_person)
        switches.addWidget(self.by_topic)
        switches.addStretch(1)
        switches.addWidget(self.count)
        self._pages.addWidget(self.tree)
        self._pages.addWidget(self._page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 10, 0)
        layout.setSpacing(8)
        layout.addWidget(self.search)
        layout.addLayout(switches)
        layout.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self.search.textChanged.connect(self._pause.start)
        self.search.results_wanted.connect(self._on_results_wanted)
        self._pause.timeout.connect(self._refresh)
        self.by_topic.toggled.connect(self._on_grouping_toggled)
        self.tree.fact_chosen.connect(self.fact_chosen)
        self.tree.fact_opened.connect(self.fact_opened)
        self._page.action_chosen.connect(self._on_page_action)

    # ------------------------------------------------------------ slots

    def _refresh(self) -> None:
        self._pause.stop()
        query = self.search.text()
        groups = self._index.groups(self._grouping, query)
        self.tree.show_groups(groups, unfold_all=bool(query.strip()))
        total, found = len(self._index.facts), self.tree.fact_model.fact_count
        self.count.setText(
            facts_in_words(total) if found == total else f"{found} of {facts_in_words(total)}"
        )
        if groups:
            self._pages.setCurrentWidget(self.tree)
            return
        if total:
            self._page.show_state(
                "Nothing found",
                f"No fact holds “{query.strip()}”. Try another word, or a name.",
                "Clear the search",
            )
        else:
            self._page.show_state(
                "I do not know anything about you yet",
                "Tell me something in the chat, for example “My sister Ana lives in Porto”. "
                "What I learn appears here, each with the sentence it came from. "
                "You can correct or forget any of it.",
            )
        self._pages.setCurrentWidget(self._page)

    def _on_grouping_toggled(self, by_topic: bool) -> None:
        self._grouping = Grouping.TOPIC if by_topic else Grouping.PERSON
        self._refresh()

    def _on_results_wanted(self) -> None:
        if self._pause.isActive():
            self._refresh()
        if self.tree.choose_first():
            self.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_page_action(self) -> None:
        if self.search.text() and self._index.facts:
            self.search.clear()
            self._refresh()
            self.search.setFocus()
        else:
            self.retry_requested.emit()


def _switch(text: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setCheckable(True)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    set_kind(button, "pill")
    return button
