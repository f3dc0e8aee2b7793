"""The client's end of the connection, for whatever thread runs it; knows nothing of Qt."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from enum import Enum

import zmq

from aico_desktop.contract import wire
from aico_desktop.contract.heartbeat import Heartbeat, LinkTiming
from aico_desktop.contract.link_facts import (
    Connected,
    ConnectionLost,
    EventArrived,
    EventsMissed,
    HeartbeatMissed,
    LinkFact,
    ReplyArrived,
    RequestFailed,
)
from aico_desktop.contract.link_socket import LinkSocket
from aico_desktop.contract.messages import (
    PROTOCOL_VERSION,
    Cancel,
    Credit,
    Event,
    Failure,
    Goodbye,
    Hello,
    Ping,
    Request,
    ServerEnvelope,
    Welcome,
)
from aico_desktop.contract.pending_requests import PendingRequests
from aico_desktop.contract.rendezvous import read_endpoint, read_token, somebody_listens
from aico_desktop.contract.wakeable import WakeableMailbox
from aico_desktop.paths import HomePaths

logger = logging.getLogger(__name__)

_HELLO_ID = "hello"
_PING_ID = "ping"
_UNANSWERED_ID = "-"
_DRAIN_LIMIT_S = 0.008


class _State(Enum):
    APART = "apart"
    GREETING = "greeting"
    CONNECTED = "connected"


class BackendLink:
    """Finds the backend of a home, keeps the connection, matches replies, watches ``seq``.

    :meth:`submit`, :meth:`cancel`, :meth:`acknowledge`, :meth:`retry_now` and :meth:`stop` may be
    called from any thread; :meth:`open`, :meth:`step` and :meth:`close` belong to the thread that
    owns the sockets, in which ``sink`` is called with each fact, in order.
    """

    def __init__(
        self,
        home: HomePaths,
        client_name: str,
        wants_events: bool,
        sink: Callable[[LinkFact], None],
        timing: LinkTiming,
    ) -> None:
        self._home = home
        self._client_name = client_name
        self._wants_events = wants_events
        self._sink = sink
        self._timing = timing
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._mailbox: WakeableMailbox[Callable[[], None]] = WakeableMailbox(self._context, "link")
        self._poller = zmq.Poller()
        self._socket = LinkSocket(self._context, self._poller)
        self._pending = PendingRequests()
        self._state = _State.APART
        self._retry_at = 0.0
        self._retry_wait = timing.retry_first_s
        self._greeting_ends = math.inf
        self._heartbeat = Heartbeat(timing)
        self._expected_seq = 1
        self._credit_window = 0
        self._credit_owed = 0
        self._was_connected = False
        self._last_refusal: str | None = None
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Whether :meth:`stop` was called and taken up."""
        return self._stopped

    # ------------------------------------------------------------ from any thread

    def submit(self, request_id: str, body: Request, deadline_ms: int) -> None:
        """Send ``body``; one ReplyArrived or RequestFailed with ``request_id`` follows."""
        deadline_at = time.monotonic() + deadline_ms / 1000
        self._mailbox.put(lambda: self._accept(request_id, body, deadline_at))

    def cancel(self, request_id: str) -> None:
        """Ask the backend to give a request up; the fact about it still follows."""
        self._mailbox.put(lambda: self._forward_cancel(request_id))

    def acknowledge(self, count: int) -> None:
        """Say that ``count`` events were handled, so that as many more may come."""
        self._mailbox.put(lambda: self._return_credit(count))

    def retry_now(self) -> None:
        """Do not wait for the next attempt to connect."""
        self._mailbox.put(self._hurry)

    def stop(self) -> None:
        """Make :meth:`step` return and :attr:`stopped` true."""
        self._mailbox.put(self._set_stopped)

    # ------------------------------------------------------------ from the owner

    def open(self) -> None:
        """Take the sockets over into the calling thread."""
        self._poller.register(self._mailbox.receiver, zmq.POLLIN)

    def step(self, longest_wait_s: float) -> None:
        """Wait at most that long for anything to happen, and deal with it."""
        wait = max(0.0, min(longest_wait_s, self._next_timer() - time.monotonic()))
        self._poller.poll(math.ceil(wait * 1000))
        for command in self._mailbox.take():
            command()
        self._read(time.monotonic() + _DRAIN_LIMIT_S)
        if self._socket.other_end_went():
            # What the backend said last, before it ended, still counts.
            self._read(math.inf)
            self._lose("The connection to the AICO backend ended.")
        self._run_timers(time.monotonic())

    def close(self) -> None:
        """Say goodbye, release every socket; pending requests are given up silently."""
        greeted = self._state is _State.CONNECTED
        if greeted:
            self._socket.send(_UNANSWERED_ID, Goodbye())
        self._socket.close(linger=greeted)
        self._mailbox.close()
        self._context.term()

    def _accept(self, request_id: str, body: Request, deadline_at: float) -> None:
        self._pending.add(request_id, body, deadline_at)
        self._send_unsent()

    def _forward_cancel(self, request_id: str) -> None:
        if self._state is _State.CONNECTED:
            self._socket.send(_UNANSWERED_ID, Cancel(request_id=request_id))

    def _return_credit(self, count: int) -> None:
        """Return credit in quarters of the window: a message per event would double the traffic."""
        self._credit_owed += count
        if self._state is _State.CONNECTED and self._credit_owed * 4 >= self._credit_window:
            self._socket.send(_UNANSWERED_ID, Credit(count=self._credit_owed))
            self._credit_owed = 0

    def _hurry(self) -> None:
        self._retry_at = 0.0
        self._retry_wait = self._timing.retry_first_s

    def _set_stopped(self) -> None:
        self._stopped = True

    # ------------------------------------------------------------ connecting

    def _next_timer(self) -> float:
        state_timer = {
            _State.APART: self._retry_at,
            _State.GREETING: self._greeting_ends,
            _State.CONNECTED: self._heartbeat.next_at,
        }[self._state]
        return min(state_timer, self._pending.next_end())

    def _run_timers(self, now: float) -> None:
        if self._stopped:
            return
        if self._state is _State.APART and now >= self._retry_at:
            self._attempt(now)
        elif self._state is _State.GREETING and now >= self._greeting_ends:
            self._lose("The AICO backend does not answer.", hung=True)
        elif self._state is _State.CONNECTED and now >= self._heartbeat.next_at:
            self._beat(now)
        for request_id, failure in self._pending.expire(now):
            self._sink(RequestFailed(request_id, failure))

    def _attempt(self, now: float) -> None:
        """Open a socket to wherever the backend says it listens, and greet it."""
        self._retry_at = now + self._retry_wait
        self._retry_wait = min(self._retry_wait * 2, self._timing.retry_longest_s)
        record, token = read_endpoint(self._home), read_token(self._home)
        if record is None or token is None or not somebody_listens(record.endpoint):
            return
        if not self._socket.open(record, self._home):
            return
        self._state = _State.GREETING
        self._greeting_ends = now + self._timing.hello_timeout_s
        hello = Hello(
            protocol=PROTOCOL_VERSION,
            client=self._client_name,
            token=token,
            wants_events=self._wants_events,
        )
        self._socket.send(_HELLO_ID, hello)

    def _begin_session(self, welcome: Welcome) -> None:
        self._state = _State.CONNECTED
        self._retry_wait = self._timing.retry_first_s
        self._heartbeat.restart(time.monotonic())
        self._expected_seq = 1
        self._credit_window = welcome.event_credit
        self._credit_owed = 0
        self._last_refusal = None
        self._sink(Connected(welcome, resumed=self._was_connected))
        self._was_connected = True
        self._send_unsent()

    def _lose(self, human: str, hung: bool = False, failure: Failure | None = None) -> None:
        """Leave the connection, tell it once, and fail what was under way."""
        was_connected = self._state is _State.CONNECTED
        self._socket.close()
        self._state = _State.APART
        refusal = failure.code if failure else None
        if was_connected or hung or (failure and refusal != self._last_refusal):
            self._sink(ConnectionLost(human, hung, failure))
        self._last_refusal = refusal
        if failure is not None:
            self._retry_at = time.monotonic() + self._timing.retry_refused_s
        for request_id, unreachable in self._pending.lose_sent():
            self._sink(RequestFailed(request_id, unreachable))

    def _beat(self, now: float) -> None:
        if self._heartbeat.tick(now):
            self._sink(HeartbeatMissed(self._heartbeat.misses))
        if self._heartbeat.hung:
            self._lose("The AICO backend does not answer any more.", hung=True)
            return
        self._socket.send(_PING_ID, Ping())

    def _send_unsent(self) -> None:
        if self._state is not _State.CONNECTED:
            return
        now = time.monotonic()
        for request_id, request in self._pending.unsent():
            request.sent = True
            try:
                left_ms = max(1, round((request.deadline_at - now) * 1000))
                self._socket.send(request_id, request.body, left_ms)
            except wire.WireError as error:
                self._pending.settle(request_id)
                self._sink(RequestFailed(request_id, error.failure()))

    def _read(self, until: float) -> None:
        while self._socket.is_open and time.monotonic() < until:
            data = self._socket.receive()
            if data is None:
                return
            try:
                self._take(wire.decode_server(data))
            except wire.WireError as error:
                logger.info("Unreadable message from the backend: %s", error)
                self._lose(error.human, failure=error.failure())

    def _take(self, envelope: ServerEnvelope) -> None:
        if self._heartbeat.note_life():
            self._sink(HeartbeatMissed(0))
        body = envelope.body
        if isinstance(body, Event):
            self._take_event(envelope.seq or 0, body)
        elif envelope.id == _HELLO_ID:
            if isinstance(body, Welcome):
                self._begin_session(body)
            elif isinstance(body, Failure):
                self._lose(body.human, failure=body)
        elif isinstance(body, Failure) and body.code == "not_authenticated":
            # The backend forgot us, or is another one now: greet again, then repeat the request.
            self._pending.send_again(envelope.id or "")
            self._hurry()
            self._lose("The session with the AICO backend ended.")
        elif envelope.id is not None and self._pending.settle(envelope.id):
            if isinstance(body, Failure):
                self._sink(RequestFailed(envelope.id, body))
            else:
                self._sink(ReplyArrived(envelope.id, body))

    def _take_event(self, seq: int, event: Event) -> None:
        if seq != self._expected_seq:
            self._sink(EventsMissed(seq - self._expected_seq))
        self._expected_seq = seq + 1
        self._sink(EventArrived(event))
