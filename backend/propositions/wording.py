"""Names of entities as people read them, and the sentence of a fact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from backend.identity.owner import OWNER_NAME, owner_id
from backend.ontology.ontology import Ontology
from backend.propositions.claims import FactKey
from backend.storage.entity_rows import EntityRecord, EntityRows
from backend.storage.scope import Scope

_LONGEST_CHAIN = 4
"""Descriptions of descriptions ("your sister's husband's boss") end here, whatever the rows say."""

_QUOTED_OR_NOT_REAL = {
    "hypothetical": "If it were so: {text}",
    "joking": "As a joke: {text}",
    "quoted": "Quoted: {text}",
    "reported": "As you were told: {text}",
    "fictional": "In a story: {text}",
    "inferred": "{text} (inferred)",
}


class Wording:
    """Words facts through the ontology, with the names that entities have now."""

    def __init__(self, entities: EntityRows, ontology: Ontology) -> None:
        self._entities = entities
        self._ontology = ontology

    def names(self, scope: Scope, entity_ids: Iterable[str]) -> dict[str, EntityRecord]:
        """The rows of the entities, with those that they are described by."""
        found = self._entities.get_many(scope, sorted(set(entity_ids)))
        for _ in range(_LONGEST_CHAIN):
            anchors = {row.anchor_id for row in found.values() if row.anchor_id and not row.named}
            missing = sorted(anchors - found.keys())
            if not missing:
                break
            found.update(self._entities.get_many(scope, missing))
        return found

    def display(
        self, scope: Scope, entity_id: str, names: Mapping[str, EntityRecord], depth: int = 0
    ) -> str:
        """``me``, a name, or a description ("your sister"); '' for an entity that is gone."""
        if entity_id == owner_id(scope):
            return OWNER_NAME
        row = names.get(entity_id)
        if row is None:
            return ""
        if row.named or row.anchor_id is None or depth >= _LONGEST_CHAIN:
            return row.name
        anchor = self.display(scope, row.anchor_id, names, depth + 1)
        return self._ontology.described_name(row.name, anchor) if anchor else row.name

    def sentence(
        self,
        scope: Scope,
        key: FactKey,
        literal_text: str,
        is_past: bool,
        names: Mapping[str, EntityRecord],
    ) -> str:
        """The fact as a sentence to the person."""
        subject, target = names.get(key.subject_id), names.get(key.object_id)
        described_by_subject = (
            target is not None and not target.named and target.anchor_id == key.subject_id
        )
        text = self._ontology.display(
            key.predicate,
            self.display(scope, key.subject_id, names),
            self.display(scope, key.object_id, names) if key.object_id else literal_text,
            polarity=key.polarity,
            modality=key.modality,
            current=not is_past,
            named=not described_by_subject,
            described_as=target.name if target is not None and described_by_subject else "",
            subject_plural=subject is not None and subject.label == "GROUP",
            object_plural=target is not None and target.label == "GROUP",
        )
        return _QUOTED_OR_NOT_REAL.get(key.modality, "{text}").replace("{text}", text)
