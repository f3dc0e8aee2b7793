"""The one place where any thread of the backend tells its clients that something happened."""

from __future__ import annotations

from collections.abc import Callable

from aico_desktop.contract.messages import Event


class EventPublisher:
    """An event sink that the rooms are given before there is a server.

    Events emitted while no server is connected are dropped: there is no client yet, and clients
    read the present state from a snapshot.
    """

    def __init__(self) -> None:
        self._post: Callable[[Event], None] | None = None

    def emit(self, event: Event) -> None:
        """Tell every client that wants events; from any thread, never blocks."""
        post = self._post
        if post is not None:
            post(event)

    def connect(self, post: Callable[[Event], None] | None) -> None:
        """Set where events go; None when the server closes."""
        self._post = post
