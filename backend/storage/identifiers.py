"""New row ids: random, so that they say nothing about what they name."""

from __future__ import annotations

import uuid


def new_id() -> str:
    """A fresh id of 32 hexadecimal digits."""
    return uuid.uuid4().hex
