"""The projected graph: nodes, edges and their history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from backend.storage.database import Database
from backend.storage.identifiers import new_id
from backend.storage.records import (
    chunks,
    columns_of,
    insert_record,
    records_from,
    values_of,
)
from backend.storage.scope import Scope


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """One row of ``kg_nodes``; ``properties`` is a JSON object."""

    id: str
    user_id: str
    context_id: str
    label: str
    properties: str
    confidence: float
    source_text: str
    canonical_id: str
    aliases_json: str
    valid_from: str | None
    valid_until: str | None
    is_current: int
    created_at: str
    updated_at: str
    version: int


@dataclass(frozen=True, slots=True)
class EdgeRecord:
    """One row of ``kg_edges``; ``proposition_ids_json`` lists the facts that it stands for."""

    id: str
    user_id: str
    context_id: str
    source_id: str
    target_id: str
    relation_type: str
    properties: str
    confidence: float
    source_text: str
    proposition_ids_json: str
    valid_from: str | None
    valid_until: str | None
    is_current: int
    created_at: str
    updated_at: str
    version: int


_Record = TypeVar("_Record", NodeRecord, EdgeRecord)

_NODE = columns_of(NodeRecord)
_EDGE = columns_of(EdgeRecord)
_IN_SCOPE = "user_id = ? AND context_id = ?"


class GraphRows:
    """Reads and writes the graph of a scope; property tables follow by triggers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # ------------------------------------------------------------ reading

    def nodes(self, scope: Scope, ids: Sequence[str]) -> dict[str, NodeRecord]:
        found: dict[str, NodeRecord] = {}
        for marks, part in chunks(ids):
            rows = self._database.execute(
                f"SELECT {_NODE} FROM kg_nodes WHERE id IN {marks} AND {_IN_SCOPE}",
                [*part, scope.user_id, scope.context_id],
            )
            found.update((node.id, node) for node in records_from(rows, NodeRecord))
        return found

    def edges_at(
        self, scope: Scope, node_ids: Sequence[str], *, current_only: bool = False
    ) -> list[EdgeRecord]:
        """Edges that start or end at any of the nodes, each once, in a fixed order."""
        current = " AND is_current = 1" if current_only else ""
        found: dict[str, EdgeRecord] = {}
        for marks, part in chunks(node_ids):
            for column in ("source_id", "target_id"):
                rows = self._database.execute(
                    f"SELECT {_EDGE} FROM kg_edges "
                    f"WHERE {column} IN {marks}{current} AND {_IN_SCOPE}",
                    [*part, scope.user_id, scope.context_id],
                )
                found.update((edge.id, edge) for edge in records_from(rows, EdgeRecord))
        return sorted(found.values(), key=lambda edge: edge.id)

    def edges_between(
        self, scope: Scope, source_id: str, relation: str, target_id: str
    ) -> dict[str, EdgeRecord]:
        rows = self._database.execute(
            f"SELECT {_EDGE} FROM kg_edges WHERE source_id = ? AND relation_type = ? "
            f"AND target_id = ? AND {_IN_SCOPE}",
            (source_id, relation, target_id, scope.user_id, scope.context_id),
        )
        return {edge.id: edge for edge in records_from(rows, EdgeRecord)}

    def all_nodes(self, scope: Scope) -> list[NodeRecord]:
        rows = self._database.execute(
            f"SELECT {_NODE} FROM kg_nodes WHERE {_IN_SCOPE} ORDER BY id",
            (scope.user_id, scope.context_id),
        )
        return records_from(rows, NodeRecord)

    def all_edges(self, scope: Scope) -> list[EdgeRecord]:
        rows = self._database.execute(
            f"SELECT {_EDGE} FROM kg_edges WHERE {_IN_SCOPE} ORDER BY id",
            (scope.user_id, scope.context_id),
        )
        return records_from(rows, EdgeRecord)

    def counts(self, scope: Scope) -> tuple[int, int]:
        """How many nodes and edges there are."""
        found = [
            self._database.execute(
                f"SELECT count(*) FROM {table} WHERE {_IN_SCOPE}",
                (scope.user_id, scope.context_id),
            )
            for table in ("kg_nodes", "kg_edges")
        ]
        return int(found[0][0][0]), int(found[1][0][0])

    # ------------------------------------------------------------ writing

    def put_node(self, node: NodeRecord, before: NodeRecord | None, reason: str) -> None:
        """Insert, or keep the former state in the history and raise the version."""
        self._put("kg_nodes", "kg_node_history", "node_id", node, before, reason)

    def put_edge(self, edge: EdgeRecord, before: EdgeRecord | None, reason: str) -> None:
        """Insert, or keep the former state in the history and raise the version."""
        self._put("kg_edges", "kg_edge_history", "edge_id", edge, before, reason)

    def _put(
        self,
        table: str,
        history: str,
        column: str,
        record: _Record,
        before: _Record | None,
        reason: str,
    ) -> None:
        if before is None:
            insert_record(self._database, table, record)
            return
        comparable = replace(
            record,
            created_at=before.created_at,
            updated_at=before.updated_at,
            version=before.version,
        )
        if comparable == before:
            return
        self._history(history, column, before, reason)
        self._update(
            table, replace(comparable, updated_at=record.updated_at, version=before.version + 1)
        )

    def delete_node(self, scope: Scope, node_id: str) -> None:
        """Remove a node; edges and history at it go along."""
        self._delete("kg_nodes", "id", scope, node_id)

    def delete_edge(self, scope: Scope, edge_id: str) -> None:
        self._delete("kg_edges", "id", scope, edge_id)

    def delete_all(self, scope: Scope) -> None:
        self._database.execute(
            f"DELETE FROM kg_edges WHERE {_IN_SCOPE}", (scope.user_id, scope.context_id)
        )
        self._database.execute(
            f"DELETE FROM kg_nodes WHERE {_IN_SCOPE}", (scope.user_id, scope.context_id)
        )

    def purge_history(self, scope: Scope, node_ids: Sequence[str]) -> None:
        """Remove the former states of nodes and of the edges at them."""
        edges = [edge.id for edge in self.edges_at(scope, node_ids)]
        for node_id in node_ids:
            self._delete("kg_node_history", "node_id", scope, node_id)
        for edge_id in edges:
            self._delete("kg_edge_history", "edge_id", scope, edge_id)

    def _update(self, table: str, record: NodeRecord | EdgeRecord) -> None:
        names = [field.name for field in fields(record)]
        changes = ", ".join(f"{name} = ?" for name in names[1:])
        identifier, *values = values_of(record)
        self._database.execute(f"UPDATE {table} SET {changes} WHERE id = ?", [*values, identifier])

    def _history(
        self, table: str, column: str, before: NodeRecord | EdgeRecord, reason: str
    ) -> None:
        self._database.execute(
            f"INSERT INTO {table} (id, {column}, user_id, context_id, version, properties, "
            "valid_from, valid_until, created_at, change_reason) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                new_id(),
                before.id,
                before.user_id,
                before.context_id,
                before.version,
                before.properties,
                before.valid_from,
                before.valid_until,
                before.updated_at,
                reason,
            ),
        )

    def _delete(self, table: str, column: str, scope: Scope, identifier: str) -> None:
        self._database.execute(
            f"DELETE FROM {table} WHERE {column} = ? AND {_IN_SCOPE}",
            (identifier, scope.user_id, scope.context_id),
        )
