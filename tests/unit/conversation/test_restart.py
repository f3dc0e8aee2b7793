"""What is left of a conversation after the backend died or closed in the middle of it."""

from __future__ import annotations

import threading

from backend.storage.messages import MessageRepository
from tests.helpers.scripted_ollama import ScriptedOllama, ScriptedReply
from tests.unit.conversation.conftest import SCOPE, Room


def test_that_an_unfinished_answer_is_marked_interrupted_and_can_go_on(
    room: Room, ollama: ScriptedOllama
) -> None:
    turn_id = room.ask("Hello")
    answer = room.answer(turn_id)
    # What a killed process leaves: the row still streams, the turn still runs.
    MessageRepository(room.database).resume(SCOPE, answer.message_id)
    room.turns.update(SCOPE, turn_id, "responding")
    room.close()
    ollama.script(ScriptedReply(pieces=(" And more.",)))
    room.open()
    assert room.interrupted == 1
    (view,) = room.runner.snapshot(SCOPE, room.conversation_id)
    assert (view.state, view.text) == ("interrupted", "Hello from the script.")
    assert room.answer(turn_id).status == "interrupted"
    assert len(ollama.chat_requests) == 1  # nothing runs by itself
    room.runner.retry(SCOPE, turn_id, "continue")
    room.wait_until_idle()
    assert room.answer(turn_id).text == "Hello from the script. And more."


def test_that_closing_keeps_the_partial_text_as_interrupted(
    room: Room, ollama: ScriptedOllama
) -> None:
    gate = threading.Semaphore(2)
    ollama.script(ScriptedReply(gate=gate))
    running = room.send("One").turn_id
    room.sink.wait_for_text(running, "Hello from")
    waiting = room.send("Two").turn_id
    room.close()
    room.open()
    assert room.interrupted == 0  # both were ended in order
    assert (room.answer(running).text, room.answer(running).status) == (
        "Hello from", "interrupted",
    )  # fmt: skip
    assert [v.state for v in room.runner.snapshot(SCOPE, room.conversation_id)] == [
        "interrupted", "interrupted",
    ]  # fmt: skip
    assert room.sink.states(waiting)[-1] == "interrupted"


def test_that_an_answered_turn_is_not_interrupted_while_its_memory_job_waits(room: Room) -> None:
    turn_id = room.ask("I live in Leipzig.")
    room.close()
    room.open()
    assert room.interrupted == 0
    (view,) = room.runner.snapshot(SCOPE, room.conversation_id)
    assert (view.state, view.error) == ("done", None)
    message_id = room.transcript()[0].message_id
    room.learning.started(SCOPE, message_id)
    room.learning.finished(SCOPE, message_id, learned=True)
    assert room.sink.states(turn_id)[-2:] == ["storing", "done"]


def test_that_a_running_turn_can_be_redrawn_from_a_snapshot(
    room: Room, ollama: ScriptedOllama
) -> None:
    gate = threading.Semaphore(2)
    ollama.script(ScriptedReply(gate=gate))
    turn_id = room.send("Hello").turn_id
    room.sink.wait_for_text(turn_id, "Hello from")
    for conversation_id in (None, room.conversation_id):
        (view,) = room.runner.snapshot(SCOPE, conversation_id)
        assert (view.turn_id, view.state, view.text) == (turn_id, "responding", "Hello from")
        assert view.assistant_message_id == room.answer(turn_id).message_id
    gate.release(100)
    room.wait_until_idle()
    assert room.runner.snapshot(SCOPE) == ()
