"""The fold of statements into facts: a pure function of claims and edits about one matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backend.propositions.claims import Claim, Edit, FactKey
from backend.propositions.facts import GrowingFact, Reason, Status, Verb
from backend.propositions.intervals import (
    Validity,
    are_disjoint,
    complete_date,
    has_passed,
    is_before,
    is_more_exact,
)
from backend.propositions.predicates import PredicateRules
from backend.propositions.retelling import retold
from backend.understanding.statements import Change, Modality, Polarity, Precision

_NOT_YET = frozenset({Modality.PLANNED, Modality.WISHED, Modality.POSSIBLE})
"""What these said is settled once the same is said as a fact."""


def fold(
    claims: Sequence[Claim], edits: Sequence[Edit], rules: PredicateRules
) -> list[GrowingFact]:
    """All facts of one group: a subject and predicate, and one object unless it is functional.

    Claims count in the order in which they were said. The result depends on nothing else, so that
    learning message by message, undo and rebuild agree.
    """
    ordered = sorted(claims, key=lambda claim: claim.order)
    marks = [(claim.words, claim.key, claim.change) for claim in ordered]
    repeats = retold(marks)
    folding = _Folding(rules)
    events: list[tuple[tuple[str, int], int]] = [
        (claim.order, index) for index, claim in enumerate(ordered)
    ]
    dated = [edit for edit in edits if edit.valid_from is not None or edit.valid_until is not None]
    events += [(edit.order_among(ordered), -1 - index) for index, edit in enumerate(dated)]
    for _, index in sorted(events):
        if index < 0:
            folding.edit_dates(dated[-1 - index])
        elif index in repeats:
            folding.repeat(ordered[index], ordered[repeats[index]])
        else:
            folding.add(ordered[index])
    folding.note_corrections([edit for edit in edits if edit.changes_object])
    return folding.facts


_NO_DATE: tuple[None, Precision] = (None, Precision.DAY)
"""What an emptied date field means."""


class _Folding:
    """The state of one fold."""

    def __init__(self, rules: PredicateRules) -> None:
        self._rules = rules
        self.facts: list[GrowingFact] = []
        self._fact_of: dict[str, GrowingFact] = {}

    # ------------------------------------------------------------ claims

    def repeat(self, claim: Claim, original: Claim) -> None:
        """A retold claim is one more evidence of what the original one said."""
        self._attach(self._fact_of[original.statement_id], claim)

    def add(self, claim: Claim) -> None:
        """Take one claim in, with what it changes in other facts."""
        if not claim.key.is_current_kind:
            self._confirm_or_create(claim)
        elif claim.change is Change.NEVER_HELD:
            self._never_held(claim)
        elif claim.change is Change.ENDS and claim.key.is_affirmed:
            self._ends(claim)
        else:
            fact = self._confirm_or_create(claim)
            if claim.has_authority:
                self._end_contrary(claim, fact)

    def _confirm_or_create(self, claim: Claim) -> GrowingFact:
        said = Validity(claim.valid_from, claim.valid_until, claim.precision)
        same = self._same(claim.key)
        for fact in reversed(same):
            goes_on = fact.is_open or not has_passed(fact.valid.end, claim.said_on)
            if goes_on and not are_disjoint(fact.valid, said):
                self._refine(fact, claim, said)
                return self._attach(fact, claim)
        for fact in reversed(same):
            if fact.is_past and said.end is not None and not are_disjoint(fact.valid, said):
                self._refine(fact, claim, said)
                return self._attach(fact, claim)
        undated = said.start is None and said.end is None
        if same and undated and self._rules.is_episodic(claim.key.predicate):
            return self._attach(same[-1], claim)
        if same and undated:
            # A return without a date: since when is only known to be before it was told.
            said = Validity(claim.said_on, None, Precision.VAGUE)
        return self._create(claim, claim.key, said)

    def _ends(self, claim: Claim) -> None:
        end = claim.valid_until or claim.said_on
        precision = claim.precision or Precision.VAGUE
        for fact in self._open_facts(claim):
            if fact.key.target == claim.key.target and fact.key.predicate == claim.key.predicate:
                self._end(fact, claim, end, precision, Reason.NEW_INFORMATION)
        for fact in reversed(self._same(claim.key)):
            begins_later = claim.valid_from is not None and is_before(
                fact.valid.end, claim.valid_from
            )
            if not begins_later:
                said = Validity(claim.valid_from, end, precision)
                self._refine(fact, claim, said)
                self._attach(fact, claim)
                return
        self._create(claim, claim.key, Validity(claim.valid_from, end, precision))

    def _never_held(self, claim: Claim) -> None:
        """A correction: the fact was never true, and what it had ended goes on."""
        denied = claim.key._replace(polarity=str(Polarity.NEGATED))
        for fact in self.facts:
            same = fact.key.predicate == denied.predicate and fact.key.target == denied.target
            may = claim.has_authority or fact.key.speaker_id == claim.key.speaker_id
            if same and may and fact.key.is_affirmed and fact.key.is_current_kind:
                self._retract(fact, claim)
        same_denial = [fact for fact in self._same(denied) if fact.is_open]
        if same_denial:
            self._attach(same_denial[-1], claim)
        else:
            self._create(claim, denied, Validity())

    def _end_contrary(self, claim: Claim, fact: GrowingFact) -> None:
        """End what cannot hold together with the claim (only what the claim speaks about)."""
        if has_passed(claim.valid_until, claim.said_on):
            return
        for other in self._open_facts(claim):
            if other is fact:
                continue
            if self._says_the_opposite(claim.key, other.key):
                self._end(other, claim, _end_date(claim, other), None, Reason.CONFLICT_RESOLUTION)
            elif self._takes_the_place_of(claim, other):
                self._displace(other, claim, fact)
        for other in self.facts:
            settled = other.key.modality in _NOT_YET and other.is_open and claim.key.is_affirmed
            if settled and other.key.target == claim.key.target:
                self._supersede(other, claim)

    def _says_the_opposite(self, key: FactKey, other: FactKey) -> bool:
        if key.target != other.target:
            return False
        if key.predicate == other.predicate:
            return key.polarity != other.polarity
        return key.is_affirmed and other.is_affirmed

    def _takes_the_place_of(self, claim: Claim, other: GrowingFact) -> bool:
        key = claim.key
        if not (key.is_affirmed and other.key.is_affirmed and key.predicate == other.key.predicate):
            return False
        if key.target == other.key.target or not self._rules.is_functional(key.predicate):
            return False
        # "I live in Ulm and Wien" in one breath is two homes, not a move.
        said_together = any(claim.message_id == one.message_id for one in other.claims)
        return not said_together or claim.change is Change.STARTS

    def _displace(self, other: GrowingFact, claim: Claim, fact: GrowingFact) -> None:
        if self._rules.is_unchanging(claim.key.predicate):
            before = other.snapshot()
            other.status = Status.CONTRADICTED
            other.is_refuted = fact.is_refuted = True
            other.invalidated_at = claim.recorded_at
            other.note(
                Verb.CONTRADICTED,
                Reason.CONFLICT_RESOLUTION,
                before,
                claim.batch_id,
                claim.recorded_at,
            )
            return
        told_when = claim.valid_from is not None or claim.change is not Change.HOLDS
        if self._rules.is_bond(claim.key.predicate) and not told_when:
            self._contradict(other, claim, fact)
            return
        self._end(other, claim, _end_date(claim, other), claim.precision, Reason.NEW_INFORMATION)
        other.ended_by = fact

    def _contradict(self, other: GrowingFact, claim: Claim, fact: GrowingFact) -> None:
        """Keep both and doubt both, until something ends or denies one of them."""
        if other in fact.rivals:
            return
        before = other.snapshot()
        fact.rivals.append(other)
        other.rivals.append(fact)
        other.note(
            Verb.CONTRADICTED,
            Reason.CONFLICT_RESOLUTION,
            before,
            claim.batch_id,
            claim.recorded_at,
        )

    # ------------------------------------------------------------ steps

    def _create(self, claim: Claim, key: FactKey, valid: Validity) -> GrowingFact:
        episode = 1 + max((fact.episode for fact in self._all_same(key)), default=0)
        status = Status.ACTIVE if claim.has_authority else Status.PROPOSED
        fact = GrowingFact(key, episode, status, valid)
        fact.is_past = has_passed(valid.end, claim.said_on)
        self.facts.append(fact)
        fact.note(Verb.ADDED, Reason.NEW_INFORMATION, None, claim.batch_id, claim.recorded_at)
        return self._attach(fact, claim)

    def _attach(self, fact: GrowingFact, claim: Claim) -> GrowingFact:
        fact.claims.append(claim)
        self._fact_of[claim.statement_id] = fact
        return fact

    def _refine(self, fact: GrowingFact, claim: Claim, said: Validity) -> None:
        """A better date replaces a worse one; the same or none changes nothing."""
        start = said.start if said.start and not fact.valid.start else fact.valid.start
        end = said.end if said.end and not fact.valid.end else fact.valid.end
        precision = fact.valid.precision
        if is_more_exact(said.precision, precision):
            start, end, precision = said.start or start, said.end or end, said.precision
        refined = Validity(start, end, precision if start or end else None)
        if refined == fact.valid or is_before(refined.end, refined.start):
            return
        before = fact.snapshot()
        fact.valid = refined
        fact.is_past = has_passed(refined.end, claim.said_on)
        verb = Verb.ENDED if fact.is_past and not before.valid.end else Verb.REFINED
        fact.note(verb, Reason.NEW_INFORMATION, before, claim.batch_id, claim.recorded_at)

    def _end(
        self, fact: GrowingFact, claim: Claim, end: str, precision: str | None, reason: Reason
    ) -> None:
        before = fact.snapshot()
        if is_before(end, fact.valid.start):
            end = claim.said_on
        fact.valid_before_end = fact.valid
        fact.valid = replace(
            fact.valid, end=end, precision=fact.valid.precision or precision or Precision.VAGUE
        )
        fact.is_past = has_passed(end, claim.said_on)
        fact.note(Verb.ENDED, reason, before, claim.batch_id, claim.recorded_at)

    def _retract(self, fact: GrowingFact, claim: Claim) -> None:
        if fact.is_retracted:
            return
        before = fact.snapshot()
        fact.status, fact.invalidated_at = Status.RETRACTED, claim.recorded_at
        fact.note(Verb.RETRACTED, Reason.USER_CORRECTION, before, claim.batch_id, claim.recorded_at)
        for other in self.facts:
            if other.ended_by is fact:
                before = other.snapshot()
                other.valid, other.is_past, other.ended_by = other.valid_before_end, False, None
                other.note(
                    Verb.REOPENED, Reason.USER_CORRECTION, before, claim.batch_id, claim.recorded_at
                )

    def _supersede(self, fact: GrowingFact, claim: Claim) -> None:
        before = fact.snapshot()
        fact.status, fact.invalidated_at = Status.SUPERSEDED, claim.recorded_at
        fact.note(
            Verb.SUPERSEDED, Reason.NEW_INFORMATION, before, claim.batch_id, claim.recorded_at
        )

    # ------------------------------------------------------------ edits

    def edit_dates(self, edit: Edit) -> None:
        """Set what the person set; None leaves a date, '' takes it away."""
        for fact in self.facts:
            if fact.key != edit.new_key or not _stands_on(fact, edit):
                continue
            before = fact.snapshot()
            start, end, precision = fact.valid.start, fact.valid.end, Precision.DAY
            if edit.valid_from is not None:
                start, precision = complete_date(edit.valid_from) if edit.valid_from else _NO_DATE
            if edit.valid_until is not None:
                end, typed = complete_date(edit.valid_until) if edit.valid_until else _NO_DATE
                # The less exact of two typed dates speaks for the interval.
                precision = typed if is_more_exact(precision, typed) else precision
            fact.valid = Validity(start, end, precision if start or end else None)
            fact.is_past = has_passed(end, edit.recorded_at)
            fact.note(Verb.CORRECTED, Reason.USER_CORRECTION, before, None, edit.recorded_at)

    def note_corrections(self, edits: Sequence[Edit]) -> None:
        """Put corrections of the object into the history: the statements said something else."""
        for edit in edits:
            for fact in self.facts:
                if fact.key == edit.new_key and _stands_on(fact, edit):
                    after = fact.snapshot()
                    before = replace(after, target=edit.key.target)
                    fact.note(
                        Verb.CORRECTED, Reason.USER_CORRECTION, before, None, edit.recorded_at
                    )

    # ------------------------------------------------------------ looking

    def _all_same(self, key: FactKey) -> list[GrowingFact]:
        return [fact for fact in self.facts if fact.key == key]

    def _same(self, key: FactKey) -> list[GrowingFact]:
        gone = (Status.RETRACTED, Status.SUPERSEDED, Status.CONTRADICTED)
        return [fact for fact in self._all_same(key) if fact.status not in gone]

    def _open_facts(self, claim: Claim) -> list[GrowingFact]:
        """Open facts that the claim may change."""
        return [
            fact
            for fact in self.facts
            if fact.is_open
            and fact.key.is_current_kind
            and (claim.has_authority or fact.key.speaker_id == claim.key.speaker_id)
        ]


def _end_date(claim: Claim, other: GrowingFact) -> str:
    starts_later = claim.valid_from is not None and not is_before(
        claim.valid_from, other.valid.start
    )
    return claim.valid_from if starts_later and claim.valid_from else claim.said_on


def _stands_on(fact: GrowingFact, edit: Edit) -> bool:
    return any(claim.message_id in edit.message_ids for claim in fact.claims)
