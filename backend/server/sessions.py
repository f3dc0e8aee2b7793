"""Who is connected: one session per greeted client, with its heartbeat and its events."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from backend.server.event_queue import EventQueue


@dataclass
class Session:
    """One greeted client; ``identity`` is its routing id, ``last_seen`` monotonic seconds."""

    identity: bytes
    client: str
    wants_events: bool
    events: EventQueue
    last_seen: float
    session_id: str = field(default_factory=lambda: secrets.token_hex(8))


class Sessions:
    """All sessions by routing id and by session id; owned by the I/O thread.

    :meth:`idle_seconds` alone may be called from any thread.
    """

    def __init__(self) -> None:
        self._by_identity: dict[bytes, Session] = {}
        self._by_id: dict[str, Session] = {}
        self._empty_since: float | None = time.monotonic()

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._by_identity.values()))

    def greeted(self, identity: bytes) -> Session | None:
        """The session behind a routing id."""
        return self._by_identity.get(identity)

    def with_id(self, session_id: str) -> Session | None:
        """The session of that id, if it is still there."""
        return self._by_id.get(session_id)

    def add(self, session: Session) -> None:
        """A client was let in."""
        self._by_identity[session.identity] = session
        self._by_id[session.session_id] = session
        self._empty_since = None

    def remove(self, session: Session) -> None:
        """A client is gone."""
        self._by_identity.pop(session.identity, None)
        self._by_id.pop(session.session_id, None)
        if not self._by_identity:
            self._empty_since = time.monotonic()

    def silent_for(self, seconds: float, now: float) -> list[Session]:
        """Sessions whose client has sent nothing for so long."""
        return [session for session in self if now - session.last_seen > seconds]

    def idle_seconds(self) -> float | None:
        """How long there has been no client; None while there is one."""
        since = self._empty_since
        return None if since is None else time.monotonic() - since
