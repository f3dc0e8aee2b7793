"""Events over a real socket: nothing is lost, slow readers hold nobody up, gaps are seen."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from aico_desktop.contract.client import BackendClient
from aico_desktop.contract.link_facts import EventsMissed
from aico_desktop.contract.messages import (
    Event,
    FactsChanged,
    ListConversations,
    ServerEnvelope,
    Snapshot,
    SnapshotReply,
    TurnDelta,
    Welcome,
)
from aico_desktop.paths import HomePaths
from backend.server.authentication import ensure_curve_keys
from backend.server.router import ServerLimits
from tests.helpers.processes import wait_until
from tests.helpers.transport import RawClient, RunningServer
from tests.unit.server.conftest import Connect

WAIT_S = 10.0


def fact(number: int) -> FactsChanged:
    return FactsChanged(fact_ids=(str(number),))


def next_event(client: BackendClient) -> Event | EventsMissed:
    return next(client.events(timeout_s=WAIT_S))


def test_that_events_go_only_to_clients_that_want_them(
    server: RunningServer, connect: Connect
) -> None:
    deaf, listening = connect("deaf"), connect("listening", wants_events=True)
    server.publisher.emit(fact(1))
    assert next_event(listening) == fact(1)
    deaf.request(ListConversations())
    assert list(deaf.events(timeout_s=0.05)) == []


def test_that_thirty_thousand_events_reach_a_slow_reader_in_order(
    server: RunningServer, connect: Connect
) -> None:
    client = connect(wants_events=True)
    count = 30_000
    emitting = threading.Thread(
        target=lambda: [server.publisher.emit(fact(number)) for number in range(count)]
    )
    emitting.start()
    emitting.join()
    assert client.request(ListConversations()), "replies must not wait behind events"
    received: list[Event | EventsMissed] = []
    for event in client.events(timeout_s=WAIT_S):
        received.append(event)
        if len(received) % 5000 == 0:
            time.sleep(0.02)
        if len(received) == count:
            break
    assert received == [fact(number) for number in range(count)]


def test_that_a_reader_that_pays_nothing_gets_only_its_credit(server: RunningServer) -> None:
    raw = RawClient(server.home)
    welcome = raw.greet(server.token).body
    assert isinstance(welcome, Welcome)
    for number in range(welcome.event_credit + 50):
        server.publisher.emit(fact(number))
    got = [raw.receive() for _ in range(welcome.event_credit)]
    assert [envelope.seq for envelope in got] == list(range(1, welcome.event_credit + 1))
    assert raw.is_silent(100)
    raw.socket.send(b'{"v":1,"id":"c","body":{"type":"credit","count":1}}')
    paid: ServerEnvelope = raw.receive()
    assert (paid.body, paid.seq) == (fact(welcome.event_credit), welcome.event_credit + 1)
    raw.close()


def test_that_a_long_answer_costs_a_slow_reader_few_events(home: HomePaths) -> None:
    server = RunningServer(home, ServerLimits(event_credit=4))
    server.start()
    raw = RawClient(home)
    raw.greet(server.token)
    words = [f"word{number} " for number in range(500)]
    offset = 0
    for word in words:
        server.publisher.emit(TurnDelta(turn_id="t", conversation_id="c", offset=offset, text=word))
        offset += len(word)
    pieces = [raw.receive().body for _ in range(4)]
    raw.socket.send(b'{"v":1,"id":"c","body":{"type":"credit","count":1}}')
    pieces.append(raw.receive().body)
    assert "".join(piece.text for piece in pieces if isinstance(piece, TurnDelta)) == "".join(words)
    raw.close()
    server.close()


def test_that_a_client_killed_amid_events_holds_nobody_up(
    server: RunningServer, connect: Connect
) -> None:
    raw = RawClient(server.home)
    raw.greet(server.token)
    listening = connect(wants_events=True)
    raw.close()
    for number in range(2000):
        server.publisher.emit(fact(number))
    events = listening.events(timeout_s=WAIT_S)
    assert [next(events) for _ in range(2000)] == [fact(number) for number in range(2000)]


def test_that_a_restarted_server_is_found_again_and_a_snapshot_is_due(
    server: RunningServer, home: HomePaths, connect: Connect
) -> None:
    client = connect(wants_events=True)
    server.publisher.emit(fact(1))
    assert next_event(client) == fact(1)
    server.close()
    wait_until(lambda: client.welcome is None)
    again = RunningServer(home)
    again.start()
    assert client.request(Snapshot(), timeout_s=WAIT_S) == SnapshotReply(turns=())
    assert next_event(client) == EventsMissed(0)
    again.publisher.emit(fact(2))
    assert next_event(client) == fact(2)
    client.close()
    again.close()


def test_that_a_forgotten_session_greets_again_by_itself(home: HomePaths, connect: Connect) -> None:
    server = RunningServer(home, ServerLimits(session_timeout_s=0.2))
    server.start()
    client = connect(wants_events=True, heartbeat_s=30.0)
    wait_until(lambda: server.server.idle_seconds() is not None)
    assert client.request(ListConversations())
    assert next_event(client) == EventsMissed(0)
    client.close()
    server.close()


def test_that_tcp_with_curve_works_and_refuses_a_foreign_key(
    home: HomePaths, connect: Connect
) -> None:
    server = RunningServer(home, tcp=True)
    server.start()
    assert server.server.endpoint.startswith("tcp://127.0.0.1:")
    client = connect()
    assert client.request(ListConversations())
    client.close()
    _replace_client_key(home)
    foreign = RawClient(home)
    foreign.socket.send(b'{"v":1,"id":"h","body":{"type":"ping"}}')
    assert foreign.is_silent(300)
    foreign.close()
    server.close()


def test_that_keys_token_and_socket_are_closed_to_others(home: HomePaths) -> None:
    for tcp in (True, False):
        server = RunningServer(home, tcp=tcp)
        server.start()
        private = [home.token, home.endpoint, *home.keys.iterdir()]
        if not tcp:
            socket_path = Path(server.server.endpoint.removeprefix("ipc://"))
            assert socket_path.parent.stat().st_mode & 0o777 == 0o700
            private.append(socket_path)
        assert {path.stat().st_mode & 0o777 for path in private} == {0o600}
        assert home.keys.stat().st_mode & 0o777 == 0o700
        server.close()
    assert not socket_path.exists()


def _replace_client_key(home: HomePaths) -> None:
    """Make a key pair that the running server has never seen."""
    (home.keys / "client.key").unlink()
    ensure_curve_keys(home)
