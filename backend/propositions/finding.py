"""Finds the entities that a name or a description may mean."""

from __future__ import annotations

from backend.identity.names import normalise
from backend.identity.owner import OWNER_NAME, owner_id
from backend.propositions.truth import Truth
from backend.storage.entity_rows import EntityRecord
from backend.storage.scope import Scope

_OWNER_WORDS = frozenset({OWNER_NAME, "i", "myself", "you"})


def find_entities(truth: Truth, scope: Scope, name: str) -> list[EntityRecord]:
    """By id, "me", name or alias, role ("my sister"), or first name: the first that finds any."""
    by_id = truth.entities.get(scope, name)
    if by_id is not None:
        return [by_id]
    normalised = normalise(name)
    if normalised in _OWNER_WORDS:
        owner = truth.entities.get(scope, owner_id(scope))
        return [owner] if owner is not None else []
    exact = [row for row in truth.entities.by_name(scope, normalised) if _has_own_name(row)]
    if exact:
        return exact
    by_role = _by_role(truth, scope, normalised)
    return by_role or truth.entities.by_first_word(scope, normalised)


def _by_role(truth: Truth, scope: Scope, noun: str) -> list[EntityRecord]:
    found: dict[str, EntityRecord] = {}
    owner = owner_id(scope)
    for predicate in truth.ontology.predicates.values():
        if noun not in predicate.nouns:
            continue
        for name in truth.ontology.narrower(predicate.name):
            for row in (
                *truth.entities.by_anchor(scope, owner, name),
                *truth.entities.objects_of(scope, owner, name),
            ):
                found[row.entity_id] = row
    return list(found.values())


def _has_own_name(row: EntityRecord) -> bool:
    """False where the name is only a stand-in, such as "sister" for the owner's sister."""
    return bool(row.named) or row.anchor_id is None
