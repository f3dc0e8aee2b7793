"""What an Ollama server has to offer: version, usable chat models, models in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import ollama

from backend.inference.addresses import ServerAddress
from backend.inference.http_stream import (
    byte_lines,
    connection_limits,
    shared_ssl_context,
)
from backend.inference.stream_watch import StreamWatch

PROBE_SECONDS = 1.0
_STUB_BYTES = 1_000_000
"""Entries smaller than this hold no weights: they stand for a model in somebody's cloud."""


class OllamaClient(ollama.Client):
    """The ``ollama`` client with what its public methods lack: version, truncate, shift, Stop.

    :param timeout: of the plain requests; a streamed chat is bounded by its ``watch``.
    """

    def __init__(
        self, address: ServerAddress, timeout: httpx.Timeout, watch: StreamWatch | None = None
    ) -> None:
        def add_trace(request: httpx.Request) -> None:
            if watch is not None:
                request.extensions["trace"] = watch.trace

        super().__init__(
            address.url,
            # A redirect or a proxy would carry the conversation to another computer.
            follow_redirects=False,
            trust_env=not address.is_loopback,
            timeout=timeout,
            verify=shared_ssl_context(),
            limits=connection_limits(),
            event_hooks={"request": [add_trace]},
        )

    def version(self) -> str:
        """Return the server's version. Raises httpx.HTTPError or ValueError."""
        reply = self._client.get("/api/version").raise_for_status().json()
        return str(reply.get("version", "")) if isinstance(reply, dict) else ""

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def stream_chat(self, body: Mapping[str, Any]) -> Iterator[ollama.ChatResponse]:
        """Stream a chat whose body may hold what ``chat()`` lacks: ``truncate`` and ``shift``.

        Raises ollama.ResponseError for an error reply or an error line, ValueError for a line
        that is no valid reply, httpx.HTTPError for a broken connection.
        """
        with self._client.stream("POST", "/api/chat", json=body) as response:
            if response.status_code != httpx.codes.OK:
                response.read()
                raise ollama.ResponseError(response.text, response.status_code)
            for line in byte_lines(response):
                part = json.loads(line)
                if not isinstance(part, dict):
                    raise ValueError("a line of the stream is no object")
                if error := part.get("error"):
                    raise ollama.ResponseError(str(error))
                yield ollama.ChatResponse(**part)


@dataclass(frozen=True)
class OllamaModel:
    """A local chat model; ``context_tokens`` is what it was trained for, None if not told."""

    name: str
    size_bytes: int | None
    context_tokens: int | None


class OllamaServer:
    """Asks one address what it offers; every answer comes within PROBE_SECONDS a request."""

    def __init__(self, address: ServerAddress) -> None:
        self.address = address
        self._client = OllamaClient(address, httpx.Timeout(PROBE_SECONDS))
        self._details: dict[str, tuple[bool, int | None]] = {}

    def version(self) -> str | None:
        """Return the version, or None when no Ollama answers here."""
        try:
            return self._client.version() or None
        except (httpx.HTTPError, ollama.ResponseError, ConnectionError, ValueError):
            return None

    def chat_models(self) -> tuple[OllamaModel, ...]:
        """Return the models that run on this computer and can chat; empty when it does not tell."""
        try:
            listed = self._client.list().models
            return tuple(
                OllamaModel(entry.model, entry.size, context)
                for entry in listed
                if entry.model and not _is_cloud_stub(entry.model, entry.size)
                for can_chat, context in [self._describe(entry.model, entry.digest or "")]
                if can_chat
            )
        except (httpx.HTTPError, ollama.ResponseError, ConnectionError, ValueError):
            return ()

    def is_in_memory(self, model: str) -> bool:
        """Return whether the model is loaded; True when the server does not tell."""
        try:
            running = self._client.ps().models
        except (httpx.HTTPError, ollama.ResponseError, ConnectionError, ValueError):
            return True
        return any(model in (entry.model, entry.name) for entry in running)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _describe(self, model: str, digest: str) -> tuple[bool, int | None]:
        """Return whether a model can chat and its context; asked once per version of the model."""
        key = f"{model}@{digest}"
        if key not in self._details:
            try:
                shown = self._client.show(model)
            except ollama.ResponseError:
                return True, None  # an older server: let the person decide
            capabilities = shown.capabilities
            can_chat = not capabilities or "completion" in capabilities
            self._details[key] = (can_chat, _trained_context(shown.modelinfo or {}))
        return self._details[key]


def _trained_context(model_info: Mapping[str, Any]) -> int | None:
    for name, value in model_info.items():
        if name.endswith(".context_length") and isinstance(value, int) and value > 0:
            return value
    return None


def _is_cloud_stub(model: str, size_bytes: int | None) -> bool:
    """Return whether a listed model would send the text to another computer."""
    tag = model.rpartition(":")[2]
    if tag == "cloud" or tag.endswith("-cloud") or model.endswith("-cloud"):
        return True
    return size_bytes is not None and size_bytes < _STUB_BYTES
