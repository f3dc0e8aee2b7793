"""Notices that some client's connection ended, long before its heartbeats are missed."""

from __future__ import annotations

import zmq


class DepartureWatch:
    """Watches the monitor of a ROUTER; which client went, a probe of each one tells.

    Call :meth:`open` before the ROUTER is bound, everything else from the I/O thread.
    """

    def __init__(self, router: zmq.Socket[bytes]) -> None:
        self._router = router
        self._monitor: zmq.Socket[bytes] | None = None

    def open(self) -> None:
        """Begin to watch."""
        self._monitor = self._router.get_monitor_socket(zmq.EVENT_DISCONNECTED)

    def register(self, poller: zmq.Poller) -> None:
        """Wake the poll when a connection ends."""
        if self._monitor is not None:
            poller.register(self._monitor, zmq.POLLIN)

    def take(self) -> bool:
        """Whether a connection ended since the last call."""
        departed = False
        while self._monitor is not None and self._monitor.poll(0):
            self._monitor.recv_multipart()
            departed = True
        return departed

    def close(self) -> None:
        """Stop watching; the ROUTER must still be open."""
        if self._monitor is not None:
            self._router.disable_monitor()
            self._monitor = None
