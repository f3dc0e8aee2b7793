"""One client socket to one backend: opens, sends, receives, and notices when the other end goes."""

from __future__ import annotations

import logging

import zmq

from aico_desktop.contract import wire
from aico_desktop.contract.messages import PROTOCOL_VERSION, Request, RequestEnvelope
from aico_desktop.contract.rendezvous import EndpointRecord, prepare_client_socket
from aico_desktop.paths import HomePaths

logger = logging.getLogger(__name__)

_GOODBYE_LINGER_MS = 200
_LOSS_EVENTS = (
    zmq.EVENT_DISCONNECTED
    | zmq.EVENT_CLOSED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
)


class LinkSocket:
    """A DEALER and its monitor, registered with the owner's poller until :meth:`close`.

    The monitor is needed because a DEALER whose peer died or refused its key just hangs
    (reference/storage §6).
    """

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], poller: zmq.Poller) -> None:
        self._context = context
        self._poller = poller
        self._dealer: zmq.Socket[bytes] | None = None
        self._monitor: zmq.Socket[bytes] | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a socket; says nothing about the other end."""
        return self._dealer is not None

    def open(self, record: EndpointRecord, home: HomePaths) -> bool:
        """Begin to connect; False when the keys for the endpoint are missing."""
        dealer = self._context.socket(zmq.DEALER)
        if not prepare_client_socket(dealer, record, home):
            dealer.close()
            return False
        self._monitor = dealer.get_monitor_socket(_LOSS_EVENTS)
        self._dealer = dealer
        self._poller.register(dealer, zmq.POLLIN)
        self._poller.register(self._monitor, zmq.POLLIN)
        dealer.connect(record.endpoint)
        return True

    def send(self, request_id: str, body: Request, deadline_ms: int = 30_000) -> None:
        """Put a request on its way. Raises :class:`wire.WireError` when it is too large."""
        if self._dealer is None:
            return
        envelope = RequestEnvelope(
            v=PROTOCOL_VERSION, id=request_id, body=body, deadline_ms=deadline_ms
        )
        try:
            self._dealer.send(wire.encode_request(envelope), zmq.NOBLOCK)
        except zmq.Again:
            logger.info("The connection takes no more; its loss will be noticed")

    def receive(self) -> bytes | None:
        """The next message that has arrived, or None."""
        if self._dealer is None:
            return None
        try:
            return self._dealer.recv(zmq.NOBLOCK)
        except zmq.Again:
            return None

    def other_end_went(self) -> bool:
        """Whether the monitor reports that the connection ended or was refused."""
        if self._monitor is None or not self._monitor.poll(0):
            return False
        self._monitor.recv_multipart()
        return True

    def close(self, linger: bool = False) -> None:
        """Release the sockets; with ``linger`` a last message has 200 ms to leave."""
        if self._dealer is None or self._monitor is None:
            return
        if linger:
            self._dealer.setsockopt(zmq.LINGER, _GOODBYE_LINGER_MS)
        self._poller.unregister(self._monitor)
        self._poller.unregister(self._dealer)
        # Closes the monitor socket too.
        self._dealer.disable_monitor()
        self._dealer.close()
        self._dealer = self._monitor = None
