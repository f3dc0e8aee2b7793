"""The events that wait for one client: in order, numbered, within its credit and bounded."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from aico_desktop.contract.messages import Event, TurnDelta

MOST_WAITING_EVENTS = 50_000
MOST_WAITING_CHARACTERS = 16_000_000
_LARGEST_CREDIT = 100_000


@dataclass
class _GrowingDelta:
    """Neighbouring pieces of one answer, joined when they are sent."""

    first: TurnDelta
    texts: list[str]
    end: int

    def joined(self) -> TurnDelta:
        return TurnDelta(
            turn_id=self.first.turn_id,
            conversation_id=self.first.conversation_id,
            offset=self.first.offset,
            text="".join(self.texts),
        )


class EventQueue:
    """Numbers events with a rising ``seq`` as they leave; owned by the I/O thread.

    Without credit, further text of a turn joins the piece that waits already, unless another
    event of that turn came between; everything else keeps its place. A client so slow that the
    bounds are reached loses what waits, and sees that by the gap in ``seq``.

    Params: ``credit`` counts the events that may leave before the first :meth:`grant`.
    """

    def __init__(
        self,
        credit: int,
        most_events: int = MOST_WAITING_EVENTS,
        most_characters: int = MOST_WAITING_CHARACTERS,
    ) -> None:
        self._credit = credit
        self._most_events = most_events
        self._most_characters = most_characters
        self._waiting: deque[Event | _GrowingDelta] = deque()
        self._open_deltas: dict[str, _GrowingDelta] = {}
        self._characters = 0
        self._seq = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, event: Event) -> int:
        """Put an event at the end; returns how many were given up because of the bounds."""
        given_up = self._make_room(len(event.text) if isinstance(event, TurnDelta) else 0)
        if isinstance(event, TurnDelta):
            self._add_delta(event)
        else:
            turn_id = getattr(event, "turn_id", None)
            if turn_id is not None:
                self._open_deltas.pop(turn_id, None)
            self._waiting.append(event)
        return given_up

    def grant(self, count: int) -> None:
        """Allow ``count`` more events to leave; nonsense is ignored."""
        if count > 0:
            self._credit = min(self._credit + count, _LARGEST_CREDIT)

    def take(self) -> tuple[int, Event] | None:
        """The next event with its ``seq``; None when nothing waits or the credit is used up."""
        if not self._waiting or self._credit <= 0:
            return None
        self._credit -= 1
        self._seq += 1
        item = self._waiting.popleft()
        if not isinstance(item, _GrowingDelta):
            return self._seq, item
        if self._open_deltas.get(item.first.turn_id) is item:
            del self._open_deltas[item.first.turn_id]
        self._characters -= item.end - item.first.offset
        return self._seq, item.joined()

    def _add_delta(self, event: TurnDelta) -> None:
        self._characters += len(event.text)
        end = event.offset + len(event.text)
        growing = self._open_deltas.get(event.turn_id)
        if growing is not None and growing.end == event.offset:
            growing.texts.append(event.text)
            growing.end = end
            return
        growing = _GrowingDelta(event, [event.text], end)
        self._open_deltas[event.turn_id] = growing
        self._waiting.append(growing)

    def _make_room(self, characters: int) -> int:
        fits = (
            len(self._waiting) < self._most_events
            and self._characters + characters <= self._most_characters
        )
        if fits or not self._waiting:
            return 0
        given_up = len(self._waiting)
        self._seq += given_up
        self._waiting.clear()
        self._open_deltas.clear()
        self._characters = 0
        return given_up
