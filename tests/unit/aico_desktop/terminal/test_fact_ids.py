"""Short ids of facts: whole in a narrow terminal, found by their beginning, never guessed."""

from __future__ import annotations

import msgspec
import pytest

from aico_desktop.contract.messages import (
    FactDetail,
    Facts,
    FactView,
    Forgotten,
    MemoryForget,
    MemoryList,
    MemoryWhy,
)
from aico_desktop.terminal.fact_ids import short_ids
from tests.helpers.scripted_backend import Script
from tests.unit.aico_desktop.terminal.conftest import Run, Serve

FIRST = "0123456789abcdef" * 2
SECOND = "0123456" + "f" * 25


@pytest.fixture
def script(fact: FactView) -> Script:
    """Two facts whose ids begin alike, and with a text longer than a line."""
    facts = tuple(
        msgspec.structs.replace(fact, id=each, text="Oda is your sister " * 6)
        for each in (FIRST, SECOND)
    )
    return {
        MemoryList: lambda wish: Facts(facts=facts, total=2),
        MemoryWhy: lambda wish: FactDetail(fact=facts[0], history=()),
        MemoryForget: lambda wish: Forgotten(facts=facts[:1], blanked_spans=1, preview=False),
    }


def test_that_short_ids_grow_until_they_differ() -> None:
    assert short_ids([FIRST, SECOND])[SECOND] == SECOND[:10]
    assert short_ids([FIRST, FIRST[:20] + "0" * 12])[FIRST] == FIRST[:21]
    assert short_ids(["fact-1"]) == {"fact-1": "fact-1"}


def test_that_the_list_shows_ids_whole_in_a_narrow_terminal(
    run: Run, serve: Serve, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(script)
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("memory", "list").out.splitlines()
    assert {line.split()[0] for line in lines if line[0] == "0"} == {FIRST[:10], SECOND[:10]}
    assert max(map(len, lines)) <= 60
    assert len(lines) > 3


def test_that_a_beginning_names_its_fact(run: Run, serve: Serve, script: Script) -> None:
    backend = serve(script)
    assert run("memory", "why", FIRST[:10]).code == 0
    assert run("memory", "forget", FIRST[:8], "--yes").code == 0
    assert backend.requests(MemoryWhy) == [MemoryWhy(fact_id=FIRST)]
    assert backend.requests(MemoryForget) == [MemoryForget(target=FIRST)]


@pytest.mark.parametrize("given", [FIRST[:5], "Facade", "abcdef", FIRST])
def test_that_anything_else_stays_as_it_is(
    run: Run, serve: Serve, script: Script, given: str
) -> None:
    backend = serve(script)
    run("memory", "forget", given, "--yes")
    assert backend.requests(MemoryForget) == [MemoryForget(target=given)]


def test_that_an_ambiguous_beginning_is_refused_and_changes_nothing(
    run: Run, serve: Serve, script: Script
) -> None:
    backend = serve(script)
    ran = run("memory", "forget", FIRST[:6], "--yes", "--json")
    assert (ran.code, ran.data["error"]["code"]) == (1, "ambiguous")
    assert (
        f"2 facts have an id that begins with {FIRST[:6]}: {FIRST[:10]}, {SECOND[:10]}" in ran.err
    )
    assert backend.requests(MemoryForget) == []
