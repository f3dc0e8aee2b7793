"""Reads the ontology's TOML files and refuses, in words, any that contradict themselves."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from backend.ontology.model import (
    KnowledgeType,
    Label,
    OntologyError,
    Predicate,
    PropertyConvention,
    Sensitivity,
    Topic,
)

DEFAULT_FOLDER = Path(__file__).resolve().parents[2] / "resources" / "ontology"
_PREDICATE_FILES = ("people.toml", "life.toml")
_PREDICATE_KEYS = frozenset(Predicate.__dataclass_fields__) - {"name"}


def read_toml(path: Path) -> dict[str, Any]:
    """Parse one file; raises OntologyError naming the file if it is missing or malformed."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise OntologyError(f"{path.name} is missing from {path.parent}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OntologyError(f"{path.name} cannot be read: {error}") from error


def load_labels(folder: Path) -> dict[str, Label]:
    """All labels by name; raises OntologyError on doubles and on unknown property types."""
    labels: dict[str, Label] = {}
    for row in read_toml(folder / "labels.toml").get("label", []):
        name = row.get("name", "")
        if not name or name in labels:
            raise OntologyError(f"labels.toml: label {name!r} is empty or stands there twice")
        properties = {
            key: _property(name, key, value) for key, value in row.get("properties", {}).items()
        }
        labels[name] = Label(
            name, row.get("meaning", ""), tuple(row.get("synonyms", ())), properties
        )
    _require_unique(
        "label", [(label.name, (label.name, *label.synonyms)) for label in labels.values()]
    )
    return labels


def load_predicates(folder: Path, labels: Mapping[str, Label]) -> dict[str, Predicate]:
    """All predicates by name; raises OntologyError where a reference leads nowhere."""
    predicates: dict[str, Predicate] = {}
    for file_name in _PREDICATE_FILES:
        data = read_toml(folder / file_name)
        defaults = data.get("defaults", {})
        for name, row in data.get("predicate", {}).items():
            if name in predicates:
                raise OntologyError(f"{file_name}: predicate {name} stands there twice")
            predicates[name] = _predicate(file_name, name, {**defaults, **row})
    for predicate in predicates.values():
        _check_predicate(predicate, predicates, labels)
    _require_unique(
        "predicate",
        [
            (predicate.name, (predicate.name, *predicate.synonyms))
            for predicate in predicates.values()
        ],
    )
    return predicates


def load_vocabulary(folder: Path) -> dict[str, frozenset[str]]:
    """The word lists by name; a hyphen in an entry also stands for a space."""
    lists: dict[str, frozenset[str]] = {}
    for name, words in read_toml(folder / "vocabulary.en.toml").items():
        entries = words.split()
        lists[name] = frozenset(entries) | {entry.replace("-", " ") for entry in entries}
    return lists


def load_patterns(folder: Path) -> dict[str, dict[str, str]]:
    """The sentence patterns that facts are shown with, by name."""
    return read_toml(folder / "display.en.toml")


def _property(label: str, name: str, row: Mapping[str, Any]) -> PropertyConvention:
    kind = row.get("type")
    if kind not in ("text", "number", "date", "choice"):
        raise OntologyError(f"labels.toml: {label}.{name} has the unknown type {kind!r}")
    return PropertyConvention(
        name, kind, tuple(row.get("choices", ())), row.get("minimum"), row.get("maximum")
    )


def _predicate(file_name: str, name: str, row: Mapping[str, Any]) -> Predicate:
    unknown = set(row) - _PREDICATE_KEYS
    if unknown:
        raise OntologyError(f"{file_name}: {name} has unknown keys {sorted(unknown)}")
    literal = row.get("literal")
    return Predicate(
        name=name,
        topic=row["topic"],
        domain=tuple(row["domain"]),
        range=() if literal else tuple(row["range"]),
        literal=literal,
        parent=row.get("parent"),
        inverse=row.get("inverse"),
        opposite=row.get("opposite"),
        symmetric=row.get("symmetric", False),
        functional=row.get("functional", False),
        knowledge=row["knowledge"],
        sensitivity=row["sensitivity"],
        synonyms=tuple(row.get("synonyms", ())),
        nouns=tuple(row.get("nouns", ())),
        gender=row.get("gender", ""),
        needs_name=row.get("needs_name", False),
        display=dict(row.get("display", {})),
    )


def _check_predicate(
    predicate: Predicate, predicates: Mapping[str, Predicate], labels: Mapping[str, Label]
) -> None:
    name = predicate.name
    for label in (*predicate.domain, *predicate.range):
        if label not in labels:
            raise OntologyError(f"{name} names the unknown label {label!r}")
    for role in ("parent", "inverse", "opposite"):
        other = getattr(predicate, role)
        if other is not None and other not in predicates:
            raise OntologyError(f"{name}: its {role} {other!r} is no predicate")
    for value, allowed in (
        (predicate.topic, get_args(Topic)),
        (predicate.knowledge, get_args(KnowledgeType)),
        (predicate.sensitivity, get_args(Sensitivity)),
        (predicate.gender, ("", "female", "male")),
    ):
        if value not in allowed:
            raise OntologyError(f"{name}: {value!r} is none of {', '.join(allowed)}")
    if predicate.symmetric and predicate.inverse not in (None, name):
        raise OntologyError(f"{name} is symmetric and yet has the inverse {predicate.inverse}")
    if predicate.symmetric and predicate.literal:
        raise OntologyError(f"{name} is symmetric and yet takes a literal")
    if "pattern" not in predicate.display:
        raise OntologyError(f"{name} has no display pattern")
    seen = {name}
    parent = predicate.parent
    while parent is not None:
        if parent in seen:
            raise OntologyError(f"{name} is its own ancestor, through {parent}")
        seen.add(parent)
        parent = predicates[parent].parent


def _require_unique(what: str, names: Iterable[tuple[str, tuple[str, ...]]]) -> None:
    owner: dict[str, str] = {}
    for name, aliases in names:
        for alias in aliases:
            if owner.setdefault(alias, name) != name:
                raise OntologyError(
                    f"{what} name {alias} belongs to both {owner[alias]} and {name}"
                )
