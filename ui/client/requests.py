"""Requests whose answer goes to the one who asked, over a connection that only tells facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from PySide6.QtCore import QObject, SignalInstance

from aico_desktop.contract.messages import Failure, Message, Request

ReplyT = TypeVar("ReplyT", bound=Message)


class Connection(Protocol):
    """What the window needs of a connection; :class:`ui.client.connection.BackendConnection`."""

    @property
    def connected(self) -> SignalInstance: ...

    @property
    def connection_lost(self) -> SignalInstance: ...

    @property
    def not_responding(self) -> SignalInstance: ...

    @property
    def snapshot_needed(self) -> SignalInstance: ...

    @property
    def events_arrived(self) -> SignalInstance: ...

    @property
    def reply_arrived(self) -> SignalInstance: ...

    @property
    def request_failed(self) -> SignalInstance: ...

    def send(self, body: Request, timeout_s: float = 30.0) -> str: ...

    def cancel(self, request_id: str) -> None: ...

    def retry_now(self) -> None: ...


class BackendRequests(QObject):
    """Remembers who asked what, and calls them back in the UI thread.

    Params: ``connection`` delivers replies as signals; exactly one answer comes for each request.
    """

    def __init__(self, connection: Connection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._connection = connection
        self._waiting: dict[str, tuple[Callable[[Message], None], Callable[[Failure], None]]] = {}
        connection.reply_arrived.connect(self._on_reply_arrived)
        connection.request_failed.connect(self._on_request_failed)

    def ask(
        self,
        body: Request,
        expected: type[ReplyT],
        then: Callable[[ReplyT], None],
        failed: Callable[[Failure], None],
        timeout_s: float = 30.0,
    ) -> str:
        """Send ``body`` and call ``then`` with its reply, or ``failed`` with the reason.

        A reply of another type than ``expected`` is a failure with the code ``internal``.
        """

        def deliver(reply: Message) -> None:
            if isinstance(reply, expected):
                then(reply)
            else:
                technical = f"{type(body).__name__} was answered by {type(reply).__name__}"
                words = "The companion service gave an answer that does not fit."
                failed(Failure(code="internal", human=words, technical=technical))

        request_id = self._connection.send(body, timeout_s)
        self._waiting[request_id] = (deliver, failed)
        return request_id

    def cancel(self, request_id: str) -> None:
        """Give an earlier request up; whoever asked hears no more of it."""
        if self._waiting.pop(request_id, None) is not None:
            self._connection.cancel(request_id)

    def _on_reply_arrived(self, request_id: str, body: Message) -> None:
        waiting = self._waiting.pop(request_id, None)
        if waiting is not None:
            waiting[0](body)

    def _on_request_failed(self, request_id: str, failure: Failure) -> None:
        waiting = self._waiting.pop(request_id, None)
        if waiting is not None:
            waiting[1](failure)
