"""Names of Chroma collections, made from a user's id."""

from __future__ import annotations

import hashlib
import re

_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?")


def collection_name(kind: str, user_id: str) -> str:
    """``kg_nodes_me``; an id that Chroma or a file system may not take is hashed.

    Chroma wants 3 to 512 characters of a to z, digits, dot, dash and underscore. A hashed name
    holds a dot, which no plain one has, so the two kinds never meet.
    """
    if _PLAIN.fullmatch(user_id):
        return f"{kind}_{user_id}"
    digest = hashlib.blake2b(user_id.encode("utf-8", "surrogatepass"), digest_size=16)
    return f"{kind}_x.{digest.hexdigest()}"
