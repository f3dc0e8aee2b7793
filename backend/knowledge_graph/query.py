"""Reads the graph: the neighbourhood of an entity, the most important nodes first."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backend.storage.database import Database
from backend.storage.graph_rows import EdgeRecord, GraphRows, NodeRecord
from backend.storage.scope import Scope

_WIDEST_LAYER = 2_000
"""Nodes of one layer that are looked at before the cap; a hub may have a hundred thousand."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node as people see it; ``importance`` is 0…1 within the neighbourhood."""

    id: str
    name: str
    label: str
    importance: float
    distance: int


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge with the facts that it stands for."""

    id: str
    source_id: str
    target_id: str
    predicate: str
    text: str
    fact_ids: tuple[str, ...]
    is_current: bool
    valid_from: str | None
    valid_until: str | None


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes, centre first, and all edges between them; ``hidden`` nodes did not fit."""

    center_id: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    hidden: int = 0


class GraphQuery:
    """Questions to the projected graph of a scope."""

    def __init__(self, database: Database) -> None:
        self._rows = GraphRows(database)

    def neighbourhood(
        self,
        scope: Scope,
        center_id: str,
        depth: int = 2,
        limit: int = 150,
        *,
        current_only: bool = False,
    ) -> Neighbourhood:
        """Everything within ``depth`` steps; empty if there is no such node.

        Of more than ``limit`` nodes the nearer and then the better connected stay.
        """
        if center_id not in self._rows.nodes(scope, [center_id]):
            return Neighbourhood(center_id, (), ())
        distance, degree = self._spread(scope, center_id, depth, current_only=current_only)
        ranked = sorted(distance, key=lambda one: (distance[one], -degree.get(one, 0), one))
        kept = ranked[: max(1, limit)]
        found = self._rows.nodes(scope, kept)
        chosen = set(found)
        edges = [
            edge
            for edge in self._rows.edges_at(scope, kept, current_only=current_only)
            if edge.source_id in chosen and edge.target_id in chosen
        ]
        shown = _degrees(edges)
        most = max(shown.values(), default=1)
        return Neighbourhood(
            center_id,
            tuple(
                _node(found[one], distance[one], shown.get(one, 0), most)
                for one in kept
                if one in found
            ),
            tuple(_edge(edge) for edge in edges),
            hidden=len(ranked) - len(kept),
        )

    def _spread(
        self, scope: Scope, center_id: str, depth: int, *, current_only: bool
    ) -> tuple[dict[str, int], dict[str, int]]:
        distance = {center_id: 0}
        seen: dict[str, EdgeRecord] = {}
        layer: Sequence[str] = [center_id]
        for step in range(1, depth + 1):
            edges = self._rows.edges_at(scope, layer, current_only=current_only)
            seen.update((edge.id, edge) for edge in edges)
            ends = (end for edge in edges for end in (edge.source_id, edge.target_id))
            layer = [end for end in dict.fromkeys(ends) if end not in distance]
            distance.update((end, step) for end in layer)
            layer = layer[:_WIDEST_LAYER]
            if not layer:
                break
        return distance, _degrees(seen.values())


def _degrees(edges: Iterable[EdgeRecord]) -> dict[str, int]:
    degrees: dict[str, int] = {}
    for edge in edges:
        for end in (edge.source_id, edge.target_id):
            degrees[end] = degrees.get(end, 0) + 1
    return degrees


def _node(node: NodeRecord, distance: int, degree: int, most: int) -> GraphNode:
    importance = 1.0 if distance == 0 else math.log1p(degree) / math.log1p(max(most, 1))
    return GraphNode(
        id=node.id,
        name=str(json.loads(node.properties).get("name", "")),
        label=node.label,
        importance=round(min(1.0, importance), 3),
        distance=distance,
    )


def _edge(edge: EdgeRecord) -> GraphEdge:
    return GraphEdge(
        id=edge.id,
        source_id=edge.source_id,
        target_id=edge.target_id,
        predicate=edge.relation_type,
        text=edge.source_text,
        fact_ids=tuple(json.loads(edge.proposition_ids_json)),
        is_current=bool(edge.is_current),
        valid_from=edge.valid_from,
        valid_until=edge.valid_until,
    )
