"""Terminal commands share one backend, start it when needed, and leave no orphan."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from aico_desktop.backend_command import BackendCommand
from aico_desktop.contract.client import BackendClient, RequestFailed
from aico_desktop.contract.messages import Shutdown, Stats, StatsReply
from aico_desktop.contract.rendezvous import write_private
from aico_desktop.launcher import BackendStartError, attach, attach_or_start
from aico_desktop.paths import HomePaths
from tests.helpers.processes import (
    SMALL_BACKEND,
    SmallBackend,
    is_running,
    is_stopped,
    wait_until,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[HomePaths]:
    """A home whose backend is asked to end after the test."""
    home = HomePaths(tmp_path / "aico")
    yield home
    client = attach(home, "test")
    if client is not None:
        pid = pid_of(client)
        client.request(Shutdown())
        client.close()
        wait_until(lambda: not is_running(pid))


def pid_of(client: BackendClient) -> int:
    assert client.welcome is not None
    return client.welcome.backend_pid


def test_that_the_first_command_starts_a_backend_and_the_second_shares_it(
    home: HomePaths,
) -> None:
    with (
        attach_or_start(home, command=SMALL_BACKEND) as first,
        attach_or_start(home, command=SMALL_BACKEND) as second,
    ):
        assert pid_of(first) == pid_of(second)
        assert second.request(Stats()) == StatsReply(counts={"pid": pid_of(first)})


def test_that_two_starters_at_once_end_up_with_one_backend(home: HomePaths) -> None:
    clients: list[BackendClient] = []
    starters = [
        threading.Thread(
            target=lambda: clients.append(attach_or_start(home, command=SMALL_BACKEND))
        )
        for _ in range(3)
    ]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join()
    assert len({pid_of(client) for client in clients}) == 1
    assert len(clients) == 3
    for client in clients:
        client.close()


def test_that_a_backend_outlives_the_command_that_started_it_but_not_its_last_client(
    home: HomePaths,
) -> None:
    impatient = BackendCommand((*SMALL_BACKEND.program, "--idle-grace", "0.5"))
    program = (
        "from pathlib import Path\n"
        "from aico_desktop.backend_command import BackendCommand\n"
        "from aico_desktop.launcher import attach_or_start\n"
        "from aico_desktop.paths import HomePaths\n"
        "import os, signal\n"
        f"command = BackendCommand({impatient.program!r})\n"
        f"client = attach_or_start(HomePaths(Path({str(home.root)!r})), command=command)\n"
        "print(client.welcome.backend_pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    starter = subprocess.run(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        env=SMALL_BACKEND.environment(),
        check=False,
    )
    backend = int(starter.stdout)
    with attach_or_start(home, command=SMALL_BACKEND) as client:
        assert pid_of(client) == backend
    wait_until(lambda: not is_running(backend))


def test_that_a_backend_that_will_not_start_is_explained_with_its_log(home: HomePaths) -> None:
    home.prepare()
    (home.root / "unwilling").touch()
    with pytest.raises(BackendStartError, match="does not want to start") as caught:
        attach_or_start(home, command=SMALL_BACKEND)
    assert "backend.log" in caught.value.log_tail


def test_that_the_words_of_earlier_starts_are_left_out(home: HomePaths) -> None:
    home.prepare()
    for name in ("backend.log", "backend-stderr.log"):
        (home.logs / name).write_text("an old line\n")
    (home.root / "unwilling").touch()
    with pytest.raises(BackendStartError) as caught:
        attach_or_start(home, command=SMALL_BACKEND)
    assert "an old line" not in caught.value.log_tail
    assert "backend.log" in caught.value.log_tail


def test_that_a_program_that_is_no_backend_is_explained(home: HomePaths) -> None:
    broken = BackendCommand((sys.executable, "-c", "raise SystemExit('no such engine')"))
    with pytest.raises(BackendStartError, match="exit code 1") as caught:
        attach_or_start(home, command=broken)
    assert "no such engine" in caught.value.log_tail


def test_that_a_start_that_takes_too_long_is_given_up_and_leaves_nothing(
    home: HomePaths, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    code = f"import os, time; open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(3600)"
    sleeping = BackendCommand((sys.executable, "-c", code))
    with pytest.raises(BackendStartError, match="did not start"):
        attach_or_start(home, command=sleeping, timeout_s=2.0)
    assert not is_running(int(note.read_text()))


def test_that_a_backend_that_refuses_our_token_is_not_started_again(home: HomePaths) -> None:
    backend = SmallBackend(home)
    backend.ready()
    token = home.token.read_bytes()
    write_private(home.token, b"0" * 64)
    with pytest.raises(RequestFailed) as caught:
        attach_or_start(home, command=SMALL_BACKEND)
    assert caught.value.failure.code == "not_authenticated"
    write_private(home.token, token)
    backend.end()


def test_that_a_backend_that_hangs_is_named(
    home: HomePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aico_desktop.launcher._ATTACH_TIMEOUT_S", 0.3)
    backend = SmallBackend(home)
    backend.ready()
    backend.process.send_signal(signal.SIGSTOP)
    wait_until(lambda: is_stopped(backend.process.pid))
    with pytest.raises(BackendStartError, match=f"process {backend.process.pid}.*does not answer"):
        attach_or_start(home, command=SMALL_BACKEND)
    backend.end()
