"""The graph as a pure function of accepted facts and entities, kept in step with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from backend.identity.owner import owner_id
from backend.propositions.graph_port import Link
from backend.storage.clock import Clock, to_text, utc_now
from backend.storage.database import Database
from backend.storage.entity_rows import EntityRecord, EntityRows
from backend.storage.graph_rows import EdgeRecord, GraphRows, NodeRecord
from backend.storage.home_secret import HomeSecret
from backend.storage.proposition_rows import PropositionRecord, PropositionRows
from backend.storage.scope import Scope

_GROUP_PREFIX = "group "


class PropositionGraph:
    """Projects nodes and edges (DESIGN §4).

    A node is an entity with at least one fact in force, or the owner. An edge stands for the
    affirmed, asserted facts in force between two entities, one edge for each episode; what
    others only proposed makes none. Call the methods in the transaction that changed the facts.
    """

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._graph = GraphRows(database)
        self._entities = EntityRows(database)
        self._propositions = PropositionRows(database)
        self._secret = HomeSecret(database)
        self._clock = clock

    def project(
        self, scope: Scope, entity_ids: Iterable[str], links: Iterable[Link], reason: str
    ) -> None:
        """Bring the given nodes and edges in step; ``reason`` goes into their history."""
        wanted = set(entity_ids)
        places = set(links)
        for link in places:
            wanted |= {link.subject_id, link.object_id}
        now = to_text(self._clock())
        gone: list[str] = []
        for entity_id in sorted(wanted):
            if not self._project_node(scope, entity_id, now, reason):
                gone.append(entity_id)
        for link in sorted(places):
            self._project_edges(scope, link, now, reason)
        for entity_id in gone:
            # After the edges: their removal must be seen as such, not as a cascade.
            self._graph.delete_node(scope, entity_id)

    def rebuild(self, scope: Scope) -> None:
        """Drop the graph of the scope and project it anew."""
        self._graph.delete_all(scope)
        records = self._propositions.all(scope)
        links = {
            Link(record.subject_id, record.predicate, record.object_id)
            for record in records
            if record.object_id
        }
        entity_ids = {row.entity_id for row in self._entities.all(scope)}
        self.project(scope, entity_ids, links, "rebuild")

    def purge_history(self, scope: Scope, entity_ids: Iterable[str]) -> None:
        """Forget what nodes, and the edges at them, were like before."""
        self._graph.purge_history(scope, sorted(entity_ids))

    def _project_node(self, scope: Scope, entity_id: str, now: str, reason: str) -> bool:
        entity = self._entities.get(scope, entity_id)
        if entity is None:
            return False
        # The owner takes part in half of all facts: they are not gone through for each message.
        is_owner = entity_id == owner_id(scope)
        sure = 1.0 if is_owner else self._propositions.highest_confidence(scope, entity_id)
        if sure is None:
            return False
        values = self._propositions.values_in_force(scope, entity_id)
        aliases = [alias.alias for alias in self._entities.aliases(scope, entity_id)]
        node = NodeRecord(
            id=entity_id,
            user_id=scope.user_id,
            context_id=scope.context_id,
            label=entity.label,
            properties=json.dumps(
                node_properties(entity, values), ensure_ascii=False, sort_keys=True
            ),
            confidence=sure,
            source_text="",
            canonical_id=entity.merged_into or entity_id,
            aliases_json=json.dumps(aliases, ensure_ascii=False),
            valid_from=None,
            valid_until=None,
            is_current=1,
            created_at=now,
            updated_at=now,
            version=1,
        )
        before = self._graph.nodes(scope, [entity_id]).get(entity_id)
        self._graph.put_node(node, before, reason)
        return True

    def _project_edges(self, scope: Scope, link: Link, now: str, reason: str) -> None:
        facts = self._propositions.in_force_between(
            scope, link.subject_id, link.predicate, link.object_id
        )
        present = self._graph.edges_between(scope, link.subject_id, link.predicate, link.object_id)
        wanted: dict[str, EdgeRecord] = {}
        for episode, together in _by_episode(facts).items():
            identifier = self._secret.hash(
                "edge", scope.user_id, scope.context_id, *link, str(episode)
            )
            wanted[identifier] = _edge(scope, identifier, link, together, now)
        for identifier in sorted(present.keys() - wanted.keys()):
            self._graph.delete_edge(scope, identifier)
        for identifier, edge in sorted(wanted.items()):
            self._graph.put_edge(edge, present.get(identifier), reason)


def node_properties(entity: EntityRecord, facts: Sequence[PropositionRecord]) -> dict[str, object]:
    """Name, gender, and the values of current literal facts, several of one kind as a list."""
    properties: dict[str, object] = {"name": entity.name}
    if entity.gender:
        properties["gender"] = entity.gender
    if entity.normalised.startswith(_GROUP_PREFIX):
        properties["members"] = entity.normalised.removeprefix(_GROUP_PREFIX).split("+")
    values: dict[str, list[str]] = {}
    for fact in facts:
        if makes_edge(fact) and not is_past(fact):
            values.setdefault(fact.predicate.lower(), []).append(fact.literal_text)
    for name, texts in values.items():
        distinct = sorted(set(texts))
        properties[name] = distinct[0] if len(distinct) == 1 else distinct
    return properties


def makes_edge(fact: PropositionRecord) -> bool:
    """Only what is affirmed and asserted holds in the graph."""
    return fact.polarity == "affirmed" and fact.modality == "asserted"


def is_past(fact: PropositionRecord) -> bool:
    """Whether the fact had ended when it was last spoken of."""
    return bool(json.loads(fact.qualifiers_json).get("is_past", False))


def _by_episode(facts: Sequence[PropositionRecord]) -> dict[int, list[PropositionRecord]]:
    """Facts of several speakers about the same episode share an edge."""
    found: dict[int, list[PropositionRecord]] = {}
    for fact in facts:
        if makes_edge(fact):
            found.setdefault(fact.episode, []).append(fact)
    return found


def _edge(
    scope: Scope, identifier: str, link: Link, facts: Sequence[PropositionRecord], now: str
) -> EdgeRecord:
    chief = max(facts, key=lambda fact: (not is_past(fact), fact.confidence, fact.proposition_id))
    qualifiers = json.loads(chief.qualifiers_json)
    qualifiers.pop("is_past", None)
    return EdgeRecord(
        id=identifier,
        user_id=scope.user_id,
        context_id=scope.context_id,
        source_id=link.subject_id,
        target_id=link.object_id,
        relation_type=link.predicate,
        properties=json.dumps(qualifiers, ensure_ascii=False, sort_keys=True),
        confidence=max(fact.confidence for fact in facts),
        source_text=chief.text,
        proposition_ids_json=json.dumps(sorted(fact.proposition_id for fact in facts)),
        valid_from=chief.valid_from,
        valid_until=chief.valid_until,
        is_current=int(not is_past(chief)),
        created_at=now,
        updated_at=now,
        version=1,
    )
