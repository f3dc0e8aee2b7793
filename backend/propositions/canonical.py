"""The canonical hash: equal for equal knowledge, whatever ids and recording times it has."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from backend.identity.owner import OWNER_NAME, owner_id
from backend.propositions.truth import Truth
from backend.storage.entity_rows import EntityRecord
from backend.storage.scope import Scope

_CHAIN = 4


def canonical_hash(truth: Truth, scope: Scope) -> str:
    """Hash of keys, intervals and evidence offsets of all facts, and of the graph (DESIGN §4)."""
    entities = {row.entity_id: row for row in truth.entities.all(scope)}
    lines = sorted([*_fact_lines(truth, scope, entities), *_graph_lines(truth, scope, entities)])
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def _fact_lines(truth: Truth, scope: Scope, entities: Mapping[str, EntityRecord]) -> list[str]:
    records = truth.propositions.all(scope)
    evidence = truth.statements.evidence_of(scope, [record.proposition_id for record in records])
    message_ids = {row.message_id for rows in evidence.values() for row in rows}
    messages = truth.messages.get_many(scope, sorted(message_ids))
    lines: list[str] = []
    for record in records:
        ends = [_mark(scope, record.subject_id, entities)]
        ends.append(_mark(scope, record.object_id, entities) if record.object_id else "")
        if truth.rules.is_symmetric(record.predicate):
            # Which of two comes first rests on their ids.
            ends.sort()
        offsets = sorted(
            (messages[row.message_id].ordinal, row.span_start, row.span_end)
            for row in evidence[record.proposition_id]
            if row.message_id in messages
        )
        lines.append(
            json.dumps(
                [
                    "fact",
                    *ends,
                    record.predicate,
                    record.literal,
                    record.polarity,
                    record.modality,
                    _mark(scope, record.speaker_id, entities),
                    record.episode,
                    record.status,
                    record.text,
                    round(record.confidence, 4),
                    record.valid_from,
                    record.valid_until,
                    record.valid_precision,
                    offsets,
                ]
            )
        )
    return lines


def _graph_lines(truth: Truth, scope: Scope, entities: Mapping[str, EntityRecord]) -> list[str]:
    lines: list[str] = []
    for node in truth.graph_rows.all_nodes(scope):
        properties = json.loads(node.properties)
        properties.pop("members", None)
        aliases = json.loads(node.aliases_json)
        if node.id == owner_id(scope) and not aliases and properties == {"name": OWNER_NAME}:
            # The owner's bare node is there as soon as anything was ever said; it says nothing.
            continue
        mark = _mark(scope, node.id, entities)
        lines.append(json.dumps(["node", mark, node.label, properties, aliases], sort_keys=True))
    for edge in truth.graph_rows.all_edges(scope):
        ends = [_mark(scope, one, entities) for one in (edge.source_id, edge.target_id)]
        if truth.rules.is_symmetric(edge.relation_type):
            ends.sort()
        facts = len(json.loads(edge.proposition_ids_json))
        interval = [edge.valid_from, edge.valid_until, edge.is_current]
        lines.append(json.dumps(["edge", *ends, edge.relation_type, *interval, facts]))
    return lines


def _mark(
    scope: Scope, entity_id: str, entities: Mapping[str, EntityRecord], depth: int = 0
) -> str:
    """An entity by what it is: label, name, and who it is described by."""
    if entity_id == owner_id(scope):
        return OWNER_NAME
    row = entities.get(entity_id)
    if row is None or depth > _CHAIN:
        return ""
    name = row.normalised if row.label != "GROUP" else row.name
    if row.anchor_id is None:
        return f"{row.label}:{name}"
    anchor = _mark(scope, row.anchor_id, entities, depth + 1)
    return f"{row.label}:{name}<{row.anchor_predicate}<{anchor}"
