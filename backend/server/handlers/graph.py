"""Requests for a picture of the graph."""

from __future__ import annotations

from aico_desktop.contract.messages import (
    Graph,
    GraphEdgeView,
    GraphNodeView,
    GraphView,
    Message,
)
from backend.identity.owner import owner_id
from backend.knowledge_graph.layout import Position, arrange
from backend.knowledge_graph.query import GraphQuery
from backend.server.requests import Handler, RequestContext
from backend.storage.scope import Scope

_MOST_NODES = 2000
_DEEPEST = 4


class GraphHandlers:
    """Lays neighbourhoods out; the window only draws them."""

    def __init__(self, scope: Scope, query: GraphQuery) -> None:
        self._scope = scope
        self._query = query
        self._last: tuple[str, dict[str, Position]] | None = None

    def handlers(self) -> dict[type[Message], Handler]:
        """The requests that this class answers."""
        return {GraphView: self._view}

    def _view(self, request: GraphView, context: RequestContext) -> Graph:
        del context
        found = self._query.neighbourhood(
            self._scope,
            request.center_id or owner_id(self._scope),
            max(1, min(request.depth, _DEEPEST)),
            max(1, min(request.limit, _MOST_NODES)),
        )
        last = self._last
        places = arrange(
            [node.id for node in found.nodes],
            [(edge.source_id, edge.target_id) for edge in found.edges],
            # A picture that is asked for again after a change must not jump.
            previous=last[1] if last is not None and last[0] == found.center_id else None,
        )
        self._last = (found.center_id, places)
        return Graph(
            center_id=found.center_id,
            nodes=tuple(
                GraphNodeView(
                    id=node.id,
                    name=node.name,
                    label=node.label,
                    importance=node.importance,
                    x=places[node.id][0],
                    y=places[node.id][1],
                )
                for node in found.nodes
            ),
            edges=tuple(
                GraphEdgeView(
                    id=edge.id,
                    source_id=edge.source_id,
                    target_id=edge.target_id,
                    predicate=edge.predicate,
                    text=edge.text,
                    fact_ids=edge.fact_ids,
                )
                for edge in found.edges
            ),
            hidden=found.hidden,
        )
