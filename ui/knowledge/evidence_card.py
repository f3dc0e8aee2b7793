"""One piece of evidence: the quoted words as on a highlighter, who said them, and a way there."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from aico_desktop.contract.messages import EvidenceView
from ui.knowledge import colours
from ui.knowledge.notices import plain_label
from ui.knowledge.wording import method_in_words, origin_of
from ui.theme import set_kind

_LONGEST_QUOTE = 2_000
"""Characters of one quote that are laid out; the chat shows the whole message."""


class EvidenceCard(QFrame):
    """Shows exactly the words a fact came from.

    Args:
        evidence: the words, their place and their origin.
        parent: owner of the card.
    """

    source_requested = Signal(str, str, int, int)
    #: Conversation, message id, start and end of the quote (half-open code points).

    def __init__(self, evidence: EvidenceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._evidence = evidence
        self.quote = QLabel()
        self.quote.setWordWrap(True)
        self.quote.setTextFormat(Qt.TextFormat.RichText)
        self.quote.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.quote.setAccessibleName(f"Quote: {evidence.quote}")
        self.origin = plain_label("small")
        self.origin.setText(f"{origin_of(evidence)}. {method_in_words(evidence.method)}")
        self.open_button = QPushButton("Open in chat")
        self.open_button.setAccessibleName(f"Open in chat: {evidence.quote[:80]}")
        set_kind(self.open_button, "quiet")
        self.open_button.clicked.connect(self._on_open)
        self._lay_out()
        self._colour_quote()

    @property
    def shown_quote(self) -> str:
        """The quoted words as they are laid out, without quotation marks."""
        words = self._evidence.quote
        return words if len(words) <= _LONGEST_QUOTE else words[:_LONGEST_QUOTE] + "…"

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 6)
        layout.setSpacing(4)
        layout.addWidget(self.quote)
        layout.addWidget(self.origin)
        layout.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignRight)
        self.setObjectName("evidenceCard")

    def _colour_quote(self) -> None:
        palette = QApplication.palette()
        pen = colours.marker(palette).name()
        ink = palette.color(QPalette.ColorRole.Text).name()
        words = html.escape(self.shown_quote).replace("\n", "<br/>")
        self.quote.setText(f'“<span style="background-color:{pen}; color:{ink}">{words}</span>”')
        sheet = (
            f"#evidenceCard {{ background: {palette.color(QPalette.ColorRole.Base).name()};"
            f" border: 1px solid {colours.hairline(palette).name()}; border-radius: 8px; }}"
        )
        if self.styleSheet() != sheet:
            self.setStyleSheet(sheet)

    def changeEvent(self, event: QEvent) -> None:
        """The highlighter follows light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour_quote()

    def _on_open(self) -> None:
        evidence = self._evidence
        self.source_requested.emit(
            evidence.conversation, evidence.message_id, evidence.start, evidence.end
        )
