"""Ends a blocking HTTP stream when the person stops it or the server falls silent."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from types import TracebackType
from typing import Any, Literal

_POLL_SECONDS = 0.02
"""How late a Stop may be noticed; a tenth of the 200 ms that DESIGN §3 allows."""


class StreamWatch:
    """Shuts the stream's socket down on Stop or silence, which wakes the reading thread.

    Closing an HTTP client from another thread does not wake a read that blocks in the kernel
    (measured: it slept on until its time-out), a shutdown of the socket does. Use as a context
    manager around the reading; pass :meth:`trace` as the ``trace`` extension of the httpx
    request, and call :meth:`touched` for every piece that arrives.

    :param cancelled: set by whoever wants the stream to end.
    :param first_seconds: longest silence before the first piece; loading a model falls in here.
    :param silence_seconds: longest silence after it.
    """

    def __init__(
        self, cancelled: threading.Event, first_seconds: float, silence_seconds: float
    ) -> None:
        self._cancelled = cancelled
        self._allowed_seconds = first_seconds
        self._silence_seconds = silence_seconds
        self._last_activity = time.monotonic()
        self._sockets: list[socket.socket] = []
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="stream-watch", daemon=True)
        self.outcome: Literal["", "cancelled", "stalled"] = ""

    def __enter__(self) -> StreamWatch:
        self._last_activity = time.monotonic()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._finished.set()
        self._thread.join()

    def trace(self, event_name: str, info: dict[str, Any]) -> None:
        """Remember the socket of each connection that httpx opens for the request."""
        if event_name in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._sockets.append(info["return_value"].get_extra_info("socket"))

    def touched(self) -> None:
        """Note that the server sent something."""
        self._last_activity = time.monotonic()
        self._allowed_seconds = self._silence_seconds

    def _watch(self) -> None:
        while not self._finished.wait(_POLL_SECONDS):
            if self._cancelled.is_set():
                self.outcome = "cancelled"
            elif time.monotonic() - self._last_activity > self._allowed_seconds:
                self.outcome = "stalled"
            if self.outcome:
                self._shut_down()

    def _shut_down(self) -> None:
        # Repeated at each poll until the reader has left: the socket may open after the Stop.
        for open_socket in tuple(self._sockets):
            with contextlib.suppress(OSError):  # it may be gone already
                open_socket.shutdown(socket.SHUT_RDWR)
