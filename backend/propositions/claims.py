"""A statement after identity: what it claims, about which entities, said when and by whom."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from backend.understanding.statements import Change, Modality, Polarity


class FactKey(NamedTuple):
    """What makes two statements the same fact (DESIGN §4), but for the episode."""

    subject_id: str
    predicate: str
    object_id: str
    literal: str
    polarity: str
    modality: str
    speaker_id: str

    @property
    def target(self) -> str:
        """The object's entity id, or the normalised literal."""
        return self.object_id or self.literal

    @property
    def is_current_kind(self) -> bool:
        """Whether it says how things are: other modalities leave facts alone."""
        return self.modality == Modality.ASSERTED

    @property
    def is_affirmed(self) -> bool:
        return self.polarity == Polarity.AFFIRMED


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement, ready for the fold.

    ``said_at`` is UTC text, ``said_on`` the person's date; both with ``sequence`` give the order.
    ``origin`` is the key before the person's edits, ``words`` a keyed hash of the quote.
    ``has_authority``: the speaker is the owner, or speaks of themselves. ``kept_id`` is the id of
    the fact that the person corrected.
    """

    statement_id: str
    batch_id: str
    message_id: str
    sequence: int
    said_at: str
    said_on: str
    recorded_at: str
    key: FactKey
    origin: str
    literal_type: str
    literal_text: str
    change: Change
    valid_from: str | None
    valid_until: str | None
    precision: str | None
    qualifiers: tuple[tuple[str, str], ...]
    confidence: float
    words: str
    has_authority: bool
    kept_id: str | None = None

    @property
    def order(self) -> tuple[str, int]:
        return (self.said_at, self.sequence)


@dataclass(frozen=True, slots=True)
class Edit:
    """A correction by hand of the fact that the statements of some messages make.

    ``new_*`` is None where nothing changes; dates may be '' for "no date".
    """

    decision_id: str
    fact_id: str
    key: FactKey
    message_ids: frozenset[str]
    recorded_at: str
    new_object_id: str | None = None
    new_literal: str | None = None
    new_literal_text: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None

    @property
    def changes_object(self) -> bool:
        return self.new_object_id is not None or self.new_literal is not None

    @property
    def new_key(self) -> FactKey:
        """The key of the corrected fact."""
        if not self.changes_object:
            return self.key
        return self.key._replace(object_id=self.new_object_id or "", literal=self.new_literal or "")

    def order_among(self, claims: Sequence[Claim]) -> tuple[str, int]:
        """An edit comes when it was made, but never before what it corrects."""
        corrected = [claim.order for claim in claims if claim.message_id in self.message_ids]
        return max([(self.recorded_at, sys.maxsize), *corrected])


def with_edits(claim: Claim, edits: tuple[Edit, ...]) -> Claim:
    """The claim under the person's corrections, in their order.

    A corrected fact keeps its id; what is said after the correction stands for itself.
    """
    key, text, kept_id = claim.key, claim.literal_text, claim.kept_id
    for edit in edits:
        corrected = key == edit.key and claim.message_id in edit.message_ids
        if edit.changes_object and corrected:
            key, text, kept_id = edit.new_key, edit.new_literal_text or "", edit.fact_id
    if key == claim.key:
        return claim
    return replace(claim, key=key, literal_text=text, kept_id=kept_id)
