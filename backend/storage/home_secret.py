"""The secret of one home: keyed hashes of what must not stand there in words (DESIGN §4)."""

from __future__ import annotations

import hashlib
import secrets

from backend.storage.database import Database

_NAME = "keyed_hash_secret"
_SECRET_BYTES = 32
_HASH_BYTES = 16


class HomeSecret:
    """Keyed BLAKE2b with a random key that is made once for each memory file.

    A plain hash of "LIVES_IN Dresden" could be found by trying all towns; a keyed one cannot
    without the file. Constructed on an open, migrated database.
    """

    def __init__(self, database: Database) -> None:
        with database.transaction():
            rows = database.execute("SELECT value FROM meta WHERE name = ?", (_NAME,))
            if not rows:
                fresh = secrets.token_hex(_SECRET_BYTES)
                database.execute("INSERT INTO meta (name, value) VALUES (?, ?)", (_NAME, fresh))
                rows = [(fresh,)]
        self._key = bytes.fromhex(str(rows[0][0]))

    def hash(self, purpose: str, *parts: str) -> str:
        """32 hexadecimal digits; ``purpose`` keeps hashes of different uses apart."""
        digest = hashlib.blake2b(key=self._key, digest_size=_HASH_BYTES, person=b"aico")
        for part in (purpose, *parts):
            encoded = part.encode()
            # The length before each part: ("ab", "c") and ("a", "bc") must differ.
            digest.update(len(encoded).to_bytes(4, "big") + encoded)
        return digest.hexdigest()
