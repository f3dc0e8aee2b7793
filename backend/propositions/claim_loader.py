"""Turns stored statements into claims: identity decided, direction canonical, edits applied."""

from __future__ import annotations

import json
from collections.abc import Iterable

from backend.identity.codec import decode_said, decode_statement
from backend.identity.names import fold as fold_text
from backend.identity.owner import owner_id
from backend.identity.places import OBJECT, SUBJECT
from backend.propositions.claims import Claim, Edit, FactKey, with_edits
from backend.propositions.intervals import validity_of
from backend.propositions.predicates import PredicateRules
from backend.storage.decision_rows import IdentityDecisionRows, PersonDecisionRows
from backend.storage.scope import Scope
from backend.storage.statement_rows import StatementRecord
from backend.understanding.statements import (
    Change,
    LiteralArgument,
    Polarity,
    Precision,
    Statement,
)

_SEPARATOR = "\x1f"


class ClaimLoader:
    """Reads what the fold needs; the statements themselves never change."""

    def __init__(
        self,
        decisions: IdentityDecisionRows,
        person_decisions: PersonDecisionRows,
        rules: PredicateRules,
    ) -> None:
        self._decisions = decisions
        self._person_decisions = person_decisions
        self._rules = rules

    def claims(self, scope: Scope, records: Iterable[StatementRecord]) -> list[Claim]:
        """One claim for each statement, under all edits of the scope."""
        rows = list(records)
        ids = self._decisions.of_statements(scope, [row.statement_id for row in rows])
        edits = self.edits(scope)
        return [with_edits(self._claim(scope, row, ids[row.statement_id]), edits) for row in rows]

    def edits(self, scope: Scope) -> tuple[Edit, ...]:
        """The person's corrections in order."""
        return tuple(
            decode_edit(row.decision_id, row.target, row.body_json, row.recorded_at)
            for row in self._person_decisions.edits(scope)
        )

    def _claim(self, scope: Scope, row: StatementRecord, ids: dict[str, str]) -> Claim:
        statement = decode_statement(row.body_json)
        said = decode_said(row.body_json)
        literal = statement.object if isinstance(statement.object, LiteralArgument) else None
        key = self._key(scope, row, ids, statement, literal)
        change = self._change_of(statement, key.predicate)
        valid = validity_of(change, statement.valid, said.said_on)
        owner = owner_id(scope)
        about_owner = owner in (key.subject_id, key.object_id)
        speaks_of_self = key.speaker_id in (key.subject_id, key.object_id) and not about_owner
        return Claim(
            statement_id=row.statement_id,
            batch_id=row.batch_id,
            message_id=row.message_id,
            sequence=row.sequence,
            said_at=row.said_at,
            said_on=said.said_on,
            recorded_at=row.recorded_at,
            key=key,
            origin=_SEPARATOR.join(key),
            literal_type=literal.type if literal else "",
            literal_text=literal.text if literal else "",
            change=change,
            valid_from=valid.start,
            valid_until=valid.end,
            precision=valid.precision,
            qualifiers=statement.qualifiers,
            confidence=statement.confidence,
            words=said.words,
            has_authority=key.speaker_id == owner or speaks_of_self,
        )

    def _change_of(self, statement: Statement, predicate: str) -> Change:
        if _denies_an_end(statement):
            return Change.HOLDS
        on_a_day = statement.valid is not None and statement.valid.precision is Precision.DAY
        if on_a_day and statement.change is Change.HOLDS and self._rules.begins_on(predicate):
            return Change.STARTS
        return statement.change

    def _key(
        self,
        scope: Scope,
        row: StatementRecord,
        ids: dict[str, str],
        statement: Statement,
        literal: LiteralArgument | None,
    ) -> FactKey:
        predicate, subject_id, object_id = self._rules.canonical(
            statement.predicate, ids[SUBJECT], ids.get(OBJECT, ""), owner_id(scope)
        )
        polarity = statement.polarity
        if _denies_an_end(statement):
            polarity = Polarity.AFFIRMED
        elif statement.change is Change.NEVER_HELD:
            polarity = Polarity.NEGATED
        return FactKey(
            subject_id=subject_id,
            predicate=predicate,
            object_id=object_id,
            literal=fold_text(literal.value) if literal else "",
            polarity=str(polarity),
            modality=str(statement.modality),
            speaker_id=row.speaker_id,
        )


def encode_edit(edit: Edit, object_name: str, object_label: str) -> str:
    """The body of a person decision; name and label let the object's entity be rebuilt."""
    return json.dumps(
        {
            "key": list(edit.key),
            "messages": sorted(edit.message_ids),
            "object_id": edit.new_object_id,
            "object_name": object_name,
            "object_label": object_label,
            "literal": edit.new_literal,
            "literal_text": edit.new_literal_text,
            "valid_from": edit.valid_from,
            "valid_until": edit.valid_until,
        },
        ensure_ascii=False,
        sort_keys=True,
    )


def decode_edit(decision_id: str, fact_id: str, body_json: str, recorded_at: str) -> Edit:
    """The edit that ``encode_edit`` wrote."""
    body = json.loads(body_json)
    return Edit(
        decision_id=decision_id,
        fact_id=fact_id,
        key=FactKey(*body["key"]),
        message_ids=frozenset(body["messages"]),
        recorded_at=recorded_at,
        new_object_id=body["object_id"],
        new_literal=body["literal"],
        new_literal_text=body["literal_text"],
        valid_from=body["valid_from"],
        valid_until=body["valid_until"],
    )


def _denies_an_end(statement: Statement) -> bool:
    """Whether it is like "I did not leave Acme", which says that the work there goes on."""
    return statement.change is Change.ENDS and statement.polarity is Polarity.NEGATED
