"""The transcript: a window of live rows over a conversation of any length."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QScrollBar, QWidget

from ui.chat.conversation_model import ConversationModel
from ui.chat.items import Change
from ui.chat.memory_item_row import MemoryItemRow
from ui.chat.message_row import MessageRow
from ui.chat.row_window import RowWindow
from ui.chat.transcript_column import Anchor, TranscriptColumn
from ui.chat.transcript_wishes import TranscriptWishes
from ui.theme import ThemeManager
from ui.widgets.buttons import text_button
from ui.widgets.icons import icon

TAIL_INTERVAL_MS = 33
"""Streamed text is drawn at most this often (reference/desktop §4.3)."""

_TAIL_REST = 3
"""Times of its own cost that the tail rests, so that a slow screen still takes clicks."""

_ROWS_WITH_STATES = 6
"""Newest rows whose states can still move: a question, its answers, and those before."""

_STATE_INTERVAL_MS = 100
"""How often states and seconds are looked at while something runs; no timer runs at rest."""


class TranscriptView(QScrollArea):
    """Renders a window of one :class:`ConversationModel`; wishes go to :attr:`wishes`.

    Stays at the end only if the reader is there (reference/ux §2b, rule 19).
    """

    latest_left = Signal(bool)
    #: arg 0: True when the newest text is out of sight.

    def __init__(
        self,
        theme: ThemeManager,
        parent: QWidget | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], date] = date.today,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = clock
        self._following = True
        self._arranging = False
        self._awaiting_older = False
        self._wants_first = False
        self._wanted = ""
        self.wishes = TranscriptWishes(self)
        self._column = TranscriptColumn(theme)
        self._window = RowWindow(theme, self._column, self.wishes, clock, today)
        self._tail_timer = QTimer(self)
        self._tail_timer.setSingleShot(True)
        self._tail_timer.setInterval(TAIL_INTERVAL_MS)
        self._tail_timer.timeout.connect(self._on_tail_timeout)
        self._tail_index = -1
        self._state_timer = QTimer(self)
        self._state_timer.setInterval(_STATE_INTERVAL_MS)
        self._state_timer.timeout.connect(self._on_state_timeout)
        self._page_timer = QTimer(self)
        self._page_timer.setSingleShot(True)
        self._page_timer.timeout.connect(self._on_page_timeout)
        self._latest = text_button(" Jump to latest", "primary", self, accessible="Jump to latest")
        self._setup_ui()
        self._window.model.subscribe(self._on_model_changed)
        self._connect_signals()

    def _setup_ui(self) -> None:
        self.setWidget(self._column)
        self.setWidgetResizable(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Conversation")
        self._column.setAccessibleName("Messages")
        self.viewport().setAutoFillBackground(False)
        self._column.setAutoFillBackground(False)
        self._latest.hide()
        self._on_theme_changed()

    def _connect_signals(self) -> None:
        self._theme.changed.connect(self._on_theme_changed)
        self._column.layout_wanted.connect(self._arrange)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._latest.clicked.connect(self.jump_to_latest)

    # ------------------------------------------------------------------ looking

    @property
    def rows(self) -> list[MessageRow]:
        """The live rows."""
        return self._column.rows

    @property
    def watching(self) -> bool:
        """Whether states are looked at again and again; False when nothing moves."""
        return self._state_timer.isActive()

    @property
    def at_latest(self) -> bool:
        """Whether the newest text is in sight."""
        bar = self.verticalScrollBar()
        return self._window.shows_end and bar.value() >= bar.maximum() - self._theme.em(1.5)

    def row_of(self, message_id: str) -> MessageRow | None:
        """The live row of a message."""
        return self._column.row_where(lambda row: row.message_id == message_id)

    def newest_chip_row(self) -> MessageRow | None:
        """The newest live row with a memory chip."""
        return self._column.row_where(lambda row: row.chip is not None and not row.chip.isHidden())

    def order_tab_stops(self) -> None:
        """Put the controls of the live rows into the order in which they stand on the screen.

        Qt would keep the order in which they were made, and chips come later than their messages.
        """
        before: QWidget = self
        for row in self.rows:
            for stop in row.tab_stops():
                QWidget.setTabOrder(before, stop)
                before = stop

    # ------------------------------------------------------------------ model

    def set_model(self, model: ConversationModel) -> None:
        """Show another conversation, from its end."""
        self._window.model.unsubscribe(self._on_model_changed)
        self._window.model = model
        model.subscribe(self._on_model_changed)
        self._wants_first = False
        self._reset()

    def _on_model_changed(self, change: Change) -> None:
        match change.kind:
            case "reset":
                self._reset()
            case "older":
                self._on_older_arrived(change.count)
            case "appended":
                self._on_appended(change.index)
            case "removed":
                self._window.remove(change.index)
                self._arrange()
            case "text":
                self._tail_index = change.index
                if not self._tail_timer.isActive():
                    self._tail_timer.start()
            case _:
                if self._window.refresh(change.index):
                    self._arrange()
        self._watch_states()

    def _reset(self) -> None:
        self._awaiting_older = False
        self._following = True
        self._window.show_end()
        self._arrange()
        self._watch_states()
        self._show_wanted()

    def _on_appended(self, index: int) -> None:
        if self._window.end == index:
            self._window.append(trim=self._following)
            self._arrange()
        else:
            self._show_latest_button()

    def _on_older_arrived(self, count: int) -> None:
        self._window.first += count
        self._awaiting_older = False
        if self._wants_first:
            self._go_to_first()
        elif self._wanted:
            self._show_wanted()
        elif count:
            self._page_timer.start(0)

    # ------------------------------------------------------------------ window

    def _on_page_timeout(self) -> None:
        """Exchange rows when the reader comes near an end of the live ones."""
        bar = self.verticalScrollBar()
        near = self.viewport().height()
        if bar.value() < near:
            if self._window.first > 0:
                self._window.grow_up()
                self._arrange()
            elif self._window.model.has_older and not self._awaiting_older:
                self._awaiting_older = True
                self.wishes.older_requested.emit()
        elif bar.maximum() - bar.value() < near and not self._window.shows_end:
            self._window.grow_down()
            self._arrange()

    def show_message(self, message_id: str) -> bool:
        """Bring a loaded message into sight and focus it; False if it is not loaded."""
        index = self._window.model.index_of(message_id)
        if index < 0:
            return False
        self._window.show_around(index)
        self._following = False
        self._arrange()
        row = self._window.row_at(index)
        if row is not None:
            self.verticalScrollBar().setValue(row.y() - self._theme.em(2))
            row.setFocus(Qt.FocusReason.OtherFocusReason)
        self._following = self.at_latest
        return True

    def want_message(self, message_id: str) -> None:
        """Bring a message into sight as soon as it is loaded."""
        self._wanted = message_id
        self._show_wanted()

    def _show_wanted(self) -> None:
        if self._wanted and self.show_message(self._wanted):
            self._wanted = ""

    def jump_to_latest(self) -> None:
        """Show the newest text and follow it from now on."""
        if not self._window.shows_end:
            self._reset()
        self._following = True
        self._arrange()

    def _go_to_first(self) -> None:
        model = self._window.model
        if model.has_older:
            self._wants_first = True
            self.wishes.oldest_requested.emit()
            return
        self._wants_first = False
        if model.items:
            self.show_message(model.items[0].message.message_id)
            self.verticalScrollBar().setValue(0)

    # ------------------------------------------------------------------ layout

    def _arrange(self) -> None:
        """Lay changed rows out and put the reader back to where they were."""
        if self._arranging:
            return
        self._arranging = True
        try:
            bar = self.verticalScrollBar()
            anchor = None if self._following else self._column.anchor_at(bar.value())
            self._column.arrange(self.viewport().width(), self.viewport().height())
            self._update_range(bar)
            if self._following:
                bar.setValue(bar.maximum())
            elif anchor is not None:
                self._restore(bar, anchor)
        finally:
            self._arranging = False
        self._show_latest_button()

    def _update_range(self, bar: QScrollBar) -> None:
        """Set the range now: QScrollArea would do it only after the next event."""
        height = self.viewport().height()
        bar.setRange(0, max(0, self._column.height() - height))
        bar.setPageStep(height)
        # Its handle hides while there is nothing to scroll; the bar keeps its place, so that no
        # line is broken anew when a chat grows beyond the view.
        bar.setEnabled(bar.maximum() > 0)
        bar.setSingleStep(self._theme.em(2))

    def _restore(self, bar: QScrollBar, anchor: Anchor) -> None:
        if anchor.row in self.rows:
            bar.setValue(anchor.row.y() + anchor.offset)

    def _on_scrolled(self) -> None:
        if self._arranging:
            return
        self._following = self.at_latest
        self._show_latest_button()
        if not self._page_timer.isActive():
            self._page_timer.start(0)

    def _show_latest_button(self) -> None:
        away = not self.at_latest
        if away != self._latest.isHidden():
            return
        self._latest.setVisible(away)
        self._place_latest()
        self.latest_left.emit(away)

    def _place_latest(self) -> None:
        hint = self._latest.sizeHint()
        left = (self.viewport().width() - hint.width()) // 2
        top = self.viewport().height() - hint.height() - self._theme.em(0.6)
        self._latest.setGeometry(left, top, hint.width(), hint.height())
        self._latest.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new width."""
        super().resizeEvent(event)
        self._arrange()
        self._place_latest()

    def _on_theme_changed(self) -> None:
        side = self._theme.em(1)
        self._latest.setIcon(icon("arrow_down", self._theme.tokens.on_accent, side))
        self._latest.setIconSize(QSize(side, side))
        # Spaces and fonts are part of a row's making, so that new rows are simpler than restyling.
        self._reset()

    # ------------------------------------------------------------------ memory chips

    def start_edit(self, fact_id: str, current: str) -> None:
        """Let the open line about a fact be corrected."""
        for line in self._lines_about(fact_id):
            line.start_edit(current)

    def ask_to_forget(self, fact_id: str, consequence: str) -> None:
        """Let the open line about a fact ask before it is forgotten."""
        for line in self._lines_about(fact_id):
            line.ask_to_forget(consequence)

    def note_fact(self, fact_id: str, words: str) -> None:
        """Say in the open line about a fact how a wish ended."""
        for line in self._lines_about(fact_id):
            line.show_note(words)

    def _lines_about(self, fact_id: str) -> list[MemoryItemRow]:
        lines = (row.chip.row_of(fact_id) for row in self.rows if row.chip is not None)
        return [line for line in lines if line is not None]

    # ------------------------------------------------------------------ time

    def _on_tail_timeout(self) -> None:
        """Draw the text that came since the last time, and rest for as long as that takes."""
        started = self._clock()
        row = self._window.row_at(self._tail_index)
        if row is not None:
            row.show_text()
            self._arrange()
        cost_ms = round((self._clock() - started) * 1000)
        self._tail_timer.setInterval(max(TAIL_INTERVAL_MS, cost_ms * _TAIL_REST))

    def _watch_states(self) -> None:
        """Run the state timer only while something moves: idle means idle."""
        model = self._window.model
        moving = model.answering or any(turn.storing for turn in model.recent_turns)
        if moving and not self._state_timer.isActive():
            self._state_timer.start()
        elif not moving and self._state_timer.isActive():
            self._state_timer.stop()
            self._on_state_timeout()

    def _on_state_timeout(self) -> None:
        now = self._clock()
        for row in self.rows[-_ROWS_WITH_STATES:]:
            row.show_state(self._window.model.turn_of(row.message_id), now)

    # ------------------------------------------------------------------ keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page, go to either end, or walk from message to message."""
        bar = self.verticalScrollBar()
        match event.key():
            case Qt.Key.Key_PageUp:
                bar.setValue(bar.value() - bar.pageStep() + self._theme.em(2))
            case Qt.Key.Key_PageDown:
                bar.setValue(bar.value() + bar.pageStep() - self._theme.em(2))
            case Qt.Key.Key_Home:
                self._go_to_first()
            case Qt.Key.Key_End:
                self.jump_to_latest()
            case Qt.Key.Key_Up:
                self._step(-1)
            case Qt.Key.Key_Down:
                self._step(1)
            case _:
                event.ignore()

    def _step(self, by: int) -> None:
        """Move the focus one message up or down."""
        if not self.rows:
            return
        current = next((at for at, row in enumerate(self.rows) if row.hasFocus()), None)
        place = len(self.rows) - 1 if current is None else current + by
        if not 0 <= place < len(self.rows):
            return
        row = self.rows[place]
        row.setFocus(Qt.FocusReason.TabFocusReason)
        self.ensureVisible(0, row.y(), 0, self._theme.em(1))
        if row.height() < self.viewport().height():
            self.ensureVisible(0, row.y() + row.height(), 0, self._theme.em(1))
