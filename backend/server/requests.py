"""What a request handler is given, and the ways in which it may say no."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aico_desktop.contract.messages import EntityCandidate, Failure, Reply


class RequestCancelled(Exception):
    """Raised by a handler that noticed its cancellation and left everything consistent."""


class Refused(Exception):
    """Raised by a handler to say no in words; becomes the Failure that the client gets.

    Params: as in :class:`aico_desktop.contract.messages.Failure`.
    """

    def __init__(
        self,
        code: str,
        human: str,
        technical: str = "",
        candidates: tuple[EntityCandidate, ...] = (),
    ) -> None:
        super().__init__(code)
        self.failure = Failure(code=code, human=human, technical=technical, candidates=candidates)


@dataclass(frozen=True)
class RequestContext:
    """Who asks, until when (monotonic seconds), and whether it is still wanted.

    ``cancelled`` is set by a :class:`Cancel`, at the deadline, and when the client is gone.
    """

    request_id: str
    session_id: str
    client: str
    deadline_at: float
    cancelled: threading.Event = field(default_factory=threading.Event)

    def raise_if_cancelled(self) -> None:
        """Raises :class:`RequestCancelled`; call between steps of long work."""
        if self.cancelled.is_set():
            raise RequestCancelled(self.request_id)


# Any: each handler takes exactly the request type that it is registered for.
Handler: TypeAlias = Callable[[Any, RequestContext], Reply | Failure]

ExplainError: TypeAlias = Callable[[Exception], Failure | None]
"""Turns an error of the rooms into words; None when it has none."""


def unexplained(error: Exception) -> Failure | None:
    """Has no words for any error."""
    del error
    return None
