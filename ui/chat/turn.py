"""What the window knows of one running or ended answer, and which states mean what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from aico_desktop.contract.messages import TurnError

ANSWERING_STATES = frozenset(
    {"sending", "listening", "waiting", "loading", "understanding", "thinking", "responding"}
)
"""While one of these holds, the answer is not there yet and Stop has something to stop."""

MEMORY_STATES = frozenset({"storing"})
"""The answer is there and input is free; the memory still works (DESIGN §3)."""

ENDED_STATES = frozenset({"done", "stopped", "failed", "interrupted", "nothing", "paused"})
"""Nothing moves any more."""


@dataclass
class Turn:
    """One answer in the making; ``since`` is the monotonic second in which its state began.

    ``last_text`` is the monotonic second of the last text, or of the start of ``responding``.
    """

    turn_id: str
    user_message_id: str
    state: str
    since: float
    detail: Mapping[str, str | int | float] = field(default_factory=dict)
    assistant_message_id: str | None = None
    error: TurnError | None = None
    last_text: float = 0.0
    tokens_per_second: float | None = None

    @property
    def answering(self) -> bool:
        """Whether the answer is still awaited or streaming."""
        return self.state in ANSWERING_STATES

    @property
    def storing(self) -> bool:
        """Whether the memory of this message is being made."""
        return self.state in MEMORY_STATES
