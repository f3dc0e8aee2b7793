"""Finds where words stand in messages and titles, so that they can be forgotten there."""

from __future__ import annotations

import json
from collections.abc import Sequence

from backend.storage.database import Database
from backend.storage.records import chunks
from backend.storage.scope import Scope


class SpokenWords:
    """Looks for whole words in everything that was said in a scope."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def messages_with(self, scope: Scope, phrase: str) -> list[tuple[str, str]]:
        """(id, text) of the messages of all roles that hold the words in this order.

        By the full-text index, which folds case and accents; one that still streams is not in it
        yet and is looked at as well.
        """
        quoted = '"' + phrase.replace('"', '""') + '"'
        rows = self._database.execute(
            "SELECT m.message_id, m.text FROM message_fts f "
            "JOIN messages m ON m.row_number = f.rowid "
            "WHERE message_fts MATCH ? AND m.user_id = ? AND m.context_id = ? "
            "UNION SELECT message_id, text FROM messages "
            "WHERE user_id = ? AND context_id = ? AND status = 'streaming'",
            (quoted, *(scope.user_id, scope.context_id) * 2),
        )
        return [(str(message_id), str(text)) for message_id, text in rows]

    def answers_with(
        self, scope: Scope, phrase: str, citing: Sequence[str] | None = None
    ) -> list[tuple[str, str]]:
        """(id, text) of the app's own answers, in any conversation, that hold the words.

        With ``citing`` only of those that rest on one of these messages.
        """
        found = dict(self.messages_with(scope, phrase))
        answers: list[tuple[str, str]] = []
        wanted = None if citing is None else set(citing)
        for marks, part in chunks(sorted(found)):
            rows = self._database.execute(
                "SELECT message_id, sources_json FROM messages WHERE role = 'assistant' "
                f"AND message_id IN {marks} AND user_id = ? AND context_id = ?",
                [*part, scope.user_id, scope.context_id],
            )
            answers.extend(
                (str(message_id), found[str(message_id)])
                for message_id, sources in rows
                if wanted is None or not wanted.isdisjoint(json.loads(sources))
            )
        return answers

    def answers_in(self, scope: Scope, conversation_ids: Sequence[str]) -> list[tuple[str, str]]:
        """(id, text) of the app's own answers in these conversations."""
        found: list[tuple[str, str]] = []
        for marks, part in chunks(conversation_ids):
            rows = self._database.execute(
                "SELECT message_id, text FROM messages WHERE role = 'assistant' "
                f"AND conversation_id IN {marks} AND user_id = ? AND context_id = ?",
                [*part, scope.user_id, scope.context_id],
            )
            found.extend((str(message_id), str(text)) for message_id, text in rows)
        return found

    def automatic_titles(self, scope: Scope) -> list[tuple[str, str]]:
        """(conversation, title) where the title was made from what was said."""
        rows = self._database.execute(
            "SELECT conversation_id, title FROM conversations "
            "WHERE user_id = ? AND context_id = ? AND title_origin = 'automatic'",
            (scope.user_id, scope.context_id),
        )
        return [(str(conversation_id), str(title)) for conversation_id, title in rows]

    def drop_title(self, scope: Scope, conversation_id: str) -> None:
        """Let the conversation have no title again, as before its first answer."""
        self._database.execute(
            "UPDATE conversations SET title = '', title_origin = 'none' "
            "WHERE conversation_id = ? AND user_id = ? AND context_id = ?",
            (conversation_id, scope.user_id, scope.context_id),
        )
