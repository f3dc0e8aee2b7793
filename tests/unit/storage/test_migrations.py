"""Bringing a home to the schema of this version, and what stands in its way."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from aico_desktop.paths import HomePaths
from backend.storage.database import Database
from backend.storage.errors import MigrationFailed, SchemaTooNew
from backend.storage.migrations import (
    MIGRATIONS_FOLDER,
    available_migrations,
    migrate,
    schema_version,
)

SECOND = "ALTER TABLE users ADD COLUMN nickname TEXT; CREATE TABLE extra(a TEXT) STRICT;"


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    """A folder with the real first step, to which tests add theirs."""
    folder = tmp_path / "steps"
    shutil.copytree(MIGRATIONS_FOLDER, folder)
    return folder


def test_that_migrating_twice_changes_nothing(database: Database, home: HomePaths) -> None:
    before = database.execute("SELECT name, sql FROM sqlite_master ORDER BY name")
    result = migrate(database, home)
    assert (result.before, result.after, result.backup) == (1, 1, None)
    assert database.execute("SELECT name, sql FROM sqlite_master ORDER BY name") == before
    assert not home.backups.exists()


def test_that_every_table_of_knowledge_is_scoped(database: Database) -> None:
    names = database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_fts%'"
        " AND name NOT LIKE 'sqlite_%'"
    )
    for (name,) in names:
        columns = {
            row[0] for row in database.execute("SELECT name FROM pragma_table_info(?)", (name,))
        }
        if name == "meta":  # facts about the file itself
            continue
        assert "user_id" in columns, name
        assert "context_id" in columns or name in {"users", "vector_outbox"}, name


def test_that_an_old_home_is_backed_up_before_a_step(
    database: Database, home: HomePaths, steps: Path
) -> None:
    database.execute("INSERT INTO users VALUES ('me', 'Orla', 'Europe/Dublin', '2026')")
    (steps / "0002_nickname.sql").write_text(SECOND)
    moment = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
    result = migrate(database, home, steps, clock=lambda: moment)
    assert (result.before, result.after) == (1, 2)
    assert database.execute("SELECT nickname FROM users") == [(None,)]
    assert result.backup == home.backups / "aico-schema1-20261130T080000000000.db"
    assert result.backup.stat().st_mode & 0o077 == 0
    copy = Database(result.backup)
    assert schema_version(copy) == 1
    assert copy.execute("SELECT display_name FROM users") == [("Orla",)]
    copy.close()


def test_that_a_failed_step_leaves_the_file_as_it_was(
    database: Database, home: HomePaths, steps: Path
) -> None:
    (steps / "0002_broken.sql").write_text("CREATE TABLE extra(a); CREATE TABLE extra(a);")
    with pytest.raises(MigrationFailed, match="schema 2"):
        migrate(database, home, steps)
    assert schema_version(database) == 1
    assert database.execute("SELECT name FROM sqlite_master WHERE name = 'extra'") == []


def test_that_a_step_may_not_leave_rows_that_refer_to_nothing(
    database: Database, home: HomePaths, steps: Path
) -> None:
    (steps / "0002_dangling.sql").write_text(
        "PRAGMA defer_foreign_keys = ON;"
        "INSERT INTO contexts VALUES ('default', 'nobody', 'x', '2026');"
    )
    with pytest.raises(MigrationFailed):
        migrate(database, home, steps)
    assert schema_version(database) == 1


def test_that_a_newer_home_is_refused_in_words(database: Database, home: HomePaths) -> None:
    database.execute("PRAGMA user_version = 9")
    with pytest.raises(SchemaTooNew, match="Update the app"):
        migrate(database, home)


def test_that_a_gap_in_the_steps_is_noticed(steps: Path) -> None:
    (steps / "0003_later.sql").write_text(SECOND)
    with pytest.raises(MigrationFailed):
        available_migrations(steps)


def test_that_no_step_is_made_without_its_backup(
    database: Database, home: HomePaths, steps: Path
) -> None:
    (steps / "0002_nickname.sql").write_text(SECOND)
    home.backups.write_text("a file where the folder should be")
    with pytest.raises(MigrationFailed, match="backup"):
        migrate(database, home, steps)
    assert schema_version(database) == 1
