"""What one message changed, as the memory chip tells it; ids only, so that nothing lingers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from backend.identity.assignment import Doubt
from backend.propositions.facts import FactChange, Status, Verb
from backend.propositions.outcome import FactState, Outcome

Operation = Literal["added", "changed", "confirmed", "ended", "question"]

_GAVE_WAY = frozenset({Verb.ENDED, Verb.RETRACTED, Verb.SUPERSEDED})
_SHOWN = frozenset({Status.ACTIVE, Status.PROPOSED, Status.PROMOTED})


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One line: ``id`` is the fact, ``old_id`` the fact that gave way to it.

    For a question ``entity_id`` is the doubtful entity and ``candidates`` are who else it may be;
    without an entity it is which of the two facts is so.
    """

    op: Operation
    id: str
    old_id: str | None = None
    entity_id: str | None = None
    candidates: tuple[str, ...] = ()


def items_of(outcome: Outcome, batch_id: str, doubts: Sequence[Doubt] = ()) -> list[BatchItem]:
    """The lines of a batch, from the facts before and after it."""
    news = {
        identifier: [change for change in state.changes if change.batch_id == batch_id]
        for identifier, state in outcome.after.items()
    }
    displaced = {
        identifier
        for identifier, changes in news.items()
        if identifier in outcome.before and _has_given_way(outcome.after[identifier], changes)
    }
    items: list[BatchItem] = []
    told: set[str] = set()
    for identifier, state in outcome.after.items():
        if identifier in outcome.before or state.record.status not in _SHOWN:
            continue
        old = next((one for one in displaced - told if _gave_way(outcome, one, state)), None)
        if old is not None:
            told.add(old)
        items.append(BatchItem("added" if old is None else "changed", identifier, old))
    for identifier, state in outcome.after.items():
        before = outcome.before.get(identifier)
        if before is not None and identifier not in told:
            operation = _operation(before, state, news[identifier])
            if operation is not None:
                items.append(BatchItem(operation, identifier))
    return items + _contradictions(outcome, news, items) + _questions(outcome, doubts)


def encode_items(items: Sequence[BatchItem]) -> str:
    """The items as a batch row keeps them."""
    return json.dumps([asdict(item) for item in items])


def decode_items(items_json: str) -> tuple[BatchItem, ...]:
    """The items that ``encode_items`` wrote."""
    return tuple(
        BatchItem(**{**item, "candidates": tuple(item["candidates"])})
        for item in json.loads(items_json)
    )


def _gave_way(outcome: Outcome, old_id: str, new: FactState) -> bool:
    old = outcome.after[old_id]
    return old.group == new.group and old.record.modality == new.record.modality


def _has_given_way(state: FactState, news: Sequence[FactChange]) -> bool:
    """A contradicted fact that is still in force has not: which of two is so is asked."""
    verbs = {change.verb for change in news}
    denied = Verb.CONTRADICTED in verbs and state.record.status not in _SHOWN
    return denied or bool(verbs & _GAVE_WAY)


def _operation(before: FactState, after: FactState, news: Sequence[FactChange]) -> Operation | None:
    verbs = {change.verb for change in news}
    if _has_given_way(after, news):
        return "ended"
    if Verb.REOPENED in verbs:
        return "changed"
    in_force = after.record.status in _SHOWN
    return "confirmed" if in_force and after.evidence - before.evidence else None


def _contradictions(
    outcome: Outcome, news: Mapping[str, Sequence[FactChange]], items: Sequence[BatchItem]
) -> list[BatchItem]:
    """Asks which of two facts is so; ``old_id`` is the one that was known before."""
    questions: list[BatchItem] = []
    for old_id, changes in news.items():
        old = outcome.after[old_id]
        doubted = any(change.verb is Verb.CONTRADICTED for change in changes)
        if not doubted or old.record.status not in _SHOWN:
            continue
        for item in items:
            new = outcome.after.get(item.id)
            if new is not None and item.id != old_id and _gave_way(outcome, old_id, new):
                questions.append(BatchItem("question", item.id, old_id))
    return questions


def _questions(outcome: Outcome, doubts: Sequence[Doubt]) -> list[BatchItem]:
    questions: dict[str, BatchItem] = {}
    for doubt in doubts:
        fact = next(
            (key for key, state in outcome.after.items() if doubt.statement_id in state.evidence),
            None,
        )
        if fact is not None:
            questions[doubt.entity_id] = BatchItem(
                "question", fact, None, doubt.entity_id, doubt.candidates
            )
    return list(questions.values())
