"""Refolds groups of facts from their statements and brings the rows in step."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence

from backend.identity.owner import owner_id
from backend.propositions.claim_loader import ClaimLoader
from backend.propositions.claims import Claim, Edit, FactKey
from backend.propositions.facts import GrowingFact, Snapshot
from backend.propositions.fold import fold
from backend.propositions.outcome import FactState, Group, Outcome, key_of
from backend.propositions.predicates import PredicateRules
from backend.propositions.scoring import CONTRADICTED_FACTOR, confidence_of
from backend.propositions.wording import Wording
from backend.storage.home_secret import HomeSecret
from backend.storage.proposition_rows import HistoryRecord, PropositionRecord, PropositionRows
from backend.storage.scope import Scope
from backend.storage.statement_rows import StatementRecord, StatementRows
from backend.understanding.statements import Modality

_NOT_ASSERTED_FACTOR = 0.5
"""What was only wished, supposed or joked matters half as much as what is so."""


class GroupStore:
    """Writes what the fold gives; rows that stay equal are not touched."""

    def __init__(
        self,
        propositions: PropositionRows,
        statements: StatementRows,
        loader: ClaimLoader,
        rules: PredicateRules,
        wording: Wording,
        secret: HomeSecret,
    ) -> None:
        self._propositions = propositions
        self._statements = statements
        self._loader = loader
        self._rules = rules
        self._wording = wording
        self._secret = secret

    def group_of(self, key: FactKey) -> Group:
        """Where a fact is folded."""
        functional = self._rules.is_functional(key.predicate)
        return Group(
            key.subject_id,
            self._rules.group(key.predicate),
            None if functional else (key.object_id, key.literal),
        )

    def groups_of(self, records: Iterable[PropositionRecord]) -> set[Group]:
        """The groups of stored facts."""
        return {self.group_of(key_of(record)) for record in records}

    def refold(
        self, scope: Scope, groups: Iterable[Group], new: Sequence[StatementRecord] = ()
    ) -> Outcome:
        """Fold the groups anew, with statements that are no evidence yet; write the result.

        Groups into which an edit moved a statement are folded along.
        """
        outcome = Outcome()
        rows = {row.statement_id: row for row in new}
        claims: dict[str, Claim] = {}
        pending, seen = set(groups), set[Group]()
        while True:
            for group in pending:
                rows.update(self._load(scope, group, outcome))
            seen |= pending
            unread = [row for identifier, row in rows.items() if identifier not in claims]
            for claim in self._loader.claims(scope, unread):
                claims[claim.statement_id] = claim
            pending = {self.group_of(claim.key) for claim in claims.values()} - seen
            if not pending:
                break
        edits = self._loader.edits(scope)
        kept = {edit.fact_id for edit in edits if edit.changes_object}
        members: dict[Group, list[Claim]] = {group: [] for group in seen}
        for claim in claims.values():
            members[self.group_of(claim.key)].append(claim)
        for group in sorted(seen, key=lambda one: _first_order(members[one])):
            relevant = [edit for edit in edits if self.group_of(edit.new_key) == group]
            self._fold_group(scope, group, members[group], relevant, kept, outcome)
        self._write(scope, outcome)
        return outcome

    def reword(self, scope: Scope, entity_ids: Iterable[str]) -> None:
        """Word anew what mentions entities whose names changed."""
        records = self._propositions.about(scope, sorted(entity_ids), active_only=False)
        for record in records:
            names = self._wording.names(scope, [record.subject_id, record.object_id])
            past = json.loads(record.qualifiers_json).get("is_past", False)
            text = self._wording.sentence(
                scope, key_of(record), record.literal_text, bool(past), names
            )
            if text != record.text:
                self._propositions.set_text(scope, record.proposition_id, text)

    def _load(self, scope: Scope, group: Group, outcome: Outcome) -> dict[str, StatementRecord]:
        records = self._propositions.in_group(
            scope, group.subject_id, group.predicates, group.target
        )
        evidence = self._statements.evidence_of(
            scope, [record.proposition_id for record in records]
        )
        for record in records:
            ids = frozenset(row.statement_id for row in evidence[record.proposition_id])
            outcome.before[record.proposition_id] = FactState(record, ids, group)
        return {row.statement_id: row for rows in evidence.values() for row in rows}

    def _fold_group(
        self,
        scope: Scope,
        group: Group,
        claims: Sequence[Claim],
        edits: Sequence[Edit],
        kept: set[str],
        outcome: Outcome,
    ) -> None:
        for fact in fold(claims, edits, self._rules):
            identifier = self._identifier(scope, fact, kept, outcome)
            record = self._record(scope, fact, identifier)
            outcome.after[record.proposition_id] = FactState(
                record,
                frozenset(claim.statement_id for claim in fact.claims),
                group,
                tuple(sorted(fact.changes, key=lambda change: change.changed_at)),
            )

    def _identifier(self, scope: Scope, fact: GrowingFact, kept: set[str], outcome: Outcome) -> str:
        """By what the fact says, so that it is the same after a rebuild.

        A corrected fact keeps the id that it had before; ids kept so are taken, and a fact that
        says the uncorrected thing anew gets another one.
        """
        first = fact.claims[0]
        if first.kept_id is not None and first.kept_id not in outcome.after:
            return first.kept_id
        for turn in itertools.count():
            said = (first.origin, first.kept_id or "", str(fact.episode), str(turn))
            identifier = self._secret.hash("proposition", scope.user_id, scope.context_id, *said)
            if identifier not in kept and identifier not in outcome.after:
                break
        return identifier

    def _record(self, scope: Scope, fact: GrowingFact, identifier: str) -> PropositionRecord:
        key, claims = fact.key, fact.claims
        by_words: dict[str, float] = {}
        qualifiers: dict[str, object] = {}
        for claim in claims:
            by_words[claim.words] = max(claim.confidence, by_words.get(claim.words, 0.0))
            qualifiers.update(claim.qualifiers)
        if fact.is_past:
            qualifiers["is_past"] = True
        importance = self._rules.importance(key.predicate)
        if owner_id(scope) not in (key.subject_id, key.object_id):
            importance -= 0.1
        if key.modality != Modality.ASSERTED:
            importance *= _NOT_ASSERTED_FACTOR
        names = self._wording.names(scope, [key.subject_id, key.object_id])
        confidence = confidence_of(by_words)
        return PropositionRecord(
            proposition_id=identifier,
            user_id=scope.user_id,
            context_id=scope.context_id,
            subject_id=key.subject_id,
            predicate=key.predicate,
            object_id=key.object_id,
            literal=key.literal,
            literal_type=claims[0].literal_type,
            literal_text=claims[0].literal_text,
            polarity=key.polarity,
            modality=key.modality,
            speaker_id=key.speaker_id,
            episode=fact.episode,
            text=self._wording.sentence(scope, key, claims[0].literal_text, fact.is_past, names),
            confidence=confidence * (CONTRADICTED_FACTOR if fact.is_contradicted else 1.0),
            importance=round(importance, 2),
            decay=self._rules.decay(key.predicate),
            level=0,
            status=str(fact.status),
            pinned=0,
            sensitive=int(self._rules.is_sensitive(key.predicate)),
            valid_from=fact.valid.start,
            valid_until=fact.valid.end,
            valid_precision=fact.valid.precision,
            recorded_at=min(claim.recorded_at for claim in claims),
            invalidated_at=fact.invalidated_at,
            qualifiers_json=json.dumps(qualifiers, ensure_ascii=False, sort_keys=True),
            version=len(fact.changes),
        )

    def _write(self, scope: Scope, outcome: Outcome) -> None:
        for identifier in outcome.before.keys() - outcome.after.keys():
            self._propositions.delete(scope, identifier)
        for identifier, state in outcome.after.items():
            before = outcome.before.get(identifier)
            if before is None or before.record != state.record:
                self._propositions.put(state.record)
            if before is None or before.evidence != state.evidence:
                self._propositions.set_evidence(scope, identifier, set(state.evidence))
            self._propositions.set_history(scope, identifier, self._history(scope, state))

    def _history(self, scope: Scope, state: FactState) -> list[HistoryRecord]:
        identifier = state.record.proposition_id
        return [
            HistoryRecord(
                change_id=self._secret.hash("history", identifier, str(version)),
                user_id=scope.user_id,
                context_id=scope.context_id,
                proposition_id=identifier,
                version=version,
                change=str(change.verb),
                reason=str(change.reason),
                old_json=_snapshot_json(change.before),
                new_json=_snapshot_json(change.after),
                batch_id=change.batch_id,
                changed_at=change.changed_at,
            )
            for version, change in enumerate(state.changes, start=1)
        ]


def _first_order(claims: Sequence[Claim]) -> int:
    """Groups are written in the order in which they were first spoken of."""
    return min((claim.sequence for claim in claims), default=0)


def _snapshot_json(snapshot: Snapshot | None) -> str:
    if snapshot is None:
        return "{}"
    return json.dumps(
        {
            "target": snapshot.target,
            "status": str(snapshot.status),
            "valid_from": snapshot.valid.start,
            "valid_until": snapshot.valid.end,
            "valid_precision": snapshot.valid.precision,
        },
        ensure_ascii=False,
    )
