"""The longest time for which the window does not react while a flood of events arrives."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from aico_desktop.backend_command import BackendCommand
from aico_desktop.contract.messages import AnswerFinished, Event, Shutdown, TurnDelta
from aico_desktop.launcher import attach_or_start
from aico_desktop.paths import HomePaths
from benchmarks.event_source import SECONDS
from benchmarks.figures import Figure
from ui.app import Desktop
from ui.chat.composer import Draft
from ui.client.connection import BackendConnection
from ui.theme import ThemeManager
from ui.window_memory import WindowMemory

TICK_MS = 2
QUIET_SECONDS = 4.0
WAIT_S = 30.0
STALL_BUDGET_MS = 100.0
"""reference/ux §4.2: the UI thread is never blocked for longer."""


class Heartbeat(QObject):
    """Ticks in the UI thread; the gaps between its ticks show when the thread was busy."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps_ms: list[float] = []
        self._last = 0.0
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=TICK_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    def start(self) -> None:
        """Begin to measure."""
        self._last = time.monotonic()
        self.gaps_ms = []
        self._timer.start()

    def stop(self) -> list[float]:
        """End, and return the gaps in milliseconds."""
        self._timer.stop()
        return self.gaps_ms

    def _on_timer_timeout(self) -> None:
        now = time.monotonic()
        self.gaps_ms.append((now - self._last) * 1000)
        self._last = now


class FloodWatch(QObject):
    """Counts the events of the flood and ends the loop at its end."""

    def __init__(self, loop: QEventLoop) -> None:
        super().__init__()
        self.pieces = 0
        self.characters = 0
        self._loop = loop

    def on_events(self, events: list[Event]) -> None:
        """Take a batch as the connection hands it over."""
        for event in events:
            if isinstance(event, TurnDelta):
                self.pieces += 1
                self.characters += len(event.text)
            elif isinstance(event, AnswerFinished):
                self._loop.quit()


def measure(folder: Path) -> tuple[list[Figure], Figure, str]:
    """Show the real window over a real socket; returns the figures, the quiet floor, and counts."""
    home = HomePaths(folder / "flood")
    command = BackendCommand((sys.executable, "-m", "benchmarks.event_source"))
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    with attach_or_start(home, "benchmark", command=command) as client:
        connection = BackendConnection(home)
        memory = WindowMemory(home.root / "window.ini")
        desktop = Desktop(ThemeManager(application), connection, memory)
        desktop.window.resize(1200, 800)
        desktop.window.show()
        loop = QEventLoop()
        watch = FloodWatch(loop)
        connection.events_arrived.connect(watch.on_events)
        connection.connected.connect(loop.quit)
        connection.start()
        _run(loop, WAIT_S)
        heartbeat = Heartbeat()
        heartbeat.start()
        _run(loop, QUIET_SECONDS)
        quiet = heartbeat.stop()
        desktop.chat.send(Draft(text="Flood me"))
        heartbeat.start()
        _run(loop, SECONDS + WAIT_S)
        flooded = heartbeat.stop()
        desktop.window.close()
        connection.close()
        client.request(Shutdown())
    counts = f"{watch.pieces} events, {watch.characters} characters of one answer, {SECONDS:.0f} s"
    figures = [
        Figure("gap between ticks, flooded", flooded),
        Figure("longest stall, flooded", [max(flooded)], STALL_BUDGET_MS),
        Figure("longest stall, quiet", [max(quiet)]),
    ]
    return figures, Figure(f"floor: gap between ticks of {TICK_MS} ms, quiet", quiet), counts


def _run(loop: QEventLoop, seconds: float) -> None:
    """Run the loop until something quits it, or for so long."""
    timer = QTimer(singleShot=True)
    timer.timeout.connect(loop.quit)
    timer.start(round(seconds * 1000))
    loop.exec()
    timer.stop()
