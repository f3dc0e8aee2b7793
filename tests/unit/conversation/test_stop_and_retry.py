"""Stopping an answer, asking again, going on, and waiting in the queue."""

from __future__ import annotations

import threading

import pytest

from aico_desktop.contract.messages import AnswerFinished, TurnDelta
from backend.conversation.errors import ConversationError
from backend.inference.addresses import parse_ollama_host
from backend.inference.chat import EngineName
from backend.inference.ollama_chat import OllamaChat
from backend.inference.ollama_server import OllamaModel, OllamaServer
from backend.storage.clock import utc_now
from backend.storage.scope import Scope
from tests.helpers.scripted_ollama import ScriptedOllama, ScriptedReply
from tests.unit.conversation.conftest import SCOPE, Remembered, Room


class SmallModel(OllamaChat):
    """Stands for the built-in model, with a scripted voice."""

    engine: EngineName = "built_in"
    is_small = True


def _endless(gate: threading.Semaphore | None = None) -> ScriptedReply:
    return ScriptedReply(pieces=("word ",) * 5000, gate=gate, delay_seconds=0.005)


def test_that_stop_keeps_the_partial_text_and_nothing_comes_after_it(
    room: Room, ollama: ScriptedOllama
) -> None:
    ollama.script(_endless())
    turn_id = room.send("Hello").turn_id
    room.sink.wait_for_text(turn_id, "word word")
    room.runner.stop(SCOPE, turn_id)
    count = len(room.sink.events)
    room.wait_until_idle()
    assert ollama.abandoned.wait(10)  # the engine was not left to talk to the end
    late = room.sink.events[count:]
    assert not [each for each in late if isinstance(each, TurnDelta)]
    answer = room.answer(turn_id)
    assert answer.status == "stopped"
    assert answer.text == room.sink.text(turn_id)
    assert room.sink.states(turn_id)[-1] == "stopped"
    (finished,) = room.sink.of_kind(AnswerFinished)
    assert isinstance(finished, AnswerFinished)
    assert finished.message.status == "stopped"


def test_that_words_forgotten_while_an_answer_is_written_do_not_come_back(
    room: Room, ollama: ScriptedOllama
) -> None:
    ollama.script(_endless())
    turn_id = room.send("Hello").turn_id
    room.sink.wait_for_text(turn_id, "word word")
    room.runner.forget_word(SCOPE, "word")
    more = len(room.sink.text(turn_id)) + 20
    room.sink.wait_for(lambda _: len(room.sink.text(turn_id)) > more)
    room.runner.stop(SCOPE, turn_id)
    room.wait_until_idle()
    answer = room.answer(turn_id)
    assert answer.text.strip() == ""
    assert len(answer.text) == len(room.sink.text(turn_id))
    (finished,) = room.sink.of_kind(AnswerFinished)
    assert isinstance(finished, AnswerFinished)
    assert finished.message.text == answer.text


def test_that_stop_works_while_the_model_is_silent_and_before_any_text(
    room: Room, ollama: ScriptedOllama
) -> None:
    ollama.script(ScriptedReply(fault="silent"))
    turn_id = room.send("Hello").turn_id
    ollama.wait_for_chats(1)
    room.runner.stop(SCOPE, turn_id)
    room.wait_until_idle()
    assert room.sink.states(turn_id)[-1] == "stopped"
    assert [each.role for each in room.transcript()] == ["user"]
    assert room.jobs.not_done(SCOPE)  # the question is learnt all the same


def test_that_stop_works_during_recall_and_no_model_is_asked_then(
    room: Room, ollama: ScriptedOllama
) -> None:
    room.recall.gate = threading.Event()
    turn_id = room.send("Hello").turn_id
    assert room.recall.asked.wait(5)
    room.runner.stop(SCOPE, turn_id)
    room.recall.gate.set()
    room.wait_until_idle()
    assert room.sink.states(turn_id) == ["listening", "understanding", "stopped"]
    assert ollama.chat_requests == []


def test_that_stopping_twice_or_after_the_end_changes_nothing(room: Room) -> None:
    turn_id = room.ask("Hello")
    room.runner.stop(SCOPE, turn_id)
    room.runner.stop(SCOPE, turn_id)
    assert room.answer(turn_id).status == "complete"
    with pytest.raises(ConversationError) as caught:
        room.runner.stop(SCOPE, "nothing")
    assert caught.value.code == "not_found"
    with pytest.raises(ConversationError):
        room.runner.stop(Scope("someone"), turn_id)


def test_that_the_next_message_waits_its_turn_and_is_told_so(
    room: Room, ollama: ScriptedOllama
) -> None:
    gate = threading.Semaphore(0)
    ollama.script(ScriptedReply(gate=gate))
    first = room.send("One").turn_id
    ollama.wait_for_chats(1)
    second, third = room.send("Two").turn_id, room.send("Three").turn_id
    assert room.sink.states(third) == ["listening", "waiting"]
    assert room.sink.state_events(third)[-1].detail == {"ahead": 2}
    room.runner.stop(SCOPE, second)
    assert room.sink.states(second) == ["listening", "waiting", "stopped"]
    assert room.sink.state_events(third)[-1].detail == {"ahead": 1}
    gate.release(100)
    room.wait_until_idle()
    assert room.answer(first).status == room.answer(third).status == "complete"
    prompts = [[m["content"] for m in each["messages"]][1:] for each in ollama.chat_requests]
    assert prompts[0] == ["One"]
    assert prompts[1] == ["One", "Hello from the script.", "Two", "Three"] or prompts[1] == [
        "One", "Two", "Hello from the script.", "Three",
    ]  # fmt: skip


def test_that_continue_goes_on_in_the_same_answer(room: Room, ollama: ScriptedOllama) -> None:
    ollama.script(
        ScriptedReply(fault="error_line"), ScriptedReply(pieces=(" the", " other", " end."))
    )
    old = room.ask("Hello")
    partial = room.answer(old)
    room.recall.result = Remembered(direct_answer="Not now")
    new = room.runner.retry(SCOPE, old, "continue")
    room.wait_until_idle()
    assert new.turn_id != old
    answer = room.answer(new.turn_id)
    assert answer.message_id == partial.message_id
    assert (answer.text, answer.status) == ("Hello from the other end.", "complete")
    assert ollama.chat_requests[1]["messages"][-1] == {
        "role": "assistant", "content": "Hello from",
    }  # fmt: skip
    deltas = [e for e in room.sink.of_kind(TurnDelta) if isinstance(e, TurnDelta)]
    assert [e.offset for e in deltas if e.turn_id == new.turn_id] == [10, 14, 20]
    assert room.sink.state_events(new.turn_id)[0].assistant_message_id == partial.message_id


def test_that_a_stopped_continuation_can_be_continued_again(
    room: Room, ollama: ScriptedOllama
) -> None:
    ollama.script(
        ScriptedReply(fault="error_line"),
        ScriptedReply(fault="crash"),
        ScriptedReply(pieces=(" the end.",)),
    )
    first = room.ask("Hello")
    second = room.runner.retry(SCOPE, first, "continue").turn_id
    room.wait_until_idle()
    assert room.sink.states(second)[-1] == "failed"
    assert room.answer(second).text == "Hello from"
    third = room.runner.retry(SCOPE, second, "continue").turn_id
    room.wait_until_idle()
    assert room.answer(third).text == "Hello from the end."


def test_that_asking_again_gives_a_new_answer_that_has_not_read_the_old_one(
    room: Room, ollama: ScriptedOllama
) -> None:
    ollama.script(ScriptedReply(), ScriptedReply(fault="eof"), ScriptedReply(pieces=("New.",)))
    room.ask("One")
    old = room.ask("Two")
    new = room.runner.retry(SCOPE, old, "again").turn_id
    room.wait_until_idle()
    assert room.answer(old).text == "Hello from"
    assert room.answer(new).text == "New."
    contents = [each["content"] for each in ollama.chat_requests[2]["messages"]][1:]
    assert contents == ["One", "Hello from the script.", "Two"]


def test_that_a_message_answered_again_is_not_learnt_again(room: Room) -> None:
    old = room.ask("Hello")
    message_id = room.transcript()[0].message_id
    job = room.jobs.take_next(utc_now())
    assert job is not None
    room.jobs.finish(SCOPE, job.job_id)
    new = room.runner.retry(SCOPE, old, "again").turn_id
    room.wait_until_idle()
    assert len(room.jobs.of_message(SCOPE, message_id)) == 1
    assert room.sink.states(new)[-1] == "done"


def test_that_the_built_in_model_can_be_chosen_for_one_answer(
    room: Room, ollama: ScriptedOllama
) -> None:
    old = room.ask("Hello")
    room.engines.small = SmallModel(
        OllamaServer(parse_ollama_host(ollama.url)), OllamaModel("small", 1, None)
    )
    new = room.runner.retry(SCOPE, old, "again", use_built_in=True).turn_id
    room.wait_until_idle()
    assert room.answer(new).engine == "built_in"
    assert ollama.chat_requests[1]["messages"][1]["content"] == "Hi!"  # its prompt has examples


def test_that_an_answer_that_runs_cannot_be_asked_for_twice(
    room: Room, ollama: ScriptedOllama
) -> None:
    gate = threading.Semaphore(0)
    ollama.script(ScriptedReply(gate=gate))
    turn_id = room.send("Hello").turn_id
    with pytest.raises(ConversationError) as caught:
        room.runner.retry(SCOPE, turn_id, "again")
    assert caught.value.code == "invalid"
    with pytest.raises(ConversationError) as caught:
        room.runner.retry(SCOPE, "nothing", "again")
    assert caught.value.code == "not_found"
    gate.release(100)
    room.wait_until_idle()
