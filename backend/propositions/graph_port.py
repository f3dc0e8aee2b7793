"""What the truth asks of its graph: to follow every change within the same transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from backend.storage.scope import Scope


class Link(NamedTuple):
    """The place of an edge: all facts of one subject, predicate and object entity."""

    subject_id: str
    predicate: str
    object_id: str


class GraphProjection(Protocol):
    """A pure function of accepted facts and identity, kept in step (DESIGN §4)."""

    def project(
        self, scope: Scope, entity_ids: Iterable[str], links: Iterable[Link], reason: str
    ) -> None:
        """Bring nodes and edges in step with the facts; ``reason`` goes into their history."""

    def rebuild(self, scope: Scope) -> None:
        """Drop the graph of the scope and project it anew."""

    def purge_history(self, scope: Scope, entity_ids: Iterable[str]) -> None:
        """Forget what nodes, and the edges at them, were like before."""
