"""Notices that some client's connection ended, long before its heartbeats are missed."""

from __future__ import annotations

import math

import zmq

_PROBES_AFTER_S = (0.0, 0.02, 0.1, 0.5)
"""The ROUTER learns a moment after its monitor that a client is gone, so one probe may miss it."""


class DepartureWatch:
    """Watches the monitor of a ROUTER; which client went, a probe of each one tells.

    Call :meth:`open` before the ROUTER is bound, everything else from the I/O thread.
    """

    def __init__(self, router: zmq.Socket[bytes]) -> None:
        self._router = router
        self._monitor: zmq.Socket[bytes] | None = None
        self._probe_times: list[float] = []

    def open(self) -> None:
        """Begin to watch."""
        self._monitor = self._router.get_monitor_socket(zmq.EVENT_DISCONNECTED)

    def register(self, poller: zmq.Poller) -> None:
        """Wake the poll when a connection ends."""
        if self._monitor is not None:
            poller.register(self._monitor, zmq.POLLIN)

    def probe_is_due(self, now: float) -> bool:
        """Whether each client should be probed now (monotonic seconds)."""
        while self._monitor is not None and self._monitor.poll(0):
            self._monitor.recv_multipart()
            self._probe_times = [now + after for after in _PROBES_AFTER_S]
        due = now >= self.next_probe()
        self._probe_times = [at for at in self._probe_times if at > now]
        return due

    def next_probe(self) -> float:
        """When to ask again; infinity when nobody left."""
        return min(self._probe_times, default=math.inf)

    def close(self) -> None:
        """Stop watching; the ROUTER must still be open."""
        if self._monitor is not None:
            self._router.disable_monitor()
            # A frame that somebody keeps (of an error in a log record) may still refer to it, and
            # an open socket would let the end of the context wait for ever.
            self._monitor.close(linger=0)
            self._monitor = None
