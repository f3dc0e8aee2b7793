"""Facts as a plain list of groups, by person or by topic, filtered by words; no Qt."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from aico_desktop.contract.messages import FactView
from ui.knowledge.wording import entity_name

_KINDS_IN_ORDER = ("PERSON", "PET", "ORGANIZATION", "PLACE", "PROJECT", "GOAL", "EVENT")
_TOPICS_IN_ORDER = (
    "people",
    "pets",
    "places",
    "work",
    "plans",
    "activities",
    "likes",
    "health",
    "things",
)
_RELATIONS = {
    "FRIEND_OF": "your friend",
    "COLLEAGUE_OF": "your colleague",
    "PARTNER_OF": "your partner",
    "ENGAGED_TO": "engaged to you",
    "MARRIED_TO": "married to you",
}
"""Ties whose predicate does not read "has someone"."""
_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that have no decomposition but are typed without their stroke."""

OTHER_TOPIC = "Other things"


class Grouping(Enum):
    """What the list is grouped by."""

    PERSON = "person"
    TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class FactGroup:
    """A headed group of facts; ``key`` stays the same when the facts are read again."""

    key: str
    title: str
    facts: tuple[FactView, ...]


def fold(text: str) -> str:
    """``text`` without case and diacritics, so that "jose" finds "José"."""
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    return "".join(mark for mark in decomposed if not unicodedata.combining(mark))


def search_text(fact: FactView) -> str:
    """The folded words that a fact is found by."""
    subject = entity_name(fact.subject_id, fact.subject)
    quotes = (evidence.quote for evidence in fact.evidence)
    return fold(" ".join((fact.text, subject, fact.object, fact.topic, *quotes)))


class FactIndex:
    """Facts with their folded words, so that each key press only compares strings.

    Args:
        facts: the facts in the order in which they shall appear within a group.
    """

    def __init__(self, facts: Iterable[FactView] = ()) -> None:
        self.facts: tuple[FactView, ...] = tuple(facts)
        self._folded = tuple(search_text(fact) for fact in self.facts)
        self._relations = _relations(self.facts)

    def matching(self, query: str) -> tuple[FactView, ...]:
        """The facts that hold every word of ``query``."""
        words = fold(query).split()
        if not words:
            return self.facts
        return tuple(
            fact
            for fact, folded in zip(self.facts, self._folded, strict=True)
            if all(word in folded for word in words)
        )

    def groups(self, grouping: Grouping, query: str = "") -> tuple[FactGroup, ...]:
        """The matching facts in headed groups."""
        found = self.matching(query)
        return self._by_person(found) if grouping is Grouping.PERSON else _by_topic(found)

    def about(self, entity_id: str) -> tuple[FactView, ...]:
        """The facts in which an entity is subject or object."""
        return tuple(
            fact
            for fact in self.facts
            if entity_id in (fact.subject_id or fact.subject, fact.object_id)
        )

    def title_of(self, entity_id: str, name: str) -> str:
        """A heading for an entity: "Ana — your sister"."""
        title = entity_name(entity_id, name)
        relation = self._relations.get(entity_id)
        if title == "You" or not relation:
            return title
        if relation == f"your {fold(title)}":  # someone who is only described: "sister"
            return f"Your {title}"
        return f"{title} — {relation}"

    def _by_person(self, found: tuple[FactView, ...]) -> tuple[FactGroup, ...]:
        members: dict[str, list[FactView]] = defaultdict(list)
        names: dict[str, tuple[str, str]] = {}
        for fact in found:
            if _relation_word(fact) and fact.object_id is not None:
                key, name, label = fact.object_id, fact.object, fact.object_label or ""
            else:
                key, name, label = fact.subject_id or fact.subject, fact.subject, fact.subject_label
            members[key].append(fact)
            names.setdefault(key, (name, label))
        groups = [
            FactGroup(f"person:{key}", self.title_of(key, names[key][0]), tuple(group))
            for key, group in members.items()
        ]
        return tuple(
            sorted(groups, key=lambda group: _person_order(group, names[group.key[7:]][1]))
        )


def _person_order(group: FactGroup, label: str) -> tuple[int, int, str]:
    first = 0 if group.title == "You" else 1
    kind = _KINDS_IN_ORDER.index(label) if label in _KINDS_IN_ORDER else len(_KINDS_IN_ORDER)
    return (first, kind, fold(group.title))


def _by_topic(found: tuple[FactView, ...]) -> tuple[FactGroup, ...]:
    members: dict[str, list[FactView]] = defaultdict(list)
    for fact in found:
        members[fact.topic].append(fact)
    return tuple(
        FactGroup(f"topic:{topic}", _topic_title(topic), tuple(members[topic]))
        for topic in sorted(members, key=_topic_order)
    )


def _topic_order(topic: str) -> tuple[int, str]:
    if not topic:
        return (len(_TOPICS_IN_ORDER) + 1, "")
    known = topic.casefold()
    rank = _TOPICS_IN_ORDER.index(known) if known in _TOPICS_IN_ORDER else len(_TOPICS_IN_ORDER)
    return (rank, fold(topic))


def _topic_title(topic: str) -> str:
    words = topic.replace("_", " ")
    return words[:1].upper() + words[1:] if words else OTHER_TOPIC


def _relation_word(fact: FactView) -> str:
    """Who someone is to the person, as "your sister", if this fact says it now; else ""."""
    concerns_someone = fact.object_label in ("PERSON", "PET") and fact.object_id is not None
    is_mine = "me" in (fact.subject_id, fact.subject)
    is_so = fact.polarity == "affirmed" and fact.modality in ("asserted", "inferred")
    if not (concerns_someone and is_mine and is_so):
        return ""
    if fact.predicate.startswith("HAS_"):
        return "your " + fact.predicate.removeprefix("HAS_").replace("_", " ").casefold()
    return _RELATIONS.get(fact.predicate, "")


def _relations(facts: Iterable[FactView]) -> dict[str, str]:
    relations: dict[str, str] = {}
    for fact in facts:
        word = _relation_word(fact)
        if word and fact.object_id is not None and fact.valid_until is None:
            relations.setdefault(fact.object_id, word)
    return relations
