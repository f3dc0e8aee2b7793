"""A worker over a real memory file and the real reader, which is loaded once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.ontology.ontology import Ontology
from backend.understanding.language import load_language
from backend.understanding.pipeline import Understander
from tests.helpers.story import Story
from tests.unit.learning.workshop import Workshop


@pytest.fixture(scope="session")
def understander(ontology: Ontology) -> Understander:
    """The shipped reader; loading the parser takes most of a second."""
    return Understander(ontology, load_language())


@pytest.fixture
def workshop(tmp_path: Path, ontology: Ontology, understander: Understander) -> Iterator[Workshop]:
    """A memory with jobs, and a worker that has not started yet."""
    workshop = Workshop(Story(tmp_path / "home", ontology), understander)
    yield workshop
    workshop.close()
