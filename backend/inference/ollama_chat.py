"""Chat with a model that Ollama runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import httpx
import ollama

from backend.inference.chat import (
    ChatMessage,
    ChatModelError,
    ChatOptions,
    ChatPiece,
    ChatStats,
    EngineName,
)
from backend.inference.http_stream import (
    ended_early,
    shorten,
    stream_timeout,
    tells_full_context,
    transport_failure,
)
from backend.inference.ollama_server import OllamaClient, OllamaModel, OllamaServer
from backend.inference.stream_watch import StreamWatch
from backend.inference.thinking import ThinkingSplitter

CONTEXT_TOKENS = 8192
"""The one ``num_ctx`` of every call; another value makes Ollama reload the model
(reference/ux §0 rule 8). A model that was trained for less gets its own limit."""

REPLY_TOKENS = 1024
FIRST_PIECE_SECONDS = 300.0
"""Loading several gigabytes from a slow disk and reading a long prompt fall in here."""
SILENCE_SECONDS = 60.0
"""reference/ux §5 scenario 9: silence for 60 s is a failure."""


class OllamaChat:
    """One model of one Ollama server (fulfils ChatModel).

    :param first_seconds: longest wait for the first piece, loading included.
    :param silence_seconds: longest silence between two pieces.
    """

    engine: EngineName = "ollama"
    is_small = False
    continues_partial = True
    default_options = ChatOptions(reply_tokens=REPLY_TOKENS)

    def __init__(
        self,
        server: OllamaServer,
        model: OllamaModel,
        first_seconds: float = FIRST_PIECE_SECONDS,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self._server = server
        self.model = model.name
        self.size_bytes = model.size_bytes
        self.context_tokens = min(CONTEXT_TOKENS, model.context_tokens or CONTEXT_TOKENS)
        self._first_seconds = first_seconds
        self._silence_seconds = silence_seconds

    def is_loaded(self) -> bool:
        """Tell whether Ollama holds the model in memory."""
        return self._server.is_in_memory(self.model)

    def stream(
        self, messages: Sequence[ChatMessage], options: ChatOptions, cancelled: threading.Event
    ) -> Iterator[ChatPiece]:
        """Stream one reply; see ChatModel."""
        watch = StreamWatch(cancelled, self._first_seconds, self._silence_seconds)
        splitter = ThinkingSplitter()
        any_piece = False
        with OllamaClient(self._server.address, stream_timeout(), watch) as client, watch:
            try:
                for part in client.stream_chat(self._body(messages, options)):
                    watch.touched()
                    any_piece = True
                    if cancelled.is_set():
                        return
                    yield from _pieces_of(part, splitter)
                    if part.done:
                        return
            except (ollama.ResponseError, httpx.HTTPError, ValueError) as error:
                if cancelled.is_set():
                    return
                raise self._failure(error, watch, any_piece) from error
        if not cancelled.is_set():
            raise ended_early("Ollama")

    def _body(self, messages: Sequence[ChatMessage], options: ChatOptions) -> dict[str, object]:
        sampling = ollama.Options(
            num_ctx=self.context_tokens,
            num_predict=options.reply_tokens,
            temperature=options.temperature,
            repeat_penalty=options.repeat_penalty,
        )
        return {
            "model": self.model,
            "messages": [{"role": each.role, "content": each.content} for each in messages],
            "stream": True,
            "options": sampling.model_dump(exclude_none=True),
            # Else Ollama cuts the oldest text, the system prompt first, and says nothing.
            "truncate": False,
            "shift": False,
        }

    def _failure(self, error: Exception, watch: StreamWatch, any_piece: bool) -> ChatModelError:
        if isinstance(error, ollama.ResponseError):
            return self._refusal(error, any_piece)
        if isinstance(error, httpx.HTTPError):
            return transport_failure(error, watch, "Ollama", any_piece)
        return ChatModelError(
            "stream_broken",
            "The model stopped unexpectedly (Ollama sent something unreadable).",
            type(error).__name__,
        )

    def _refusal(self, error: ollama.ResponseError, any_piece: bool) -> ChatModelError:
        technical = shorten(f"HTTP {error.status_code}: {error.error}")
        if error.status_code == httpx.codes.NOT_FOUND:
            return ChatModelError(
                "model_missing", f"The model {self.model} is not installed in Ollama.", technical
            )
        if error.status_code in (httpx.codes.SERVICE_UNAVAILABLE, httpx.codes.TOO_MANY_REQUESTS):
            return ChatModelError(
                "queue_full", "Ollama is busy with other requests and took no more.", technical
            )
        if error.status_code == httpx.codes.BAD_REQUEST and tells_full_context(error.error):
            return ChatModelError(
                "context_full", f"This is longer than {self.model} can read.", technical
            )
        if any_piece or error.status_code == -1:  # an error line inside the stream
            return ChatModelError(
                "stream_broken",
                "The model stopped unexpectedly (Ollama reported an error).",
                shorten(error.error),
            )
        return ChatModelError("refused", "Ollama could not answer this.", technical)


def _pieces_of(part: ollama.ChatResponse, splitter: ThinkingSplitter) -> Iterator[ChatPiece]:
    if part.message.thinking:
        yield ChatPiece(thinking=part.message.thinking)
    if part.message.content:
        yield from splitter.split(part.message.content)
    if part.done:
        yield from splitter.rest()
        yield ChatPiece(done=True, stats=_statistics(part))


def _statistics(part: ollama.ChatResponse) -> ChatStats:
    """Read the last object of the stream; its durations are in nanoseconds."""
    speed = None
    if part.eval_count and part.eval_duration:
        speed = part.eval_count / part.eval_duration * 1e9
    return ChatStats(part.prompt_eval_count, part.eval_count, speed)
