"""The window's connection to the backend: one I/O thread owns the sockets, signals tell facts."""

from __future__ import annotations

import time
import uuid

from PySide6.QtCore import QObject, Qt, QThread, Signal

from aico_desktop.contract.heartbeat import LinkTiming
from aico_desktop.contract.link import BackendLink
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
from aico_desktop.contract.messages import Event, Request
from aico_desktop.paths import HomePaths

BATCH_INTERVAL_S = 0.016
"""At most one hop to the UI thread per frame (reference/desktop §6)."""


class _LinkThread(QThread):
    """Runs the link; hands its facts to the UI thread as lists, at most one per frame.

    Signals: ``facts_arrived``.
    """

    #: list[LinkFact], in order
    facts_arrived = Signal(list)

    def __init__(self, home: HomePaths, client_name: str, timing: LinkTiming) -> None:
        super().__init__()
        self.setObjectName("backend-connection")
        self._facts: list[LinkFact] = []
        self.link = BackendLink(
            home, client_name, wants_events=True, sink=self._facts.append, timing=timing
        )

    def run(self) -> None:
        """Step the link until it is stopped."""
        last_hop = 0.0
        self.link.open()
        try:
            while not self.link.stopped:
                wait = 1.0
                if self._facts:
                    wait = last_hop + BATCH_INTERVAL_S - time.monotonic()
                if wait > 0:
                    self.link.step(wait)
                now = time.monotonic()
                if self._facts and now - last_hop >= BATCH_INTERVAL_S:
                    last_hop = now
                    facts, self._facts[:] = list(self._facts), []
                    self.facts_arrived.emit(facts)
        finally:
            self.link.close()


class BackendConnection(QObject):
    """Requests go in as calls, everything comes back as signals in the UI thread.

    Requests made while there is no connection wait for one until their deadline. Connects again
    by itself for as long as it lives. Signals: ``connected``, ``connection_lost``,
    ``backend_hung``, ``not_responding``, ``snapshot_needed``, ``events_arrived``,
    ``reply_arrived``, ``request_failed``.
    """

    #: Welcome: the backend took us in
    connected = Signal(object)
    #: str, Failure | None: words for the person; the Failure when the backend refused us
    connection_lost = Signal(str, object)
    #: the backend is connected but has not answered for five heartbeats
    backend_hung = Signal()
    #: int: heartbeats without answer so far; 0 when it answers again
    not_responding = Signal(int)
    #: events were missed, or the connection is a new one: ask for a Snapshot and redraw
    snapshot_needed = Signal()
    #: list[Event], in order
    events_arrived = Signal(list)
    #: str, Reply: request id and body
    reply_arrived = Signal(str, object)
    #: str, Failure: request id and the reason
    request_failed = Signal(str, object)

    def __init__(
        self,
        home: HomePaths,
        client_name: str = "window",
        timing: LinkTiming | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._thread = _LinkThread(home, client_name, timing or LinkTiming())
        self._thread.facts_arrived.connect(
            self._on_thread_facts_arrived, Qt.ConnectionType.QueuedConnection
        )
        self._closed = False

    def start(self) -> None:
        """Begin to look for the backend."""
        self._thread.start()

    def send(self, body: Request, timeout_s: float = 30.0) -> str:
        """Send a request and return its id; exactly one reply or failure with that id follows."""
        request_id = uuid.uuid4().hex
        self._thread.link.submit(request_id, body, round(timeout_s * 1000))
        return request_id

    def cancel(self, request_id: str) -> None:
        """Ask the backend to give an earlier request up; its reply or failure still comes."""
        self._thread.link.cancel(request_id)

    def retry_now(self) -> None:
        """Look for the backend at once, because it is known to be ready."""
        self._thread.link.retry_now()

    def close(self) -> None:
        """Say goodbye and wait for the thread to end; harmless when called twice."""
        if self._closed:
            return
        self._closed = True
        self._thread.facts_arrived.disconnect(self._on_thread_facts_arrived)
        self._thread.link.stop()
        if self._thread.isRunning():
            self._thread.wait()
        else:
            self._thread.link.close()

    def _on_thread_facts_arrived(self, facts: list[LinkFact]) -> None:
        """Tell the facts in order; neighbouring events go as one list."""
        events: list[Event] = []
        for fact in facts:
            if isinstance(fact, EventArrived):
                events.append(fact.event)
                continue
            self._tell_events(events)
            events = []
            self._tell(fact)
        self._tell_events(events)

    def _tell_events(self, events: list[Event]) -> None:
        if events:
            self.events_arrived.emit(events)
            # Credit goes back only after the window has handled them: that is the back-pressure.
            self._thread.link.acknowledge(len(events))

    def _tell(self, fact: LinkFact) -> None:
        match fact:
            case Connected(welcome=welcome, resumed=resumed):
                self.connected.emit(welcome)
                if resumed:
                    self.snapshot_needed.emit()
            case ConnectionLost(human=human, hung=hung, failure=failure):
                self.connection_lost.emit(human, failure)
                if hung:
                    self.backend_hung.emit()
            case HeartbeatMissed(misses=misses):
                self.not_responding.emit(misses)
            case EventsMissed():
                self.snapshot_needed.emit()
            case ReplyArrived(request_id=request_id, body=body):
                self.reply_arrived.emit(request_id, body)
            case RequestFailed(request_id=request_id, failure=failure):
                self.request_failed.emit(request_id, failure)
