"""What the fold must know of predicates: direction, opposites, and which values exclude others."""

from __future__ import annotations

from backend.ontology.model import Predicate
from backend.ontology.ontology import Ontology

_UNCHANGING = frozenset({"BORN_ON", "BORN_IN", "DIED", "HAS_SPECIES", "HAS_BREED", "COMES_FROM"})
"""Functional predicates whose value cannot change in time: another value is a correction."""

_CLOSE = frozenset({"people", "health"})
_PASSING = frozenset({"HAS_AGE", "HAS_HEALTH_STATE", "FEELS_ABOUT"})


class PredicateRules:
    """The ontology as the fold needs it; custom predicates are plain and exclude nothing."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology

    def canonical(
        self, predicate: str, subject_id: str, object_id: str, owner: str
    ) -> tuple[str, str, str]:
        """(predicate, subject, object) in the one direction in which the fact is kept.

        "Rex is my pet" and "I am Rex's owner" are one fact. The owner is the subject wherever
        the owner takes part; otherwise whoever was known first, which the ids tell ("Ana has a
        child", where Ana was known and the child was not). ``object_id`` is '' for a literal.
        """
        known = self._known(predicate)
        if known is None:
            return predicate, subject_id, object_id
        if not object_id:
            return known.name, subject_id, object_id
        turned = self._turned(known)
        if turned is None or subject_id == owner:
            return known.name, subject_id, object_id
        if object_id == owner or object_id < subject_id:
            return turned, object_id, subject_id
        return known.name, subject_id, object_id

    def _turned(self, known: Predicate) -> str | None:
        """The predicate of the other direction, if it says exactly the same."""
        if known.symmetric:
            return known.name
        if known.inverse is None:
            return None
        back = self._known(known.inverse)
        return known.inverse if back is not None and back.inverse == known.name else None

    def group(self, predicate: str) -> tuple[str, ...]:
        """The predicate with its opposite: liking ends where disliking begins."""
        known = self._known(predicate)
        if known is None or known.opposite is None:
            return (predicate,)
        return tuple(sorted((predicate, known.opposite)))

    def is_functional(self, predicate: str) -> bool:
        """Whether there is at most one object at a time."""
        known = self._known(predicate)
        return known is not None and known.functional

    def is_unchanging(self, predicate: str) -> bool:
        """Whether the one value holds for ever, so that another one is a correction."""
        return predicate in _UNCHANGING

    def is_bond(self, predicate: str) -> bool:
        """Whether it binds two to each other alone, as marriage does.

        "My husband is Raj" does not tell that an earlier marriage is over: who says so mostly
        says it ("I divorced Anna"), so that a second spouse without a word on the first is a
        contradiction (DESIGN §4, Time).
        """
        return self.is_functional(predicate) and self.is_symmetric(predicate)

    def begins_on(self, predicate: str) -> bool:
        """Whether a day given with it is its first: "I turned 42 yesterday" holds today too."""
        return predicate == "HAS_AGE"

    def is_episodic(self, predicate: str) -> bool:
        """Whether it happens rather than lasts: telling of it again is no new event."""
        known = self._known(predicate)
        return known is not None and known.knowledge == "episodic"

    def is_symmetric(self, predicate: str) -> bool:
        known = self._known(predicate)
        return known is not None and known.symmetric

    def is_sensitive(self, predicate: str) -> bool:
        """Health and the like (reference/ux §4.3)."""
        known = self._known(predicate)
        return known is not None and known.sensitivity == "sensitive"

    def topic(self, predicate: str) -> str:
        """Under which heading the panel lists it."""
        known = self._known(predicate)
        return known.topic if known is not None else "things"

    def importance(self, predicate: str) -> float:
        """How much a fact matters, 0…1: people and health first, then what is personal."""
        known = self._known(predicate)
        if known is None:
            return 0.4
        if known.topic in _CLOSE:
            return 0.8
        return 0.6 if known.sensitivity != "ordinary" or known.functional else 0.5

    def decay(self, predicate: str) -> float:
        """How quickly it loses weight, 0…1 (as in DICE): what holds for years does not decay.

        Semantic and procedural facts stand until something is said against them; episodes fade
        slowly, and states that pass by themselves faster.
        """
        known = self._known(predicate)
        if predicate in _PASSING:
            return 0.3
        return 0.1 if known is not None and known.knowledge == "episodic" else 0.0

    def _known(self, predicate: str) -> Predicate | None:
        name = self._ontology.canonical_predicate(predicate)
        return self._ontology.predicates[name] if name is not None else None
