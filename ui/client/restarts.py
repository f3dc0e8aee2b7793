"""When to start a backend that died again, and when to give up."""

from __future__ import annotations

from collections import deque

FIRST_WAIT_S = 0.25
LONGEST_WAIT_S = 8.0
MOST_DEATHS = 5
WINDOW_S = 60.0
"""Exponential back-off, and no more than five deaths in a minute (reference/desktop §7)."""


class RestartPolicy:
    """Knows the recent deaths; times are monotonic seconds."""

    def __init__(self) -> None:
        self._deaths: deque[float] = deque()

    def next_wait(self, now: float) -> float | None:
        """Count a death; returns how long to wait before the next start, None to give up."""
        self._deaths.append(now)
        while self._deaths and now - self._deaths[0] > WINDOW_S:
            self._deaths.popleft()
        if len(self._deaths) >= MOST_DEATHS:
            return None
        return min(FIRST_WAIT_S * 2.0 ** (len(self._deaths) - 1), LONGEST_WAIT_S)

    def forget(self) -> None:
        """Begin anew, because the person asked for another try."""
        self._deaths.clear()
