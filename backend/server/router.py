"""The backend's socket: lets clients in, hands requests to handlers, sends replies and events."""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import zmq

from aico_desktop.contract import wire
from aico_desktop.contract.messages import (
    PROTOCOL_VERSION,
    Cancel,
    Credit,
    Done,
    Failure,
    Goodbye,
    Hello,
    Message,
    Ping,
    Pong,
    Reply,
    RequestEnvelope,
    Shutdown,
    Welcome,
)
from aico_desktop.contract.wakeable import WakeableMailbox
from aico_desktop.paths import HomePaths
from backend.server.authentication import token_matches
from backend.server.departures import DepartureWatch
from backend.server.dispatcher import Dispatcher, incident
from backend.server.event_queue import EventQueue
from backend.server.publisher import EventPublisher
from backend.server.refusals import DEADLINE, NOT_AUTHENTICATED, NOT_ONE_FRAME
from backend.server.requests import ExplainError, Handler, unexplained
from backend.server.sender import ClientSender
from backend.server.sessions import Session, Sessions
from backend.server.transport import Transport, ZapGate

logger = logging.getLogger(__name__)

_MOST_READ_AT_ONCE = 200
_SILENCE_CHECK_S = 1.0
_LAST_WORDS_MS = 200


@dataclass(frozen=True)
class ServerLimits:
    """``event_credit`` counts events, ``session_timeout_s`` seconds without a sign of life."""

    event_credit: int = 512
    session_timeout_s: float = 10.0


class RouterServer:
    """One I/O thread owns the ROUTER; whatever arrives, it goes on and answers.

    Params: ``handlers`` by request type, each called in a worker thread with the request and a
    RequestContext; ``publisher`` is connected while the server runs; ``on_shutdown`` is called from
    the I/O thread when a client asks the backend to end, and must not block; ``explain`` turns
    errors of the rooms into a Failure in words.
    """

    def __init__(
        self,
        transport: Transport,
        token: str,
        home: HomePaths,
        handlers: Mapping[type[Message], Handler],
        publisher: EventPublisher,
        on_shutdown: Callable[[], None],
        explain: ExplainError = unexplained,
        limits: ServerLimits | None = None,
    ) -> None:
        self._transport = transport
        self._token = token
        self._home = home
        self._publisher = publisher
        self._on_shutdown = on_shutdown
        self._limits = limits or ServerLimits()
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._mailbox: WakeableMailbox[Callable[[], None]] = WakeableMailbox(
            self._context, "router"
        )
        self._dispatcher = Dispatcher(handlers, self._post_answer, explain)
        self._sessions = Sessions()
        self._zap: ZapGate | None = None
        self._router: zmq.Socket[bytes] = self._context.socket(zmq.ROUTER)
        self._sender = ClientSender(self._router, self._sessions, self._drop)
        self._departures = DepartureWatch(self._router)
        self._endpoint = ""
        self._refusing = threading.Event()
        self._stopping = False
        self._next_silence_check = 0.0
        self._thread = threading.Thread(target=self._run, name="router", daemon=True)

    @property
    def endpoint(self) -> str:
        """Where clients connect to; set by :meth:`start`."""
        return self._endpoint

    def start(self) -> None:
        """Bind and begin to serve. Raises ``zmq.ZMQError`` when the address cannot be used."""
        self._router.setsockopt(zmq.ROUTER_MANDATORY, 1)
        for option in (zmq.SNDHWM, zmq.RCVHWM, zmq.LINGER):
            self._router.setsockopt(option, 0)
        if self._transport.client_key is not None:
            self._zap = ZapGate(self._context, self._transport.client_key)
        self._departures.open()
        self._endpoint = self._transport.bind(self._router)
        self._publisher.connect(lambda event: self._post(partial(self._sender.spread, event)))
        self._thread.start()

    def idle_seconds(self) -> float | None:
        """How long there has been no client; None while there is one. From any thread."""
        return self._sessions.idle_seconds()

    def close(self) -> None:
        """Refuse further requests, wait for running handlers, end the thread, free the address."""
        self._publisher.connect(None)
        if self._thread.ident is not None:
            self._post(self._stop_accepting)
            while self._thread.is_alive() and not self._refusing.wait(_SILENCE_CHECK_S):
                pass
            self._dispatcher.wait()
            self._post(self._stop)
            self._thread.join()
        self._mailbox.close()
        if self._zap is not None:
            self._zap.close()
        self._departures.close()
        # The last replies, such as the one to Shutdown, have this long to leave.
        self._router.close(linger=_LAST_WORDS_MS)
        self._context.term()
        path = self._transport.socket_path
        if path is not None and self._endpoint:
            path.unlink(missing_ok=True)

    # ------------------------------------------------------------ the I/O thread

    def _run(self) -> None:
        poller = zmq.Poller()
        poller.register(self._mailbox.receiver, zmq.POLLIN)
        poller.register(self._router, zmq.POLLIN)
        self._departures.register(poller)
        if self._zap is not None:
            poller.register(self._zap.socket, zmq.POLLIN)
        while not self._stopping:
            timer = min(
                self._dispatcher.next_deadline(),
                self._departures.next_probe(),
                self._next_silence_check,
            )
            wait_ms = math.ceil(max(0.0, timer - time.monotonic()) * 1000)
            ready = dict(poller.poll(wait_ms))
            if self._zap is not None and self._zap.socket in ready:
                self._zap.answer()
            for command in self._mailbox.take():
                self._obey(command)
            drained = self._read_requests()
            if self._departures.probe_is_due(time.monotonic()):
                self._sender.probe()
            self._run_timers(time.monotonic(), drained)

    def _obey(self, command: Callable[[], None]) -> None:
        """An event or reply that cannot be sent must not end the thread that serves everybody."""
        try:
            command()
        except Exception as error:
            incident(error, "sending")

    def _read_requests(self) -> bool:
        """Read what has arrived, but let events and replies have their turn; True when all."""
        for _ in range(_MOST_READ_AT_ONCE):
            try:
                frames = self._router.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return True
            try:
                self._take(frames[0], frames[1:])
            except Exception as error:
                # The thread that every client depends on must outlive any single message.
                self._sender.send(frames[0], None, incident(error, "the router"))
        return False

    def _run_timers(self, now: float, drained: bool) -> None:
        for session_id, request_id in self._dispatcher.expire(now):
            self._sender.reply(session_id, request_id, DEADLINE)
        # After this process was suspended, heartbeats wait unread in the socket: read them first.
        if drained and now >= self._next_silence_check:
            self._next_silence_check = now + _SILENCE_CHECK_S
            for session in self._sessions.silent_for(self._limits.session_timeout_s, now):
                logger.info("Session %s is silent and was dropped", session.session_id)
                self._drop(session)

    def _take(self, identity: bytes, frames: list[bytes]) -> None:
        if len(frames) != 1:
            self._sender.send(identity, None, NOT_ONE_FRAME)
            return
        try:
            envelope = wire.decode_request(frames[0])
        except wire.WireError as error:
            logger.info("A message was refused: %s", error)
            self._sender.send(identity, error.request_id, error.failure())
            return
        session = self._sessions.greeted(identity)
        if isinstance(envelope.body, Hello):
            self._greet(identity, envelope.id, envelope.body)
        elif session is None:
            self._sender.send(identity, envelope.id, NOT_AUTHENTICATED)
        else:
            session.last_seen = time.monotonic()
            self._take_request(session, envelope)

    def _greet(self, identity: bytes, request_id: str, hello: Hello) -> None:
        if hello.protocol != PROTOCOL_VERSION:
            error = wire.wrong_protocol(hello.protocol, PROTOCOL_VERSION)
            self._sender.send(identity, request_id, error.failure())
            return
        if not token_matches(self._token, hello.token):
            logger.info("A client showed a wrong token")
            self._sender.send(identity, request_id, NOT_AUTHENTICATED)
            return
        former = self._sessions.greeted(identity)
        if former is not None:
            self._drop(former)
        session = Session(
            identity=identity,
            client=hello.client,
            wants_events=hello.wants_events,
            events=EventQueue(self._limits.event_credit),
            last_seen=time.monotonic(),
        )
        self._sessions.add(session)
        welcome = Welcome(
            protocol=PROTOCOL_VERSION,
            session_id=session.session_id,
            home=str(self._home.root),
            backend_pid=os.getpid(),
            event_credit=self._limits.event_credit,
            session_timeout_s=self._limits.session_timeout_s,
        )
        self._sender.send(identity, request_id, welcome)

    def _take_request(self, session: Session, envelope: RequestEnvelope) -> None:
        match envelope.body:
            case Ping():
                self._sender.send(session.identity, envelope.id, Pong())
            case Credit(count=count):
                session.events.grant(count)
                self._sender.send_events(session)
            case Cancel(request_id=request_id):
                self._dispatcher.cancel(session.session_id, request_id)
                self._sender.send(session.identity, envelope.id, Done())
            case Goodbye():
                self._drop(session)
            case Shutdown():
                self._sender.send(session.identity, envelope.id, Done())
                self._on_shutdown()
            case _:
                failure = self._dispatcher.begin(envelope, session.session_id, session.client)
                if failure is not None:
                    self._sender.send(session.identity, envelope.id, failure)

    # ------------------------------------------------------------ towards clients

    def _post(self, command: Callable[[], None]) -> None:
        self._mailbox.put(command)

    def _post_answer(self, session_id: str, request_id: str, body: Reply | Failure) -> None:
        self._post(partial(self._finish, session_id, request_id, body))

    def _finish(self, session_id: str, request_id: str, body: Reply | Failure) -> None:
        if self._dispatcher.settle(session_id, request_id):
            self._sender.reply(session_id, request_id, body)

    def _drop(self, session: Session) -> None:
        self._sessions.remove(session)
        self._dispatcher.drop_session(session.session_id)

    def _stop_accepting(self) -> None:
        self._dispatcher.stop_accepting()
        self._refusing.set()

    def _stop(self) -> None:
        self._stopping = True
