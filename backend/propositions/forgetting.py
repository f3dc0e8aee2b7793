"""Forgets a fact, or all about an entity: rows, quotes, history and graph, never to return."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from aico_desktop.contract.messages import FactView
from backend.identity.codec import decode_said, decode_statement, encode_statement
from backend.identity.owner import owner_id
from backend.identity.places import anchor_of, arguments_of
from backend.identity.scrubbing import without_description
from backend.propositions.blanking import (
    BlankedSpan,
    blank,
    blank_names_beside,
    blank_words_beside,
    drop_titles,
    echo_spans,
    evidence_spans,
    name_spans,
    told_elsewhere,
)
from backend.propositions.claims import FactKey
from backend.propositions.facts import Reason
from backend.propositions.outcome import key_of
from backend.propositions.truth import Truth
from backend.propositions.views import FactViewer
from backend.storage.proposition_rows import PropositionRecord
from backend.storage.scope import Scope
from backend.storage.statement_rows import StatementRecord
from backend.storage.word_forms import SHORTEST_STEM


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What went, or would go: the facts, and the words that are blanked in messages.

    ``words`` are those that nothing else tells: they go from what is being written now as well.
    """

    facts: tuple[FactView, ...]
    spans: tuple[BlankedSpan, ...]
    entity_id: str | None = None
    words: tuple[str, ...] = ()


def forget_facts(
    truth: Truth,
    viewer: FactViewer,
    scope: Scope,
    records: Sequence[PropositionRecord],
    *,
    preview: bool,
) -> Forgetting:
    """Forget single facts, of any status. Call it in a transaction.

    Whoever is known only by a forgotten relation ("my sister", without a name) is forgotten whole.
    """
    nameless = _nameless(truth, scope, records)
    if nameless is not None:
        return forget_entity(truth, viewer, scope, nameless, preview=preview)
    ids = [record.proposition_id for record in records]
    evidence = truth.statements.evidence_of(scope, ids)
    rows = [row for found in evidence.values() for row in found]
    spans = evidence_spans(truth, scope, rows)
    names, values = _own_words(truth, scope, records)
    echoes = _echoes(truth, scope, names, values, spans, set(ids))
    lone = tuple(word for word in (*names, *values) if _is_lone(truth, scope, word, set(ids)))
    result = Forgetting(tuple(viewer.facts(scope, records)), (*spans, *echoes), None, lone)
    if not preview:
        words = [_object_text(truth, scope, record) for record in records]
        blank_words_beside(truth, scope, lone, spans)
        now = truth.decide(scope, "forget", ",".join(ids))
        for record in records:
            truth.forgotten.forget_fact(scope, record, now)
        _scrub_descriptions(truth, scope, records)
        _erase(truth, scope, records, rows, result.spans)
        drop_titles(truth, scope, words)
    return result


def forget_entity(
    truth: Truth, viewer: FactViewer, scope: Scope, entity_id: str, *, preview: bool
) -> Forgetting:
    """Forget every fact about an entity, every mention of it and its names."""
    row = truth.entities.get(scope, entity_id)
    if row is None or entity_id == owner_id(scope):
        return Forgetting((), (), entity_id)
    ids = [identifier for identifier, _ in truth.decisions.mentions_of(scope, entity_id)]
    rows = truth.statements.get(scope, list(dict.fromkeys(ids)))
    fact_ids = truth.statements.proposition_ids_of(scope, ids)
    records = truth.propositions.get_many(scope, sorted(fact_ids))
    records += [
        record
        for record in truth.propositions.about(scope, [entity_id], active_only=False)
        if record.proposition_id not in fact_ids
    ]
    evidence = truth.statements.evidence_of(scope, [record.proposition_id for record in records])
    known = {entry.statement_id for entry in rows}
    own_facts = [record for record in records if entity_id in (record.subject_id, record.object_id)]
    for record in own_facts:
        rows += [
            entry for entry in evidence[record.proposition_id] if entry.statement_id not in known
        ]
    spans = evidence_spans(truth, scope, rows)
    names = _own_names(truth, scope, entity_id)
    others = [record for record in own_facts if record.object_id != entity_id]
    going = {record.proposition_id for record in own_facts}
    own_names, values = _own_words(truth, scope, others)
    echoes = _echoes(truth, scope, own_names, values, spans, going)
    mentions = _outside([*spans, *echoes], name_spans(truth, scope, names))
    echoes = _outside(spans, echoes)
    shown = viewer.facts(scope, own_facts)
    lone = [word for word in (*own_names, *values) if _is_lone(truth, scope, word, going)]
    result = Forgetting(
        tuple(shown), (*spans, *echoes, *mentions), entity_id, tuple(dict.fromkeys(names + lone))
    )
    if not preview:
        now = truth.decide(scope, "forget", entity_id)
        truth.forgotten.forget_entity(scope, entity_id, now)
        for record in own_facts:
            truth.forgotten.forget_fact(scope, record, now)
        blank_words_beside(truth, scope, lone, spans)
        blank_names_beside(truth, scope, names)
        _erase(truth, scope, own_facts, rows, result.spans)
        drop_titles(truth, scope, names + lone)
    return result


def _erase(
    truth: Truth,
    scope: Scope,
    records: Sequence[PropositionRecord],
    rows: Sequence[StatementRecord],
    spans: Sequence[BlankedSpan],
) -> None:
    keys = {key_of(record) for record in records}
    _drop_edits(truth, scope, keys)
    outcome = truth.remove(scope, list(rows), Reason.USER_CORRECTION)
    truth.graph.purge_history(scope, outcome.touched_entities)
    for identifier in sorted(outcome.before.keys() - outcome.after.keys()):
        truth.batches.forget_fact(scope, identifier)
    blank(truth, scope, spans)


def _nameless(truth: Truth, scope: Scope, records: Sequence[PropositionRecord]) -> str | None:
    if len(records) != 1 or not records[0].object_id:
        return None
    row = truth.entities.get(scope, records[0].object_id)
    if row is None or row.named or row.anchor_id != records[0].subject_id:
        return None
    return row.entity_id if row.anchor_predicate == records[0].predicate else None


def _scrub_descriptions(truth: Truth, scope: Scope, records: Sequence[PropositionRecord]) -> None:
    """Keep where Ana lives of "my sister Ana lives in Ulm", but not whose sister she is."""
    for record in records:
        if not record.object_id or not truth.guard.is_role(record.predicate):
            continue
        mentions = truth.decisions.mentions_of(scope, record.object_id)
        by_statement: dict[str, list[str]] = {}
        for statement_id, place in mentions:
            by_statement.setdefault(statement_id, []).append(place)
        for row in truth.statements.get(scope, sorted(by_statement)):
            statement = decode_statement(row.body_json)
            ids = truth.decisions.of_statements(scope, [row.statement_id])[row.statement_id]
            for place in by_statement[row.statement_id]:
                argument = dict(arguments_of(statement)).get(place)
                predicate = argument.description_predicate if argument else None
                same_anchor = ids.get(anchor_of(place)) == record.subject_id
                if predicate is None or not same_anchor:
                    continue
                if truth.guard.implies(predicate, record.predicate):
                    statement = without_description(statement, place)
                    truth.decisions.drop_place(scope, row.statement_id, anchor_of(place))
            body = encode_statement(statement, decode_said(row.body_json))
            if body != row.body_json:
                truth.statements.replace_body(scope, row.statement_id, body)


def _drop_edits(truth: Truth, scope: Scope, keys: set[FactKey]) -> None:
    """Corrections hold the words that the person put in; they go with their fact."""
    gone = [
        edit.decision_id
        for edit in truth.loader.edits(scope)
        if edit.key in keys or edit.new_key in keys
    ]
    objects = {
        str(body["object_id"])
        for row in truth.person_decisions.edits(scope)
        if row.decision_id in gone and (body := json.loads(row.body_json))["object_id"]
    }
    truth.person_decisions.delete(scope, gone)
    truth.keeper.rebuild(scope, objects)


def _own_words(
    truth: Truth, scope: Scope, records: Sequence[PropositionRecord]
) -> tuple[list[str], list[str]]:
    """(names, other words) of the objects of facts that no other fact has."""
    going = {record.proposition_id for record in records}
    names: list[str] = []
    values: list[str] = []
    for record in records:
        if record.object_id == owner_id(scope):
            continue
        if record.object_id:
            left = truth.propositions.about(scope, [record.object_id], active_only=False)
            if any(other.proposition_id not in going for other in left):
                continue
        text = _object_text(truth, scope, record)
        # "Zwickau" names one thing; "zither" or "cat" many that other answers speak of.
        (names if record.object_id and text[:1].isupper() else values).append(text)
    return names, values


def _echoes(
    truth: Truth,
    scope: Scope,
    names: Sequence[str],
    values: Sequence[str],
    spans: Sequence[BlankedSpan],
    going: set[str],
) -> list[BlankedSpan]:
    """Where answers repeat what is forgotten and nothing else holds."""
    sources = sorted({span.message_id for span in spans})
    lone = [value for value in values if _is_lone(truth, scope, value, going)]
    near = [value for value in values if value not in lone]
    return echo_spans(truth, scope, [*names, *lone], near, sources)


def _is_lone(truth: Truth, scope: Scope, word: str, going: set[str]) -> bool:
    """Whether no fact but those ``going`` tells the word, which is long enough to tell a thing."""
    return len(word) >= SHORTEST_STEM and not told_elsewhere(truth, scope, word, going)


def _object_text(truth: Truth, scope: Scope, record: PropositionRecord) -> str:
    if not record.object_id:
        return record.literal_text
    row = truth.entities.get(scope, record.object_id)
    return row.name if row is not None else ""


def _own_names(truth: Truth, scope: Scope, entity_id: str) -> list[str]:
    """Proper names that no other entity has: only those can be blanked everywhere."""
    row = truth.entities.get(scope, entity_id)
    if row is None:
        return []
    pairs = [(entry.alias, entry.normalised) for entry in truth.entities.aliases(scope, entity_id)]
    if row.named:
        pairs.append((row.name, row.normalised))
    return [
        name
        for name, normalised in pairs
        if all(entry.entity_id == entity_id for entry in truth.entities.by_name(scope, normalised))
    ]


def _outside(spans: Sequence[BlankedSpan], mentions: Sequence[BlankedSpan]) -> list[BlankedSpan]:
    """Mentions that no blanked quote covers already."""
    return [
        mention
        for mention in mentions
        if not any(
            span.message_id == mention.message_id
            and span.start <= mention.start
            and mention.end <= span.end
            for span in spans
        )
    ]
