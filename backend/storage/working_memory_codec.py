"""Keys and values of the working memory: how ids, ordinals and expiry times become bytes."""

from __future__ import annotations

import json
import re
import struct

from backend.storage.word_forms import blanked_in

LONGEST_ID_BYTES = 400
"""LMDB takes keys of 511 bytes; ordinal, expiry and separator need 17."""

MOMENT = struct.Struct(">Q")
"""Milliseconds since 1970, or an ordinal: as bytes they sort as numbers do."""


def prefix(conversation_id: str) -> bytes:
    """What all keys of a conversation begin with. Raises ValueError for what is no id."""
    encoded = conversation_id.encode()
    if not encoded or len(encoded) > LONGEST_ID_BYTES or b"\0" in encoded:
        raise ValueError("not an id of a conversation")
    return encoded + b"\0"


def item_key(conversation_id: str, ordinal: int) -> bytes:
    """The key of one message; keys of a conversation sort by ordinal."""
    return prefix(conversation_id) + MOMENT.pack(ordinal)


def moment_of(value: bytes | memoryview) -> int:
    """The expiry at the beginning of a value or of an expiry key, in milliseconds since 1970."""
    moment: int = MOMENT.unpack(bytes(value[: MOMENT.size]))[0]
    return moment


def blanked(body: bytes, pattern: re.Pattern[str]) -> bytes | None:
    """A JSON body with what the pattern finds blanked in every string, or None without any."""
    payload = json.loads(body)
    blanked = {
        name: blanked_in(value, pattern) if isinstance(value, str) else value
        for name, value in payload.items()
    }
    if blanked == payload:
        return None
    return json.dumps(blanked, ensure_ascii=False).encode("utf-8", "replace")
