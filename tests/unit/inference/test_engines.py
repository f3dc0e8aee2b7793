"""Which engine answers, as engines appear, die and are chosen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backend.inference.built_in import BuiltInChat
from backend.inference.chat import ChatModelError
from backend.inference.engine_probe import EngineProbe
from backend.inference.engines import EngineChoice, EngineManager, EngineStatus
from tests.helpers.scripted_ollama import ScriptedModel, ScriptedOllama

Make = Callable[..., EngineManager]


class Changes:
    """Counts announcements, and lets a test wait for what they say."""

    def __init__(self) -> None:
        self._condition = threading.Condition()

    def announce(self) -> None:
        with self._condition:
            self._condition.notify_all()

    def wait_for(self, wanted: Callable[[], bool]) -> None:
        with self._condition:
            assert self._condition.wait_for(wanted, 10)


@pytest.fixture
def ollama() -> Iterator[ScriptedOllama]:
    models = [
        ScriptedModel("big:cloud"),
        ScriptedModel("qwen3:4b"),
        ScriptedModel("hermes3:8b"),
        ScriptedModel("llama3.2:latest"),
    ]
    with ScriptedOllama(models=models) as server:
        yield server


@pytest.fixture
def changes() -> Changes:
    return Changes()


@pytest.fixture
def make(ollama: ScriptedOllama, changes: Changes, tmp_path: Path) -> Iterator[Make]:
    made: list[EngineManager] = []

    def make_one(
        choice: EngineChoice | None = None, openai_address: str | None = None
    ) -> EngineManager:
        weights = tmp_path / "model.gguf"
        weights.write_bytes(b"not really")
        manager = EngineManager(
            EngineProbe({"OLLAMA_HOST": ollama.url}, openai_address),
            BuiltInChat(weights, expected_bytes=99),
            choice or EngineChoice(),
            "hermes3:8b",
            changes.announce,
            interval_seconds=0.05,
        )
        made.append(manager)
        manager.start()
        return manager

    yield make_one
    for manager in made:
        manager.close()


def _status(manager: EngineManager, engine: str) -> EngineStatus:
    return next(each for each in manager.statuses() if each.engine == engine)


def test_that_ollama_is_preferred_with_the_default_model(make: Make) -> None:
    manager = make()
    assert (manager.current().engine, manager.current().model) == ("ollama", "hermes3:8b")
    status = _status(manager, "ollama")
    assert status.selected
    assert status.models == ("qwen3:4b", "hermes3:8b", "llama3.2:latest")
    assert "Ollama 0.12.0 at http://127.0.0.1:" in status.detail


def test_that_a_named_model_comes_first_and_else_the_first_local_one(
    make: Make, ollama: ScriptedOllama
) -> None:
    assert make(EngineChoice("auto", "llama3.2")).current().model == "llama3.2:latest"
    ollama.models = [each for each in ollama.models if each.name != "hermes3:8b"]
    assert make().current().model == "qwen3:4b"


@pytest.mark.parametrize("address", ["http://[bad", "http://me:secret@host:1/v1", "a\x00b"])
def test_that_an_address_that_no_client_can_use_costs_only_its_engine(
    address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("WARNING"):
        probe = EngineProbe({"OLLAMA_HOST": address}, f"{address}\n")
    caplog.clear()
    manager = EngineManager(probe, BuiltInChat(tmp_path / "none.gguf"), EngineChoice(), "hermes3")
    manager.start()
    assert manager.current().engine == "built_in"
    manager.close()


def test_that_the_built_in_model_answers_when_ollama_has_no_model_for_this_computer(
    make: Make, ollama: ScriptedOllama
) -> None:
    ollama.models = [ScriptedModel("big:cloud")]
    manager = make()
    assert manager.current().engine == "built_in"
    assert "no chat model" in _status(manager, "ollama").detail


def test_that_engines_may_die_and_come_back_between_two_answers(
    make: Make, ollama: ScriptedOllama, changes: Changes
) -> None:
    manager = make()
    assert manager.current().engine == "ollama"
    ollama.stop()
    assert manager.current().engine == "built_in"  # at once, before the next look
    changes.wait_for(lambda: not _status(manager, "ollama").available)
    ollama.start()
    changes.wait_for(lambda: _status(manager, "ollama").available)
    assert manager.current().engine == "ollama"


def test_that_a_chosen_engine_that_is_gone_is_said_and_not_replaced(
    make: Make, ollama: ScriptedOllama, changes: Changes
) -> None:
    manager = make()
    manager.select("ollama", "qwen3:4b")
    assert manager.current().model == "qwen3:4b"
    ollama.stop()
    changes.wait_for(lambda: not _status(manager, "ollama").available)
    with pytest.raises(ChatModelError) as caught:
        manager.current()
    assert caught.value.code == "unreachable"
    manager.select("built_in", None)
    assert manager.current().engine == "built_in"


def test_that_a_chosen_model_that_is_not_installed_is_named(make: Make) -> None:
    manager = make(EngineChoice("ollama", "phi4"))
    with pytest.raises(ChatModelError) as caught:
        manager.current()
    assert caught.value.human == "The model phi4 is not installed in Ollama."
    assert not _status(manager, "ollama").available


def test_that_a_configured_server_answers_when_there_is_no_ollama(
    make: Make, ollama: ScriptedOllama
) -> None:
    with ScriptedOllama(models=[ScriptedModel("local-model")]) as other:
        ollama.stop()
        manager = make(openai_address=other.url)
        assert manager.current().engine == "openai_compatible"
        assert manager.current().model == "local-model"
        assert "Warning" not in _status(manager, "openai_compatible").detail


def test_that_a_server_on_another_computer_comes_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    probe = EngineProbe({}, "https://models.example.com/v1")
    monkeypatch.setattr(probe._openai, "models", lambda: ("m",))
    assert "what you write leaves it" in probe.find_openai().detail
    probe.close()


def test_that_places_where_ollama_was_looked_for_are_told(
    make: Make, ollama: ScriptedOllama
) -> None:
    ollama.stop()
    manager = make()
    assert manager.current().engine == "built_in"
    detail = _status(manager, "ollama").detail
    assert detail == (f"Ollama was not found at {ollama.url} and http://localhost:{ollama.port}.")


def test_that_a_damaged_or_missing_built_in_model_is_said_with_what_to_do(make: Make) -> None:
    status = _status(make(), "built_in")
    assert not status.available
    assert "10 bytes instead of 99" in status.detail
    missing = BuiltInChat(None)
    with pytest.raises(ChatModelError) as caught:
        list(missing.stream((), missing.default_options, threading.Event()))
    assert caught.value.code == "model_missing"
    assert "make setup" in caught.value.human
