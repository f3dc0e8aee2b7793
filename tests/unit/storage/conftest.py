"""Fixtures of the storage tests: a real, migrated database in a temporary home."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aico_desktop.paths import HomePaths
from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.migrations import migrate
from backend.storage.scope import Scope

SCOPE = Scope("me", "default")


@pytest.fixture
def home(tmp_path: Path) -> HomePaths:
    """An empty home folder."""
    return HomePaths(tmp_path)


@pytest.fixture
def database(home: HomePaths) -> Iterator[Database]:
    """A migrated database."""
    opened = Database(home.database)
    migrate(opened, home)
    yield opened
    opened.close()


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Database]:
    """A database without a schema."""
    opened = Database(tmp_path / "bare.db")
    yield opened
    opened.close()


@pytest.fixture
def scope() -> Scope:
    """The default scope."""
    return SCOPE


@pytest.fixture
def conversation_id(database: Database, scope: Scope) -> str:
    """A conversation to put messages into."""
    return ConversationRepository(database).create(scope).conversation_id
