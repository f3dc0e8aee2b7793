"""Ids of entities: the owner's, and those of everybody else in the order of meeting them."""

from __future__ import annotations

from backend.storage.identifiers import new_id
from backend.storage.scope import Scope

OWNER_NAME = "me"
"""Name and, in the default scope, id of the owner's entity."""

PERSON = "PERSON"


def owner_id(scope: Scope) -> str:
    """The owner's entity id: ``me``; other users and contexts of a home have their own."""
    if scope == Scope():
        return OWNER_NAME
    return f"{OWNER_NAME}@{scope.user_id}/{scope.context_id}"


def new_entity_id(sequence: int) -> str:
    """An id that sorts after those of entities met before; ``sequence`` is the decision's number.

    It tells nothing but the order: the rest is random.
    """
    return f"{sequence:010x}{new_id()[:22]}"
