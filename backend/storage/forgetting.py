"""Forgetting down to the bytes: database, write-ahead log, working memory, backups, vectors."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.storage.database import Database
from backend.storage.due_work import DueWork
from backend.storage.forgettable import Forgettable
from backend.storage.migrations import remove_backups
from backend.storage.page_scan import leftover_texts
from backend.storage.scope import Scope
from backend.storage.working_memory import WorkingMemory

PAGES_A_STEP = 64

_INDEXES = ("message_fts", "proposition_fts")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ForgottenSpan:
    """Code points [start, end) of a message that were blanked, and the words that stood there."""

    message_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class ForgottenFact:
    """A fact that was forgotten, and how it was worded."""

    fact_id: str
    text: str


class Forgetter:
    """Removes the bytes of what a transaction has forgotten.

    Rows are deleted by their owners. In the same transaction ``note`` says that bytes must go, so
    that a crash cannot lose it; after the commit ``finish`` does it, and ``resume`` at start does
    what was left. Deleted rows are zeroed by the engine (``secure_delete``); full-text segments
    are merged, the write-ahead log is emptied, and the pages are searched for what may be left in
    gaps (reference/peers §7). The ``secure-delete`` option of FTS5 is not used: with the engine
    of libsql 0.1.11 (SQLite 3.45.1) the integrity check then calls the index malformed.
    Vectors are rewritten by the outbox thread. Copies that migrations made are deleted whole:
    they hold the words in older schemas.
    """

    def __init__(
        self,
        database: Database,
        working_memory: WorkingMemory,
        stores: Sequence[Forgettable],
        backups: Path,
    ) -> None:
        """``stores`` are all that keep copies of words, the working memory among them."""
        self._database = database
        self._working_memory = working_memory
        self._stores = tuple(stores)
        self._backups = backups
        self._due = DueWork(database)

    def also_tell(self, store: Forgettable) -> None:
        """Tell one more store, that was built later (at start, before anything is forgotten)."""
        self._stores = (*self._stores, store)

    def note(self) -> None:
        """Call it in the transaction that forgets."""
        self._due.note("clear_files")
        self._due.note("rewrite_vectors")

    def finish(
        self,
        scope: Scope,
        spans: Sequence[ForgottenSpan],
        facts: Sequence[ForgottenFact],
        words: Sequence[str] = (),
    ) -> bool:
        """After the commit: tell every store, and clear the files; True if the bytes are gone.

        ``words`` are those that nothing tells any more.

        Not to be called inside a transaction. Vectors follow in the background, see ``is_pending``.
        """
        for store in self._stores:
            for span in spans:
                store.forget_message_span(scope, span.message_id, span.start, span.end, span.text)
            for fact in facts:
                store.forget_fact(scope, fact.fact_id, fact.text)
            for word in words:
                store.forget_word(scope, word)
        texts = [span.text for span in spans] + [fact.text for fact in facts]
        return self._clear([*texts, *words])

    def resume(self) -> bool:
        """At start: do what a crash left undone; True if nothing is left.

        The words are not known any more, so the working memory is emptied and the database is
        written anew whether it holds them or not.
        """
        if self._due.since("clear_files") is None:
            return True
        self._working_memory.clear()
        self._database.execute("VACUUM")
        return self._clear([])

    def is_pending(self) -> bool:
        """True while bytes of something forgotten may still be in a file ("forgetting…")."""
        return any(self._due.since(work) for work in ("clear_files", "rewrite_vectors"))

    def is_working(self) -> bool:
        """True while the outbox rewrites vectors; what is left elsewhere waits for a start."""
        return self._due.since("rewrite_vectors") is not None

    def _clear(self, texts: Sequence[str]) -> bool:
        since = self._due.since("clear_files")
        self._working_memory.rewrite()
        removed = remove_backups(self._backups)
        for index in _INDEXES:
            self._merge(index)
        clean = self._empty_log()
        if leftover_texts(self._database, texts):
            self._database.execute("VACUUM")
            clean = self._empty_log() and not leftover_texts(self._database, texts)
        if clean and since is not None:
            self._due.done("clear_files", since)
        if not clean:
            _log.error("bytes of something forgotten are still in the database")
        _log.info("forgot %d texts; %d backups deleted", len(texts), removed)
        return clean

    def _merge(self, index: str) -> None:
        """Merge all segments of a full-text index, so that no deleted word is in any of them.

        In steps, since nothing else in the process runs during each (10 ms, measured).
        """
        size = -PAGES_A_STEP  # negative: take all segments, as "optimize" does
        changed = 2
        while changed >= 2:  # fewer: the documented sign that nothing was left to merge
            with self._database.transaction():
                before = self._changes()
                self._database.execute(
                    f"INSERT INTO {index}({index}, rank) VALUES ('merge', ?)", (size,)
                )
                changed = self._changes() - before
            size = PAGES_A_STEP

    def _changes(self) -> int:
        return int(self._database.execute("SELECT total_changes()")[0][0])

    def _empty_log(self) -> bool:
        """Bring the write-ahead log into the database and cut it to nothing."""
        busy, *_ = self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")[0]
        return not busy
