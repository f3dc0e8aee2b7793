"""The one queue of turns that wait for the model, in the order in which they were asked."""

from __future__ import annotations

import threading
from collections import deque

from backend.conversation.running_turn import RunningTurn


class TurnQueue:
    """Hands turns to the worker one by one, and tells the others how many are ahead.

    One queue for one model: several requests at once make each of them slow, and some engines
    load the model twice (reference/ux §0, rule 8).
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[RunningTurn] = deque()
        self._running: RunningTurn | None = None
        self._closed = False

    def put(self, turn: RunningTurn) -> None:
        """Add a turn; tells it to wait when others are ahead."""
        with self._changed:
            turn.enter("listening")
            ahead = len(self._waiting) + (self._running is not None)
            self._waiting.append(turn)
            if ahead:
                turn.enter("waiting", {"ahead": ahead})
            self._changed.notify_all()

    def take(self) -> RunningTurn | None:
        """Wait for the next turn; None once the queue is closed. Ends the one taken before."""
        with self._changed:
            self._running = None
            self._changed.notify_all()
            self._changed.wait_for(lambda: bool(self._waiting) or self._closed)
            if self._closed:
                return None
            self._running = self._waiting.popleft()
            self._tell_places()
            return self._running

    def find(self, turn_id: str) -> RunningTurn | None:
        """Return a turn that runs or waits."""
        return next((each for each in self.turns() if each.turn_id == turn_id), None)

    def remove(self, turn: RunningTurn) -> bool:
        """Take an ended turn out of those that wait; False if it is not among them."""
        with self._changed:
            if turn not in self._waiting:
                return False
            self._waiting.remove(turn)
            self._tell_places()
            self._changed.notify_all()
            return True

    def turns(self) -> list[RunningTurn]:
        """Return the running turn and those that wait, leaving out ended ones."""
        with self._changed:
            return [turn for turn in self._everyone() if not turn.has_ended]

    def wait_until_idle(self, timeout: float) -> bool:
        """Wait until nothing runs or waits; False when that took too long."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._running is None and not self._waiting, timeout
            )

    def close(self) -> list[RunningTurn]:
        """Hand out no more turns; returns those that are left, the running one included."""
        with self._changed:
            self._closed = True
            left = self._everyone()
            self._waiting.clear()
            self._changed.notify_all()
            return left

    def _tell_places(self) -> None:
        """Tell those who still wait how many are ahead of them now."""
        first = 0 if self._running is None else 1
        for ahead, turn in enumerate(self._waiting, start=first):
            if ahead:
                turn.enter("waiting", {"ahead": ahead})

    def _everyone(self) -> list[RunningTurn]:
        return [*([] if self._running is None else [self._running]), *self._waiting]
