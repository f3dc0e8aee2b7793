"""Full-text search over messages and facts, safe for any words and bounded in cost."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from backend.storage.database import Database, Row
from backend.storage.scope import Scope
from backend.storage.stop_words import STOP_WORDS
from backend.storage.text_boundary import repair_text

COMMON_SHARE = 0.1
"""A word in more than this share of all rows tells little (the IDF cut of reference/peers §7)."""

COMMON_ROWS = 1000
"""In a small store no word is too common: below this many rows none is dropped."""

MATCHED_ROWS = 20_000
"""Rows that one search may score: 20 ms at 100,000 rows and five words of 9 % each (measured)."""

LONGEST_WORD = 64
MOST_WORDS = 32

_WORD = re.compile(r"[^\W_]+")
_CURRENT = ("ACTIVE", "PROMOTED")


@dataclass(frozen=True, slots=True)
class _Index:
    """The names of one full-text index and of the table that holds its texts."""

    fts: str
    table: str
    id_column: str


_MESSAGES = _Index("message_fts", "messages", "message_id")
_FACTS = _Index("proposition_fts", "propositions", "proposition_id")


def search_words(text: str) -> tuple[str, ...]:
    """The words of a text worth searching for: normalised, without stop-words, each once."""
    folded = unicodedata.normalize("NFKC", repair_text(text)[0]).casefold()
    words = (word[:LONGEST_WORD] for word in _WORD.findall(folded))
    return tuple(dict.fromkeys(word for word in words if word not in STOP_WORDS))


class FullTextSearch:
    """Finds rows that hold any of some words, best first by bm25 (smaller is better).

    Words in too many rows are left out unless nothing else is left; then the newest rows that
    hold all of them are given.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def facts(
        self,
        scope: Scope,
        words: Sequence[str],
        limit: int = 50,
        statuses: Sequence[str] = _CURRENT,
    ) -> list[tuple[str, float]]:
        """Ids of propositions in one of ``statuses`` with their bm25."""
        return self._search(_FACTS, scope, words, limit, "status", statuses)

    def messages(
        self,
        scope: Scope,
        words: Sequence[str],
        limit: int = 50,
        roles: Sequence[str] = ("user", "other", "assistant"),
    ) -> list[tuple[str, float]]:
        """Ids of messages by one of ``roles`` with their bm25."""
        return self._search(_MESSAGES, scope, words, limit, "role", roles)

    def _search(
        self,
        index: _Index,
        scope: Scope,
        words: Sequence[str],
        limit: int,
        column: str,
        allowed: Sequence[str],
    ) -> list[tuple[str, float]]:
        phrases = [phrase for word in dict.fromkeys(words) if (phrase := _phrase(word))]
        phrases = phrases[:MOST_WORDS]
        if not phrases or limit < 1 or not allowed:
            return []
        telling = self._telling(index, phrases)
        match = " OR ".join(telling) if telling else " AND ".join(phrases)
        # CROSS JOIN keeps the index outside: it gives rows in order, and LIMIT stops it early.
        rows = self._database.execute(
            f"SELECT t.{index.id_column}, bm25({index.fts}) FROM {index.fts}"
            f" CROSS JOIN {index.table} t ON t.row_number = {index.fts}.rowid"
            f" WHERE {index.fts} MATCH ? AND t.user_id = ? AND t.context_id = ?"
            f" AND t.{column} IN ({', '.join('?' * len(allowed))})"
            f" ORDER BY {'rank' if telling else index.fts + '.rowid DESC'} LIMIT ?",
            (match, scope.user_id, scope.context_id, *allowed, limit),
        )
        return [_hit(row) for row in rows]

    def _telling(self, index: _Index, phrases: Sequence[str]) -> list[str]:
        """The phrases rare enough to score, rarest first, within the budget of rows."""
        newest = self._database.execute(f"SELECT max(row_number) FROM {index.table}")[0][0] or 0
        most = min(max(COMMON_ROWS, int(newest * COMMON_SHARE)), MATCHED_ROWS)
        counted = sorted((self._rows_with(index, phrase, most), phrase) for phrase in phrases)
        chosen: list[str] = []
        budget = MATCHED_ROWS
        for count, phrase in counted:
            if 0 < count <= most and count <= budget:
                chosen.append(phrase)
                budget -= count
        return chosen

    def _rows_with(self, index: _Index, phrase: str, most: int) -> int:
        """How many rows hold the phrase, counted no further than one beyond ``most``."""
        rows = self._database.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM {index.fts} WHERE {index.fts} MATCH ? LIMIT ?)",
            (phrase, most + 1),
        )
        return int(rows[0][0])


def _phrase(word: str) -> str:
    """One word or phrase as an FTS5 string, in which nothing is an operator; '' if it is empty."""
    clean = repair_text(word)[0][:LONGEST_WORD]
    if not any(character.isalnum() for character in clean):
        return ""
    return '"' + clean.replace('"', '""') + '"'


def _hit(row: Row) -> tuple[str, float]:
    return str(row[0]), float(row[1])
