"""Walks from the entity a question starts at, over facts in either direction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backend.identity.names import normalise
from backend.identity.owner import owner_id
from backend.ontology.ontology import Ontology
from backend.storage.clock import Clock, utc_now
from backend.storage.entity_rows import EntityRecord, EntityRows
from backend.storage.proposition_rows import PropositionRecord, PropositionRows
from backend.storage.scope import Scope
from backend.understanding.statements import ArgumentKind, EntityArgument

_KINDS = ("IS_A", "HAS_SPECIES", "HAS_BREED")


@dataclass(frozen=True, slots=True)
class Step:
    """A fact seen from one of its ends: ``other_id`` is the far entity, '' for a literal."""

    fact: PropositionRecord
    other_id: str


class GraphWalk:
    """Reads facts as a graph, whichever direction they are kept in.

    A fact is kept in one direction only ("me HAS_SISTER Ana"); asked from the other end it is
    found by the inverse predicate.
    """

    def __init__(
        self,
        facts: PropositionRows,
        entities: EntityRows,
        ontology: Ontology,
        clock: Clock = utc_now,
    ) -> None:
        self._facts = facts
        self._entities = entities
        self._ontology = ontology
        self._clock = clock

    def entities_for(self, scope: Scope, argument: EntityArgument) -> tuple[str, ...]:
        """Ids of the entities that an argument of a question may mean, best known first."""
        if argument.kind is ArgumentKind.ME:
            return (owner_id(scope),)
        if argument.description_predicate and argument.description_anchor:
            anchors = self.entities_for(scope, argument.description_anchor)
            described = self.follow(scope, anchors, argument.description_predicate)
            named = [
                entity_id
                for entity_id in described
                if argument.kind is not ArgumentKind.NAMED
                or self._has_name(scope, entity_id, argument.name)
            ]
            return tuple(named)
        return tuple(record.entity_id for record in self.by_name(scope, argument.name))

    def by_name(self, scope: Scope, name: str) -> list[EntityRecord]:
        """Entities called ``name``, by whole name or alias, else by the first word of the name."""
        key = normalise(name)
        if not key:
            return []
        found = self._entities.by_name(scope, key)
        return found or self._entities.by_first_word(scope, key)

    def follow(self, scope: Scope, entity_ids: Iterable[str], predicate: str) -> tuple[str, ...]:
        """The entities one hop away over a predicate or a narrower one, current facts only."""
        reached: dict[str, None] = {}
        for entity_id in entity_ids:
            for step in self.steps(scope, entity_id, (predicate,)):
                if step.other_id and self.holds_now(step.fact):
                    reached[step.other_id] = None
        return tuple(reached)

    def steps(self, scope: Scope, entity_id: str, predicates: Sequence[str]) -> list[Step]:
        """Facts of the entity under any of the predicates (or narrower ones), most certain first.

        No predicates means every fact of the entity.
        """
        forward, backward = self._directions(predicates)
        steps: list[Step] = []
        for fact in self._facts.in_force_of(scope, entity_id):
            if fact.subject_id == entity_id and (not predicates or fact.predicate in forward):
                steps.append(Step(fact, fact.object_id))
            elif fact.object_id == entity_id and (not predicates or fact.predicate in backward):
                steps.append(Step(fact, fact.subject_id))
        return sorted(steps, key=lambda step: (-step.fact.confidence, step.fact.recorded_at))

    def facts_towards(
        self, scope: Scope, object_id: str, predicates: Sequence[str]
    ) -> list[PropositionRecord]:
        """Facts that end at an entity, for questions like "who lives in Berlin"."""
        forward, _ = self._directions(predicates)
        return [
            fact
            for fact in self._facts.in_force_of(scope, object_id)
            if fact.object_id == object_id and fact.predicate in forward
        ]

    def _directions(self, predicates: Sequence[str]) -> tuple[set[str], set[str]]:
        """The predicates to look for with the entity as subject, and with it as object."""
        forward: set[str] = set()
        for predicate in predicates:
            canonical = self._ontology.canonical_predicate(predicate)
            forward.update(self._ontology.narrower(canonical) if canonical else (predicate,))
        backward: set[str] = set()
        for name in forward:
            known = self._ontology.predicates.get(name)
            if known is None:
                continue
            if known.symmetric:
                backward.add(name)
            if known.inverse:
                backward.update(self._ontology.narrower(known.inverse))
        # "Ana HAS_SIBLING me" says nothing of Ana's gender: asked for my sister it may not count.
        return forward, {name for name in backward if self._answers(name, forward)}

    def _answers(self, backward: str, forward: set[str]) -> bool:
        """Whether a fact kept as ``backward`` says, read from its object, one of ``forward``."""
        known = self._ontology.predicates[backward]
        if known.symmetric and backward in forward:
            return True
        return known.inverse is not None and known.inverse in forward

    def is_kind(self, scope: Scope, entity_id: str, noun: str) -> bool:
        """Whether an entity is known to be what a noun says ("a dog"), or is only called that."""
        wanted = normalise(noun)
        kinds = [
            step.fact.literal or self._name_of(scope, step.other_id)
            for step in self.steps(scope, entity_id, _KINDS)
            if self.holds_now(step.fact)
        ]
        return any(normalise(kind) == wanted for kind in [*kinds, self._name_of(scope, entity_id)])

    def _name_of(self, scope: Scope, entity_id: str) -> str:
        found = self._entities.get(scope, entity_id)
        return found.name if found is not None else ""

    def _has_name(self, scope: Scope, entity_id: str, name: str) -> bool:
        return any(record.entity_id == entity_id for record in self.by_name(scope, name))

    def holds_now(self, fact: PropositionRecord) -> bool:
        """Whether a fact is asserted, affirmed, has begun and has not ended."""
        today = self._clock().date().isoformat()
        return (
            fact.polarity == "affirmed"
            and fact.modality in ("asserted", "inferred")
            and (fact.valid_until is None or fact.valid_until > today)
            and (fact.valid_from is None or fact.valid_from[:10] <= today)
        )

    def names(self, scope: Scope, entity_ids: Sequence[str]) -> dict[str, EntityRecord]:
        """The entities themselves."""
        return self._entities.get_many(scope, entity_ids)
