"""Corrections by hand: a fact's object or its dates, kept as a decision that is replayed."""

from __future__ import annotations

from backend.identity.names import fold as fold_text
from backend.identity.owner import new_entity_id
from backend.identity.profile import absorb
from backend.identity.resolver import Surroundings
from backend.propositions.claim_loader import encode_edit
from backend.propositions.claims import Edit
from backend.propositions.facts import Reason
from backend.propositions.intervals import complete_date
from backend.propositions.outcome import key_of
from backend.propositions.truth import Truth
from backend.storage.proposition_rows import PropositionRecord
from backend.storage.scope import Scope
from backend.understanding.statements import ArgumentKind, EntityArgument


class InvalidEdit(ValueError):
    """The wish cannot be carried out, in words for the person."""


def edit_fact(
    truth: Truth,
    scope: Scope,
    record: PropositionRecord,
    new_object: str | None,
    valid_from: str | None,
    valid_until: str | None,
) -> str:
    """Correct the fact in a transaction of the caller; returns the id of the corrected fact.

    None leaves a field, '' takes a date away. Raises InvalidEdit for an empty object, for what
    is no date, or for an end before the beginning.
    """
    _check_dates(record, valid_from, valid_until)
    if new_object is not None and not new_object.strip():
        raise InvalidEdit("A fact needs an object; to take the fact away, forget it.")
    rows = truth.statements.evidence_of(scope, [record.proposition_id])[record.proposition_id]
    object_id, literal, literal_text, label = None, None, None, ""
    if new_object is not None and record.object_id:
        object_id, label = _object_entity(truth, scope, record, new_object.strip())
    elif new_object is not None:
        literal_text = new_object.strip()
        literal = fold_text(literal_text)
    edit = Edit(
        decision_id="",
        fact_id=record.proposition_id,
        key=key_of(record),
        message_ids=frozenset(row.message_id for row in rows),
        recorded_at="",
        new_object_id=object_id,
        new_literal=literal,
        new_literal_text=literal_text,
        valid_from=valid_from,
        valid_until=valid_until,
    )
    body = encode_edit(edit, (new_object or "").strip(), label)
    truth.decide(scope, "edit", record.proposition_id, body)
    renamed = truth.keeper.rebuild(scope, {object_id} if object_id else set())
    groups = {truth.store.group_of(edit.key), truth.store.group_of(edit.new_key)}
    outcome = truth.store.refold(scope, groups, rows)
    truth.store.reword(scope, renamed)
    truth.project(scope, outcome, renamed, Reason.USER_CORRECTION)
    evidence = {row.statement_id for row in rows}
    for identifier, state in outcome.after.items():
        if key_of(state.record) == edit.new_key and state.evidence & evidence:
            return identifier
    raise InvalidEdit("The fact has no source any more.")


def _object_entity(
    truth: Truth, scope: Scope, record: PropositionRecord, name: str
) -> tuple[str, str]:
    """The entity that the person names: one that is known, else a new one of the same label."""
    present = truth.entities.get(scope, record.object_id)
    label = present.label if present is not None else "OBJECT"
    argument = EntityArgument(ArgumentKind.NAMED, name, label)
    resolution = truth.resolver.resolve(scope, argument, surroundings=Surroundings())
    if resolution.entity_id is not None:
        found = truth.entities.get(scope, resolution.entity_id)
        return resolution.entity_id, found.label if found is not None else label
    entity_id = new_entity_id(truth.decisions.next_sequence(scope))
    truth.keeper.learn(scope, entity_id, absorb(None, argument), truth.now())
    return entity_id, label


def _check_dates(
    record: PropositionRecord, valid_from: str | None, valid_until: str | None
) -> None:
    start = record.valid_from if valid_from is None else _first_day(valid_from)
    end = record.valid_until if valid_until is None else _first_day(valid_until)
    if start and end and end[:10] <= start[:10]:
        raise InvalidEdit("The end must come after the beginning.")


def _first_day(typed: str) -> str:
    """The day on which a typed date begins; '' for none. Raises InvalidEdit."""
    try:
        return complete_date(typed)[0] if typed else ""
    except ValueError as error:
        raise InvalidEdit("A date looks like 2026-05-01, 2026-05 or 2026.") from error
