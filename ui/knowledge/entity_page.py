"""The page about one person, place or thing: all facts in which it takes part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from aico_desktop.contract.messages import FactView
from ui.knowledge.fact_tree import FactTree
from ui.knowledge.grouping import FactGroup
from ui.knowledge.notices import plain_label
from ui.knowledge.wording import facts as facts_in_words
from ui.knowledge.wording import label_in_words
from ui.theme import set_kind


class EntityPage(QWidget):
    """Lists the facts about what was chosen in the graph.

    Args:
        today: gives the day that "past" is told from.
        parent: owner of the page.
    """

    fact_wished = Signal(str)
    #: The id of a fact that the person wants explained.
    centre_wished = Signal(str)
    #: The id of the entity whose neighbourhood the person wants to see.

    def __init__(self, today: Callable[[], date], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entity_id = ""
        self.heading = plain_label("title")
        self.summary = plain_label("muted")
        self.centre_button = QPushButton("Show what is around it")
        set_kind(self.centre_button, "quiet")
        self.tree = FactTree(today)
        self.tree.setAccessibleName("Facts about this")
        self.tree.fact_opened.connect(self.fact_wished)
        self.tree.clicked.connect(self._on_tree_clicked)
        self.centre_button.clicked.connect(self._on_centre)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 4, 8)
        layout.setSpacing(6)
        layout.addWidget(self.heading)
        layout.addWidget(self.summary)
        layout.addWidget(self.centre_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.tree, 1)

    @property
    def title(self) -> str:
        """Whom or what the page is about."""
        return self.heading.text()

    def show_entity(
        self, entity_id: str, title: str, label: str, facts: Sequence[FactView]
    ) -> None:
        """Show the facts about one entity."""
        self._entity_id = entity_id
        self.heading.setText(title)
        kind = label_in_words(label)
        self.summary.setText(f"{kind[:1].upper()}{kind[1:]}  ·  {facts_in_words(len(facts))}")
        self.centre_button.setAccessibleName(f"Show what is around {title}")
        group = FactGroup(f"entity:{entity_id}", "What I know", tuple(facts))
        self.tree.show_groups((group,) if facts else ())

    def _on_tree_clicked(self) -> None:
        fact_id = self.tree.chosen_fact_id()
        if fact_id is not None:
            self.fact_wished.emit(fact_id)

    def _on_centre(self) -> None:
        self.centre_wished.emit(self._entity_id)
