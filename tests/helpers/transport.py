"""A server with a few real handlers, and a raw client that can send anything at all."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping

import msgspec
import zmq

from aico_desktop.contract.messages import (
    PROTOCOL_VERSION,
    Conversations,
    Done,
    Engines,
    EnginesReply,
    Hello,
    Jobs,
    JobsReply,
    ListConversations,
    Message,
    RequestEnvelope,
    ServerEnvelope,
    Snapshot,
    SnapshotReply,
    Stats,
    StatsReply,
    StopTurn,
)
from aico_desktop.contract.rendezvous import (
    prepare_client_socket,
    read_endpoint,
    write_private,
)
from aico_desktop.contract.wire import decode_server, encode_request
from aico_desktop.paths import HomePaths
from backend.server.authentication import ensure_token
from backend.server.publisher import EventPublisher
from backend.server.requests import Handler, Refused, RequestContext
from backend.server.router import RouterServer, ServerLimits
from backend.server.transport import choose_transport

ANSWER_WAIT_MS = 5000


class RunningServer:
    """Handlers: conversations at once, stats as the test says, jobs a bug, engines a refusal."""

    def __init__(
        self, home: HomePaths, limits: ServerLimits | None = None, tcp: bool = False
    ) -> None:
        self.home = home
        self.publisher = EventPublisher()
        self.shutdown_asked = threading.Event()
        self.slow_began = threading.Event()
        self.slow_may_end = threading.Event()
        self.slow_was_cancelled = threading.Event()
        self.calls: list[str] = []
        environment = {**os.environ, "AICO_TRANSPORT": "tcp" if tcp else "ipc"}
        self._transport = choose_transport(home, environment)
        self.token = ensure_token(home)
        self.server = RouterServer(
            self._transport,
            self.token,
            home,
            self.handlers(),
            self.publisher,
            on_shutdown=self.shutdown_asked.set,
            limits=limits,
        )

    def handlers(self) -> Mapping[type[Message], Handler]:
        """One plain, one slow, one broken, one that says no."""
        return {
            ListConversations: lambda request, context: Conversations(conversations=()),
            Stats: self._slow,
            Jobs: self._broken,
            Engines: self._refusing,
            StopTurn: lambda request, context: Done(),
            Snapshot: lambda request, context: SnapshotReply(turns=()),
        }

    def start(self) -> None:
        """Bind and tell clients where."""
        self.server.start()
        record = self._transport.record(self.server.endpoint)
        write_private(self.home.endpoint, msgspec.json.encode(record))

    def close(self) -> None:
        """Let slow handlers end, and the server too."""
        self.slow_may_end.set()
        self.server.close()

    def _slow(self, request: Stats, context: RequestContext) -> StatsReply:
        self.calls.append(context.request_id)
        self.slow_began.set()
        while not self.slow_may_end.wait(0.01):
            if context.cancelled.is_set():
                self.slow_was_cancelled.set()
                context.raise_if_cancelled()
        return StatsReply(counts={})

    def _broken(self, request: Jobs, context: RequestContext) -> JobsReply:
        raise ValueError("Mara told me a secret")

    def _refusing(self, request: Engines, context: RequestContext) -> EnginesReply:
        raise Refused("not_found", "There is no engine.")


class RawClient:
    """Sends bytes as they are, and reads what comes back."""

    def __init__(self, home: HomePaths) -> None:
        record = read_endpoint(home)
        assert record is not None
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.socket = self._context.socket(zmq.DEALER)
        assert prepare_client_socket(self.socket, record, home)
        self.socket.connect(record.endpoint)

    def greet(self, token: str, protocol: int = PROTOCOL_VERSION) -> ServerEnvelope:
        """Say Hello and return the answer."""
        hello = Hello(protocol=protocol, client="raw", token=token, wants_events=True)
        return self.ask(hello, "greeting")

    def ask(self, body: Message, request_id: str = "r") -> ServerEnvelope:
        """Send a well-formed request and return the next message."""
        envelope = RequestEnvelope(v=PROTOCOL_VERSION, id=request_id, body=body)  # type: ignore[arg-type]  # a body that the types would refuse, too
        return self.exchange(encode_request(envelope))

    def exchange(self, *frames: bytes) -> ServerEnvelope:
        """Send frames and return the next message."""
        self.socket.send_multipart(frames)
        return self.receive()

    def receive(self) -> ServerEnvelope:
        """Return the next message; fails when none comes."""
        assert self.socket.poll(ANSWER_WAIT_MS), "no answer"
        return decode_server(self.socket.recv())

    def is_silent(self, milliseconds: int) -> bool:
        """Whether nothing comes for so long."""
        return not self.socket.poll(milliseconds)

    def close(self) -> None:
        """Go without a word, as a killed client does."""
        self.socket.close(linger=0)
        self._context.term()
