"""What the blocking client says when things are not as they should be."""

from __future__ import annotations

import pytest

from aico_desktop.contract.client import BackendClient, BackendUnreachable, RequestFailed
from aico_desktop.contract.messages import (
    AttachmentInput,
    Conversations,
    Done,
    ListConversations,
    SendMessage,
    Stats,
)
from aico_desktop.paths import HomePaths
from backend.server.router import ServerLimits
from tests.helpers.transport import RunningServer
from tests.unit.server.conftest import Connect


def test_that_a_missing_backend_is_said_in_words(home: HomePaths) -> None:
    with (
        BackendClient(home, "test") as client,
        pytest.raises(BackendUnreachable, match="No AICO backend answers"),
    ):
        client.connect(timeout_s=0.2)


def test_that_a_client_of_another_version_learns_it_at_once(
    server: RunningServer, home: HomePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aico_desktop.contract.link.PROTOCOL_VERSION", 99)
    with (
        BackendClient(home, "test") as client,
        pytest.raises(RequestFailed, match="backend that is running is older"),
    ):
        client.connect()


def test_that_a_reply_of_the_wrong_kind_is_an_error(
    server: RunningServer, connect: Connect
) -> None:
    client = connect()
    assert client.request_as(Conversations, ListConversations()).conversations == ()
    with pytest.raises(RequestFailed, match="does not fit the question"):
        client.request_as(Done, ListConversations())


def test_that_too_large_a_request_fails_here_and_the_connection_goes_on(
    server: RunningServer, connect: Connect
) -> None:
    client = connect()
    paste = AttachmentInput(name="paste.txt", text="x" * 9_000_000)
    with pytest.raises(RequestFailed, match="at most 8 MB"):
        client.request(
            SendMessage(conversation_id="c", text="Look", client_key="k", attachments=(paste,))
        )
    assert client.request(ListConversations())


def test_that_closing_fails_what_is_under_way(server: RunningServer, connect: Connect) -> None:
    client = connect()
    pending = client.start(Stats())
    assert server.slow_began.wait(5)
    client.close()
    with pytest.raises(BackendUnreachable, match="closed"):
        pending.result()
    with pytest.raises(BackendUnreachable, match="closed"):
        client.start(Stats())


def test_that_heartbeats_keep_a_quiet_client(home: HomePaths, connect: Connect) -> None:
    server = RunningServer(home, ServerLimits(session_timeout_s=0.5))
    server.start()
    client = connect(heartbeat_s=0.1)
    session = client.welcome
    assert list(client.events(timeout_s=1.7)) == []
    assert client.welcome is session, "the session ended although its heart beat"
    client.close()
    server.close()
