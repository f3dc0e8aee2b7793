"""Choices that outlive the process."""

from __future__ import annotations

from pathlib import Path

from aico_desktop.paths import HomePaths
from backend.storage.choices import ChoiceRepository
from backend.storage.database import Database
from backend.storage.migrations import migrate


def test_that_the_last_choice_is_found_after_a_restart(tmp_path: Path) -> None:
    paths = HomePaths(tmp_path)
    database = Database(paths.database)
    migrate(database, paths)
    choices = ChoiceRepository(database)
    assert choices.get("engine") is None
    choices.keep("engine", "one")
    choices.keep("engine", "two")
    database.close()
    again = Database(paths.database)
    assert ChoiceRepository(again).get("engine") == "two"
    again.close()
