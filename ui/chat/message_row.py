"""One message in the transcript: day, bubble, and the lines under it."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLabel, QWidget

from ui.chat.bubble import Bubble
from ui.chat.failure_line import FailureLine
from ui.chat.items import Item
from ui.chat.memory_chip import MemoryChip
from ui.chat.meta_line import MetaLine
from ui.chat.state_line import StateLine
from ui.chat.state_pacer import StatePacer
from ui.chat.transcript_wishes import TranscriptWishes
from ui.chat.turn import ENDED_STATES, Turn
from ui.chat.wording import (
    FailureWords,
    StateWords,
    day_words,
    failure_words,
    sending_words,
    speaker_name,
    spoken_message,
    state_words,
)
from ui.theme import ThemeManager, set_text_role

_OWN_SHARE = 0.8
_OTHER_SHARE = 0.94
"""Share of the column that a bubble may take, so that both sides stay apart."""


class MessageRow(QWidget):
    """Places its parts by hand and remembers its height, so that a token costs one row only.

    Params: ``item`` what to show; ``wishes`` receives all that the person wants of it.
    """

    def __init__(
        self,
        theme: ThemeManager,
        item: Item,
        wishes: TranscriptWishes,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._wishes = wishes
        self._item = item
        self._own = item.message.role == "user"
        self._day: date | None = None
        self._pacer = StatePacer()
        self._turn: Turn | None = None
        self._superseded = False
        self._dirty = True
        self._laid_out_width = -1
        self._height = 0
        self._day_label = self._small_label()
        self._day_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._speaker = self._small_label()
        self._extra = self._small_label()
        self._bubble = Bubble(theme, own=self._own, parent=self)
        self._meta = MetaLine(theme, own=self._own, parent=self)
        self._state: StateLine | None = None
        self._failure: FailureLine | None = None
        self._chip: MemoryChip | None = None
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._connect_signals()

    def _small_label(self) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        set_text_role(label, "small")
        label.hide()
        return label

    def _connect_signals(self) -> None:
        self._meta.copy_requested.connect(self._on_copy_requested)
        self._meta.sources_requested.connect(self._on_sources_requested)
        self._bubble.body.copy_message_requested.connect(self._on_copy_requested)
        self._bubble.body.height_changed.connect(self.mark_dirty)

    # ------------------------------------------------------------------ content

    @property
    def item(self) -> Item:
        """The item that the row shows."""
        return self._item

    @property
    def message_id(self) -> str:
        """Id of the message now; it changes once, when the backend acknowledges it."""
        return self._item.message.message_id

    @property
    def chip(self) -> MemoryChip | None:
        """The memory chip, if the message has one."""
        return self._chip

    @property
    def state_words(self) -> StateWords | None:
        """What the state line says now."""
        return self._state.words if self._state is not None else None

    @property
    def failure_words(self) -> FailureWords | None:
        """What the failure line says now."""
        return self._failure.words if self._failure is not None else None

    def show_item(
        self,
        item: Item,
        turn: Turn | None,
        *,
        day: date | None,
        today: date,
        now: float,
        superseded: bool = False,
    ) -> None:
        """Show all of ``item``; ``day`` is written above it when a new day begins here.

        ``superseded`` says that the same question was answered again later.
        """
        self._item = item
        self._superseded = superseded
        self._turn = turn
        message = item.message
        if message.status != "streaming":
            self._bubble.forget_width()
        self._bubble.body.set_text(message.text)
        self._bubble.setVisible(bool(message.text.strip()))
        self._set_label(self._day_label, day_words(day, today) if day else "")
        self._set_label(self._speaker, speaker_name(message) if message.role == "other" else "")
        attached = ", ".join(item.attachments)
        extras = [f"With {attached}" if attached else "", item.notice]
        self._set_label(self._extra, "  ·  ".join(extra for extra in extras if extra))
        self._meta.show_item(item, turn)
        self._show_chip()
        self.show_state(turn, now)
        self.setAccessibleName(spoken_message(message, today, extras))
        self.mark_dirty()

    def show_text(self) -> None:
        """Show the streamed text so far; nothing else of the row is touched."""
        text = self._item.message.text
        self._bubble.body.set_text(text)
        self._bubble.setVisible(bool(text.strip()))
        self.mark_dirty()

    def show_state(self, turn: Turn | None, now: float) -> None:
        """Show the present state and failure; called on each change and each tick."""
        self._turn = turn
        words = self._paced_state(turn, now) if self._own else None
        failure = self._failure_to_show(turn)
        if words is not None and self._state is None:
            self._state = StateLine(self._theme, self)
            self._state.action_requested.connect(self._on_action_requested)
        if failure is not None and self._failure is None:
            self._failure = FailureLine(self._theme, self)
            self._failure.action_requested.connect(self._on_action_requested)
            self._failure.height_changed.connect(self.mark_dirty)
        if self._state is not None and self._state.show_words(words):
            self.mark_dirty()
        if self._failure is not None and self._failure.show_words(failure):
            self.mark_dirty()

    def _paced_state(self, turn: Turn | None, now: float) -> StateWords | None:
        sending = sending_words(self._item, now)
        if sending is not None:
            return sending if now - self._item.sent_at >= 0.15 else None
        if turn is None or turn.user_message_id != self.message_id:
            return None
        at_once = turn.state in ENDED_STATES
        shown = self._pacer.pace(turn.state, now, at_once=at_once)
        if shown != turn.state:
            return self._state.words if self._state is not None else None
        return state_words(turn, now)

    def _failure_to_show(self, turn: Turn | None) -> FailureWords | None:
        if self._item.delivery == "failed":
            actions = (("resend", "Try again"), ("edit_unsent", "Edit"))
            return FailureWords(f"Not sent: {self._item.failure}", actions, serious=True)
        if self._own and turn is not None and turn.assistant_message_id is not None:
            return None
        if self._own and turn is None:
            return None
        return failure_words(self._item.message, turn, superseded=self._superseded)

    def _show_chip(self) -> None:
        batch = self._item.batch
        if batch is not None and self._chip is None:
            chip = MemoryChip(self._theme, self)
            wishes = self._wishes
            chip.undo_requested.connect(wishes.undo_requested)
            chip.edit_started.connect(wishes.edit_started)
            chip.edit_requested.connect(wishes.edit_requested)
            chip.forget_started.connect(wishes.forget_started)
            chip.forget_requested.connect(wishes.forget_requested)
            chip.fact_requested.connect(wishes.fact_requested)
            chip.height_changed.connect(self.mark_dirty)
            self._chip = chip
        if self._chip is not None:
            self._chip.show_batch(batch)

    @staticmethod
    def _set_label(label: QLabel, text: str) -> None:
        label.setText(text)
        label.setVisible(bool(text))

    def restyle(self) -> None:
        """Draw again in the theme's present colours and sizes."""
        for part in (self._bubble, self._meta, self._state, self._failure, self._chip):
            if part is not None:
                part.restyle()
        self.mark_dirty()

    # ------------------------------------------------------------------ layout

    def mark_dirty(self) -> None:
        """Have the transcript lay this row out again."""
        self._dirty = True
        self.updateGeometry()

    def arrange(self, width: int) -> int:
        """Place all parts in ``width`` pixels and return the height; cheap if nothing changed."""
        if not self._dirty and width == self._laid_out_width:
            return self._height
        if width != self._laid_out_width:
            self._bubble.forget_width()
        self._dirty = False
        self._laid_out_width = width
        gap = self._theme.em(0.2)
        top = self._place_full(self._day_label, 0, width, gap * 3)
        top = self._place_side(self._speaker, top, width, width, gap)
        top = self._place_bubble(top, width)
        top = self._place_meta(top, width, gap)
        top = self._place_side(self._extra, top, width, self._most(width), gap)
        top = self._place_side(self._failure, top, width, self._most(width), gap * 2)
        top = self._place_side(self._chip, top, width, self._most(width), gap * 2)
        self._height = top
        return top

    def _most(self, width: int) -> int:
        return round(width * (_OWN_SHARE if self._own else _OTHER_SHARE))

    def _left(self, width: int, part_width: int) -> int:
        return width - part_width if self._own else 0

    def _place_full(self, part: QWidget, top: int, width: int, gap: int) -> int:
        if part.isHidden():
            return top
        height = part.sizeHint().height()
        part.setGeometry(0, top + gap, width, height)
        return top + height + 2 * gap

    def _place_bubble(self, top: int, width: int) -> int:
        if self._bubble.isHidden():
            return top
        bubble_width = self._bubble.width_for(self._most(width))
        height = self._bubble.heightForWidth(bubble_width)
        self._bubble.setGeometry(self._left(width, bubble_width), top, bubble_width, height)
        self._bubble.place()
        return top + height

    def _place_meta(self, top: int, width: int, gap: int) -> int:
        """Time and state share a line if they fit, so that a state moves nothing below it."""
        hint = self._meta.sizeHint()
        inset = self._theme.em(0.25)
        left = width - hint.width() - inset if self._own else inset
        self._meta.setGeometry(left, top + gap, hint.width(), hint.height())
        bottom = top + gap + hint.height()
        if self._state is None or self._state.isHidden():
            return bottom
        state = self._state.sizeHint()
        room = left - self._theme.em(0.8)
        if state.width() <= room:
            height = max(state.height(), hint.height())
            start = left - self._theme.em(0.6) - state.width()
            self._state.setGeometry(start, top + gap, state.width(), height)
            self._meta.setGeometry(left, top + gap, hint.width(), height)
            return top + gap + height
        wide = min(width, state.width())
        self._state.setGeometry(width - wide, bottom + gap, wide, state.height())
        return bottom + gap + state.height()

    def _place_side(self, part: QWidget | None, top: int, width: int, most: int, gap: int) -> int:
        if part is None or part.isHidden():
            return top
        part_width = min(most, part.sizeHint().width())
        if part.hasHeightForWidth():
            height = part.heightForWidth(part_width)
        else:
            height = part.sizeHint().height()
        part.setGeometry(self._left(width, part_width), top + gap, part_width, height)
        return top + gap + height

    # ------------------------------------------------------------------ keyboard and wishes

    def tab_stops(self) -> list[QWidget]:
        """The controls that Tab visits now, from top to bottom and from left to right."""
        stops = [
            child
            for child in self.findChildren(QWidget)
            if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisibleTo(self)
        ]
        return sorted(stops, key=self._reading_place)

    def _reading_place(self, child: QWidget) -> tuple[int, int]:
        middle = child.mapTo(self, child.rect().center())
        line = max(1, self._theme.em(1.0))
        return middle.y() // line, middle.x()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._bubble.set_marked(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._bubble.set_marked(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._on_copy_requested()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._bubble.body.focus_text()
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            # A part grew by itself (a wrapped label, an opened list): the height is not known
            # any more, and the transcript hears of it because this row asks it in turn.
            self.mark_dirty()
        return super().event(event)

    def _on_copy_requested(self) -> None:
        self._wishes.copy_requested.emit(self.message_id)

    def _on_sources_requested(self) -> None:
        self._wishes.sources_requested.emit(self.message_id)

    def _on_action_requested(self, verb: str) -> None:
        self._wishes.action_requested.emit(self.message_id, verb)
