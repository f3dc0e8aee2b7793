"""Bring a home's database to the schema of this version of the app, with a backup before."""

from __future__ import annotations

import contextlib
import logging
import os
import re
from dataclasses import dataclass
from pathlib import Path

from aico_desktop.paths import HomePaths
from backend.storage.clock import Clock, utc_now
from backend.storage.database import Database
from backend.storage.errors import MigrationFailed, SchemaTooNew, StorageError

MIGRATIONS_FOLDER = Path(__file__).parent / "migrations"
PARTIAL_SUFFIX = ".partial"
NOTE_NAME = "why-backups-were-deleted.txt"
_BACKUP_PATTERNS = ("aico-schema*.db*", f"aico-schema*{PARTIAL_SUFFIX}")
_NAME = re.compile(r"(\d{4})_\w+\.sql")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, order=True)
class Migration:
    """One step: the version that the file has afterwards, and its script."""

    version: int
    path: Path


@dataclass(frozen=True, slots=True)
class MigrationResult:
    """Versions before and after; ``backup`` is the copy made, if there was something to copy."""

    before: int
    after: int
    backup: Path | None


def available_migrations(folder: Path = MIGRATIONS_FOLDER) -> tuple[Migration, ...]:
    """All steps in order. Raises MigrationFailed if a number is missing or twice."""
    found = sorted(
        Migration(int(match.group(1)), path)
        for path in folder.iterdir()
        if (match := _NAME.fullmatch(path.name))
    )
    if [step.version for step in found] != list(range(1, len(found) + 1)):
        raise MigrationFailed("the app's schema files are incomplete; install it again")
    return tuple(found)


def schema_version(database: Database) -> int:
    """The schema of the open file; 0 for a new one."""
    return int(database.execute("PRAGMA user_version")[0][0])


def migrate(
    database: Database,
    paths: HomePaths,
    folder: Path = MIGRATIONS_FOLDER,
    clock: Clock = utc_now,
) -> MigrationResult:
    """Run the missing steps, each in one transaction; does nothing on a current file.

    A file that holds a schema already is first copied to the backups folder. Raises SchemaTooNew,
    MigrationFailed (the file then stands at the last good step), or any StorageError.
    """
    steps = available_migrations(folder)
    before = schema_version(database)
    newest = len(steps)
    if before > newest:
        raise SchemaTooNew(
            f"This home was written by a newer AICO (schema {before}; this one knows up to"
            f" {newest}). Update the app to open it; nothing was changed."
        )
    if before == newest:
        return MigrationResult(before, before, None)
    backup = None
    if before > 0:
        stamp = clock().strftime("%Y%m%dT%H%M%S%f")
        backup = back_up(database, paths.backups / f"aico-schema{before}-{stamp}.db")
    for step in steps[before:]:
        _run_step(database, step)
    _log.info("schema went from %d to %d", before, newest)
    return MigrationResult(before, newest, backup)


def _run_step(database: Database, step: Migration) -> None:
    try:
        with database.transaction():
            database.script(step.path.read_text(encoding="utf-8"))
            broken = database.execute("PRAGMA foreign_key_check")
            if broken:
                raise MigrationFailed(f"step {step.version} would leave rows that refer to nothing")
            database.execute(f"PRAGMA user_version = {step.version}")
    except MigrationFailed:
        raise
    except StorageError as error:
        raise MigrationFailed(
            f"The memory could not be brought to schema {step.version}; it stays as it was. {error}"
        ) from error


def back_up(database: Database, target: Path) -> Path:
    """Copy the whole file to ``target``, readable by the owner alone.

    Appears under its name only when it is complete.
    """
    partial = target.with_suffix(PARTIAL_SUFFIX)
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        database.copy_to(partial)
        partial.chmod(0o600)
        with partial.open("rb+") as copy:
            os.fsync(copy.fileno())
        partial.replace(target)
    except OSError as error:
        raise MigrationFailed(
            f"No backup could be made before the memory is changed, so it stays as it was. {error}"
        ) from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()
    return target


def remove_backups(folder: Path) -> int:
    """Delete the copies that migrations made, and leave a note; returns how many there were."""
    found = [path for pattern in _BACKUP_PATTERNS for path in folder.glob(pattern)]
    for path in found:
        path.unlink(missing_ok=True)
    if found:
        (folder / NOTE_NAME).write_text(
            "Copies of the memory that AICO had made before updates were deleted,\n"
            "because they still held something that you asked it to forget.\n",
            encoding="utf-8",
        )
    return len(found)
