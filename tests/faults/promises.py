"""What the backend promised before it was killed, and whether its files keep it afterwards."""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass, field

from aico_desktop.paths import HomePaths
from backend.storage.database import Database


@dataclass
class Promises:
    """Acknowledged messages by id, with the word that each of them introduced."""

    acknowledged: dict[str, str] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)

    def check(self, home: HomePaths) -> None:
        """Read the database with another engine, and compare. Raises AssertionError."""
        connection = sqlite3.connect(f"file:{home.database}?mode=ro", uri=True)
        try:
            self._check_messages(connection)
            _check_jobs(connection)
            _check_facts(connection)
            _check_consistency(connection)
        finally:
            connection.close()
        _check_file(home)

    def _check_messages(self, connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            "SELECT message_id, coalesce(external_id, ''), text FROM messages WHERE role = 'user'"
        ).fetchall()
        by_id = {message_id: text for message_id, _, text in rows}
        by_external = Counter(external for _, external, _ in rows if external)
        for message_id, town in self.acknowledged.items():
            assert message_id in by_id, f"acknowledged message {message_id} is lost"
            assert town in by_id[message_id]
        for external_id in self.imported:
            assert by_external[external_id] == 1, f"{external_id}: {by_external[external_id]} rows"


def _check_facts(connection: sqlite3.Connection) -> None:
    """Each message was read once: it has statements, none of them twice, all of them evidence."""
    twice = connection.execute(
        "SELECT message_id, count(*) FROM statements GROUP BY message_id, body_json, span_start"
        " HAVING count(*) > 1"
    ).fetchall()
    assert twice == [], f"statements learnt twice: {twice}"
    unread = connection.execute(
        "SELECT message_id FROM messages m WHERE role = 'user' AND NOT EXISTS"
        " (SELECT 1 FROM statements s JOIN evidence v ON v.statement_id = s.statement_id"
        "  WHERE s.message_id = m.message_id)"
    ).fetchall()
    assert unread == [], f"messages without a fact: {unread}"
    loose = connection.execute(
        "SELECT statement_id FROM statements s WHERE (SELECT count(*) FROM evidence v"
        " WHERE v.statement_id = s.statement_id) <> 1"
    ).fetchall()
    assert loose == [], f"statements that are not evidence of exactly one fact: {loose}"


def _check_jobs(connection: sqlite3.Connection) -> None:
    """Every user message has exactly one job, done, and one line in the ledger."""
    rows = connection.execute(
        "SELECT m.message_id, (SELECT count(*) FROM jobs j WHERE j.message_id = m.message_id),"
        " (SELECT count(*) FROM jobs j WHERE j.message_id = m.message_id AND j.state = 'done'),"
        " (SELECT count(*) FROM ledger l WHERE l.message_id = m.message_id),"
        " (SELECT count(*) FROM batches b WHERE b.message_id = m.message_id)"
        " FROM messages m WHERE m.role = 'user'"
    ).fetchall()
    for message_id, jobs, done, processed, batches in rows:
        state = (jobs, done, processed, batches)
        assert state == (1, 1, 1, 1), f"{message_id}: jobs, done, ledger, batches are {state}"


def _check_file(home: HomePaths) -> None:
    """The file is whole: by its own engine, since SQLite before 3.41 misreads such tables."""
    database = Database(home.database)
    try:
        assert database.integrity_check() == []
    finally:
        database.close()


def _check_consistency(connection: sqlite3.Connection) -> None:
    """No half answer is still streaming, and no fact is without evidence."""
    streaming = "SELECT count(*) FROM messages WHERE status = 'streaming'"
    assert connection.execute(streaming).fetchone()[0] == 0
    orphans = (
        "SELECT count(*) FROM propositions p WHERE NOT EXISTS"
        " (SELECT 1 FROM evidence v WHERE v.proposition_id = p.proposition_id)"
    )
    assert connection.execute(orphans).fetchone()[0] == 0
