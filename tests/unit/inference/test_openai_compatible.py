"""Chat with servers that speak the OpenAI protocol, faults included."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from backend.inference.chat import ChatMessage, ChatModelError, ChatOptions, ChatPiece
from backend.inference.openai_compatible import OpenAiCompatibleChat, OpenAiServer
from tests.helpers.scripted_ollama import Fault, ScriptedOllama, ScriptedReply

PROMPT = (ChatMessage("user", "Hello"),)
OPTIONS = ChatOptions(reply_tokens=50, temperature=0.5)


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    with ScriptedOllama() as scripted:
        yield scripted


def _chat(server: ScriptedOllama, key: str | None = None, **limits: float) -> OpenAiCompatibleChat:
    address = OpenAiServer(server.url, key, "the chat server")
    return OpenAiCompatibleChat(address, "m", first_seconds=0.5, silence_seconds=0.5)


def _text(pieces: list[ChatPiece]) -> str:
    return "".join(piece.text for piece in pieces)


def test_that_a_reply_arrives_whole_with_its_counts(server: ScriptedOllama) -> None:
    server.script(ScriptedReply(pieces=("Hi\u2028", "you"), thinking=("Hm",)))
    pieces = list(_chat(server).stream(PROMPT, OPTIONS, threading.Event()))
    assert _text(pieces) == "Hi\u2028you"
    assert "".join(piece.thinking for piece in pieces) == "Hm"
    assert pieces[-1].done
    assert pieces[-1].stats is not None
    assert (pieces[-1].stats.prompt_tokens, pieces[-1].stats.reply_tokens) == (26, 2)
    (body,) = server.chat_requests
    assert (body["temperature"], body["max_tokens"], body["stream"]) == (0.5, 50, True)


@pytest.mark.parametrize(
    ("fault", "code", "kept"),
    [
        ("error_line", "stream_broken", "Hello from"),
        ("eof", "stream_ended_early", "Hello from"),
        ("cut", "stream_broken", "Hello from"),
        ("reset", "stream_broken", "Hello from"),
        ("garbage", "stream_broken", "Hello from"),
        ("stall", "stalled", "Hello from"),
        ("silent", "stalled", ""),
        ("model_missing", "model_missing", ""),
        ("busy", "queue_full", ""),
        ("context_full", "context_full", ""),
        ("crash", "refused", ""),
    ],
)
def test_that_every_fault_keeps_the_text_before_it_and_is_named(
    server: ScriptedOllama, fault: Fault, code: str, kept: str
) -> None:
    server.script(ScriptedReply(fault=fault))
    pieces: list[ChatPiece] = []
    with pytest.raises(ChatModelError) as caught:
        pieces.extend(_chat(server).stream(PROMPT, OPTIONS, threading.Event()))
    assert caught.value.code == code
    assert _text(pieces) == kept


def test_that_a_key_is_sent_and_a_wrong_one_is_said(server: ScriptedOllama) -> None:
    server.api_key = "right"
    assert _text(list(_chat(server, "right").stream(PROMPT, OPTIONS, threading.Event())))
    with pytest.raises(ChatModelError) as caught:
        list(_chat(server, "wrong").stream(PROMPT, OPTIONS, threading.Event()))
    assert caught.value.human == "The chat server did not accept the API key."


def test_that_a_stop_ends_the_stream_quietly(server: ScriptedOllama) -> None:
    server.script(ScriptedReply(pieces=("word ",) * 2000, delay_seconds=0.01))
    cancelled = threading.Event()
    pieces = []
    for piece in _chat(server).stream(PROMPT, OPTIONS, cancelled):
        pieces.append(piece)
        cancelled.set()
    assert not any(piece.done for piece in pieces)
    assert server.abandoned.wait(1.0)


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("localhost:1234", "http://localhost:1234/v1"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("https://models.example.com/api/v1", "https://models.example.com/api/v1"),
    ],
)
def test_that_any_base_address_is_understood(address: str, url: str) -> None:
    assert OpenAiServer(address, None, "x").base_url == url
