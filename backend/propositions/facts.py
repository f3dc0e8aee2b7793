"""The facts that a fold gives: immutable results, and the growing state they come from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from backend.propositions.claims import Claim, FactKey
from backend.propositions.intervals import Validity


class Status(StrEnum):
    """Life of a proposition (DESIGN §4); the last two belong to consolidation."""

    ACTIVE = "ACTIVE"
    PROPOSED = "PROPOSED"
    CONTRADICTED = "CONTRADICTED"
    SUPERSEDED = "SUPERSEDED"
    RETRACTED = "RETRACTED"
    PROMOTED = "PROMOTED"
    STALE = "STALE"


class Reason(StrEnum):
    """Why a fact changed (DESIGN §4)."""

    USER_CORRECTION = "user_correction"
    CONFLICT_RESOLUTION = "conflict_resolution"
    NEW_INFORMATION = "new_information"


class Verb(StrEnum):
    """What happened to a fact."""

    ADDED = "added"
    REFINED = "refined"
    ENDED = "ended"
    REOPENED = "reopened"
    RETRACTED = "retracted"
    SUPERSEDED = "superseded"
    CONTRADICTED = "contradicted"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The changeable part of a fact; ``target`` is its object (entity id or literal)."""

    target: str
    status: Status
    valid: Validity


@dataclass(frozen=True, slots=True)
class FactChange:
    """One step of a fact's history; ``before`` is None when it appeared."""

    verb: Verb
    reason: Reason
    before: Snapshot | None
    after: Snapshot
    batch_id: str | None
    changed_at: str


@dataclass(slots=True, eq=False)
class GrowingFact:
    """A fact while the fold goes through its claims."""

    key: FactKey
    episode: int
    status: Status
    valid: Validity
    claims: list[Claim] = field(default_factory=list)
    changes: list[FactChange] = field(default_factory=list)
    invalidated_at: str | None = None
    ended_by: GrowingFact | None = None
    valid_before_end: Validity = field(default_factory=Validity)
    is_past: bool = False
    is_refuted: bool = False
    rivals: list[GrowingFact] = field(default_factory=list)
    """Facts that cannot hold beside this one, where nothing said which of them gave way."""

    @property
    def is_open(self) -> bool:
        """In force, and not known to have ended."""
        return self.status in (Status.ACTIVE, Status.PROPOSED) and not self.is_past

    @property
    def is_contradicted(self) -> bool:
        """Whether another fact speaks against it, and nothing has settled that since."""
        return self.is_refuted or (self.is_open and any(one.is_open for one in self.rivals))

    @property
    def is_retracted(self) -> bool:
        return self.status is Status.RETRACTED

    def snapshot(self) -> Snapshot:
        return Snapshot(self.key.target, self.status, self.valid)

    def note(
        self,
        verb: Verb,
        reason: Reason,
        before: Snapshot | None,
        batch_id: str | None,
        changed_at: str,
    ) -> None:
        """Add a step to the history, as the fact is now."""
        self.changes.append(FactChange(verb, reason, before, self.snapshot(), batch_id, changed_at))
