"""The immutable parts of the ontology: labels, predicates and property conventions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Topic = Literal[
    "people", "places", "work", "health", "likes", "plans", "pets", "activities", "things"
]
KnowledgeType = Literal["semantic", "episodic", "procedural"]
Sensitivity = Literal["ordinary", "personal", "sensitive"]


class OntologyError(Exception):
    """The ontology's files contradict themselves, or a value breaks one of its conventions."""


@dataclass(frozen=True, slots=True)
class PropertyConvention:
    """What values a property may have: ``text``, ``number`` in a range, ``date`` or ``choice``."""

    name: str
    type: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """A kind of entity, with the other names under which it is accepted."""

    name: str
    meaning: str
    synonyms: tuple[str, ...] = ()
    properties: Mapping[str, PropertyConvention] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Predicate:
    """A relation between a subject and an object, or a subject and a literal.

    ``literal`` is the type of the value, or None where the object is an entity. ``parent`` is the
    wider predicate that this one implies. ``inverse`` is what then holds from object to subject.
    ``functional`` means at most one object at a time. ``nouns`` are the words for whoever stands
    on the object side ("sister"), of ``gender`` where the word says so; with ``needs_name`` the
    noun alone ("my friend") is no fact. ``opposite`` is what a negation comes close to.
    """

    name: str
    topic: Topic
    domain: tuple[str, ...]
    range: tuple[str, ...]
    literal: str | None
    parent: str | None
    inverse: str | None
    opposite: str | None
    symmetric: bool
    functional: bool
    knowledge: KnowledgeType
    sensitivity: Sensitivity
    synonyms: tuple[str, ...]
    nouns: tuple[str, ...]
    gender: str
    needs_name: bool
    display: Mapping[str, str]
