"""What a connection to the backend tells its user, as plain immutable facts."""

from __future__ import annotations

from dataclasses import dataclass

from aico_desktop.contract.messages import Event, Failure, Reply, Welcome


@dataclass(frozen=True)
class Connected:
    """The backend took us in. ``resumed``: events may have been missed, so take a snapshot."""

    welcome: Welcome
    resumed: bool


@dataclass(frozen=True)
class ConnectionLost:
    """The backend went, hung (``hung``), or refused us (``failure``); attempts go on."""

    human: str
    hung: bool = False
    failure: Failure | None = None


@dataclass(frozen=True)
class HeartbeatMissed:
    """So many heartbeats in a row have no answer; 0 once the backend answers again."""

    misses: int


@dataclass(frozen=True)
class ReplyArrived:
    """A request was carried out."""

    request_id: str
    body: Reply


@dataclass(frozen=True)
class RequestFailed:
    """A request was refused, ran out of time, was cancelled, or its connection was lost."""

    request_id: str
    failure: Failure


@dataclass(frozen=True)
class EventArrived:
    """An event; whoever handled it gives its credit back."""

    event: Event


@dataclass(frozen=True)
class EventsMissed:
    """There is a gap before the next event: what is shown must be taken from a snapshot."""

    count: int


LinkFact = (
    Connected
    | ConnectionLost
    | HeartbeatMissed
    | ReplyArrived
    | RequestFailed
    | EventArrived
    | EventsMissed
)
