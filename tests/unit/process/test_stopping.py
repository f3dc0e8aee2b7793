"""Signals and the parent's end become one orderly stop, whatever the main thread is doing."""

from __future__ import annotations

import os
import signal
import threading
import time

from backend.stopping import SignalWatch, StopRequest, watch_lease


def test_that_a_signal_amid_a_wait_for_the_stop_is_no_deadlock() -> None:
    for _ in range(30):
        stop = StopRequest()
        signals = SignalWatch(stop)
        sender = threading.Timer(0.002, os.kill, (os.getpid(), signal.SIGTERM))
        sender.start()
        ends = time.monotonic() + 5
        while not stop.wait(0.00001):
            assert time.monotonic() < ends
        sender.join()
        signals.close()
        stop.finish()


def test_that_closing_gives_the_signals_back() -> None:
    former = signal.getsignal(signal.SIGINT)
    stop = StopRequest()
    SignalWatch(stop).close()
    assert signal.getsignal(signal.SIGINT) is former
    assert not stop.wait(0)


def test_that_the_end_of_the_lease_asks_for_the_stop() -> None:
    reader, writer = os.pipe()
    stop = StopRequest()
    lease = watch_lease(stop, reader)
    os.write(writer, b"ignored")
    assert not stop.wait(0.05)
    os.close(writer)
    assert stop.wait(5)
    stop.finish()
    lease.join()
    os.close(reader)
