"""The window's supervisor with real backend processes: start, restart, give up, end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from aico_desktop.backend_command import BackendCommand
from aico_desktop.contract.heartbeat import LinkTiming
from aico_desktop.contract.messages import Shutdown
from aico_desktop.contract.rendezvous import read_endpoint
from aico_desktop.paths import HomePaths
from tests.helpers.processes import SMALL_BACKEND, SmallBackend, is_running, kill, wait_until
from ui.client.connection import BackendConnection
from ui.client.supervisor import BackendSupervisor

WAIT_MS = 20_000

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and sends signals")


@pytest.fixture
def home(tmp_path: Path) -> HomePaths:
    """A home that the backend makes itself."""
    return HomePaths(tmp_path / "aico")


@pytest.fixture
def supervisor(home: HomePaths, qtbot: QtBot) -> Iterator[BackendSupervisor]:
    """A supervisor of small backends."""
    supervisor = BackendSupervisor(home, SMALL_BACKEND)
    yield supervisor
    supervisor.close()


def backend_pid(home: HomePaths) -> int:
    record = read_endpoint(home)
    assert record is not None
    return record.pid


def test_that_it_starts_a_child_and_ends_it_in_order(
    supervisor: BackendSupervisor, home: HomePaths, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(supervisor.backend_ready, timeout=WAIT_MS):
        supervisor.start()
    pid = backend_pid(home)
    assert supervisor.owns_backend
    supervisor.close()
    assert not is_running(pid)
    assert "Ended in order" in (home.logs / "backend.log").read_text()


def test_that_no_orphan_stays_when_the_window_is_killed(home: HomePaths) -> None:
    window = (
        "import sys\n"
        "from pathlib import Path\n"
        "from PySide6.QtCore import QCoreApplication\n"
        "from aico_desktop.backend_command import BackendCommand\n"
        "from aico_desktop.paths import HomePaths\n"
        "from ui.client.supervisor import BackendSupervisor\n"
        "application = QCoreApplication([])\n"
        f"command = BackendCommand({SMALL_BACKEND.program!r})\n"
        f"supervisor = BackendSupervisor(HomePaths(Path({str(home.root)!r})), command)\n"
        "supervisor.backend_ready.connect(lambda endpoint: print(endpoint, flush=True))\n"
        "supervisor.start()\n"
        "application.exec()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", window], stdout=subprocess.PIPE, env=SMALL_BACKEND.environment()
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        child = backend_pid(home)
        process.kill()
        process.wait()
        wait_until(lambda: not is_running(child), seconds=2.5)


def test_that_shutdown_is_asked_for_through_the_connection(
    supervisor: BackendSupervisor, home: HomePaths, qtbot: QtBot
) -> None:
    connection = BackendConnection(home)
    supervisor.backend_ready.connect(connection.retry_now)
    connection.start()
    with qtbot.waitSignal(connection.connected, timeout=WAIT_MS):
        supervisor.start()
    pid = backend_pid(home)
    supervisor.close(lambda: connection.send(Shutdown()))
    assert not is_running(pid)
    assert "a client asked for it" in (home.logs / "backend.log").read_text()
    connection.close()


def test_that_a_killed_backend_comes_back_by_itself(
    supervisor: BackendSupervisor, home: HomePaths, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(supervisor.backend_ready, timeout=WAIT_MS):
        supervisor.start()
    first = backend_pid(home)
    with qtbot.waitSignals([supervisor.backend_lost, supervisor.backend_ready], timeout=WAIT_MS):
        kill(first)
    assert backend_pid(home) != first


def test_that_a_backend_that_keeps_dying_is_given_up_with_its_log(
    home: HomePaths, qtbot: QtBot
) -> None:
    dying = BackendCommand((sys.executable, "-S", "-c", "raise SystemExit('no engine')"))
    supervisor = BackendSupervisor(home, dying)
    with qtbot.waitSignal(supervisor.gave_up, timeout=WAIT_MS) as gave_up:
        supervisor.start()
    assert gave_up.args is not None
    assert "several times" in gave_up.args[0]
    assert "no engine" in gave_up.args[1]
    assert not supervisor.owns_backend
    supervisor.close()


def test_that_a_program_that_does_not_exist_is_given_up(home: HomePaths, qtbot: QtBot) -> None:
    supervisor = BackendSupervisor(home, BackendCommand(("/no/such/program",)))
    with qtbot.waitSignal(supervisor.gave_up, timeout=WAIT_MS):
        supervisor.start()
    supervisor.close()


def test_that_a_service_that_refuses_to_start_is_not_tried_again(
    supervisor: BackendSupervisor, home: HomePaths, qtbot: QtBot
) -> None:
    home.prepare()
    (home.root / "unwilling").touch()
    with qtbot.waitSignal(supervisor.gave_up, timeout=WAIT_MS) as gave_up:
        supervisor.start()
    assert gave_up.args is not None
    assert gave_up.args[0] == "The small service does not want to start."
    (home.root / "unwilling").unlink()
    with qtbot.waitSignal(supervisor.backend_ready, timeout=WAIT_MS):
        supervisor.restart_by_hand()


def test_that_it_attaches_to_a_running_backend_and_leaves_it_alone(
    supervisor: BackendSupervisor, home: HomePaths, qtbot: QtBot
) -> None:
    other = SmallBackend(home)
    other.ready()
    with qtbot.waitSignal(supervisor.attached, timeout=WAIT_MS) as attached:
        supervisor.start()
    assert attached.args == [other.process.pid]
    supervisor.close()
    assert other.process.poll() is None
    other.end()


def test_that_it_takes_over_when_the_backend_of_another_client_ends(
    supervisor: BackendSupervisor, home: HomePaths, qtbot: QtBot
) -> None:
    other = SmallBackend(home)
    other.ready()
    connection = BackendConnection(home)
    connection.connection_lost.connect(supervisor.look_again)
    supervisor.start()
    with qtbot.waitSignal(connection.connected, timeout=WAIT_MS):
        connection.start()
    with qtbot.waitSignals([supervisor.backend_ready, connection.connected], timeout=WAIT_MS):
        kill(other.process.pid)
    assert supervisor.owns_backend
    connection.close()
    other.end()


def test_that_a_hung_backend_is_noticed_killed_and_replaced(
    supervisor: BackendSupervisor, home: HomePaths, qtbot: QtBot
) -> None:
    connection = BackendConnection(home, timing=LinkTiming(heartbeat_s=0.1))
    connection.backend_hung.connect(supervisor.replace_hung_backend)
    supervisor.backend_ready.connect(connection.retry_now)
    misses: list[int] = []
    connection.not_responding.connect(misses.append)
    connection.start()
    with qtbot.waitSignal(connection.connected, timeout=WAIT_MS):
        supervisor.start()
    hung = backend_pid(home)
    with qtbot.waitSignals([connection.backend_hung, connection.connected], timeout=WAIT_MS):
        os.kill(hung, 19)
    wait_until(lambda: not is_running(hung))
    assert {1, 2, 3, 4, 5} <= set(misses)
    assert backend_pid(home) != hung
    connection.close()
