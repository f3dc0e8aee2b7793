"""The outbox: brings what the database committed into the vector store, idempotently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.storage.database import Database
from backend.storage.due_work import DueWork
from backend.storage.vectors import KINDS, CollectionKind, VectorItem, VectorStore

Embed = Callable[[list[str]], NDArray[np.float32]]
"""Gives one unit vector a text."""

_IDS_PER_QUERY = 500

# What of the CURRENT row is embedded. A node: its label, name and description. Only propositions
# in force are found by their meaning.
_CURRENT: dict[CollectionKind, str] = {
    "kg_nodes": """SELECT id, version, label, trim(label || ': '
            || coalesce(json_extract(properties, '$.name'), '') || ' '
            || coalesce(json_extract(properties, '$.description'), ''))
        FROM kg_nodes WHERE user_id = ? AND id IN ({places})""",
    "kg_edges": """SELECT proposition_id, version, '', text FROM propositions
        WHERE user_id = ? AND status IN ('ACTIVE','PROMOTED') AND proposition_id IN ({places})""",
}
_ALL: dict[CollectionKind, str] = {
    "kg_nodes": "SELECT id, version FROM kg_nodes WHERE user_id = ?",
    "kg_edges": """SELECT proposition_id, version FROM propositions
        WHERE user_id = ? AND status IN ('ACTIVE','PROMOTED')""",
}


@dataclass(frozen=True, slots=True)
class _Entry:
    """A change that waits; what to do is read from the current row, not from here."""

    sequence: int
    user_id: str
    kind: CollectionKind
    item_id: str


def changes_waiting(database: Database, user_id: str) -> int:
    """How many changes of a user are not in the vector store yet."""
    rows = database.execute("SELECT count(*) FROM vector_outbox WHERE user_id = ?", (user_id,))
    return int(rows[0][0])


class OutboxDrainer:
    """Reads changes that triggers noted in the transaction that made them (reference/storage §3).

    Doing a change twice, or after a later one, leads to the same: each reads the row as it is
    now. So a crash between the vector store and the database costs only repeated work.
    """

    def __init__(self, database: Database, vectors: VectorStore, embed: Embed) -> None:
        self._database = database
        self._vectors = vectors
        self._embed = embed
        self._due = DueWork(database)

    def drain_once(self, limit: int = 50) -> int:
        """Bring up to ``limit`` changes into the vector store; returns how many were waiting.

        Raises VectorStoreError or what ``embed`` raises; the changes then wait on.
        """
        rows = self._database.execute(
            "SELECT sequence, user_id, collection, item_id FROM vector_outbox"
            " ORDER BY sequence LIMIT ?",
            (limit,),
        )
        entries = [_Entry(*row) for row in rows]
        if not entries:
            return 0
        groups: dict[tuple[str, CollectionKind], dict[str, None]] = {}
        for entry in entries:
            groups.setdefault((entry.user_id, entry.kind), {})[entry.item_id] = None
        for (user_id, kind), ids in groups.items():
            self._bring(user_id, kind, list(ids))
        # One connection writes, and numbers only rise: nothing older can still appear.
        self._database.execute(
            "DELETE FROM vector_outbox WHERE sequence <= ?", (entries[-1].sequence,)
        )
        return len(entries)

    def _bring(self, user_id: str, kind: CollectionKind, item_ids: Sequence[str]) -> None:
        places = ", ".join("?" * len(item_ids))
        rows = self._database.execute(_CURRENT[kind].format(places=places), (user_id, *item_ids))
        current = {str(row[0]) for row in rows}
        gone = [item_id for item_id in item_ids if item_id not in current]
        if gone:
            self._vectors.delete(user_id, kind, gone)
        if rows:
            vectors = self._embed([str(row[3]) for row in rows])
            items = [
                VectorItem(str(row[0]), vector, int(row[1]), str(row[2]))
                for row, vector in zip(rows, vectors, strict=True)
            ]
            self._vectors.upsert(user_id, kind, items)

    def waiting(self) -> int:
        """How many changes wait."""
        return int(self._database.execute("SELECT count(*) FROM vector_outbox")[0][0])

    def reconcile(self) -> int:
        """Compare ids and versions of both stores and note what differs; returns how much.

        To be run at start: the vector store may be older, emptied, or gone.
        """
        users = {
            str(row[0])
            for row in self._database.execute(
                "SELECT user_id FROM kg_nodes UNION SELECT user_id FROM propositions"
            )
        }
        return sum(
            self._reconcile(user_id, kind)
            for user_id in sorted(users | self._vectors.users())
            for kind in KINDS
        )

    def _reconcile(self, user_id: str, kind: CollectionKind) -> int:
        rows = self._database.execute(_ALL[kind], (user_id,))
        wanted = {str(item_id): int(version) for item_id, version in rows}
        stored = self._vectors.versions(user_id, kind)
        differing = [i for i, version in wanted.items() if stored.get(i) != version]
        differing += [i for i in stored if i not in wanted]
        for start in range(0, len(differing), _IDS_PER_QUERY):
            with self._database.transaction():
                for item_id in differing[start : start + _IDS_PER_QUERY]:
                    self._database.execute(
                        "INSERT INTO vector_outbox(user_id, collection, item_id, operation,"
                        " version) VALUES (?, ?, ?, ?, ?)",
                        (user_id, kind, item_id, "upsert" if item_id in wanted else "delete",
                         wanted.get(item_id, 0)),
                    )  # fmt: skip
        return len(differing)

    def rewrite_if_due(self) -> bool:
        """After something was forgotten: clear its vectors out of the files.

        To be called when nothing waits. Returns False if bytes of one are still there; then it
        stays due.
        """
        since = self._due.since("rewrite_vectors")
        if since is None:
            return True
        clean = self._vectors.rewrite_files()
        if clean:
            self._due.done("rewrite_vectors", since)
        return clean
