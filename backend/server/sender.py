"""Puts replies and events on the wire, and notices clients that are gone."""

from __future__ import annotations

import logging
from collections.abc import Callable

import zmq

from aico_desktop.contract import wire
from aico_desktop.contract.messages import (
    PROTOCOL_VERSION,
    Event,
    Failure,
    Pong,
    Reply,
    ServerEnvelope,
)
from backend.server.dispatcher import incident
from backend.server.sessions import Session, Sessions

logger = logging.getLogger(__name__)


class ClientSender:
    """Sends through the ROUTER; belongs to the I/O thread.

    Params: ``drop`` ends the session of a client that cannot be reached any more.
    """

    def __init__(
        self,
        router: zmq.Socket[bytes],
        sessions: Sessions,
        drop: Callable[[Session], None],
    ) -> None:
        self._router = router
        self._sessions = sessions
        self._drop = drop

    def send(self, identity: bytes, request_id: str | None, body: Reply | Failure) -> None:
        """Answer a request; a body that cannot be sent becomes a Failure that says so."""
        envelope = ServerEnvelope(v=PROTOCOL_VERSION, body=body, id=request_id)
        try:
            data = wire.encode_server(envelope)
        except wire.WireError as error:
            self.send(identity, request_id, error.failure())
            return
        except (TypeError, ValueError) as error:
            self.send(identity, request_id, incident(error, "encoding a reply"))
            return
        self._transmit(identity, data)

    def reply(self, session_id: str, request_id: str, body: Reply | Failure) -> None:
        """Answer a request of a session, if the session is still there."""
        session = self._sessions.with_id(session_id)
        if session is not None:
            self.send(session.identity, request_id, body)

    def spread(self, event: Event) -> None:
        """Queue an event for every client that wants events, and send what credit allows."""
        for session in self._sessions:
            if session.wants_events:
                given_up = session.events.add(event)
                if given_up:
                    logger.info("Session %s was too slow for %d events", session.client, given_up)
                self.send_events(session)

    def send_events(self, session: Session) -> None:
        """Send what waits, as far as the client's credit goes."""
        while (numbered := session.events.take()) is not None:
            seq, event = numbered
            envelope = ServerEnvelope(v=PROTOCOL_VERSION, body=event, seq=seq)
            if not self._transmit(session.identity, wire.encode_server(envelope)):
                return

    def probe(self) -> None:
        """Send something that clients ignore to each one, which shows who is gone."""
        for session in self._sessions:
            self.send(session.identity, None, Pong())

    def _transmit(self, identity: bytes, data: bytes) -> bool:
        """False when the client is gone ("Host unreachable"), which ends its session."""
        try:
            self._router.send_multipart([identity, data], zmq.NOBLOCK)
        except zmq.ZMQError as error:
            session = self._sessions.greeted(identity)
            if session is not None:
                logger.info("Session %s is gone (%s)", session.session_id, error.strerror)
                self._drop(session)
            return False
        return True
