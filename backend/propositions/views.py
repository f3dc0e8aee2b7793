"""Facts, evidence, history and chips as clients see them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from aico_desktop.contract.messages import (
    EntityCandidate,
    EvidenceView,
    FactDetail,
    FactView,
    HistoryView,
    MemoryBatchView,
    MemoryItem,
)
from backend.identity.owner import OWNER_NAME, owner_id
from backend.propositions.batch_items import BatchItem, decode_items
from backend.propositions.truth import Truth
from backend.storage.batches import BatchRecord
from backend.storage.conversations import ConversationRecord
from backend.storage.entity_rows import EntityRecord
from backend.storage.messages import MessageRecord
from backend.storage.proposition_rows import HistoryRecord, PropositionRecord
from backend.storage.scope import Scope
from backend.storage.statement_rows import StatementRecord


class FactViewer:
    """Reads rows into the records of the contract; the owner is shown as ``me``."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    def facts(self, scope: Scope, records: Sequence[PropositionRecord]) -> list[FactView]:
        """Each proposition with its quotes, in the given order."""
        truth = self._truth
        ids = [record.proposition_id for record in records]
        evidence = truth.statements.evidence_of(scope, ids)
        rows = [row for found in evidence.values() for row in found]
        messages = truth.messages.get_many(scope, sorted({row.message_id for row in rows}))
        conversations = self._conversations(scope, messages.values())
        entity_ids = {record.subject_id for record in records}
        entity_ids |= {record.object_id for record in records}
        entity_ids |= {record.speaker_id for record in records}
        names = truth.wording.names(scope, entity_ids - {""})
        return [
            self._fact(
                scope,
                record,
                names,
                tuple(
                    _evidence(row, messages[row.message_id], conversations)
                    for row in evidence[record.proposition_id]
                    if row.message_id in messages
                ),
            )
            for record in records
        ]

    def detail(self, scope: Scope, record: PropositionRecord) -> FactDetail:
        """A fact with its history, oldest change first."""
        history = self._truth.propositions.history(scope, record.proposition_id)
        return FactDetail(
            fact=self.facts(scope, [record])[0],
            history=tuple(self._history(scope, record, change) for change in history),
        )

    def batch(self, scope: Scope, batch: BatchRecord) -> MemoryBatchView:
        """The chip; facts that are gone since are left out."""
        items = () if batch.undone else decode_items(batch.items_json)
        return self.items(scope, batch.batch_id, batch.message_id, items, undone=batch.undone)

    def items(
        self,
        scope: Scope,
        batch_id: str,
        message_id: str,
        items: Sequence[BatchItem],
        *,
        undone: bool = False,
    ) -> MemoryBatchView:
        """A chip from its items, worded as the facts are now."""
        ids = [item.id for item in items] + [item.old_id for item in items if item.old_id]
        records = self._truth.propositions.get_many(scope, sorted(set(ids)))
        facts = {fact.id: fact for fact in self.facts(scope, records)}
        return MemoryBatchView(
            batch_id=batch_id,
            message_id=message_id,
            undone=undone,
            items=tuple(
                MemoryItem(
                    op=item.op,
                    id=item.id,
                    text=self._item_text(scope, item, facts),
                    old=facts[item.old_id].text if item.old_id in facts else None,
                    confidence=facts[item.id].confidence,
                    evidence=facts[item.id].evidence,
                )
                for item in items
                if item.id in facts
            ),
        )

    def candidate(self, scope: Scope, row: EntityRecord) -> EntityCandidate:
        """An entity that a name may mean, told apart by who it is or what is known of it."""
        names = self._truth.wording.names(scope, [row.entity_id])
        return EntityCandidate(
            entity_id=row.entity_id,
            name=OWNER_NAME if row.entity_id == owner_id(scope) else row.name,
            label=row.label,
            description=self.describe(scope, row, names),
            fact_count=self._truth.propositions.fact_count(scope, row.entity_id),
        )

    def describe(self, scope: Scope, row: EntityRecord, names: dict[str, EntityRecord]) -> str:
        """What tells the entity from others of its name: its role, else its first fact."""
        if row.anchor_id is not None and row.anchor_predicate is not None:
            ontology = self._truth.ontology
            if ontology.canonical_predicate(row.anchor_predicate) is not None:
                names.update(self._truth.wording.names(scope, [row.anchor_id]))
                noun = ontology.predicate(row.anchor_predicate).display.get("noun")
                anchor = self._truth.wording.display(scope, row.anchor_id, names)
                if noun and anchor:
                    return ontology.described_name(noun, anchor)
        facts = self._truth.propositions.about(scope, [row.entity_id])
        return facts[0].text if facts else ""

    # ------------------------------------------------------------ parts

    def _conversations(
        self, scope: Scope, messages: Iterable[MessageRecord]
    ) -> dict[str, ConversationRecord]:
        ids = sorted({message.conversation_id for message in messages})
        found = {identifier: self._truth.conversations.get(scope, identifier) for identifier in ids}
        return {identifier: row for identifier, row in found.items() if row is not None}

    def _fact(
        self,
        scope: Scope,
        record: PropositionRecord,
        names: dict[str, EntityRecord],
        evidence: tuple[EvidenceView, ...],
    ) -> FactView:
        wording = self._truth.wording
        subject, target = names.get(record.subject_id), names.get(record.object_id)
        return FactView(
            id=record.proposition_id,
            subject=wording.display(scope, record.subject_id, names),
            predicate=record.predicate,
            object=wording.display(scope, record.object_id, names)
            if record.object_id
            else record.literal_text,
            text=record.text,
            polarity=record.polarity,
            modality=record.modality,
            status=record.status,
            confidence=record.confidence,
            valid_from=record.valid_from,
            valid_until=record.valid_until,
            valid_precision=record.valid_precision,
            recorded_at=record.recorded_at,
            evidence=evidence,
            subject_id=record.subject_id,
            object_id=record.object_id or None,
            subject_label=subject.label if subject else "",
            object_label=target.label if target else None,
            topic=self._truth.rules.topic(record.predicate),
            speaker=wording.display(scope, record.speaker_id, names),
            pinned=bool(record.pinned),
            sensitive=bool(record.sensitive),
        )

    def _history(
        self, scope: Scope, record: PropositionRecord, change: HistoryRecord
    ) -> HistoryView:
        return HistoryView(
            changed_at=change.changed_at,
            change=change.change,
            reason=change.reason,
            old=self._snapshot(scope, record, change.old_json),
            new=self._snapshot(scope, record, change.new_json),
        )

    def _snapshot(self, scope: Scope, record: PropositionRecord, text: str) -> str | None:
        state = json.loads(text)
        if not state:
            return None
        target = state["target"]
        if record.object_id:
            names = self._truth.wording.names(scope, [target])
            target = self._truth.wording.display(scope, target, names)
        dates = [
            f"{word} {state[key]}"
            for word, key in (("from", "valid_from"), ("until", "valid_until"))
            if state[key]
        ]
        shown = [target, *dates]
        if state["status"] not in ("ACTIVE", "PROPOSED"):
            shown.append(state["status"].lower())
        return ", ".join(shown)

    def _item_text(self, scope: Scope, item: BatchItem, facts: Mapping[str, FactView]) -> str:
        text = facts[item.id].text
        if item.op != "question":
            return text
        if item.entity_id is None:
            other = facts.get(item.old_id or "")
            return f"Which is so? ({other.text} · {text})" if other is not None else text
        rows = self._truth.entities.get_many(scope, item.candidates)
        doubtful = self._truth.entities.get(scope, item.entity_id or "")
        told_apart = " · ".join(self.describe(scope, row, {}) or row.name for row in rows.values())
        name = doubtful.name if doubtful is not None else ""
        return f"Which {name}? ({told_apart})"


def _evidence(
    row: StatementRecord, message: MessageRecord, conversations: dict[str, ConversationRecord]
) -> EvidenceView:
    conversation = conversations.get(message.conversation_id)
    external = conversation.external_name if conversation is not None else None
    return EvidenceView(
        conversation=external or message.conversation_id,
        message_id=message.message_id,
        start=row.span_start,
        end=row.span_end,
        quote=message.text[row.span_start : row.span_end],
        said_at=message.said_at,
        speaker=OWNER_NAME if message.role == "user" else message.speaker,
        method=row.method,
        external_id=message.external_id or "",
    )
