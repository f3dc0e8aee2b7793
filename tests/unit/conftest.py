"""A fresh memory file for each test, over the real ontology."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.ontology.ontology import Ontology
from tests.helpers.story import Story


@pytest.fixture(scope="session")
def ontology() -> Ontology:
    """The shipped ontology."""
    return Ontology.load()


@pytest.fixture
def story(tmp_path: Path, ontology: Ontology) -> Iterator[Story]:
    """A memory without anything in it."""
    story = Story(tmp_path / "home", ontology)
    yield story
    story.close()
