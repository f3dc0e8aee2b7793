"""Chat with any server that speaks the OpenAI protocol (LM Studio, Jan, llama.cpp, vLLM, ...)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx

from backend.inference.addresses import is_loopback_url
from backend.inference.chat import (
    ChatMessage,
    ChatModelError,
    ChatOptions,
    ChatPiece,
    ChatStats,
    EngineName,
)
from backend.inference.http_stream import (
    byte_lines,
    connection_limits,
    ended_early,
    sentence,
    shared_ssl_context,
    shorten,
    stream_timeout,
    tells_full_context,
    transport_failure,
)
from backend.inference.stream_watch import StreamWatch
from backend.inference.thinking import ThinkingSplitter

CONTEXT_TOKENS = 4096
"""Servers do not tell their context; this is the smallest that is common."""
REPLY_TOKENS = 768
FIRST_PIECE_SECONDS = 300.0
SILENCE_SECONDS = 60.0
PROBE_SECONDS = 1.0


class OpenAiServer:
    """One base URL with its key; opens the HTTP clients for it.

    :param base_url: up to and including ``/v1`` or without it.

    Raises ValueError or httpx.InvalidURL for one that no client can use.
    """

    def __init__(self, base_url: str, api_key: str | None, name: str) -> None:
        stripped = base_url.rstrip("/")
        if "://" not in stripped:
            stripped = f"http://{stripped}"
        self.base_url = stripped if stripped.endswith("/v1") else f"{stripped}/v1"
        self.name = name
        httpx.URL(self.base_url)  # raises now, and not later in whichever thread asks first
        self.is_loopback = is_loopback_url(self.base_url)
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def client(self, timeout: httpx.Timeout) -> httpx.Client:
        """Return a new client; it follows no redirect, which might lead to another computer."""
        return httpx.Client(
            base_url=self.base_url,
            headers=self._headers,
            timeout=timeout,
            trust_env=not self.is_loopback,
            verify=shared_ssl_context(),
            limits=connection_limits(),
        )

    def models(self) -> tuple[str, ...] | None:
        """Return the names of its models, or None when it does not answer."""
        try:
            with self.client(httpx.Timeout(PROBE_SECONDS)) as client:
                entries = client.get("/models").raise_for_status().json()["data"]
                return tuple(str(entry["id"]) for entry in entries)
        except (httpx.HTTPError, ValueError, KeyError, TypeError):
            return None


class OpenAiCompatibleChat:
    """One model of one OpenAI-compatible server (fulfils ChatModel).

    :param extra: further fields for the request body, for servers that are known to take them.
    """

    engine: EngineName = "openai_compatible"
    is_small = False
    continues_partial = False
    size_bytes: int | None = None
    default_options = ChatOptions(reply_tokens=REPLY_TOKENS)

    def __init__(
        self,
        server: OpenAiServer,
        model: str,
        *,
        context_tokens: int = CONTEXT_TOKENS,
        extra: Mapping[str, object] | None = None,
        first_seconds: float = FIRST_PIECE_SECONDS,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self._server = server
        self.model = model
        self.context_tokens = context_tokens
        self._extra = dict(extra or {})
        self._first_seconds = first_seconds
        self._silence_seconds = silence_seconds

    def is_loaded(self) -> bool:
        """Return True: the protocol has no word for it."""
        return True

    def stream(
        self, messages: Sequence[ChatMessage], options: ChatOptions, cancelled: threading.Event
    ) -> Iterator[ChatPiece]:
        """Stream one reply; see ChatModel."""
        watch = StreamWatch(cancelled, self._first_seconds, self._silence_seconds)
        reader = _ReplyReader(self._server.name)
        body = self._body(messages, options)
        with self._server.client(stream_timeout()) as client, watch:
            try:
                with client.stream(
                    "POST", "/chat/completions", json=body, extensions={"trace": watch.trace}
                ) as response:
                    if response.status_code != httpx.codes.OK:
                        response.read()
                        raise self._refusal(response)
                    for line in byte_lines(response):
                        watch.touched()
                        if cancelled.is_set():
                            return
                        yield from reader.read(line)
            except (httpx.HTTPError, ValueError) as error:
                if cancelled.is_set():
                    return
                if not (isinstance(error, httpx.HTTPError) and reader.is_finished):
                    raise self._failure(error, watch, reader.any_piece) from error
        if cancelled.is_set():
            return
        if not reader.is_finished:
            raise ended_early(self._server.name)
        yield from reader.end()

    def _body(self, messages: Sequence[ChatMessage], options: ChatOptions) -> dict[str, object]:
        body: dict[str, object] = {
            "model": self.model,
            "messages": [{"role": each.role, "content": each.content} for each in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": options.reply_tokens,
            **self._extra,
        }
        if options.temperature is not None:
            body["temperature"] = options.temperature
        return body

    def _failure(self, error: Exception, watch: StreamWatch, any_piece: bool) -> ChatModelError:
        if isinstance(error, httpx.HTTPError):
            return transport_failure(error, watch, self._server.name, any_piece)
        return ChatModelError(
            "stream_broken",
            f"The model stopped unexpectedly ({self._server.name} sent something unreadable).",
            type(error).__name__,
        )

    def _refusal(self, response: httpx.Response) -> ChatModelError:
        name, status = sentence(self._server.name), response.status_code
        technical = shorten(f"HTTP {status}: {response.text}")
        if status == httpx.codes.NOT_FOUND:
            return ChatModelError("model_missing", f"{name} has no model {self.model}.", technical)
        if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            return ChatModelError("refused", f"{name} did not accept the API key.", technical)
        if status in (httpx.codes.SERVICE_UNAVAILABLE, httpx.codes.TOO_MANY_REQUESTS):
            return ChatModelError("queue_full", f"{name} is busy and took no more.", technical)
        if status == httpx.codes.BAD_REQUEST and tells_full_context(response.text):
            return ChatModelError(
                "context_full", f"This is longer than {self.model} can read.", technical
            )
        return ChatModelError("refused", f"{name} could not answer this.", technical)


class _ReplyReader:
    """Reads the event lines of one streamed reply."""

    def __init__(self, server_name: str) -> None:
        self._server_name = server_name
        self._splitter = ThinkingSplitter()
        self._stats: ChatStats | None = None
        self.any_piece = False
        self.is_finished = False

    def read(self, line: bytes) -> Iterator[ChatPiece]:
        """Yield the pieces of one line. Raises ValueError for nonsense, else ChatModelError."""
        field, _, value = line.partition(b":")
        if field == b"error":
            raise self._reported(value.decode("utf-8", "replace"))
        if field != b"data":
            return  # a comment that keeps the connection open, or an event name
        value = value.strip()
        if value == b"[DONE]":
            self.is_finished = True
            return
        event = json.loads(value)
        if not isinstance(event, dict):
            raise ValueError("an event of the stream is no object")
        if event.get("error"):
            raise self._reported(json.dumps(event["error"]))
        self._note_statistics(event)
        for choice in event.get("choices") or ():
            yield from self._pieces_of(choice)

    def end(self) -> Iterator[ChatPiece]:
        """Yield what was held back, and the end."""
        yield from self._splitter.rest()
        yield ChatPiece(done=True, stats=self._stats)

    def _pieces_of(self, choice: Mapping[str, Any]) -> Iterator[ChatPiece]:
        delta = choice.get("delta") or {}
        thinking = delta.get("reasoning_content") or delta.get("reasoning")
        if thinking:
            self.any_piece = True
            yield ChatPiece(thinking=str(thinking))
        if delta.get("content"):
            self.any_piece = True
            yield from self._splitter.split(str(delta["content"]))
        if choice.get("finish_reason"):
            self.is_finished = True

    def _note_statistics(self, event: Mapping[str, Any]) -> None:
        usage, timings = event.get("usage"), event.get("timings")
        if not usage and not timings:
            return
        known = self._stats or ChatStats()
        usage, timings = usage or {}, timings or {}
        self._stats = ChatStats(
            usage.get("prompt_tokens", known.prompt_tokens),
            usage.get("completion_tokens", known.reply_tokens),
            timings.get("predicted_per_second", known.tokens_per_second),
        )

    def _reported(self, technical: str) -> ChatModelError:
        return ChatModelError(
            "stream_broken",
            f"The model stopped unexpectedly ({self._server_name} reported an error).",
            shorten(technical),
        )
