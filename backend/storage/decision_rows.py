"""Identity decisions (mention to entity) and what the person did by hand: both are replayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.storage.database import Database
from backend.storage.records import chunks, columns_of, insert_record, records_from
from backend.storage.scope import Scope


@dataclass(frozen=True, slots=True)
class IdentityDecision:
    """One row of ``identity_decisions``.

    ``argument`` is the place in the statement: ``subject``, ``object``, ``reporter``, ``speaker``,
    followed by ``.anchor`` for who it is described by and ``.member:N`` for one of a group.
    """

    decision_id: str
    user_id: str
    context_id: str
    sequence: int
    kind: str
    statement_id: str | None
    argument: str | None
    entity_id: str
    other_entity_id: str | None
    decided_by: str
    reason: str
    recorded_at: str


@dataclass(frozen=True, slots=True)
class PersonDecision:
    """One row of ``person_decisions``: an edit, an undo or a forgetting, in order."""

    decision_id: str
    user_id: str
    context_id: str
    sequence: int
    kind: str
    target: str
    body_json: str
    recorded_at: str


_IDENTITY = columns_of(IdentityDecision)
_PERSON = columns_of(PersonDecision)
_IN_SCOPE = "+user_id = ? AND +context_id = ?"
"""The plus keeps the planner from taking the scope, which is nearly every row, as the way in."""


class IdentityDecisionRows:
    """Reads and adds identity decisions of a scope; they go with their statement."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, record: IdentityDecision) -> None:
        insert_record(self._database, "identity_decisions", record)

    def next_sequence(self, scope: Scope) -> int:
        return _next_sequence(self._database, "identity_decisions", scope)

    def of_statements(
        self, scope: Scope, statement_ids: Sequence[str]
    ) -> dict[str, dict[str, str]]:
        """For each statement: place in it → entity."""
        found: dict[str, dict[str, str]] = {identifier: {} for identifier in statement_ids}
        for marks, part in chunks(statement_ids):
            rows = self._database.execute(
                "SELECT statement_id, argument, entity_id FROM identity_decisions "
                f"WHERE kind = 'resolved' AND statement_id IN {marks} "
                f"AND {_IN_SCOPE} ORDER BY sequence",
                [*part, scope.user_id, scope.context_id],
            )
            for statement_id, argument, entity_id in rows:
                found[statement_id][argument] = entity_id
        return found

    def mentions_of(self, scope: Scope, entity_id: str) -> list[tuple[str, str]]:
        """(statement id, place) of every mention that means the entity, in order of learning."""
        rows = self._database.execute(
            "SELECT statement_id, argument FROM identity_decisions WHERE kind = 'resolved' "
            f"AND entity_id = ? AND {_IN_SCOPE} ORDER BY sequence",
            (entity_id, scope.user_id, scope.context_id),
        )
        return [(str(statement_id), str(argument)) for statement_id, argument in rows]

    def drop_place(self, scope: Scope, statement_id: str, argument: str) -> None:
        """Remove the decisions at a place of a statement and inside it (its anchors)."""
        self._database.execute(
            f"DELETE FROM identity_decisions WHERE statement_id = ? AND {_IN_SCOPE} "
            "AND (argument = ? OR substr(argument, 1, ?) = ?)",
            (
                statement_id,
                scope.user_id,
                scope.context_id,
                argument,
                len(argument) + 1,
                f"{argument}.",
            ),
        )

    def all_in_order(self, scope: Scope) -> list[IdentityDecision]:
        rows = self._database.execute(
            f"SELECT {_IDENTITY} FROM identity_decisions WHERE user_id = ? AND context_id = ? "
            "ORDER BY sequence",
            (scope.user_id, scope.context_id),
        )
        return records_from(rows, IdentityDecision)

    def recent_entities(
        self, scope: Scope, conversation_id: str, before_ordinal: int, messages: int
    ) -> list[str]:
        """Entities meant in the last few messages of a conversation, the latest first."""
        rows = self._database.execute(
            # CROSS JOIN: from the few messages inwards, whatever the planner expects.
            "SELECT d.entity_id FROM messages m "
            "CROSS JOIN statements s ON s.message_id = m.message_id "
            "CROSS JOIN identity_decisions d ON d.statement_id = s.statement_id "
            "WHERE m.conversation_id = ? AND m.ordinal <= ? AND m.ordinal > ? "
            "AND d.kind = 'resolved' AND +d.user_id = ? AND +d.context_id = ? "
            "ORDER BY m.ordinal DESC, d.sequence DESC",
            (
                conversation_id,
                before_ordinal,
                before_ordinal - messages,
                scope.user_id,
                scope.context_id,
            ),
        )
        return list(dict.fromkeys(str(row[0]) for row in rows))


class PersonDecisionRows:
    """Reads, adds and removes what the person decided in a scope."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, record: PersonDecision) -> None:
        insert_record(self._database, "person_decisions", record)

    def next_sequence(self, scope: Scope) -> int:
        return _next_sequence(self._database, "person_decisions", scope)

    def edits(self, scope: Scope) -> list[PersonDecision]:
        """All edits in order."""
        rows = self._database.execute(
            f"SELECT {_PERSON} FROM person_decisions WHERE kind = 'edit' "
            "AND user_id = ? AND context_id = ? ORDER BY sequence",
            (scope.user_id, scope.context_id),
        )
        return records_from(rows, PersonDecision)

    def delete(self, scope: Scope, decision_ids: Sequence[str]) -> None:
        for marks, part in chunks(decision_ids):
            self._database.execute(
                f"DELETE FROM person_decisions WHERE decision_id IN {marks} AND {_IN_SCOPE}",
                [*part, scope.user_id, scope.context_id],
            )


def _next_sequence(database: Database, table: str, scope: Scope) -> int:
    rows = database.execute(
        f"SELECT max(sequence) FROM {table} WHERE user_id = ? AND context_id = ?",
        (scope.user_id, scope.context_id),
    )
    return int(rows[0][0] or 0) + 1
