"""The rows of users and their contexts."""

from __future__ import annotations

from dataclasses import dataclass

from backend.storage.clock import Clock, to_text, utc_now
from backend.storage.database import Database
from backend.storage.scope import Scope


@dataclass(frozen=True, slots=True)
class UserRecord:
    """A user; ``zone`` is an IANA time zone."""

    user_id: str
    display_name: str
    zone: str
    created_at: str


class UserRepository:
    """Creates and reads users and contexts."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    def ensure(self, scope: Scope, display_name: str, zone: str) -> UserRecord:
        """Create user and context if they are new; name and zone follow what is given."""
        now = to_text(self._clock())
        with self._database.transaction():
            rows = self._database.execute(
                "INSERT INTO users(user_id, display_name, zone, created_at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT(user_id) DO UPDATE SET display_name = excluded.display_name,"
                " zone = excluded.zone RETURNING user_id, display_name, zone, created_at",
                (scope.user_id, display_name, zone, now),
            )
            self._database.execute(
                "INSERT INTO contexts(context_id, user_id, name, created_at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT(user_id, context_id) DO NOTHING",
                (scope.context_id, scope.user_id, scope.context_id, now),
            )
        return UserRecord(*rows[0])

    def get(self, user_id: str) -> UserRecord | None:
        """The user, or None."""
        rows = self._database.execute(
            "SELECT user_id, display_name, zone, created_at FROM users WHERE user_id = ?",
            (user_id,),
        )
        return UserRecord(*rows[0]) if rows else None
