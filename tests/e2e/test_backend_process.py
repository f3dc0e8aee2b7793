"""The life of a real backend process: one owner, a ready line, and an end in every case."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aico_desktop.contract.client import BackendClient, BackendUnreachable
from aico_desktop.contract.link_facts import EventsMissed
from aico_desktop.contract.messages import (
    PROTOCOL_VERSION,
    Conversations,
    CreateConversation,
    FactsChanged,
    ListConversations,
    RetryJob,
    Shutdown,
    Stats,
    StatsReply,
)
from aico_desktop.paths import HomePaths
from tests.helpers.processes import (
    SMALL_BACKEND,
    SmallBackend,
    is_running,
    is_stopped,
    kill,
    wait_until,
)

Start = Callable[..., SmallBackend]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and sends signals")


@pytest.fixture
def home(tmp_path: Path) -> HomePaths:
    """A home that the backend makes itself."""
    return HomePaths(tmp_path / "aico")


@pytest.fixture
def start(home: HomePaths) -> Iterator[Start]:
    """Start small backends of the home; whatever is left of them is killed after the test."""
    started: list[SmallBackend] = []

    def begin(**options: float | bool) -> SmallBackend:
        started.append(SmallBackend(home, **options))  # type: ignore[arg-type]  # a table of keywords
        return started[-1]

    yield begin
    for backend in started:
        backend.end()


@pytest.fixture
def client(home: HomePaths) -> Iterator[BackendClient]:
    """A client that is not connected yet."""
    client = BackendClient(home, "test", wants_events=True)
    yield client
    client.close()


def test_that_the_ready_line_leads_to_a_backend_that_answers(
    start: Start, client: BackendClient
) -> None:
    backend = start()
    ready = backend.ready()
    assert (ready.ready, ready.pid, ready.protocol) == (
        True,
        backend.process.pid,
        PROTOCOL_VERSION,
    )
    assert client.connect().backend_pid == backend.process.pid
    assert client.request(ListConversations()) == Conversations(conversations=())


def test_that_loopback_tcp_works_between_processes(
    start: Start, client: BackendClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AICO_TRANSPORT", "tcp")
    endpoint = start().ready().endpoint
    assert endpoint is not None
    assert endpoint.startswith("tcp://127.0.0.1:")
    client.connect()
    assert client.request(ListConversations()) == Conversations(conversations=())


def test_that_a_second_owner_is_refused_in_words_and_the_first_goes_on(
    start: Start, client: BackendClient
) -> None:
    first = start()
    first.ready()
    second = start()
    refusal = second.ready()
    assert (refusal.ready, refusal.code) == (False, "home_in_use")
    assert f"process {first.process.pid}" in refusal.human
    assert second.process.wait(5) == 3
    client.connect()
    assert client.request(Stats()) == StatsReply(counts={"pid": first.process.pid})


def test_that_a_crashed_owner_leaves_the_home_usable(start: Start, client: BackendClient) -> None:
    first = start()
    first.ready()
    kill(first.process.pid)
    first.process.wait()
    assert start().ready().ready
    assert client.connect()


def test_that_the_end_of_stdin_ends_the_process_in_order(start: Start) -> None:
    backend = start(lease=True)
    backend.ready()
    assert backend.process.stdin is not None
    backend.process.stdin.close()
    assert backend.process.wait(5) == 0


def test_that_the_end_of_stdin_cuts_a_slow_end_short(start: Start, home: HomePaths) -> None:
    backend = start(lease=True)
    backend.ready()
    (home.root / "slow to end").touch()
    assert backend.process.stdin is not None
    backend.process.stdin.close()
    assert backend.process.wait(5) == 70  # it would take 30 s


def test_that_no_orphan_stays_after_the_parent_is_killed(home: HomePaths) -> None:
    command = SMALL_BACKEND.arguments(home, lease=True)
    script = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen({command!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env=SMALL_BACKEND.environment()
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_running(child)
        parent.kill()
        parent.wait()
        wait_until(lambda: not is_running(child), seconds=2.5)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_that_signals_end_it_in_order(start: Start, home: HomePaths, number: int) -> None:
    backend = start()
    backend.ready()
    assert home.endpoint.exists()
    backend.process.send_signal(number)
    assert backend.process.wait(5) == 0
    assert not home.endpoint.exists()
    assert "Ended in order" in (home.logs / "backend.log").read_text()


def test_that_a_client_can_end_it(start: Start, client: BackendClient) -> None:
    backend = start()
    backend.ready()
    client.connect()
    client.request(Shutdown())
    assert backend.process.wait(5) == 0
    with pytest.raises(BackendUnreachable):
        client.request(ListConversations(), timeout_s=0.2)


def test_that_it_ends_when_its_last_client_is_gone(start: Start, client: BackendClient) -> None:
    backend = start(idle_grace_s=0.3)
    backend.ready()
    client.connect()
    client.request(ListConversations())
    assert backend.process.poll() is None
    client.close()
    assert backend.process.wait(5) == 0


def test_that_it_stays_without_clients_while_it_is_busy(start: Start, home: HomePaths) -> None:
    backend = start(idle_grace_s=0.1)
    (home.root / "busy").parent.mkdir(exist_ok=True)
    (home.root / "busy").touch()
    backend.ready()
    with pytest.raises(subprocess.TimeoutExpired):
        backend.process.wait(1.5)
    (home.root / "busy").unlink()
    assert backend.process.wait(5) == 0


def test_that_a_client_finds_the_next_backend_and_is_told_to_take_a_snapshot(
    start: Start, client: BackendClient
) -> None:
    first = start()
    first.ready()
    client.connect()
    client.request(CreateConversation(title="3"))
    events = client.events(timeout_s=10)
    assert [next(events) for _ in range(3)] == [FactsChanged(fact_ids=(str(n),)) for n in range(3)]
    kill(first.process.pid)
    first.process.wait()
    second = start()
    second.ready()
    assert client.request(Stats(), timeout_s=10) == StatsReply(counts={"pid": second.process.pid})
    assert next(events) == EventsMissed(0)


def test_that_requests_under_way_fail_in_words_when_the_backend_dies(
    start: Start, client: BackendClient
) -> None:
    backend = start()
    backend.ready()
    client.connect()
    hanging = client.start(RetryJob(job_id="j"))
    wait_until(lambda: is_stopped(backend.process.pid))
    kill(backend.process.pid)
    with pytest.raises(BackendUnreachable, match="connection to the AICO backend was lost"):
        hanging.result()


def test_that_a_service_that_cannot_start_says_why(start: Start, home: HomePaths) -> None:
    home.root.mkdir()
    (home.root / "unwilling").touch()
    refusal = start().ready()
    assert (refusal.ready, refusal.human) == (False, "The small service does not want to start.")


def test_that_an_open_runtime_folder_is_refused_in_words(
    start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runtime = tmp_path / "open"
    (runtime / "aico-desktop").mkdir(parents=True)
    (runtime / "aico-desktop").chmod(0o755)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    refusal = start().ready()
    assert not refusal.ready
    assert "chmod 700" in refusal.human


def test_that_every_file_of_a_home_is_closed_to_others(start: Start, home: HomePaths) -> None:
    start().ready()
    files = [path for path in home.root.rglob("*") if path.is_file()]
    assert files
    assert {path.stat().st_mode & 0o077 for path in files} == {0}
    assert home.root.stat().st_mode & 0o077 == 0
