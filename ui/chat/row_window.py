"""Which messages of a conversation are alive as rows: a window that moves over any length."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from ui.chat.conversation_model import ConversationModel
from ui.chat.message_row import MessageRow
from ui.chat.transcript_column import TranscriptColumn
from ui.chat.transcript_wishes import TranscriptWishes
from ui.chat.wording import parsed_time
from ui.theme import ThemeManager

LIVE_ROWS = 60
PAGE_ROWS = 30
"""Most rows alive, and rows exchanged at once (reference/desktop §4.1)."""

FIRST_ROWS = 24
"""Rows made when a chat is opened: enough for two screens, so that it opens at once."""


class RowWindow:
    """Makes, fills and drops the rows of a column for one model; lays nothing out.

    Params: ``clock`` monotonic seconds; ``today`` the day that "Today" means.
    """

    def __init__(
        self,
        theme: ThemeManager,
        column: TranscriptColumn,
        wishes: TranscriptWishes,
        clock: Callable[[], float],
        today: Callable[[], date],
    ) -> None:
        self._theme = theme
        self._column = column
        self._wishes = wishes
        self._clock = clock
        self._today = today
        self.model = ConversationModel(None)
        self.first = 0

    @property
    def rows(self) -> list[MessageRow]:
        """The live rows."""
        return self._column.rows

    @property
    def end(self) -> int:
        """Index behind the last live row."""
        return self.first + len(self.rows)

    @property
    def shows_end(self) -> bool:
        """Whether the newest message is alive."""
        return self.end == len(self.model.items)

    def row_at(self, index: int) -> MessageRow | None:
        """The live row of an item."""
        return self.rows[index - self.first] if self.first <= index < self.end else None

    def show_end(self) -> None:
        """Keep the newest messages alive and nothing else."""
        self._show(max(0, len(self.model.items) - FIRST_ROWS), len(self.model.items))

    def show_around(self, index: int) -> None:
        """Keep a message and its neighbours alive."""
        if self.row_at(index) is None:
            self._show(max(0, index - FIRST_ROWS // 2), index + FIRST_ROWS)

    def _show(self, first: int, end: int) -> None:
        self._column.clear()
        self.first = first
        for index in range(first, min(end, len(self.model.items))):
            self._column.insert_row(len(self.rows), self._new_row(index))

    def append(self, *, trim: bool) -> None:
        """Add the newest message; ``trim`` drops the oldest rows beyond the limit."""
        self._column.insert_row(len(self.rows), self._new_row(self.end))
        if trim:
            self._drop_first(len(self.rows) - LIVE_ROWS)

    def remove(self, index: int) -> None:
        """An item is gone."""
        if index < self.first:
            self.first -= 1
        elif index - self.first < len(self.rows):
            self._column.remove_row(index - self.first)

    def refresh(self, index: int) -> bool:
        """Fill the row of an item again; False if it is not alive."""
        row = self.row_at(index)
        if row is not None:
            self._fill(row, index)
        return row is not None

    def grow_up(self) -> None:
        """Exchange a page of rows at the far end for older ones before the first."""
        for _ in range(min(PAGE_ROWS, self.first)):
            self.first -= 1
            self._column.insert_row(0, self._new_row(self.first))
        for _ in range(len(self.rows) - LIVE_ROWS):
            self._column.remove_row(len(self.rows) - 1)

    def grow_down(self) -> None:
        """Exchange a page of the oldest rows for newer ones behind the last."""
        for index in range(self.end, min(self.end + PAGE_ROWS, len(self.model.items))):
            self._column.insert_row(len(self.rows), self._new_row(index))
        self._drop_first(len(self.rows) - LIVE_ROWS)

    def _drop_first(self, count: int) -> None:
        for _ in range(count):
            self._column.remove_row(0)
            self.first += 1

    def _new_row(self, index: int) -> MessageRow:
        row = MessageRow(self._theme, self.model.items[index], self._wishes, self._column)
        self._fill(row, index)
        return row

    def _fill(self, row: MessageRow, index: int) -> None:
        item = self.model.items[index]
        turn = self.model.turn_of(item.message.message_id)
        row.show_item(
            item,
            turn,
            day=self._new_day(index),
            today=self._today(),
            now=self._clock(),
            superseded=turn is not None and self.model.is_superseded(turn),
        )

    def _new_day(self, index: int) -> date | None:
        """The day of a message if the one before it was said on another day."""
        day = _day_of(self.model.items[index].message.said_at)
        if index == 0:
            return day
        before = _day_of(self.model.items[index - 1].message.said_at)
        return day if day != before else None


def _day_of(moment: str) -> date | None:
    parsed = parsed_time(moment)
    return parsed.date() if parsed else None
