"""What a chat looks like in a terminal: state line, streamed answer, memory chip."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TextIO

from aico_desktop.contract.messages import (
    Failure,
    MemoryBatchView,
    MemoryItem,
    TurnError,
)
from aico_desktop.terminal.output import harmless

STATE_WORDS = {
    "listening": "Listening…",
    "waiting": "Waiting for the model…",
    "loading": "Loading the model…",
    "understanding": "Understanding…",
    "thinking": "Thinking…",
    "storing": "Storing in memory…",
}
"""States with a line of their own; while the answer runs it is its own sign (reference/ux §4.2)."""

END_WORDS = {
    "stopped": "Stopped. /continue goes on, /again answers anew.",
    "interrupted": "This answer was interrupted. /continue goes on, /again answers anew.",
    "paused": "Memory is paused.",
}

SIGNS = {"added": "＋", "changed": "↻", "ended": "⏹", "question": "？"}
"""Verbs of the memory chip (reference/ux §4.3). What was merely confirmed is not shown."""

COMMANDS_FOR = {
    "ask_again": "/again",
    "continue": "/continue",
    "use_built_in": "/builtin",
    "retry_memory": "`aico stats`",
    "show_log": "`aico doctor`",
}

_CLEAR_LINE = "\r\x1b[K"


class ChatView:
    """Writes a chat to a stream; may be called from any thread.

    On a terminal there is a state line that overwrites itself, and what arrives while the person
    types is put above what they have typed so far. Elsewhere only the words themselves are written.

    Params: ``prompt`` stands before the person's input; ``typed_so_far`` reads the input line.
    """

    def __init__(
        self,
        stream: TextIO,
        live: bool,
        prompt: str = "",
        typed_so_far: Callable[[], str] = str,
    ) -> None:
        self._stream = stream
        self._live = live
        self._prompt = prompt
        self._typed_so_far = typed_so_far
        self._lock = threading.Lock()
        self._state_shown = False
        self._in_answer = False
        self._typing = False

    def typing_began(self) -> None:
        """The person is at the prompt from now on."""
        with self._lock:
            self._leave_line()
            self._typing = True

    def typing_ended(self) -> None:
        """The person has sent a line."""
        with self._lock:
            self._typing = False

    def show_state(self, state: str, model: str | None = None) -> None:
        """Show what runs now; the text of the answer takes the line's place."""
        words = STATE_WORDS.get(state)
        if state == "loading" and model:
            words = f"Loading {harmless(model)}…"
        with self._lock:
            if state in END_WORDS:
                self._write_line(END_WORDS[state])
            elif self._live and words and not self._typing and not self._in_answer:
                self._stream.write(f"{_CLEAR_LINE}{words}")
                self._state_shown = True
                self._stream.flush()

    def show_answer(self, text: str) -> None:
        """Write further text of the answer."""
        with self._lock:
            self._clear_state()
            self._stream.write(harmless(text))
            self._stream.flush()
            self._in_answer = True

    def end_answer(self) -> None:
        """Put whatever follows on a line of its own."""
        with self._lock:
            self._leave_line()

    def show_batch(self, batch: MemoryBatchView) -> None:
        """Show the memory chip, unless there is nothing new in it."""
        items = [item for item in batch.items if item.op in SIGNS]
        if not items:
            return
        things = "1 thing" if len(items) == 1 else f"{len(items)} things"
        lines = [f"🧠 Remembered {things} · /undo", *(_item_line(item) for item in items)]
        with self._lock:
            self._write_line("\n".join(lines))

    def show_error(self, error: TurnError) -> None:
        """Say what went wrong, and which commands help."""
        steps = [
            f"{COMMANDS_FOR[action.verb]} ({action.label})"
            for action in error.actions
            if action.verb in COMMANDS_FOR
        ]
        next_steps = f" Next: {', '.join(steps)}." if steps else ""
        self.say(error.human + next_steps)

    def show_failure(self, failure: Failure) -> None:
        """Say why the backend refused."""
        self.say(failure.human)

    def say(self, text: str) -> None:
        """Write a line of the program's own."""
        with self._lock:
            self._write_line(harmless(text))

    def _write_line(self, text: str) -> None:
        self._leave_line()
        if self._typing and self._live:
            typed = self._typed_so_far()
            self._stream.write(f"{_CLEAR_LINE}{text}\n{self._prompt}{typed}")
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def _leave_line(self) -> None:
        self._clear_state()
        if self._in_answer:
            self._stream.write("\n")
            self._stream.flush()
            self._in_answer = False

    def _clear_state(self) -> None:
        if self._state_shown:
            self._stream.write(_CLEAR_LINE)
            self._state_shown = False


def _item_line(item: MemoryItem) -> str:
    was = f"  (was: {item.old})" if item.old else ""
    return harmless(f"   {SIGNS[item.op]} {item.text}{was}")
