"""Chat through Ollama's real client and protocol, with every fault that users report."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from backend.inference.addresses import parse_ollama_host
from backend.inference.chat import ChatMessage, ChatModelError, ChatOptions, ChatPiece
from backend.inference.ollama_chat import CONTEXT_TOKENS, OllamaChat
from backend.inference.ollama_server import OllamaModel, OllamaServer
from tests.helpers.scripted_ollama import Fault, ScriptedModel, ScriptedOllama, ScriptedReply

PROMPT = (ChatMessage("system", "You are kind."), ChatMessage("user", "Hello"))
OPTIONS = ChatOptions(reply_tokens=50)


@pytest.fixture
def ollama() -> Iterator[ScriptedOllama]:
    with ScriptedOllama() as server:
        yield server


def _chat(ollama: ScriptedOllama, context_tokens: int | None = None, **limits: float) -> OllamaChat:
    server = OllamaServer(parse_ollama_host(ollama.url))
    return OllamaChat(server, OllamaModel("llama3.2:latest", 2, context_tokens), **limits)


def _ask(chat: OllamaChat, cancelled: threading.Event | None = None) -> list[ChatPiece]:
    return list(chat.stream(PROMPT, OPTIONS, cancelled or threading.Event()))


def _text(pieces: list[ChatPiece]) -> str:
    return "".join(piece.text for piece in pieces)


def test_that_a_reply_arrives_whole_with_its_speed(ollama: ScriptedOllama) -> None:
    pieces = _ask(_chat(ollama))
    assert _text(pieces) == "Hello from the script."
    assert pieces[-1].done
    assert pieces[-1].stats is not None
    assert pieces[-1].stats.tokens_per_second == pytest.approx(10.0)
    assert pieces[-1].stats.prompt_tokens == 26


def test_that_the_context_is_the_same_on_every_call_and_never_cut_in_silence(
    ollama: ScriptedOllama,
) -> None:
    chat = _chat(ollama)
    _ask(chat)
    list(chat.stream(PROMPT, ChatOptions(reply_tokens=7, temperature=0.5), threading.Event()))
    first, second = ollama.chat_requests
    assert first["options"]["num_ctx"] == second["options"]["num_ctx"] == CONTEXT_TOKENS
    assert second["options"]["num_predict"] == 7
    assert first["truncate"] is False
    assert first["shift"] is False
    assert "temperature" not in first["options"]


def test_that_a_model_trained_for_less_gets_its_own_limit(ollama: ScriptedOllama) -> None:
    _ask(_chat(ollama, context_tokens=2048))
    assert ollama.chat_requests[0]["options"]["num_ctx"] == 2048


def test_that_thinking_comes_in_pieces_of_its_own(ollama: ScriptedOllama) -> None:
    ollama.script(
        ScriptedReply(pieces=("Yes.",), thinking=("Hm", " hm")),
        ScriptedReply(pieces=("<thi", "nk>Old style</think>", "\n\nNo.")),
    )
    pieces = _ask(_chat(ollama))
    assert ("".join(p.thinking for p in pieces), _text(pieces)) == ("Hm hm", "Yes.")
    pieces = _ask(_chat(ollama))
    assert ("".join(p.thinking for p in pieces), _text(pieces)) == ("Old style", "No.")


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
    ollama: ScriptedOllama, fault: Fault, code: str, kept: str
) -> None:
    ollama.script(ScriptedReply(fault=fault))
    chat = _chat(ollama, first_seconds=0.4, silence_seconds=0.4)
    pieces: list[ChatPiece] = []
    with pytest.raises(ChatModelError) as caught:
        pieces.extend(chat.stream(PROMPT, OPTIONS, threading.Event()))
    assert caught.value.code == code
    assert _text(pieces) == kept
    assert "{" not in caught.value.human  # no raw JSON for the person
    assert _text(_ask(chat)) == "Hello from the script."  # the next one works


def test_that_a_server_that_is_not_there_is_unreachable(ollama: ScriptedOllama) -> None:
    chat = _chat(ollama)
    ollama.stop()
    with pytest.raises(ChatModelError) as caught:
        _ask(chat)
    assert caught.value.code == "unreachable"
    ollama.start()
    assert _text(_ask(chat)) == "Hello from the script."


@pytest.mark.parametrize("fault", ["stall", "silent"])
def test_that_a_stop_wakes_a_blocked_read(ollama: ScriptedOllama, fault: Fault) -> None:
    ollama.script(ScriptedReply(fault=fault, fault_after=1))
    cancelled = threading.Event()
    ended: list[float] = []

    def read() -> None:
        _ask(_chat(ollama), cancelled)
        ended.append(time.monotonic())

    reader = threading.Thread(target=read)
    reader.start()
    ollama.wait_for_chats(1)
    stopped_at = time.monotonic()
    cancelled.set()
    reader.join(5)
    assert ended
    assert ended[0] - stopped_at < 2  # the server would be silent for ever


def test_that_a_stop_closes_the_connection_so_that_the_engine_stops_too(
    ollama: ScriptedOllama,
) -> None:
    ollama.script(ScriptedReply(pieces=("word ",) * 2000, delay_seconds=0.01))
    cancelled = threading.Event()
    pieces = []
    for piece in _chat(ollama).stream(PROMPT, OPTIONS, cancelled):
        pieces.append(piece)
        cancelled.set()
    assert len(pieces) == 1
    assert not pieces[0].done
    assert ollama.abandoned.wait(1.0)


def test_that_only_models_which_run_here_and_can_chat_are_offered() -> None:
    models = [
        ScriptedModel("nomic-embed-text:latest", capabilities=("embedding",)),
        ScriptedModel("gpt-oss:120b-cloud", size=400),
        ScriptedModel("big:cloud"),
        ScriptedModel("qwen3:4b", context_length=4096),
    ]
    with ScriptedOllama(models=models, loaded={"qwen3:4b"}) as ollama:
        server = OllamaServer(parse_ollama_host(ollama.url))
        assert server.version() == "0.12.0"
        offered = server.chat_models()
        assert [(each.name, each.context_tokens) for each in offered] == [("qwen3:4b", 4096)]
        assert server.is_in_memory("qwen3:4b")
        assert not server.is_in_memory("llama3.2:latest")
        server.close()


def test_that_line_separators_inside_the_text_do_not_break_the_stream(
    ollama: ScriptedOllama,
) -> None:
    ollama.script(ScriptedReply(pieces=("one\u2028two\u0085three",)))
    assert _text(_ask(_chat(ollama))) == "one\u2028two\u0085three"
