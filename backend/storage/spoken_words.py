"""Finds where words stand in messages and titles, so that they can be forgotten there."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from backend.storage.database import Database
from backend.storage.records import chunks
from backend.storage.scope import Scope


class SpokenWords:
    """Looks for whole words in everything that was said in a scope."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def messages_with(self, scope: Scope, phrase: str) -> list[tuple[str, str]]:
        """(id, text) of the messages of all roles that hold the words, or words that begin so.

        By the full-text index, which folds case and accents; one that still streams is not in it
        yet and is looked at as well.
        """
        quoted = _beginning(phrase)
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

    def facts_with(self, scope: Scope, phrase: str) -> list[tuple[str, str]]:
        """(id, text) of the facts of any status that hold the words, or words that begin so."""
        rows = self._database.execute(
            "SELECT p.proposition_id, p.text FROM proposition_fts f "
            "JOIN propositions p ON p.row_number = f.rowid "
            "WHERE proposition_fts MATCH ? AND p.user_id = ? AND p.context_id = ?",
            (_beginning(phrase), scope.user_id, scope.context_id),
        )
        return [(str(identifier), str(text)) for identifier, text in rows]

    def titles(self, scope: Scope, *, automatic: bool) -> list[tuple[str, str]]:
        """(conversation, title) of those that were made from what was said, or by the person."""
        rows = self._database.execute(
            "SELECT conversation_id, title FROM conversations "
            "WHERE user_id = ? AND context_id = ? AND title_origin = ?",
            (scope.user_id, scope.context_id, "automatic" if automatic else "person"),
        )
        return [(str(conversation_id), str(title)) for conversation_id, title in rows]

    def blank_titles(self, scope: Scope, change: Callable[[str], str]) -> None:
        """Change the titles that the person gave; one of which nothing is left is none."""
        for conversation_id, title in self.titles(scope, automatic=False):
            changed = " ".join(change(title).split()) if change(title) != title else title
            if not changed:
                self.drop_title(scope, conversation_id)
            elif changed != title:
                self._database.execute(
                    "UPDATE conversations SET title = ? "
                    "WHERE conversation_id = ? AND user_id = ? AND context_id = ?",
                    (changed, conversation_id, scope.user_id, scope.context_id),
                )

    def blank_import_names(self, scope: Scope, change: Callable[[str], str]) -> None:
        """Take away the names from files that ``change`` changes: two of them may become equal."""
        rows = self._database.execute(
            "SELECT conversation_id, external_name FROM conversations "
            "WHERE user_id = ? AND context_id = ? AND external_name IS NOT NULL",
            (scope.user_id, scope.context_id),
        )
        for conversation_id, name in rows:
            if change(str(name)) != name:
                self._database.execute(
                    "UPDATE conversations SET external_name = NULL "
                    "WHERE conversation_id = ? AND user_id = ? AND context_id = ?",
                    (conversation_id, scope.user_id, scope.context_id),
                )
        sources = self._database.execute(
            "SELECT import_id, source FROM imports WHERE user_id = ? AND context_id = ?",
            (scope.user_id, scope.context_id),
        )
        for import_id, source in sources:
            if change(str(source)) != source:
                self._database.execute(
                    "UPDATE imports SET source = ? "
                    "WHERE import_id = ? AND user_id = ? AND context_id = ?",
                    (change(str(source)), import_id, scope.user_id, scope.context_id),
                )

    def blank_beside(
        self, scope: Scope, change: Callable[[str], str], conversation_ids: Sequence[str] | None
    ) -> None:
        """Change captions and attachments: in these conversations, or (None) in all."""
        wanted = None if conversation_ids is None else set(conversation_ids)
        captions = self._database.execute(
            "SELECT message_id, conversation_id, caption FROM messages "
            "WHERE user_id = ? AND context_id = ? AND caption <> ''",
            (scope.user_id, scope.context_id),
        )
        for message_id, conversation_id, caption in captions:
            here = wanted is None or conversation_id in wanted
            if here and (changed := change(str(caption))) != caption:
                self._database.execute(
                    "UPDATE messages SET caption = ? "
                    "WHERE message_id = ? AND user_id = ? AND context_id = ?",
                    (changed, message_id, scope.user_id, scope.context_id),
                )
        attachments = self._database.execute(
            "SELECT a.attachment_id, m.conversation_id, a.name, a.text FROM attachments a "
            "JOIN messages m ON m.message_id = a.message_id "
            "WHERE a.user_id = ? AND a.context_id = ?",
            (scope.user_id, scope.context_id),
        )
        for attachment_id, conversation_id, name, text in attachments:
            if wanted is not None and conversation_id not in wanted:
                continue
            changed_name, changed = change(str(name)), change(str(text))
            if (changed_name, changed) != (name, text):
                self._database.execute(
                    "UPDATE attachments SET name = ?, text = ? "
                    "WHERE attachment_id = ? AND user_id = ? AND context_id = ?",
                    (changed_name, changed, attachment_id, scope.user_id, scope.context_id),
                )

    def drop_title(self, scope: Scope, conversation_id: str) -> None:
        """Let the conversation have no title again, as before its first answer."""
        self._database.execute(
            "UPDATE conversations SET title = '', title_origin = 'none' "
            "WHERE conversation_id = ? AND user_id = ? AND context_id = ?",
            (conversation_id, scope.user_id, scope.context_id),
        )


def _beginning(phrase: str) -> str:
    """The full-text query for the words in this order, of which the last may be longer."""
    return '"' + phrase.replace('"', '""') + '"*'
