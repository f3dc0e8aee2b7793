"""What clients hear of the memory that is built behind a conversation."""

from __future__ import annotations

from aico_desktop.contract.messages import (
    FactsChanged,
    JobChanged,
    MemoryBatchEvent,
    MemoryBatchView,
    MemoryItem,
    TurnState,
)
from backend.conversation.memory_events import MemoryEvents
from backend.storage.clock import utc_now
from tests.helpers.scripted_ollama import ScriptedOllama, ScriptedReply
from tests.unit.conversation.conftest import SCOPE, Room


def _batch(message_id: str) -> MemoryBatchView:
    item = MemoryItem(op="added", id="f1", text="Ana is your sister")
    return MemoryBatchView(batch_id="b1", message_id=message_id, items=(item,))


def test_that_the_chip_comes_before_the_state_line_ends(room: Room) -> None:
    turn_id = room.ask("My sister Ana lives in Leipzig.")
    message = room.transcript()[0]
    events = MemoryEvents(room.learning, room.sink)
    before = len(room.sink.events)
    events.on_started(SCOPE, message)
    events.on_batch(SCOPE, message, _batch(message.message_id), ("f1",))
    storing, chip, facts, done = room.sink.events[before:]
    assert isinstance(storing, TurnState)
    assert storing.state == "storing"
    assert isinstance(chip, MemoryBatchEvent)
    assert (chip.turn_id, chip.batch.batch_id) == (turn_id, "b1")
    assert facts == FactsChanged(fact_ids=("f1",))
    assert isinstance(done, TurnState)
    assert done.state == "done"


def test_that_a_stopped_answer_gets_its_chip_and_keeps_saying_that_it_was_stopped(
    room: Room, ollama: ScriptedOllama
) -> None:
    ollama.script(ScriptedReply(fault="silent"))
    turn_id = room.send("My sister Ana lives in Leipzig.").turn_id
    room.runner.stop(SCOPE, turn_id)
    room.wait_until_idle()
    message = room.transcript()[0]
    events = MemoryEvents(room.learning, room.sink)
    events.on_started(SCOPE, message)
    events.on_batch(SCOPE, message, _batch(message.message_id), ())
    assert room.sink.states(turn_id)[-1] == "stopped"
    assert len(room.sink.of_kind(MemoryBatchEvent)) == 1


def test_that_memory_put_off_taught_nothing_or_failed_is_told(room: Room) -> None:
    first, second = room.ask("Hello"), room.ask("Hm")
    events = MemoryEvents(room.learning, room.sink)
    greeting, sigh = (each for each in room.transcript() if each.role == "user")
    events.on_put_off(SCOPE, greeting)
    events.on_nothing(SCOPE, greeting)
    job = room.jobs.take_next(utc_now())
    assert job is not None
    events.on_failed(SCOPE, sigh, job)
    told = [event for event in room.sink.events if isinstance(event, JobChanged)]
    assert [event.job.job_id for event in told] == [job.job_id]
    assert room.sink.states(first)[-2:] == ["paused", "nothing"]
    assert room.sink.states(second)[-1] == "nothing"
