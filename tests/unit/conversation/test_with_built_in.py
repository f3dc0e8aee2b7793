"""The conversation room with the real built-in model and the real choice of engines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from backend.inference.built_in import BuiltInChat
from backend.inference.engine_probe import EngineProbe
from backend.inference.engines import EngineChoice, EngineManager
from tests.helpers.built_in_file import built_in_file
from tests.helpers.scripted_ollama import ScriptedOllama
from tests.unit.conversation.conftest import SCOPE, Remembered, Room


@pytest.fixture
def engines(ollama: ScriptedOllama) -> Iterator[EngineManager]:
    manager = EngineManager(
        EngineProbe({"OLLAMA_HOST": ollama.url}),
        BuiltInChat(built_in_file()),
        EngineChoice(),
        "hermes3:8b",
        interval_seconds=0.05,
    )
    manager.start()
    yield manager
    manager.close()


def test_that_talk_goes_on_with_the_built_in_model_when_ollama_dies(
    room: Room, ollama: ScriptedOllama, engines: EngineManager
) -> None:
    room.engines.current = engines.current  # type: ignore[method-assign]  # the real one takes its place
    assert room.answer(room.ask("Hello")).engine == "ollama"
    ollama.stop()
    room.recall.result = Remembered(facts_text=("Your name is Mara",))
    first = room.ask("I had a lovely day.")
    answer = room.answer(first)
    assert (answer.engine, answer.status) == ("built_in", "complete")
    assert 3 <= len(answer.text.split()) <= 80
    states = room.sink.states(first)
    assert states.index("responding") > states.index("understanding")
    second = room.send("Tell me more about it.").turn_id
    room.sink.wait_for(lambda _: len(room.sink.state_events(second)) >= 3)
    room.runner.stop(SCOPE, second)
    room.wait_until_idle()
    assert room.sink.states(second)[-1] == "stopped"
    ollama.start()
