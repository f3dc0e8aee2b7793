"""Looks where chat engines may be, in milliseconds when nothing changed, in one second at most."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from backend.inference.addresses import ServerAddress, parse_ollama_host
from backend.inference.ollama_server import OllamaModel, OllamaServer
from backend.inference.openai_compatible import OpenAiServer

_UNUSABLE_ADDRESS = (ValueError, httpx.InvalidURL)
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OllamaFinding:
    """What was found of Ollama; ``detail`` says in words where we looked."""

    server: OllamaServer | None = None
    models: tuple[OllamaModel, ...] = ()
    address: str | None = None
    detail: str = "Ollama was not looked for yet."


@dataclass(frozen=True)
class OpenAiFinding:
    """What was found of the configured OpenAI-compatible server."""

    server: OpenAiServer | None = None
    model: str | None = None
    models: tuple[str, ...] = ()
    address: str | None = None
    detail: str = "No address is set."


class EngineProbe:
    """Asks the known addresses; keeps their HTTP clients between two looks.

    :param environment: read for OLLAMA_HOST.
    :param openai_address: base URL of a server that speaks the OpenAI protocol, None for none.
    :param openai_model: its model; None takes the first that it lists.
    """

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        openai_address: str | None = None,
        openai_model: str | None = None,
        openai_key: str | None = None,
    ) -> None:
        # A mistyped address must cost its engine, not the start of the whole backend.
        self._ollama_servers: list[OllamaServer] = []
        self._openai: OpenAiServer | None = None
        self._openai_detail = OpenAiFinding().detail
        self._openai_model = openai_model
        try:
            address = parse_ollama_host(environment.get("OLLAMA_HOST", ""))
            self._ollama_servers = [OllamaServer(each) for each in address.candidates()]
        except _UNUSABLE_ADDRESS:
            _log.warning("OLLAMA_HOST holds no usable address")
        if openai_address:
            try:
                self._openai = OpenAiServer(openai_address, openai_key, "the chat server")
            except _UNUSABLE_ADDRESS:
                self._openai_detail = f"The address {openai_address} cannot be used."

    def find_ollama(self) -> OllamaFinding:
        """Return the first Ollama that answers."""
        if not self._ollama_servers:
            return OllamaFinding(detail="OLLAMA_HOST holds an address that cannot be used.")
        for server in self._ollama_servers:
            version = server.version()
            if version is None:
                continue
            models = server.chat_models()
            detail = f"Ollama {version} at {server.address.url}."
            if not models:
                detail += " It has no chat model for this computer yet."
            detail += _warning(server.address)
            return OllamaFinding(server, models, server.address.url, detail)
        places = " and ".join(each.address.url for each in self._ollama_servers)
        return OllamaFinding(
            address=self._ollama_servers[0].address.url,
            detail=f"Ollama was not found at {places}.",
        )

    def find_openai(self) -> OpenAiFinding:
        """Return what the configured server offers."""
        server = self._openai
        if server is None:
            return OpenAiFinding(detail=self._openai_detail)
        models = server.models()
        if models is None:
            return OpenAiFinding(
                server, self._openai_model, (), server.base_url,
                f"The chat server at {server.base_url} does not answer.",
            )  # fmt: skip
        warning = "" if server.is_loopback else _LEAVES_COMPUTER
        if self._openai_model and self._openai_model not in models:
            models = (self._openai_model, *models)
        return OpenAiFinding(
            server,
            self._openai_model or (models[0] if models else None),
            models,
            server.base_url,
            f"A chat server answers at {server.base_url}.{warning}",
        )

    def close(self) -> None:
        """Close the kept connections."""
        for server in self._ollama_servers:
            server.close()


_LEAVES_COMPUTER = " Warning: it is not on this computer, so what you write leaves it."


def _warning(address: ServerAddress) -> str:
    return "" if address.is_loopback else _LEAVES_COMPUTER
