"""Decides which state is worth showing, so that fast turns do not flicker."""

from __future__ import annotations

from collections.abc import Hashable

SHORTEST_STATE_S = 0.15
"""A state shorter than this is not shown (reference/ux §4.2)."""

SHORTEST_SHOW_S = 0.3
"""A state that was shown stays this long before the next one replaces it."""


class StatePacer:
    """Delays a state until it has lasted, and keeps one that is shown for long enough to read.

    Pure: the caller brings the monotonic time.
    """

    def __init__(self) -> None:
        self._shown: Hashable = None
        self._shown_at = float("-inf")
        self._wanted: Hashable = None
        self._wanted_at = 0.0

    def pace(self, state: Hashable, now: float, *, at_once: bool = False) -> Hashable:
        """The state to show at ``now`` if the turn is in ``state``; None shows nothing.

        ``at_once`` is for ends and failures, which are never held back.
        """
        if state != self._wanted:
            self._wanted = state
            self._wanted_at = now
        if at_once or state is None or self._has_lasted(now):
            self._show(state, now)
        return self._shown

    def _has_lasted(self, now: float) -> bool:
        return now - self._wanted_at >= SHORTEST_STATE_S and now - self._shown_at >= SHORTEST_SHOW_S

    def _show(self, state: Hashable, now: float) -> None:
        if state != self._shown:
            self._shown = state
            self._shown_at = now
