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
_BARE_OWNER = json.dumps({"name": OWNER_NAME}, separators=(",", ":"))


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
    params = (scope.user_id, scope.context_id)
    lines = [
        json.dumps(["node", _mark(scope, row[0], entities), *row[1:]])
        for row in truth.database.execute(
            "SELECT id, label, json_remove(properties, '$.members'), aliases_json FROM kg_nodes "
            "WHERE user_id = ? AND context_id = ?",
            params,
        )
        # The owner's bare node is there as soon as anything was ever said; it says nothing.
        if not (row[0] == owner_id(scope) and row[2:] == (_BARE_OWNER, "[]"))
    ]
    for source, target, relation, *rest in truth.database.execute(
        "SELECT source_id, target_id, relation_type, valid_from, valid_until, is_current, "
        "json_array_length(proposition_ids_json) FROM kg_edges "
        "WHERE user_id = ? AND context_id = ?",
        params,
    ):
        ends = [_mark(scope, source, entities), _mark(scope, target, entities)]
        if truth.rules.is_symmetric(relation):
            ends.sort()
        lines.append(json.dumps(["edge", *ends, relation, *rest]))
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
