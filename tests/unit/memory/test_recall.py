"""Which facts come to mind for a message."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from backend.memory.recall import FactRecall
from backend.memory.sources import FactSources
from backend.storage.entity_rows import EntityRows
from backend.storage.proposition_rows import PropositionRows
from backend.storage.scope import Scope
from backend.storage.search import FullTextSearch
from backend.storage.statement_rows import StatementRows
from tests.unit.learning.workshop import Workshop


class NoVectors:
    """The probe while its model still loads."""

    similarity_threshold = 0.7

    def similar_facts(self, scope: Scope, text: str, limit: int) -> Sequence[tuple[str, float]]:
        del scope, text, limit
        return ()


@pytest.fixture(scope="module")
def recall(life: Workshop) -> FactRecall:
    story = life.story
    return FactRecall(
        PropositionRows(story.database),
        EntityRows(story.database),
        FullTextSearch(story.database),
        FactSources(StatementRows(story.database), story.messages),
        NoVectors(),
    )


def test_that_a_named_person_brings_everything_about_them(
    recall: FactRecall, life: Workshop
) -> None:
    texts = [fact.text for fact in recall.recall(life.story.scope, "I will visit Ana tomorrow!")]
    assert any("Graz" in text for text in texts)
    assert any("Acme" in text for text in texts)


def test_that_words_of_a_fact_bring_it(recall: FactRecall, life: Workshop) -> None:
    facts = recall.recall(life.story.scope, "Is there any sushi left?")
    assert "sushi" in facts[0].text
    assert "words" in facts[0].probes


def test_that_each_fact_is_recalled_once_with_its_date_and_source(
    recall: FactRecall, life: Workshop
) -> None:
    facts = recall.recall(life.story.scope, "Ana, Ana and Ana in Graz")
    assert len({fact.fact_id for fact in facts}) == len(facts)
    assert all("[said " in fact.text and fact.source_message_ids for fact in facts)


def test_that_small_talk_brings_nothing(recall: FactRecall, life: Workshop) -> None:
    assert recall.recall(life.story.scope, "Good morning! How are you?") == ()


def test_that_no_more_comes_than_was_asked_for(recall: FactRecall, life: Workshop) -> None:
    assert len(recall.recall(life.story.scope, "Ana Graz Acme Rex Luna guitar nuts", limit=3)) == 3
