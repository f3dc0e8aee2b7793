"""What a refold found and left: the groups that fold together, and their facts before and after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from backend.propositions.claims import FactKey
from backend.propositions.facts import FactChange
from backend.storage.proposition_rows import PropositionRecord


class Group(NamedTuple):
    """The facts that are folded together.

    ``target`` is (object id, literal), or None where the predicate is functional.
    """

    subject_id: str
    predicates: tuple[str, ...]
    target: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class FactState:
    """A stored fact with its evidence, history and group."""

    record: PropositionRecord
    evidence: frozenset[str]
    group: Group
    changes: tuple[FactChange, ...] = ()


@dataclass(slots=True)
class Outcome:
    """Facts of the refolded groups before and after, by id."""

    before: dict[str, FactState] = field(default_factory=dict)
    after: dict[str, FactState] = field(default_factory=dict)

    @property
    def changed_ids(self) -> list[str]:
        """Facts that came, went, or are not as they were."""
        ids = dict.fromkeys([*self.after, *self.before])
        return [identifier for identifier in ids if self._differs(identifier)]

    def _differs(self, identifier: str) -> bool:
        before, after = self.before.get(identifier), self.after.get(identifier)
        if before is None or after is None:
            return True
        return before.record != after.record or before.evidence != after.evidence

    @property
    def touched_entities(self) -> set[str]:
        """Entities of all these facts."""
        states = [*self.before.values(), *self.after.values()]
        ids = {state.record.subject_id for state in states}
        return (ids | {state.record.object_id for state in states}) - {""}


def key_of(record: PropositionRecord) -> FactKey:
    """The key of a stored fact."""
    return FactKey(
        record.subject_id,
        record.predicate,
        record.object_id,
        record.literal,
        record.polarity,
        record.modality,
        record.speaker_id,
    )
