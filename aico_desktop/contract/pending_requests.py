"""A client's requests that have no reply yet, with their deadlines."""

from __future__ import annotations

import math
from dataclasses import dataclass

from aico_desktop.contract.messages import Failure, Request

UNREACHABLE = Failure(
    code="unreachable",
    human="The connection to the AICO backend was lost before it answered.",
    technical="connection lost while the request was under way",
)
"""Whether the request was carried out is unknown; ``SendMessage`` may be sent again as it is."""

NOT_CONNECTED = Failure(
    code="unreachable",
    human="The AICO backend could not be reached in time.",
    technical="deadline passed before there was a connection",
)

NO_REPLY = Failure(
    code="deadline",
    human="This took too long, so AICO stopped waiting. It may still be carried out.",
    technical="no reply before the deadline",
)

REPLY_GRACE_S = 0.5
"""The backend answers at the deadline by itself; the client gives its answer time to arrive."""


@dataclass
class PendingRequest:
    """One request; ``deadline_at`` is on the monotonic clock, in seconds."""

    body: Request
    deadline_at: float
    sent: bool = False


class PendingRequests:
    """Keeps each request until its reply, its deadline or the loss of the connection."""

    def __init__(self) -> None:
        self._by_id: dict[str, PendingRequest] = {}

    def __contains__(self, request_id: str) -> bool:
        return request_id in self._by_id

    def add(self, request_id: str, body: Request, deadline_at: float) -> None:
        """Remember a request that is still to be sent."""
        self._by_id[request_id] = PendingRequest(body, deadline_at)

    def unsent(self) -> list[tuple[str, PendingRequest]]:
        """Requests that wait for a connection, oldest first."""
        return [(key, request) for key, request in self._by_id.items() if not request.sent]

    def settle(self, request_id: str) -> bool:
        """Forget an answered request; False when it is not (or no longer) waited for."""
        return self._by_id.pop(request_id, None) is not None

    def send_again(self, request_id: str) -> bool:
        """Mark a request that the backend did not take as unsent; False when it is unknown."""
        request = self._by_id.get(request_id)
        if request is None:
            return False
        request.sent = False
        return True

    def lose_sent(self) -> list[tuple[str, Failure]]:
        """Give up whatever was under way when the connection went."""
        lost = [key for key, request in self._by_id.items() if request.sent]
        for key in lost:
            del self._by_id[key]
        return [(key, UNREACHABLE) for key in lost]

    def expire(self, now: float) -> list[tuple[str, Failure]]:
        """Give up whatever has passed its deadline."""
        expired = [
            (key, NO_REPLY if request.sent else NOT_CONNECTED)
            for key, request in self._by_id.items()
            if now >= self._end(request)
        ]
        for key, _ in expired:
            del self._by_id[key]
        return expired

    def next_end(self) -> float:
        """When :meth:`expire` must be called next; infinity when nothing is pending."""
        return min((self._end(request) for request in self._by_id.values()), default=math.inf)

    @staticmethod
    def _end(request: PendingRequest) -> float:
        return request.deadline_at + (REPLY_GRACE_S if request.sent else 0.0)
