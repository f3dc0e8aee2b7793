"""Turns: their states, their end, and what a crash leaves."""

from __future__ import annotations

import pytest

from backend.storage.database import Database
from backend.storage.errors import RecordNotFound
from backend.storage.scope import Scope
from backend.storage.turns import TurnRepository


@pytest.fixture
def turns(database: Database) -> TurnRepository:
    return TurnRepository(database)


def test_that_a_turn_runs_ends_and_runs_again(turns: TurnRepository, scope: Scope) -> None:
    turn = turns.start(scope, "c1", "m1", "listening", turn_id="t1")
    assert (turn.turn_id, turn.finished_at) == ("t1", None)
    turns.update(scope, "t1", "responding", assistant_message_id="m2", engine="built_in")
    assert turns.unfinished(scope) == [turns.get(scope, "t1")]
    turns.finish(scope, "t1", "failed", '{"code": "unreachable"}')
    ended = turns.get(scope, "t1")
    assert ended is not None
    assert (ended.state, ended.assistant_message_id, ended.engine) == ("failed", "m2", "built_in")
    assert ended.error_json is not None
    assert ended.finished_at is not None
    assert turns.unfinished(scope) == []
    turns.update(scope, "t1", "responding")
    again = turns.get(scope, "t1")
    assert again is not None
    assert (again.error_json, again.finished_at) == (None, None)


def test_that_the_latest_turn_of_a_message_is_found(turns: TurnRepository, scope: Scope) -> None:
    made = [turns.start(scope, "c1", "m1", "listening") for _ in range(3)]
    assert turns.of_message(scope, "m1") == made[-1]
    assert turns.newest(scope, "c1", limit=2) == made[1:]


def test_that_turns_cut_off_by_a_crash_are_ended(turns: TurnRepository, scope: Scope) -> None:
    running = turns.start(scope, "c1", "m1", "responding")
    done = turns.start(scope, "c1", "m2", "responding")
    turns.finish(scope, done.turn_id, "done")
    assert turns.interrupt_unfinished() == 1
    cut = turns.get(scope, running.turn_id)
    assert cut is not None
    assert cut.state == "interrupted"


def test_that_another_scope_sees_nothing(turns: TurnRepository, scope: Scope) -> None:
    turn = turns.start(scope, "c1", "m1", "listening")
    other = Scope("other")
    assert turns.get(other, turn.turn_id) is None
    assert turns.of_message(other, "m1") is None
    assert turns.newest(other, "c1") == []
    assert turns.unfinished(other) == []
    with pytest.raises(RecordNotFound):
        turns.finish(other, turn.turn_id, "done")
