"""The end of the server depends on nobody's memory of it."""

from __future__ import annotations

import logging

import pytest

from aico_desktop.paths import HomePaths
from tests.helpers.transport import RawClient, RunningServer


@pytest.mark.timeout(20)
def test_that_the_server_ends_although_a_log_keeps_its_errors(
    home: HomePaths, caplog: pytest.LogCaptureFixture
) -> None:
    # A kept error keeps the frames that it passed through, and these the sockets of the poll.
    caplog.set_level(logging.INFO, logger="backend")
    server = RunningServer(home)
    server.start()
    client = RawClient(home)
    client.greet(server.token)
    client.exchange(b"no message")
    client.close()
    server.close()
    assert any(record.args for record in caplog.records)
