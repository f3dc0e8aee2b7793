"""What the server does with requests, good and bad, over a real socket."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator

import pytest

from aico_desktop.contract.client import BackendClient, RequestFailed
from aico_desktop.contract.messages import (
    Conversations,
    Done,
    Engines,
    Failure,
    Jobs,
    ListConversations,
    MemoryWhy,
    Ping,
    Pong,
    ServerEnvelope,
    Shutdown,
    Stats,
    StatsReply,
    StopTurn,
    Welcome,
)
from aico_desktop.paths import HomePaths
from backend.server.router import ServerLimits
from tests.helpers.transport import RawClient, RunningServer
from tests.unit.server.conftest import Connect


def failure_of(envelope: ServerEnvelope) -> Failure:
    assert isinstance(envelope.body, Failure)
    return envelope.body


@pytest.fixture
def raw(server: RunningServer, home: HomePaths) -> Iterator[RawClient]:
    """A client that can send anything."""
    client = RawClient(home)
    yield client
    client.close()


def test_that_a_greeted_client_gets_the_reply_to_its_request(
    server: RunningServer, connect: Connect
) -> None:
    client = connect()
    assert client.request(ListConversations()) == Conversations(conversations=())
    assert client.welcome is not None
    assert client.welcome.home == str(server.home.root)


def test_that_nothing_is_answered_before_hello_but_a_failure(raw: RawClient) -> None:
    assert failure_of(raw.ask(ListConversations())).code == "not_authenticated"


def test_that_a_wrong_token_is_refused(raw: RawClient) -> None:
    assert failure_of(raw.greet("0" * 64)).code == "not_authenticated"
    assert failure_of(raw.greet("\u00fc")).code == "not_authenticated"
    assert failure_of(raw.ask(Ping())).code == "not_authenticated"


@pytest.mark.parametrize(
    ("version", "words"), [(0, "older than the AICO backend"), (99, "backend that is running is")]
)
def test_that_a_wrong_version_is_said_in_words(
    raw: RawClient, server: RunningServer, version: int, words: str
) -> None:
    failure = failure_of(raw.greet(server.token, protocol=version))
    assert failure.code == "wrong_protocol"
    assert words in failure.human


@pytest.mark.parametrize(
    ("message", "code", "answered_id"),
    [
        (b"", "malformed", None),
        (b"\xff\x00\xfe", "malformed", None),
        (b'{"v":1,"id":"q","body":{"type":"zap"}}', "unknown_type", "q"),
        (b'{"v":7,"id":"q","body":{"type":"zap"}}', "wrong_protocol", "q"),
        (b'{"v":1,"id":"q","body":{"type":"ping","more":1}}', "malformed", "q"),
        (b'{"v":1,"id":"q","body":{"type":"get_messages"}}', "malformed", "q"),
        (b'{"v":1,"id":"q","x":' + b"[" * 90_000 + b"]" * 90_000 + b"}", "malformed", None),
        (
            b'{"v":1,"id":"q","body":{"type":"ping"},"x":"' + b"x" * 9_000_000 + b'"}',
            "too_large",
            "q",
        ),
    ],
)
def test_that_bad_messages_are_answered_and_harm_nobody(
    raw: RawClient, server: RunningServer, message: bytes, code: str, answered_id: str | None
) -> None:
    assert isinstance(raw.greet(server.token).body, Welcome)
    answer = raw.exchange(message)
    assert (failure_of(answer).code, answer.id) == (code, answered_id)
    assert isinstance(raw.ask(Ping()).body, Pong)


def test_that_a_message_of_several_frames_is_refused(raw: RawClient, server: RunningServer) -> None:
    raw.greet(server.token)
    assert failure_of(raw.exchange(b"", b'{"v":1}')).code == "malformed"
    assert isinstance(raw.ask(Ping()).body, Pong)


def test_that_a_request_without_handler_is_unknown(server: RunningServer, connect: Connect) -> None:
    with pytest.raises(RequestFailed) as caught:
        connect().request(MemoryWhy(fact_id="f"))
    assert caught.value.failure.code == "unknown_type"


def test_that_a_handler_may_say_no_in_words(server: RunningServer, connect: Connect) -> None:
    with pytest.raises(RequestFailed, match="There is no engine"):
        connect().request(Engines())


def test_that_a_bug_becomes_an_incident_without_what_people_said(
    server: RunningServer, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    client = connect()
    with caplog.at_level(logging.INFO), pytest.raises(RequestFailed) as caught:
        client.request(Jobs())
    failure = caught.value.failure
    assert failure.code == "internal"
    assert "ValueError" in failure.technical
    assert failure.technical.split()[-1] in caplog.text
    assert "tests.helpers.transport" in caplog.text
    assert "secret" not in caplog.text + failure.human + failure.technical
    assert client.request(ListConversations())


def test_that_a_slow_request_does_not_block_the_others(
    server: RunningServer, connect: Connect
) -> None:
    client = connect()
    slow = client.start(Stats())
    assert server.slow_began.wait(5)
    assert client.request(ListConversations())
    server.slow_may_end.set()
    assert isinstance(slow.result(), StatsReply)


def test_that_stop_is_carried_out_while_every_worker_is_busy(
    server: RunningServer, connect: Connect
) -> None:
    client = connect()
    slow = [client.start(Stats()) for _ in range(10)]
    assert server.slow_began.wait(5)
    assert client.request(StopTurn(turn_id="t")) == Done()  # none of the others may end before
    server.slow_may_end.set()
    assert all(isinstance(reply.result(), StatsReply) for reply in slow)


def test_that_cancel_reaches_the_handler_and_the_request_is_answered_once(
    server: RunningServer, connect: Connect
) -> None:
    slow = connect().start(Stats())
    assert server.slow_began.wait(5)
    slow.cancel()
    with pytest.raises(RequestFailed) as caught:
        slow.result()
    assert caught.value.failure.code == "cancelled"
    assert server.slow_was_cancelled.is_set()


def test_that_a_deadline_is_answered_and_cancels_the_work(
    raw: RawClient, server: RunningServer
) -> None:
    raw.greet(server.token)
    answer = raw.exchange(b'{"v":1,"id":"q","body":{"type":"stats"},"deadline_ms":50}')
    assert (failure_of(answer).code, answer.id) == ("deadline", "q")
    assert server.slow_was_cancelled.wait(5)
    assert raw.is_silent(100), "a request was answered twice"


def test_that_the_same_request_id_twice_runs_once(raw: RawClient, server: RunningServer) -> None:
    raw.greet(server.token)
    request = b'{"v":1,"id":"q","body":{"type":"stats"}}'
    raw.socket.send(request)
    raw.socket.send(request)
    assert isinstance(raw.ask(Ping(), "p").body, Pong)
    server.slow_may_end.set()
    assert isinstance(raw.receive().body, StatsReply)
    assert raw.is_silent(100)
    assert server.calls == ["q"]


def test_that_a_client_may_ask_the_backend_to_end(server: RunningServer, connect: Connect) -> None:
    assert connect().request(Shutdown()) == Done()
    assert server.shutdown_asked.wait(5)  # the reply leaves first


def test_that_goodbye_makes_the_server_idle_at_once(raw: RawClient, server: RunningServer) -> None:
    assert server.server.idle_seconds() is not None
    raw.greet(server.token)
    assert server.server.idle_seconds() is None
    assert failure_of_goodbye(raw) == "not_authenticated"
    assert server.server.idle_seconds() is not None


def failure_of_goodbye(raw: RawClient) -> str:
    """Goodbye has no reply, so the next request shows that it took effect."""
    raw.socket.send(b'{"v":1,"id":"g","body":{"type":"goodbye"}}')
    return failure_of(raw.ask(Ping())).code


def test_that_a_silent_client_is_dropped_and_its_work_cancelled(home: HomePaths) -> None:
    server = RunningServer(home, ServerLimits(session_timeout_s=0.2))
    server.start()
    raw = RawClient(home)
    raw.greet(server.token)
    raw.socket.send(b'{"v":1,"id":"q","body":{"type":"stats"}}')
    assert server.slow_was_cancelled.wait(5)
    assert server.server.idle_seconds() is not None
    raw.close()
    server.close()


def test_that_a_killed_client_is_noticed_at_once_and_its_work_cancelled(
    server: RunningServer,
) -> None:
    raw = RawClient(server.home)
    raw.greet(server.token)
    raw.socket.send(b'{"v":1,"id":"q","body":{"type":"stats"}}')
    assert server.slow_began.wait(5)
    raw.close()
    assert server.slow_was_cancelled.wait(2)
    assert server.server.idle_seconds() is not None


def test_that_random_bytes_never_stop_the_server(raw: RawClient, server: RunningServer) -> None:
    raw.greet(server.token)
    seed = random.Random(20260102)
    for _ in range(300):
        raw.exchange(seed.randbytes(seed.randint(0, 200)))
    assert isinstance(raw.ask(Ping()).body, Pong)


def test_that_a_killed_client_leaves_the_server_serving(
    server: RunningServer, connect: Connect
) -> None:
    raw = RawClient(server.home)
    raw.greet(server.token)
    raw.socket.send(b'{"v":1,"id":"q","body":{"type":"stats"}}')
    assert server.slow_began.wait(5)
    raw.close()
    server.slow_may_end.set()
    assert connect().request(ListConversations())


def test_that_closing_with_running_handlers_ends_every_thread(
    home: HomePaths, connect: Connect
) -> None:
    server = RunningServer(home)
    server.start()
    client: BackendClient = connect()
    client.start(Stats())
    assert server.slow_began.wait(5)
    server.server.close()
    assert server.slow_was_cancelled.is_set()
