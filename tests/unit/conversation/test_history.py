"""What a prompt knows of the conversation so far, from whichever store."""

from __future__ import annotations

import pytest

from backend.storage.messages import NewMessage
from tests.helpers.scripted_ollama import ScriptedOllama
from tests.unit.conversation.conftest import SCOPE, Room


def _contents(ollama: ScriptedOllama) -> list[str]:
    return [each["content"] for each in ollama.chat_requests[-1]["messages"]][1:]


def test_that_history_is_the_same_from_working_memory_and_from_the_database(
    room: Room, ollama: ScriptedOllama
) -> None:
    for text in ("One", "Two", "Three"):
        room.ask(text)
    expected = ["One", "Hello from the script.", "Two", "Hello from the script.", "Three"]
    assert _contents(ollama) == expected
    kept = room.working_memory.recent(room.conversation_id, 10)
    assert [ordinal for ordinal, _ in kept] == [1, 2, 3, 4, 5, 6]
    for ordinal in (2, 3):  # a gap, as after a restart
        room.working_memory.delete_message(room.conversation_id, ordinal)
    room.ask("Four")
    assert _contents(ollama) == [*expected, "Hello from the script.", "Four"]
    kept = room.working_memory.recent(room.conversation_id, 10)
    assert [ordinal for ordinal, _ in kept] == list(range(1, 9))  # filled again


def test_that_talk_goes_on_without_working_memory(
    room: Room, ollama: ScriptedOllama, caplog: pytest.LogCaptureFixture
) -> None:
    room.ask("One")
    room.working_memory.close()
    room.ask("Two")
    assert _contents(ollama) == ["One", "Hello from the script.", "Two"]
    assert "working memory" in caplog.text


def test_that_another_persons_words_carry_their_name(room: Room, ollama: ScriptedOllama) -> None:
    room.messages.add(
        SCOPE,
        NewMessage(
            conversation_id=room.conversation_id, role="other", speaker="Berta",
            text="I am at home.", said_at="2026-01-01T10:00:00+01:00", zone="Europe/Berlin",
        ),
    )  # fmt: skip
    room.ask("Is she?")
    assert _contents(ollama) == ["Berta: I am at home.", "Is she?"]


def test_that_older_messages_leave_the_prompt_first_and_this_is_said(
    room: Room, ollama: ScriptedOllama
) -> None:
    room.engines.model.context_tokens = 2000  # type: ignore[misc]  # the fixture's model lets it be set
    for number in range(8):
        turn_id = room.ask(f"Number {number}: " + "some words to fill the room " * 12)
    contents = _contents(ollama)
    assert contents[-1].startswith("Number 7")
    assert not any(each.startswith("Number 0") for each in contents)
    detail = room.sink.state_events(turn_id)[2].detail
    used = len(contents) - 1
    assert detail["messages_used"] == used
    assert detail["messages_left_out"] == 14 - used
    assert detail["note"] == f"used the last {used} messages"
