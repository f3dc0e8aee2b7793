"""When a client pings its backend, and after how many missed answers it gives it up."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class LinkTiming:
    """Times in seconds. A second per heartbeat, hung after five (reference/desktop §7)."""

    heartbeat_s: float = 1.0
    lost_after_misses: int = 5
    hello_timeout_s: float = 5.0
    retry_first_s: float = 0.05
    retry_longest_s: float = 1.0
    retry_refused_s: float = 2.0


class Heartbeat:
    """Counts unanswered pings by ticks, so that a suspended computer is no hung backend."""

    def __init__(self, timing: LinkTiming) -> None:
        self._timing = timing
        self._ping_open = False
        self.misses = 0
        self.next_at = math.inf

    @property
    def hung(self) -> bool:
        """Whether the backend has been silent for too long."""
        return self.misses >= self._timing.lost_after_misses

    def restart(self, now: float) -> None:
        """Begin with a new session; ``now`` is monotonic, in seconds."""
        self._ping_open = False
        self.misses = 0
        self.next_at = now + self._timing.heartbeat_s

    def tick(self, now: float) -> bool:
        """Open the next ping; True when the one before has no answer."""
        missed = self._ping_open
        self.misses += missed
        self._ping_open = True
        self.next_at = now + self._timing.heartbeat_s
        return missed

    def note_life(self) -> bool:
        """Something arrived; True when that ends a silence that was told of."""
        was_silent = self.misses > 0
        self._ping_open = False
        self.misses = 0
        return was_silent
