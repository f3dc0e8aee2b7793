"""Commands of the terminal go on when the backend dies under them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aico_desktop.contract.messages import Stats, StatsReply
from aico_desktop.contract.rendezvous import read_endpoint
from aico_desktop.launcher import attach
from tests.helpers.processes import kill, wait_until
from tests.helpers.terminal import Terminal, ended

ROWS = 150
"""Two requests, so that the kill falls between or into them."""


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    """Many messages without ids, each of which teaches something."""
    file = tmp_path / "long.jsonl"
    rows = [
        {
            "conversation": "long",
            "role": "user",
            "speaker": "Mirabel",
            "time": f"2025-03-{1 + number // 24:02}T{number % 24:02}:00",
            "text": f"My friend Quill{chr(97 + number % 26)} lives in Leipzig.",
        }
        for number in range(ROWS)
    ]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return file


def test_that_an_import_goes_on_when_the_backend_is_killed(
    tmp_path_factory: pytest.TempPathFactory, long_file: Path
) -> None:
    terminal = Terminal(tmp_path_factory.mktemp("home"))
    try:
        importing = terminal.begin("ingest", long_file)
        wait_until(lambda: stored(terminal) > 0, seconds=60.0)
        endpoint = read_endpoint(terminal.home)
        assert endpoint is not None
        kill(endpoint.pid)
        result = ended(importing)
        assert result.code == 0, result.err
        assert result.data["failed"] == 0
        stats = terminal.aico("stats", "--json").data
        assert stats["messages"] == ROWS
        assert stats["memory jobs waiting"] == stats["memory jobs failed"] == 0
    finally:
        terminal.close()


def stored(terminal: Terminal) -> int:
    """How many messages the running backend has; 0 while there is none."""
    client = attach(terminal.home, "test")
    if client is None:
        return 0
    with client:
        return client.request_as(StatsReply, Stats()).counts["messages"]
