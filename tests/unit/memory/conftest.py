"""A memory that has been told a life, with the real reader, and the answerer over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backend.learning.context_builder import ContextBuilder
from backend.memory.answering import MemoryAnswerer
from backend.memory.quoting import MessageQuotes
from backend.memory.results import MemoryAnswer
from backend.memory.sources import FactSources
from backend.memory.walk import GraphWalk
from backend.memory.wording import AnswerWording
from backend.ontology.ontology import Ontology
from backend.storage.entity_rows import EntityRows
from backend.storage.proposition_rows import PropositionRows
from backend.storage.search import FullTextSearch
from backend.storage.statement_rows import StatementRows
from backend.understanding.language import load_language
from backend.understanding.pipeline import Understander
from tests.helpers.story import Story
from tests.unit.learning.workshop import Workshop

LIFE = (
    "Hi, I'm Mara and I'm 34.",
    "My sister Ana lives in Graz and works at Acme.",
    "Ana is married to Tom.",
    "My brothers are Ben and Felix.",
    "I live in Leipzig. I used to live in Dresden.",
    "I work as a nurse at the Mercy Clinic.",
    "I have a dog called Rex and a cat named Luna.",
    "I love sushi but I hate olives.",
    "I'm allergic to nuts.",
    "I play the guitar.",
    "I want to learn Italian.",
    "My birthday is on May 12.",
    "My favourite colour is green.",
    "I speak German and English.",
    "My blood pressure medicine is in the blue cupboard.",
    "My boss is called Ingrid.",
    "My dad died in 2019.",
    "My cat Mitzi died last year.",
    "My children love football.",
    "I have diabetes.",
    "I am married.",
    "I have three children.",
    "My kids are Noah and Ella.",
    "Noah goes to Lincoln High School.",
)


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """The memory after all sentences of LIFE."""
    ontology = Ontology.load()
    folder: Path = tmp_path_factory.mktemp("life")
    workshop = Workshop(Story(folder / "home", ontology), Understander(ontology, load_language()))
    for sentence in LIFE:
        workshop.receive(sentence)
    workshop.run()
    yield workshop
    workshop.close()


@pytest.fixture(scope="module")
def answerer(life: Workshop) -> MemoryAnswerer:
    """The answerer over that memory."""
    story = life.story
    database, ontology = story.database, story.ontology
    search = FullTextSearch(database)
    contexts = ContextBuilder(story.messages, EntityRows(database))
    return MemoryAnswerer(
        Understander(ontology, load_language()),
        GraphWalk(PropositionRows(database), EntityRows(database), ontology, story.clock),
        FactSources(StatementRows(database), story.messages),
        MessageQuotes(search, story.messages),
        AnswerWording(ontology),
        lambda scope: contexts.of_question(scope, story.clock()),
    )


@pytest.fixture
def ask(life: Workshop, answerer: MemoryAnswerer) -> Callable[[str], MemoryAnswer | None]:
    """Ask the memory."""
    return lambda question: answerer.answer(life.story.scope, question)
