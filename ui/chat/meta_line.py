"""The small line under a bubble: time, delivery, engine, sources and Copy."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from ui.chat.items import Item
from ui.chat.turn import Turn
from ui.chat.wording import clock_words
from ui.theme import ThemeManager, set_text_role
from ui.widgets.buttons import IconButton, text_button
from ui.widgets.icons import IconName, icon_pixmap

_DELIVERY: dict[str, tuple[IconName, str, str]] = {
    "sent": ("check", "success", "Kept on this computer"),
    "sending": ("hourglass", "text_muted", "On its way"),
    "failed": ("alert", "danger", "Not sent"),
}

_ENGINES = {"built_in": "built-in model", "memory": "from memory", "ollama": "Ollama"}


class MetaLine(QWidget):
    """Says when and by what a message was written; offers Copy and, for answers, the sources."""

    copy_requested = Signal()
    #: The whole message is wanted on the clipboard.
    sources_requested = Signal()
    #: The messages that an answer rests on are wanted.

    def __init__(self, theme: ThemeManager, *, own: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._own = own
        self._delivery = ""
        self._time = QLabel(self)
        set_text_role(self._time, "small")
        self._tick = QLabel(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.em(0.3))
        row.addWidget(self._time)
        self._sources: QPushButton | None = None
        self._copy: IconButton | None = None
        if own:
            row.addWidget(self._tick)
        else:
            self._sources = text_button("", "quiet", self)
            self._sources.clicked.connect(self.sources_requested)
            self._sources.hide()
            self._copy = IconButton(theme, "copy", "Copy message", self, factor=0.85)
            self._copy.clicked.connect(self.copy_requested)
            row.addWidget(self._sources)
            row.addWidget(self._copy)
            self._tick.hide()

    def show_item(self, item: Item, turn: Turn | None) -> None:
        """Show what belongs to ``item``; ``turn`` knows the speed of the answer."""
        message = item.message
        streaming = message.status == "streaming"
        parts = ["" if streaming else clock_words(message.said_at)]
        if not self._own and message.engine:
            parts.append(_ENGINES.get(message.engine, message.engine))
        self._time.setText(" · ".join(part for part in parts if part))
        speed = turn.tokens_per_second if turn is not None else None
        self._time.setToolTip(f"{speed:.1f} tokens per second" if speed else "")
        if self._own and item.delivery != self._delivery:
            self._delivery = item.delivery
            self._draw_tick()
        if self._copy is not None:
            self._copy.setVisible(not streaming)
        if self._sources is not None:
            count = len(message.sources)
            words = "1 source" if count == 1 else f"{count} sources"
            self._sources.setText(words)
            self._sources.setAccessibleName(f"Show {words} of this answer")
            self._sources.setVisible(count > 0 and not streaming)

    def restyle(self) -> None:
        """Draw again in the theme's present colours and sizes."""
        if self._own and self._delivery:
            self._draw_tick()

    def _draw_tick(self) -> None:
        name, colour, words = _DELIVERY[self._delivery]
        self._tick.setPixmap(
            icon_pixmap(name, self._theme.colour(colour), self._theme.em(0.75), 2.4)
        )
        self._tick.setToolTip(words)
        self._tick.setAccessibleName(words)
        self._tick.setAlignment(Qt.AlignmentFlag.AlignVCenter)
