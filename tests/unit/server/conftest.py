"""A real server and real clients over a real socket, in one process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aico_desktop.contract.client import BackendClient
from aico_desktop.contract.heartbeat import LinkTiming
from aico_desktop.paths import HomePaths
from tests.helpers.transport import RunningServer

Connect = Callable[..., BackendClient]


@pytest.fixture
def home(tmp_path: Path) -> HomePaths:
    """A prepared home."""
    home = HomePaths(tmp_path / "aico")
    home.prepare()
    return home


@pytest.fixture
def server(home: HomePaths) -> Iterator[RunningServer]:
    """A server with the handlers of :class:`RunningServer`."""
    running = RunningServer(home)
    running.start()
    yield running
    running.close()


@pytest.fixture
def connect(home: HomePaths) -> Iterator[Connect]:
    """Make connected clients; they are closed after the test."""
    clients: list[BackendClient] = []

    def make(name: str = "test", wants_events: bool = False, **timing: float) -> BackendClient:
        client = BackendClient(home, name, wants_events, LinkTiming(**timing))  # type: ignore[arg-type]  # a table of keywords
        clients.append(client)
        client.connect()
        return client

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Lets slow handlers go on, at the latest when the test ends."""
    event = threading.Event()
    yield event
    event.set()
