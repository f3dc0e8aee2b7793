"""The protocol that every chat model fulfils, and the errors that all of them raise."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

ChatRole = Literal["system", "user", "assistant"]
EngineName = Literal["built_in", "ollama", "openai_compatible"]
ChatErrorCode = Literal[
    "unreachable",
    "model_missing",
    "stream_broken",
    "stream_ended_early",
    "stalled",
    "context_full",
    "queue_full",
    "refused",
]


@dataclass(frozen=True)
class ChatMessage:
    """One message of a prompt."""

    role: ChatRole
    content: str


@dataclass(frozen=True)
class ChatOptions:
    """How to sample one reply; None leaves a value to the model's own default.

    ``reply_tokens`` is the most tokens that the reply may have.
    """

    reply_tokens: int
    temperature: float | None = None
    repeat_penalty: float | None = None


@dataclass(frozen=True)
class ChatStats:
    """What the engine said about a finished reply; None where it said nothing."""

    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    tokens_per_second: float | None = None


@dataclass(frozen=True)
class ChatPiece:
    """A part of a reply: text, or thinking (never shown as text), or the end with statistics."""

    text: str = ""
    thinking: str = ""
    done: bool = False
    stats: ChatStats | None = None


class ChatModelError(Exception):
    """A reply that could not be given, or not be finished.

    ``human`` is a whole sentence for the person, ``technical`` what a developer needs. A server
    may repeat parts of the request in its errors, so ``technical`` is shown but never logged.
    """

    def __init__(self, code: ChatErrorCode, human: str, technical: str = "") -> None:
        super().__init__(f"{code}: {human}")
        self.code: ChatErrorCode = code
        self.human = human
        self.technical = technical


class ChatModel(Protocol):
    """A chat model that streams one reply at a time."""

    @property
    def engine(self) -> EngineName:
        """Which kind of engine runs it."""

    @property
    def model(self) -> str:
        """The model's name as people know it."""

    @property
    def size_bytes(self) -> int | None:
        """Size of the weights, for "Loading … (2.0 GB)"; None if unknown."""

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and reply may have together; the same on every call."""

    @property
    def is_small(self) -> bool:
        """Whether it needs the short prompt and little recalled memory (DESIGN §5, tier 1)."""

    @property
    def continues_partial(self) -> bool:
        """Whether it goes on from a last message of the assistant instead of answering it."""

    @property
    def default_options(self) -> ChatOptions:
        """The sampling that suits the model."""

    def is_loaded(self) -> bool:
        """Tell whether its weights are in memory; True when that cannot be found out quickly."""

    def stream(
        self, messages: Sequence[ChatMessage], options: ChatOptions, cancelled: threading.Event
    ) -> Iterator[ChatPiece]:
        """Yield the reply piece by piece; the last piece has ``done``.

        Ends early, without a ``done`` piece and without an error, once ``cancelled`` is set;
        a blocked read is woken for that. Raises ChatModelError for everything that goes wrong.
        """
