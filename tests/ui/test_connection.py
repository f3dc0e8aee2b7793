"""The window's connection: facts arrive as signals, in order, and the UI thread stays free."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from aico_desktop.contract.heartbeat import LinkTiming
from aico_desktop.contract.messages import (
    Conversations,
    Engines,
    FactsChanged,
    Failure,
    ListConversations,
    Stats,
)
from aico_desktop.paths import HomePaths
from tests.helpers.transport import RunningServer
from ui.client.connection import BackendConnection

WAIT_MS = 10_000


@pytest.fixture
def home(tmp_path: Path) -> HomePaths:
    """A prepared home."""
    home = HomePaths(tmp_path / "aico")
    home.prepare()
    return home


@pytest.fixture
def server(home: HomePaths) -> Iterator[RunningServer]:
    """A running server of the home."""
    running = RunningServer(home)
    running.start()
    yield running
    running.close()


@pytest.fixture
def connection(home: HomePaths, qtbot: QtBot) -> Iterator[BackendConnection]:
    """A connection that is not started yet."""
    connection = BackendConnection(home, timing=LinkTiming(heartbeat_s=0.2, retry_longest_s=0.2))
    yield connection
    connection.close()


def test_that_a_request_made_before_the_backend_runs_is_answered_once_it_does(
    home: HomePaths, connection: BackendConnection, qtbot: QtBot
) -> None:
    connection.start()
    request_id = connection.send(ListConversations())
    server = RunningServer(home)
    with qtbot.waitSignal(connection.reply_arrived, timeout=WAIT_MS) as reply:
        server.start()
    assert reply.args == [request_id, Conversations(conversations=())]
    connection.close()
    server.close()


def test_that_a_request_without_a_backend_fails_in_words_at_its_deadline(
    connection: BackendConnection, qtbot: QtBot
) -> None:
    connection.start()
    with qtbot.waitSignal(connection.request_failed, timeout=WAIT_MS) as failed:
        request_id = connection.send(ListConversations(), timeout_s=0.1)
    assert failed.args is not None
    assert failed.args[0] == request_id
    assert failed.args[1].code == "unreachable"


def test_that_a_refusal_arrives_as_a_failure(
    server: RunningServer, connection: BackendConnection, qtbot: QtBot
) -> None:
    connection.start()
    with qtbot.waitSignal(connection.request_failed, timeout=WAIT_MS) as failed:
        request_id = connection.send(Engines())
    assert failed.args == [request_id, Failure(code="not_found", human="There is no engine.")]


def test_that_a_cancelled_request_ends_as_cancelled(
    server: RunningServer, connection: BackendConnection, qtbot: QtBot
) -> None:
    connection.start()
    request_id = connection.send(Stats())
    assert server.slow_began.wait(10)
    with qtbot.waitSignal(connection.request_failed, timeout=WAIT_MS) as failed:
        connection.cancel(request_id)
    assert failed.args is not None
    assert failed.args[1].code == "cancelled"


def test_that_many_events_come_in_few_lists_and_in_order(
    server: RunningServer, connection: BackendConnection, qtbot: QtBot
) -> None:
    lists: list[list[FactsChanged]] = []
    connection.events_arrived.connect(lists.append)
    with qtbot.waitSignal(connection.connected, timeout=WAIT_MS):
        connection.start()
    count = 5000

    def emit() -> None:
        for number in range(count):
            server.publisher.emit(FactsChanged(fact_ids=(str(number),)))

    emitting = threading.Thread(target=emit)
    emitting.start()
    qtbot.waitUntil(lambda: sum(map(len, lists)) == count, timeout=WAIT_MS)
    emitting.join()
    flat = [int(event.fact_ids[0]) for events in lists for event in events]
    assert flat == list(range(count))
    assert len(lists) < count / 5


def test_that_loss_and_return_are_told_and_a_snapshot_is_asked_for(
    home: HomePaths, server: RunningServer, connection: BackendConnection, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(connection.connected, timeout=WAIT_MS):
        connection.start()
    with qtbot.waitSignal(connection.connection_lost, timeout=WAIT_MS) as lost:
        server.close()
    assert lost.args == ["The connection to the AICO backend ended.", None]
    again = RunningServer(home)
    with qtbot.waitSignals([connection.connected, connection.snapshot_needed], timeout=WAIT_MS):
        again.start()
    connection.close()
    again.close()


def test_that_a_refused_token_is_told_with_its_failure(
    server: RunningServer, home: HomePaths, connection: BackendConnection, qtbot: QtBot
) -> None:
    home.token.write_text("0" * 64)
    with qtbot.waitSignal(connection.connection_lost, timeout=WAIT_MS) as lost:
        connection.start()
    assert lost.args is not None
    assert lost.args[1].code == "not_authenticated"


def test_that_a_connection_that_was_never_started_closes(connection: BackendConnection) -> None:
    connection.close()
