"""Keeps the engine indicator true, and carries out the choice of another engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from PySide6.QtCore import QObject, Signal

from aico_desktop.contract.messages import (
    EngineChanged,
    Engines,
    EnginesReply,
    Event,
    Failure,
    SelectEngine,
)
from ui.client.requests import BackendRequests

EngineName = Literal["built_in", "ollama", "openai_compatible"]


class EngineController(QObject):
    """Asks once after each connection; from then on events tell of every change."""

    engines_changed = Signal(object)
    #: arg 0: tuple[EngineView, ...].
    failed = Signal(str)
    #: arg 0: words about a choice that could not be carried out.

    def __init__(self, requests: BackendRequests, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._requests = requests

    def refresh(self) -> None:
        """Ask which engines there are."""
        self._requests.ask(Engines(), EnginesReply, self._on_engines, self._on_failure)

    def select(self, engine: str, model: str | None) -> None:
        """Let another engine answer from now on."""
        body = SelectEngine(engine=cast(EngineName, engine), model=model)
        self._requests.ask(body, EnginesReply, self._on_engines, self._on_failure)

    def on_events(self, events: Sequence[Event]) -> None:
        """Hear that an engine came or went."""
        for event in events:
            if isinstance(event, EngineChanged):
                self.engines_changed.emit(event.engines)

    def _on_engines(self, reply: EnginesReply) -> None:
        self.engines_changed.emit(reply.engines)

    def _on_failure(self, failure: Failure) -> None:
        if failure.code not in ("unreachable", "cancelled"):
            self.failed.emit(failure.human)
