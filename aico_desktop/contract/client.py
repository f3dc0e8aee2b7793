"""The blocking client of the backend, for the terminal, for other programs and for tests."""

from __future__ import annotations

import queue
import threading
import time
import uuid
from collections.abc import Iterator
from types import TracebackType
from typing import Self, TypeVar

from aico_desktop.contract import link_facts
from aico_desktop.contract.heartbeat import LinkTiming
from aico_desktop.contract.link import BackendLink
from aico_desktop.contract.link_facts import (
    Connected,
    ConnectionLost,
    EventArrived,
    EventsMissed,
    LinkFact,
    ReplyArrived,
)
from aico_desktop.contract.messages import Event, Failure, Message, Reply, Request, Welcome
from aico_desktop.paths import HomePaths

ReplyType = TypeVar("ReplyType", bound=Message)

_ANSWER_SLACK_S = 2.0
_LOOK_S = 0.5


class BackendUnreachable(Exception):
    """No backend of this home answers; the text is in words for the person."""


class RequestFailed(Exception):
    """The backend said no, or not in time; ``failure`` has code and words."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.human)
        self.failure = failure


class PendingReply:
    """A request that is under way."""

    def __init__(self, client: BackendClient, request_id: str, timeout_s: float) -> None:
        self.request_id = request_id
        self._client = client
        self._ends = time.monotonic() + timeout_s + _ANSWER_SLACK_S
        self._settled = threading.Event()
        self._answer: Reply | Failure | None = None

    def result(self) -> Reply:
        """Wait for the reply.

        Raises :class:`RequestFailed`, or :class:`BackendUnreachable` when the connection was lost
        or there was none until the deadline.
        """
        self._settled.wait(max(0.0, self._ends - time.monotonic()))
        if self._answer is None:
            raise BackendUnreachable("The AICO backend did not answer in time.")
        if not isinstance(self._answer, Failure):
            return self._answer
        if self._answer.code == "unreachable":
            raise BackendUnreachable(self._answer.human)
        raise RequestFailed(self._answer)

    def cancel(self) -> None:
        """Ask the backend to give it up; :meth:`result` still tells how it ended."""
        self._client.cancel(self.request_id)

    def settle(self, answer: Reply | Failure) -> None:
        """For the client: the one answer has come."""
        self._answer = answer
        self._settled.set()


class BackendClient:
    """A connection to the backend of one home; every method may be called from any thread.

    An I/O thread keeps the heartbeat, and after a loss looks for the backend again by itself: see
    :meth:`events` for how a caller learns of it. It never starts a backend; see
    :mod:`aico_desktop.launcher`.
    """

    def __init__(
        self,
        home: HomePaths,
        client_name: str,
        wants_events: bool = False,
        timing: LinkTiming | None = None,
    ) -> None:
        self._link = BackendLink(
            home, client_name, wants_events, sink=self._take, timing=timing or LinkTiming()
        )
        self._home = home
        self._pending: dict[str, PendingReply] = {}
        self._lock = threading.Lock()
        self._first_contact = threading.Event()
        self._welcome: Welcome | None = None
        self._refusal: Failure | None = None
        self._events: queue.SimpleQueue[Event | EventsMissed | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="backend-client", daemon=True)
        self._closed = False

    def connect(self, timeout_s: float = 5.0) -> Welcome:
        """Begin, and wait until the backend takes us in.

        Raises :class:`RequestFailed` when it refuses us (wrong version, wrong token) and
        :class:`BackendUnreachable` when none answers in ``timeout_s`` seconds.
        """
        if self._thread.ident is None and not self._closed:
            self._thread.start()
        self._first_contact.wait(timeout_s)
        if self._welcome is not None:
            return self._welcome
        if self._refusal is not None:
            raise RequestFailed(self._refusal)
        raise BackendUnreachable(f"No AICO backend answers for {self._home.root}.")

    @property
    def welcome(self) -> Welcome | None:
        """What the backend said when it last took us in; None while there is no connection."""
        return self._welcome

    def start(self, body: Request, timeout_s: float = 30.0) -> PendingReply:
        """Send a request without waiting for its reply."""
        reply = PendingReply(self, uuid.uuid4().hex, timeout_s)
        with self._lock:
            if self._closed:
                raise BackendUnreachable("The connection to the AICO backend is closed.")
            self._pending[reply.request_id] = reply
        self._link.submit(reply.request_id, body, round(timeout_s * 1000))
        return reply

    def request(self, body: Request, timeout_s: float = 30.0) -> Reply:
        """Send a request and wait; errors as in :meth:`PendingReply.result`."""
        return self.start(body, timeout_s).result()

    def request_as(
        self, expected: type[ReplyType], body: Request, timeout_s: float = 30.0
    ) -> ReplyType:
        """As :meth:`request`, where only one type of reply makes sense."""
        reply = self.request(body, timeout_s)
        if not isinstance(reply, expected):
            raise RequestFailed(
                Failure(
                    code="malformed",
                    human="The AICO backend gave an answer that does not fit the question.",
                    technical=f"{type(reply).__name__} instead of {expected.__name__}",
                )
            )
        return reply

    def cancel(self, request_id: str) -> None:
        """Ask the backend to give up a request."""
        self._link.cancel(request_id)

    def events(self, timeout_s: float | None = None) -> Iterator[Event | EventsMissed]:
        """Events in order, each paid for with credit when the next is asked for.

        An :class:`EventsMissed` stands where events were missed, also after every reconnection:
        take a Snapshot then. Ends when nothing came for ``timeout_s`` seconds, or on
        :meth:`close`.
        """
        while True:
            try:
                event = self._events.get(timeout=timeout_s)
            except queue.Empty:
                return
            if event is None:
                return
            yield event
            if not isinstance(event, EventsMissed):
                self._link.acknowledge(1)

    def close(self) -> None:
        """Say goodbye and end; what is pending fails as unreachable. Harmless when called twice."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._link.stop()
        if self._thread.ident is None:
            self._link.close()
        else:
            self._thread.join()
        self._give_up_pending()
        self._events.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ------------------------------------------------------------ the I/O thread

    def _run(self) -> None:
        self._link.open()
        try:
            while not self._link.stopped:
                self._link.step(_LOOK_S)
        finally:
            self._link.close()

    def _take(self, fact: LinkFact) -> None:
        match fact:
            case Connected(welcome=welcome, resumed=resumed):
                self._welcome, self._refusal = welcome, None
                if resumed:
                    self._events.put(EventsMissed(0))
                self._first_contact.set()
            case ConnectionLost(failure=failure):
                self._welcome = None
                if failure is not None:
                    self._refusal = failure
                    self._first_contact.set()
            case ReplyArrived(request_id=request_id, body=body):
                self._settle(request_id, body)
            case link_facts.RequestFailed(request_id=request_id, failure=failure):
                self._settle(request_id, failure)
            case EventArrived(event=event):
                self._events.put(event)
            case EventsMissed():
                self._events.put(fact)

    def _settle(self, request_id: str, answer: Reply | Failure) -> None:
        with self._lock:
            reply = self._pending.pop(request_id, None)
        if reply is not None:
            reply.settle(answer)

    def _give_up_pending(self) -> None:
        with self._lock:
            abandoned, self._pending = list(self._pending.values()), {}
        for reply in abandoned:
            reply.settle(Failure(code="unreachable", human="The connection was closed."))
