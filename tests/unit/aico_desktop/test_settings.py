"""Settings have the defaults of the design, and a bad file is explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from aico_desktop.settings import Settings, SettingsError, load_settings


def settings_of(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    return load_settings(path)


def test_that_a_missing_file_means_the_defaults(tmp_path: Path) -> None:
    settings = load_settings(tmp_path / "config.toml")
    graph = settings.memory.semantic.knowledge_graph
    assert (graph.max_gleanings, graph.caching.cache_size) == (2, 1000)
    assert (graph.deduplication.enabled, graph.deduplication.similarity_threshold) == (True, 0.85)
    assert settings.modelservice.default_models.conversation == "hermes3:8b"
    assert settings.conversation.engine == "auto"


def test_that_the_key_names_of_the_design_are_read(tmp_path: Path) -> None:
    settings = settings_of(
        tmp_path,
        """
        [memory.semantic.knowledge_graph]
        max_gleanings = 0
        deduplication.similarity_threshold = 0.9
        [modelservice.transformers.models]
        entity_extraction = "some-model"
        [conversation]
        engine = "openai_compatible"
        openai_compatible = { address = "http://127.0.0.1:1234/v1", api_key = "key" }
        [person]
        name = "Jürgen"
        zone = "Europe/Berlin"
        """,
    )
    assert settings.memory.semantic.knowledge_graph.max_gleanings == 0
    assert settings.memory.semantic.knowledge_graph.deduplication.similarity_threshold == 0.9
    assert settings.modelservice.transformers.models.entity_extraction == "some-model"
    assert settings.conversation.openai_compatible.address == "http://127.0.0.1:1234/v1"
    assert settings.person.name == "Jürgen"
    assert "key'" not in repr(settings), "secrets do not belong into logs"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("conversation = ", "not valid TOML"),
        (
            "[conversation]\nengin = 'auto'",
            r"conversation\.engin.*Did you mean conversation\.engine",
        ),
        ("[wholly]\nunknown = 1", "unknown key: wholly"),
        ("[conversation]\nengine = 'cloud'", r"conversation\.engine"),
        ("conversation = 5", "conversation"),
        ("[memory.semantic.knowledge_graph]\nmax_gleanings = 'two'", "max_gleanings"),
        ("[memory.semantic.knowledge_graph]\nmax_gleanings = -1", "negative"),
        (
            "[memory.semantic.knowledge_graph.deduplication]\nsimilarity_threshold = 7",
            "between 0 and 1",
        ),
        ("[memory.semantic.knowledge_graph.caching]\ncache_size = -1", "cache_size is negative"),
        ("[person]\nzone = 'Mars/Olympus'", "Mars/Olympus"),
    ],
)
def test_that_a_bad_file_is_explained(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        settings_of(tmp_path, text)


def test_that_a_file_that_is_no_text_is_explained(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path / "config.toml")


def test_that_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert settings_of(tmp_path, "\ufeff[person]\nname = 'Mara'").person.name == "Mara"
