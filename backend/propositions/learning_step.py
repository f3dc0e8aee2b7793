"""Takes the statements of one message into the truth, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from backend.identity.assignment import MessageAssignment
from backend.identity.codec import Said, encode_statement
from backend.identity.names import fold as fold_text
from backend.propositions.batch_items import BatchItem, encode_items, items_of
from backend.propositions.facts import Reason
from backend.propositions.truth import Truth
from backend.storage.clock import to_text
from backend.storage.identifiers import new_id
from backend.storage.messages import MessageRecord
from backend.storage.scope import Scope
from backend.storage.statement_rows import StatementRecord
from backend.understanding.statements import Statement

FORGOTTEN = "forgotten"
ALREADY_READ = "already_read"
OUTSIDE = "span_outside_text"


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What a message taught; ``batch_id`` is None when that is nothing.

    ``fact_ids`` are all facts that came, went or changed; ``rejected`` counts what was not taken.
    """

    batch_id: str | None = None
    items: tuple[BatchItem, ...] = ()
    fact_ids: tuple[str, ...] = ()
    rejected: dict[str, int] = field(default_factory=dict)


def learn(
    truth: Truth,
    scope: Scope,
    message: MessageRecord,
    statements: Sequence[Statement],
    extractor_version: str,
    turn_id: str | None = None,
    batch_id: str | None = None,
) -> BatchResult:
    """Store statements, decide identities, fold, project, and write the batch.

    Reading a message again with another extractor version replaces what the former one read;
    with the same version it changes nothing.
    """
    former = truth.statements.of_message(scope, message.message_id)
    if any(row.extractor_version == extractor_version for row in former):
        return BatchResult(rejected={ALREADY_READ: len(statements)})
    kept, rejected = _admitted(truth, scope, message, statements)
    if not kept and not former:
        return BatchResult(rejected=rejected)
    # One message has one batch, so that undo takes back all that it taught, however often read.
    batch_id = former[0].batch_id if former else batch_id or new_id()
    now = truth.now()
    truth.keeper.ensure_owner(scope, now)
    assignment = MessageAssignment(
        scope, message, kept, now, truth.resolver, truth.keeper, truth.decisions, truth.guard
    )
    rows = _store(truth, scope, message, kept, extractor_version, batch_id, now, assignment)
    before = truth.remove(scope, former, Reason.NEW_INFORMATION) if former else None
    claims = truth.loader.claims(scope, rows)
    groups = {truth.store.group_of(claim.key) for claim in claims}
    outcome = truth.store.refold(scope, groups, rows)
    truth.store.reword(scope, assignment.renamed)
    truth.project(scope, outcome, assignment.renamed, Reason.NEW_INFORMATION)
    if before is not None:
        # What the former reading knew and this one tells again is confirmed, not new.
        outcome.before.update(before.before)
    items = items_of(outcome, batch_id, assignment.doubts)
    if items and truth.batches.get(scope, batch_id) is None:
        truth.batches.add(scope, message.message_id, turn_id, encode_items(items), batch_id)
    return BatchResult(
        batch_id if items else None, tuple(items), tuple(outcome.changed_ids), rejected
    )


def said_at_utc(message: MessageRecord) -> str:
    """When the message was said, in the form in which times compare as text."""
    return to_text(moment_of(message))


def _admitted(
    truth: Truth, scope: Scope, message: MessageRecord, statements: Sequence[Statement]
) -> tuple[list[Statement], dict[str, int]]:
    rejected: dict[str, int] = {}
    if truth.forgotten.is_undone(scope, message.message_id):
        return [], {FORGOTTEN: len(statements)} if statements else {}
    kept: list[Statement] = []
    said_at = said_at_utc(message)
    for statement in statements:
        span = statement.evidence
        if not 0 <= span.start < span.end <= len(message.text):
            rejected[OUTSIDE] = rejected.get(OUTSIDE, 0) + 1
        elif truth.forgotten.is_forgotten(scope, statement, said_at):
            rejected[FORGOTTEN] = rejected.get(FORGOTTEN, 0) + 1
        else:
            kept.append(statement)
    return kept, rejected


def _store(
    truth: Truth,
    scope: Scope,
    message: MessageRecord,
    statements: Sequence[Statement],
    extractor_version: str,
    batch_id: str,
    now: str,
    assignment: MessageAssignment,
) -> list[StatementRecord]:
    moment = moment_of(message)
    said_on = moment.date().isoformat()
    sequence = truth.statements.next_sequence(scope)
    rows: list[StatementRecord] = []
    if not statements:
        return rows
    speaker_id, speaker_resolution = assignment.speaker()
    speaker_name = message.speaker if speaker_resolution is not None else ""
    for offset, statement in enumerate(statements):
        span = statement.evidence
        quote = fold_text(message.text[span.start : span.end])
        said = Said(truth.secret.hash("quote", quote), said_on, speaker_name)
        row = StatementRecord(
            statement_id=new_id(),
            user_id=scope.user_id,
            context_id=scope.context_id,
            sequence=sequence + offset,
            batch_id=batch_id,
            message_id=message.message_id,
            span_start=span.start,
            span_end=span.end,
            speaker_id=speaker_id,
            extractor_version=extractor_version,
            method=statement.method,
            body_json=encode_statement(statement, said),
            said_at=to_text(moment),
            recorded_at=now,
        )
        truth.statements.add(row)
        if speaker_resolution is not None:
            assignment.record_speaker(row.statement_id, speaker_id, speaker_resolution)
        assignment.assign(row.statement_id, statement)
        rows.append(row)
    return rows


def moment_of(message: MessageRecord) -> datetime:
    """When it was said, on the person's own clock: "today" is a date in their zone."""
    moment = datetime.fromisoformat(message.said_at)
    zone = ZoneInfo(message.zone) if message.zone else None
    if moment.tzinfo is None:
        return moment.replace(tzinfo=zone) if zone else moment.astimezone()
    return moment.astimezone(zone) if zone else moment
