"""The settings of a home: typed, immutable, with the defaults of the design."""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_type_hints

import msgspec


class SettingsError(Exception):
    """The settings file cannot be used; the message names file, key and reason for the person."""


@dataclass(frozen=True)
class DeduplicationSettings:
    """``similarity_threshold`` is a cosine; each embedder also has its own calibrated value."""

    enabled: bool = True
    similarity_threshold: float = 0.85


@dataclass(frozen=True)
class CachingSettings:
    """``cache_size`` counts entries."""

    enabled: bool = True
    cache_size: int = 1000


@dataclass(frozen=True)
class KnowledgeGraphSettings:
    """How a text is turned into the graph; ``max_gleanings`` counts further model passes."""

    max_gleanings: int = 2
    deduplication: DeduplicationSettings = field(default_factory=DeduplicationSettings)
    caching: CachingSettings = field(default_factory=CachingSettings)


@dataclass(frozen=True)
class SemanticMemorySettings:
    """Long-term memory."""

    knowledge_graph: KnowledgeGraphSettings = field(default_factory=KnowledgeGraphSettings)


@dataclass(frozen=True)
class MemorySettings:
    """Everything that is remembered."""

    semantic: SemanticMemorySettings = field(default_factory=SemanticMemorySettings)


@dataclass(frozen=True)
class DefaultModelSettings:
    """Names of the models used unless the person chose others; None leaves it to the app."""

    conversation: str = "hermes3:8b"
    embedding: str | None = None


@dataclass(frozen=True)
class TransformerModelSettings:
    """Names of the models that understanding may use."""

    entity_extraction: str | None = None


@dataclass(frozen=True)
class TransformerSettings:
    """Models that run inside the backend."""

    models: TransformerModelSettings = field(default_factory=TransformerModelSettings)


@dataclass(frozen=True)
class ModelServiceSettings:
    """Which models serve which purpose."""

    default_models: DefaultModelSettings = field(default_factory=DefaultModelSettings)
    transformers: TransformerSettings = field(default_factory=TransformerSettings)


@dataclass(frozen=True)
class OpenAICompatibleSettings:
    """A local server that speaks the OpenAI protocol; used once ``address`` is set."""

    address: str | None = None
    model: str | None = None
    api_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class ConversationSettings:
    """Which chat engine answers; ``auto`` takes Ollama when it is found, else the built-in one."""

    engine: Literal["auto", "built_in", "ollama", "openai_compatible"] = "auto"
    model: str | None = None
    openai_compatible: OpenAICompatibleSettings = field(default_factory=OpenAICompatibleSettings)


@dataclass(frozen=True)
class PersonSettings:
    """Who uses this home; ``zone`` is an IANA name, None means the system's zone."""

    name: str | None = None
    zone: str | None = None


@dataclass(frozen=True)
class Settings:
    """All settings; key names are those of DESIGN §6."""

    memory: MemorySettings = field(default_factory=MemorySettings)
    modelservice: ModelServiceSettings = field(default_factory=ModelServiceSettings)
    conversation: ConversationSettings = field(default_factory=ConversationSettings)
    person: PersonSettings = field(default_factory=PersonSettings)


def load_settings(path: Path) -> Settings:
    """Read ``path``; a missing file gives the defaults.

    Raises :class:`SettingsError` when it is not TOML, names an unknown key, or holds a wrong value.
    """
    try:
        content = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The settings file {path} cannot be read: {_reason(error)}."
        ) from error
    try:
        table = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"The settings file {path} is not valid TOML: {error}.") from error
    return settings_from_table(table, str(path))


def settings_from_table(table: Mapping[str, Any], origin: str) -> Settings:
    """Check a parsed table; ``origin`` names it in errors. Raises :class:`SettingsError`."""
    _refuse_unknown_keys(table, Settings, "", origin)
    try:
        settings = msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        raise SettingsError(f"A value in {origin} cannot be used: {error}.") from error
    _check_values(settings, origin)
    return settings


def _refuse_unknown_keys(table: Mapping[str, Any], kind: type, prefix: str, origin: str) -> None:
    """A mistyped key must not be ignored in silence: the person would believe it took effect."""
    hints = get_type_hints(kind)
    for key, value in table.items():
        if key not in hints:
            near = difflib.get_close_matches(key, hints, n=1)
            hint = f" Did you mean {prefix}{near[0]}?" if near else ""
            raise SettingsError(f"{origin} has an unknown key: {prefix}{key}.{hint}")
        if dataclasses.is_dataclass(hints[key]) and isinstance(value, Mapping):
            _refuse_unknown_keys(value, hints[key], f"{prefix}{key}.", origin)


def _check_values(settings: Settings, origin: str) -> None:
    """Refuse values whose type is right but which cannot work."""
    graph = settings.memory.semantic.knowledge_graph
    if graph.max_gleanings < 0:
        raise SettingsError(f"{origin}: memory.semantic.knowledge_graph.max_gleanings is negative.")
    if not 0.0 <= graph.deduplication.similarity_threshold <= 1.0:
        raise SettingsError(
            f"{origin}: memory.semantic.knowledge_graph.deduplication.similarity_threshold"
            " must lie between 0 and 1."
        )
    if graph.caching.cache_size < 0:
        raise SettingsError(
            f"{origin}: memory.semantic.knowledge_graph.caching.cache_size is negative."
        )
    zone = settings.person.zone
    if zone is not None and zone not in zoneinfo.available_timezones():
        raise SettingsError(
            f"{origin}: person.zone = {zone!r} is not a known time zone, such as Europe/Berlin."
        )


def _reason(error: Exception) -> str:
    """The system's words where it has some."""
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
