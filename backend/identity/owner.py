"""The entity that is the owner of the memory."""

from __future__ import annotations

from backend.storage.scope import Scope

OWNER_NAME = "me"
"""Name and, in the default scope, id of the owner's entity."""

PERSON = "PERSON"


def owner_id(scope: Scope) -> str:
    """The owner's entity id: ``me``; other users and contexts of a home have their own."""
    if scope == Scope():
        return OWNER_NAME
    return f"{OWNER_NAME}@{scope.user_id}/{scope.context_id}"
