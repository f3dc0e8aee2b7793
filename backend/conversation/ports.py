"""What a turn needs from other rooms, as small protocols that its assembler fulfils."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from aico_desktop.contract.messages import Event
from backend.inference.chat import ChatModel
from backend.storage.scope import Scope


class EventSink(Protocol):
    """Takes events for all clients; must return at once and may be called from any thread."""

    def emit(self, event: Event) -> None:
        """Pass one event on."""


class Recalled(Protocol):
    """What the memory holds for a message.

    ``facts_text`` are sentences for the prompt, best first. ``direct_answer`` is set when the
    memory answers the question itself; then no model is asked (DESIGN §5).
    """

    @property
    def facts_text(self) -> Sequence[str]: ...

    @property
    def fact_ids(self) -> Sequence[str]: ...

    @property
    def source_message_ids(self) -> Sequence[str]: ...

    @property
    def direct_answer(self) -> str | None: ...


class Recall(Protocol):
    """Finds what matters for a message, within 100 ms (DESIGN §3)."""

    def for_message(
        self, scope: Scope, conversation_id: str, message_id: str, text: str
    ) -> Recalled:
        """Return what is known; an empty result when nothing matters."""


class LearningGate(Protocol):
    """Holds the background memory back while somebody waits for an answer."""

    def pause(self) -> None:
        """Let the running job give up soon and start no other; must return at once."""

    def resume(self) -> None:
        """Let jobs run again."""


class Engines(Protocol):
    """Hands out the model of the next answer."""

    def current(self) -> ChatModel:
        """Return the chosen model. Raises ChatModelError when it cannot be used."""

    def built_in(self) -> ChatModel:
        """Return the built-in model."""
