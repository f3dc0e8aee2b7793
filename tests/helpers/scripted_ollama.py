"""A small HTTP server that speaks Ollama's real protocol (and OpenAI's), faults included."""

from __future__ import annotations

import json
import socket
import struct
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Fault = Literal[
    "",
    "error_line",  # an error object in the middle of the stream, status 200
    "eof",  # the stream ends properly, but without done
    "cut",  # the connection closes in the middle of the stream
    "reset",  # the connection is reset (RST)
    "stall",  # silence, the connection stays open
    "garbage",  # a line that is no JSON
    "model_missing",  # 404
    "busy",  # 503
    "context_full",  # 400
    "crash",  # 500
    "silent",  # no answer at all, not even headers, as while a model loads
]

CHAT_MODEL_BYTES = 2_019_393_189


@dataclass
class ScriptedReply:
    """How to answer one chat request.

    :param fault_after: pieces sent before the fault.
    :param gate: when given, each piece waits for a ``release()``, so that a test decides the pace.
    """

    pieces: tuple[str, ...] = ("Hello", " from", " the", " script", ".")
    thinking: tuple[str, ...] = ()
    fault: Fault = ""
    fault_after: int = 2
    delay_seconds: float = 0.0
    gate: threading.Semaphore | None = None


@dataclass
class ScriptedModel:
    """A model that the server lists."""

    name: str
    size: int = CHAT_MODEL_BYTES
    capabilities: tuple[str, ...] = ("completion",)
    context_length: int = 131072


@dataclass
class ScriptedOllama:
    """The server; use as a context manager, or start() and stop() to let it die and come back."""

    models: list[ScriptedModel] = field(default_factory=lambda: [ScriptedModel("llama3.2:latest")])
    loaded: set[str] = field(default_factory=set)
    api_key: str | None = None
    port: int = 0
    replies: list[ScriptedReply] = field(default_factory=list)
    default_reply: ScriptedReply = field(default_factory=ScriptedReply)
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    abandoned: threading.Event = field(default_factory=threading.Event)
    """Set once a client closed the connection in the middle of an answer."""

    def __post_init__(self) -> None:
        self._stopping = threading.Event()
        self._asked = threading.Condition()
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> ScriptedOllama:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """The base address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def chat_requests(self) -> list[dict[str, Any]]:
        """The bodies of all chat requests so far."""
        return [body for path, body in self.requests if path.endswith(("/chat", "/completions"))]

    def script(self, *replies: ScriptedReply) -> None:
        """Answer the next chat requests like this."""
        self.replies.extend(replies)

    def start(self) -> None:
        """Listen, on the same port as before if there was one."""
        self._stopping.clear()
        self._server = _Server(("127.0.0.1", self.port), _Handler)
        self._server.owner = self
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.02},
            name="scripted-ollama",
        )
        self._thread.start()

    def stop(self) -> None:
        """Die: close the port and every open connection."""
        self._stopping.set()
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.close_connections()
            self._server.server_close()
            self._thread.join()
        self._server = self._thread = None

    def next_reply(self) -> ScriptedReply:
        """Take the reply for the request that has just come."""
        return self.replies.pop(0) if self.replies else self.default_reply

    def note(self, path: str, body: dict[str, Any]) -> None:
        """Remember a request, and wake those who wait for it."""
        with self._asked:
            self.requests.append((path, body))
            self._asked.notify_all()

    def wait_for_chats(self, count: int, timeout: float = 10.0) -> None:
        """Wait until that many chat requests have arrived in all."""
        with self._asked:
            assert self._asked.wait_for(lambda: len(self.chat_requests) >= count, timeout)

    def pace(self, reply: ScriptedReply) -> None:
        """Wait for as long as the script wants before the next piece."""
        while reply.gate is not None and not self._stopping.is_set():
            if reply.gate.acquire(timeout=0.02):
                return
        self._stopping.wait(reply.delay_seconds)

    def wait_for_end(self) -> None:
        """Say nothing until the server is stopped."""
        self._stopping.wait()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    owner: ScriptedOllama

    def __init__(self, *arguments: Any) -> None:
        self._open: set[socket.socket] = set()
        super().__init__(*arguments)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def close_connections(self) -> None:
        """End every connection, as a killed process does."""
        for connection in tuple(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that go away are what the tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        self._answer(json.loads(self.rfile.read(length) or b"{}"))

    def log_message(self, *_: object) -> None:
        """Keep the tests' output clean."""

    # ------------------------------------------------------------ routes

    def _answer(self, body: dict[str, Any]) -> None:
        owner = self.server.owner
        owner.note(self.path, body)
        if owner.api_key and self.headers.get("Authorization") != f"Bearer {owner.api_key}":
            self._send_json({"error": {"message": "invalid api key"}}, 401)
        elif self.path == "/api/version":
            self._send_json({"version": "0.12.0"})
        elif self.path == "/api/tags":
            self._send_json({"models": [_listed(model) for model in owner.models]})
        elif self.path == "/api/ps":
            self._send_json({"models": [{"name": n, "model": n} for n in sorted(owner.loaded)]})
        elif self.path == "/api/show":
            self._show(body)
        elif self.path == "/v1/models":
            self._send_json({"data": [{"id": model.name} for model in owner.models]})
        elif self.path in ("/api/chat", "/v1/chat/completions"):
            self._chat(body)
        else:
            self._send_json({"error": "not found"}, 404)

    def _show(self, body: dict[str, Any]) -> None:
        for model in self.server.owner.models:
            if model.name == body.get("model"):
                info = {"llama.context_length": model.context_length}
                self._send_json({"model_info": info, "capabilities": list(model.capabilities)})
                return
        self._send_json({"error": "model not found"}, 404)

    def _chat(self, body: dict[str, Any]) -> None:
        owner = self.server.owner
        reply = owner.next_reply()
        refusals = {
            "model_missing": (404, f"model '{body.get('model')}' not found"),
            "busy": (503, "server busy, please try again. maximum pending requests exceeded"),
            "context_full": (400, "the prompt exceeds the available context size"),
            "crash": (500, "llama runner process has terminated: signal: killed"),
        }
        if reply.fault in refusals:
            status, error = refusals[reply.fault]
            self._send_json({"error": error}, status)
            return
        if reply.fault == "silent":
            owner.wait_for_end()
            return
        owner.loaded.add(str(body.get("model")))
        speak = _OllamaStream if self.path == "/api/chat" else _OpenAiStream
        try:
            self._stream(reply, speak(str(body.get("model"))))
        except (BrokenPipeError, ConnectionResetError):
            owner.abandoned.set()
            self.close_connection = True

    # ------------------------------------------------------------ streaming

    def _stream(self, reply: ScriptedReply, speak: _OllamaStream | _OpenAiStream) -> None:
        self.send_response(200)
        self.send_header("Content-Type", speak.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        parts = [(text, True) for text in reply.thinking] + [(text, False) for text in reply.pieces]
        for sent, (text, is_thinking) in enumerate(parts):
            if reply.fault and sent == reply.fault_after:
                break
            self.server.owner.pace(reply)
            self._chunk(speak.piece(text, is_thinking))
        if reply.fault:
            self._fail(reply.fault, speak)
            return
        self._chunk(speak.end(len(reply.pieces)))
        self._chunk(b"")

    def _fail(self, fault: Fault, speak: _OllamaStream | _OpenAiStream) -> None:
        if fault == "error_line":
            self._chunk(speak.error("unexpected EOF"))
            self._chunk(b"")
        elif fault == "garbage":
            self._chunk(speak.garbage())
            self._chunk(b"")
        elif fault == "eof":
            self._chunk(b"")
        elif fault == "stall":
            self.server.owner.wait_for_end()
        elif fault == "reset":
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()
        self.close_connection = True

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _send_json(self, value: object, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class _OllamaStream:
    """Lines of JSON, as /api/chat sends them; durations are in nanoseconds."""

    content_type = "application/x-ndjson"

    def __init__(self, model: str) -> None:
        self._model = model

    def piece(self, text: str, is_thinking: bool) -> bytes:
        message = {"role": "assistant", "content": "" if is_thinking else text}
        if is_thinking:
            message["thinking"] = text
        return self._line({"message": message, "done": False})

    def end(self, count: int) -> bytes:
        return self._line(
            {
                "message": {"role": "assistant", "content": ""},
                "done": True,
                "done_reason": "stop",
                "total_duration": 900_000_000,
                "load_duration": 100_000_000,
                "prompt_eval_count": 26,
                "prompt_eval_duration": 300_000_000,
                "eval_count": count,
                "eval_duration": 500_000_000,
            }
        )

    def error(self, text: str) -> bytes:
        return json.dumps({"error": text}).encode() + b"\n"

    def garbage(self) -> bytes:
        return b"<html>proxy error</html>\n"

    def _line(self, value: dict[str, Any]) -> bytes:
        stamp = "2026-08-04T08:52:19.385406455-07:00"
        return _raw_json({"model": self._model, "created_at": stamp, **value}) + b"\n"


class _OpenAiStream:
    """Server-sent events, as /v1/chat/completions sends them."""

    content_type = "text/event-stream"

    def __init__(self, model: str) -> None:
        self._model = model

    def piece(self, text: str, is_thinking: bool) -> bytes:
        delta = {"reasoning_content" if is_thinking else "content": text}
        return self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})

    def end(self, count: int) -> bytes:
        finish = self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        usage = {"prompt_tokens": 26, "completion_tokens": count, "total_tokens": 26 + count}
        return finish + self._event({"choices": [], "usage": usage}) + b"data: [DONE]\n\n"

    def error(self, text: str) -> bytes:
        return self._event({"error": {"message": text}})

    def garbage(self) -> bytes:
        return b"data: <html>proxy error</html>\n\n"

    def _event(self, value: dict[str, Any]) -> bytes:
        return b"data: " + _raw_json({"model": self._model, **value}) + b"\n\n"


def _raw_json(value: object) -> bytes:
    """Leave line separators such as U+0085 unescaped, as Go and C++ do."""
    return json.dumps(value, ensure_ascii=False).encode()


def _listed(model: ScriptedModel) -> dict[str, Any]:
    return {
        "name": model.name,
        "model": model.name,
        "modified_at": "2026-08-04T08:52:19.385406455-07:00",
        "size": model.size,
        "digest": f"sha256-{model.name}",
        "details": {"format": "gguf", "family": "llama", "parameter_size": "3.2B"},
    }
