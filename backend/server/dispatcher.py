"""Runs request handlers in a few threads and sees to it that each request is answered once."""

from __future__ import annotations

import logging
import math
import secrets
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from aico_desktop.contract.messages import (
    Failure,
    Message,
    Reply,
    RequestEnvelope,
    StopTurn,
)
from aico_desktop.redaction import error_places
from backend.server.refusals import CANCELLED, ENDING, TOO_MANY
from backend.server.requests import (
    ExplainError,
    Handler,
    Refused,
    RequestCancelled,
    RequestContext,
)

logger = logging.getLogger(__name__)

WORKERS = 6
MOST_OPEN_PER_SESSION = 1000
LONGEST_DEADLINE_S = 3600.0

Answer = Callable[[str, str, Reply | Failure], None]
"""Called from a worker with session id, request id and body."""


@dataclass(frozen=True)
class _Key:
    session_id: str
    request_id: str


class Dispatcher:
    """Every method but the workers' inner ones belongs to the I/O thread.

    Params: ``handlers`` by request type; ``answer`` takes what a worker came to; ``explain`` turns
    errors of the rooms into words. :class:`StopTurn` has threads of its own, because Stop must
    take effect within 200 ms however busy the others are (DESIGN §3).
    """

    def __init__(
        self,
        handlers: Mapping[type[Message], Handler],
        answer: Answer,
        explain: ExplainError,
        workers: int = WORKERS,
    ) -> None:
        self._handlers = handlers
        self._answer = answer
        self._explain = explain
        self._open: dict[_Key, RequestContext] = {}
        self._accepting = True
        self._workers = ThreadPoolExecutor(workers, thread_name_prefix="request")
        self._urgent_workers = ThreadPoolExecutor(1, thread_name_prefix="urgent-request")

    def begin(self, envelope: RequestEnvelope, session_id: str, client: str) -> Failure | None:
        """Start a handler; a Failure when that is refused at once."""
        if not self._accepting:
            return ENDING
        handler = self._handlers.get(type(envelope.body))
        if handler is None:
            return Failure(
                code="unknown_type",
                human="This version of the AICO backend cannot do that.",
                technical=type(envelope.body).__name__,
            )
        key = _Key(session_id, envelope.id)
        if key in self._open:
            logger.info("A request id came twice in session %s and was ignored", session_id)
            return None
        if sum(open_key.session_id == session_id for open_key in self._open) >= (
            MOST_OPEN_PER_SESSION
        ):
            return TOO_MANY
        seconds = min(max(envelope.deadline_ms, 1) / 1000, LONGEST_DEADLINE_S)
        context = RequestContext(envelope.id, session_id, client, time.monotonic() + seconds)
        self._open[key] = context
        urgent = isinstance(envelope.body, StopTurn)
        pool = self._urgent_workers if urgent else self._workers
        pool.submit(self._run, handler, envelope.body, context)
        return None

    def settle(self, session_id: str, request_id: str) -> bool:
        """Whether this request still waits for its one reply; afterwards it does not."""
        return self._open.pop(_Key(session_id, request_id), None) is not None

    def cancel(self, session_id: str, request_id: str) -> None:
        """Tell a handler that its work is not wanted any more; it still answers."""
        context = self._open.get(_Key(session_id, request_id))
        if context is not None:
            context.cancelled.set()

    def drop_session(self, session_id: str) -> None:
        """Cancel whatever a client that is gone had asked for."""
        for key in [key for key in self._open if key.session_id == session_id]:
            self._open.pop(key).cancelled.set()

    def expire(self, now: float) -> list[tuple[str, str]]:
        """Cancel requests past their deadline; returns their session and request ids."""
        expired = [key for key, context in self._open.items() if now >= context.deadline_at]
        for key in expired:
            self._open.pop(key).cancelled.set()
        return [(key.session_id, key.request_id) for key in expired]

    def next_deadline(self) -> float:
        """When :meth:`expire` is due; infinity when nothing is open."""
        return min((context.deadline_at for context in self._open.values()), default=math.inf)

    def stop_accepting(self) -> None:
        """Cancel everything and refuse whatever comes."""
        self._accepting = False
        for context in self._open.values():
            context.cancelled.set()

    def wait(self) -> None:
        """Wait for running handlers: after :meth:`stop_accepting`, not in the I/O thread."""
        for pool in (self._urgent_workers, self._workers):
            pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, handler: Handler, body: Message, context: RequestContext) -> None:
        """In a worker: whatever happens, one answer."""
        try:
            context.raise_if_cancelled()
            answer = handler(body, context)
        except Refused as refusal:
            answer = refusal.failure
        except RequestCancelled:
            answer = CANCELLED
        except Exception as error:
            answer = self._explained(error, type(body).__name__)
        self._answer(context.session_id, context.request_id, answer)

    def _explained(self, error: Exception, request_type: str) -> Failure:
        failure = self._explain(error)
        return failure if failure is not None else incident(error, request_type)


def incident(error: Exception, where: str) -> Failure:
    """Log an unexpected error under an id, without its text, and say so to the client."""
    incident_id = secrets.token_hex(4)
    logger.error("Incident %s in %s: %s", incident_id, where, error_places(error))
    return Failure(
        code="internal",
        human=f"Something went wrong inside AICO. The log knows it as incident {incident_id}.",
        technical=f"{type(error).__name__}, incident {incident_id}",
    )
