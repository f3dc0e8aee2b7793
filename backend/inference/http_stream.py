"""How every streamed HTTP reply is opened, cut into lines and told apart from its failures."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from functools import lru_cache

import httpx

from backend.inference.chat import ChatModelError
from backend.inference.stream_watch import StreamWatch

CONNECT_SECONDS = 2.0
_TECHNICAL_CHARACTERS = 300
"""Error bodies may repeat a whole request; this much names the cause."""


@lru_cache(maxsize=1)
def shared_ssl_context() -> ssl.SSLContext:
    """The certificates of the system, read once: reading them takes 20 ms of each new client."""
    return ssl.create_default_context()


def stream_timeout() -> httpx.Timeout:
    """Limits for connecting alone; silence while reading is the business of StreamWatch."""
    return httpx.Timeout(None, connect=CONNECT_SECONDS)


def connection_limits() -> httpx.Limits:
    """One connection per request.

    A kept connection that the server closes meanwhile fails the next request before it is sent
    (measured with the built-in server after every second reply), and only a new connection tells
    StreamWatch its socket.
    """
    return httpx.Limits(max_keepalive_connections=0)


def byte_lines(response: httpx.Response) -> Iterator[bytes]:
    """Yield the lines of a streamed body, cut at line feeds alone.

    ``httpx`` itself also cuts at U+0085 and U+2028, which may stand unescaped inside JSON.
    """
    rest = b""
    for chunk in response.iter_bytes():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if stripped := line.strip():
                yield stripped
    if stripped := rest.strip():
        yield stripped


def sentence(text: str) -> str:
    """Begin a sentence with a capital, whatever a server is called."""
    return text[:1].upper() + text[1:]


def shorten(technical: str) -> str:
    """Cut an error text to what names the cause."""
    return technical[:_TECHNICAL_CHARACTERS]


def transport_failure(
    error: Exception, watch: StreamWatch, server: str, any_piece: bool
) -> ChatModelError:
    """Turn a failed connection into the error that the person reads.

    :param server: how the server is called in a sentence, for example "Ollama".
    :param any_piece: whether part of the reply had arrived.
    """
    technical = f"{type(error).__name__}: {error}"
    if watch.outcome == "stalled":
        return ChatModelError(
            "stalled", sentence(f"{server} has stopped sending and did not go on."), technical
        )
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
        return ChatModelError(
            "unreachable",
            sentence(f"{server} cannot be reached. It may not be running."),
            technical,
        )
    human = (
        f"The model stopped unexpectedly ({server} connection closed)."
        if any_piece
        else sentence(f"{server} closed the connection before it answered.")
    )
    return ChatModelError("stream_broken", human, technical)


def ended_early(server: str) -> ChatModelError:
    """The error of a reply whose stream ended without being marked as finished."""
    return ChatModelError(
        "stream_ended_early",
        f"The model stopped unexpectedly ({server} ended the answer before it was finished).",
        "end of stream without done",
    )


def tells_full_context(error_text: str) -> bool:
    """Return whether an engine's error says that the prompt does not fit."""
    lowered = error_text.lower()
    return "context" in lowered and any(
        word in lowered for word in ("exceed", "length", "size", "long", "limit", "full")
    )
