"""What is asked about the person is quoted from them or unknown, and never left to a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

import pytest

from backend.learning.context_builder import ContextBuilder
from backend.memory.answering import MemoryAnswerer
from backend.memory.for_message import MessageRecall
from backend.memory.own_words import UNKNOWN, OwnWordsAnswerer
from backend.memory.personal_questions import personal_question
from backend.memory.quoting import MessageQuotes
from backend.memory.recall import FactRecall
from backend.memory.results import MemoryAnswer
from backend.memory.sources import FactSources
from backend.ontology.ontology import Ontology
from backend.storage.entity_rows import EntityRows
from backend.storage.proposition_rows import PropositionRows
from backend.storage.search import FullTextSearch
from backend.storage.statement_rows import StatementRows
from tests.helpers.story import Story
from tests.unit.learning.workshop import Workshop
from tests.unit.memory.test_recall import NoVectors

TODAY = date(2025, 3, 20)

ABOUT_THE_PERSON = (
    "What did I tell you about the house?",
    "Tell me what I told you about my mother.",
    "What did we talk about yesterday?",
    "What don't I like to eat?",
    "What don’t I like to eat",
    "Do you remember my boat?",
    "What is my shoe size?",
    "What colour is my car?",
    "Where does my cousin live?",
    "Remind me what I said about the garden.",
    "I went home. Did I tell you about my boss?",
    "Have I ever been to Rome?",
    "When did I move to Graz?",
    "What do you know about my car?",
)

FOR_A_MODEL = (
    "I told you that I like cheese.",
    "As I told you, I'm tired.",
    "I had a nice day, did I tell you that I am happy?",
    "How are you?",
    "What's the capital of France?",
    "Who was Einstein?",
    "What do you know about Einstein?",
    "Do you remember the moon landing?",
    "Do you remember me?",
    "Can you remember that my car is red?",
    "Please remember that I like tea.",
    "What should I cook tonight?",
    "What do you think about my plan?",
    "What did I do wrong?",
    "What can I do about my headache?",
    "What do I do now?",
    "What does my dream mean?",
    "How do I boil an egg?",
    "Tell me a joke.",
    "I remember my mother.",
)

TOLD = (
    "We painted the house green.",
    "The old houses in Graz are lovely.",
    "My mother grows roses.",
    "What did I tell you about the house?",
    "I hate olives.",
    "I do not like mushrooms at all.",
    "I love sushi.",
    "We painted the house green.",
)


@pytest.mark.parametrize("text", ABOUT_THE_PERSON)
def test_that_a_question_about_the_person_is_recognised(text: str) -> None:
    assert personal_question(text, TODAY) is not None


@pytest.mark.parametrize("text", FOR_A_MODEL)
def test_that_small_talk_advice_and_the_world_are_left_to_a_model(text: str) -> None:
    assert personal_question(text, TODAY) is None


def test_that_days_are_understood() -> None:
    question = personal_question("What did we talk about last week?", TODAY)
    assert question is not None
    assert (question.since, question.until) == (date(2025, 3, 10), date(2025, 3, 16))


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """Messages of the person, one a day, and what a model and somebody else said about them."""
    made = Story(tmp_path_factory.mktemp("told") / "home", Ontology.load())
    for text in TOLD:
        made.message(text)
    made.message("Your house is in Rome.", role="assistant", speaker="AICO")
    made.message("The house is mine.", role="other", speaker="Berta")
    yield made
    made.close()


@pytest.fixture
def ask(story: Story) -> Callable[[str], MemoryAnswer | None]:
    """Ask for the person's own words, the day after the last message of TOLD was said."""
    own_words = OwnWordsAnswerer(MessageQuotes(FullTextSearch(story.database), story.messages))
    last = story.messages.newest_by_user(story.scope, 1)[0]
    today = date.fromordinal(date.fromisoformat(last.said_at[:10]).toordinal() + 1)
    return lambda text: own_words.answer(story.scope, text, today)


Ask = Callable[[str], MemoryAnswer | None]


def test_that_the_persons_own_statements_are_quoted_newest_first_and_once(
    ask: Ask, story: Story
) -> None:
    answer = ask("What did I tell you about the house?")
    assert answer is not None
    lines = answer.text.splitlines()
    assert [line.partition("wrote: ")[2] for line in lines] == [
        "“We painted the house green.”",
        "“The old houses in Graz are lovely.”",
    ]
    assert all(line.startswith("- On ") and " 2025 you wrote: " in line for line in lines)
    found = story.messages.get_many(story.scope, answer.source_message_ids)
    assert {message.role for message in found.values()} == {"user"}
    assert len(found) == 2


def test_that_one_message_is_quoted_in_a_sentence(ask: Ask) -> None:
    answer = ask("Tell me what I told you about my mother.")
    assert answer is not None
    assert answer.text.endswith("you wrote: “My mother grows roses.”")
    assert not answer.text.startswith("-")


def test_that_dislikes_and_likes_are_told_apart(ask: Ask) -> None:
    disliked, liked = ask("What don't I like to eat?"), ask("What do I like?")
    assert disliked is not None
    assert liked is not None
    assert "olives" in disliked.text
    assert "mushrooms" in disliked.text
    assert "sushi" not in disliked.text
    assert "sushi" in liked.text
    assert "mushrooms" not in liked.text


def test_that_a_day_limits_what_is_quoted(ask: Ask) -> None:
    answer = ask("What did we talk about yesterday?")
    assert answer is not None
    assert answer.text.endswith("you wrote: “We painted the house green.”")
    assert len(answer.source_message_ids) == 1
    today = ask("What did we talk about today?")
    assert today is not None
    assert today.abstained


@pytest.mark.parametrize(
    "text", ["What did I tell you about the boat?", "What is my shoe size?", "Did I call Berta?"]
)
def test_that_what_was_never_told_is_unknown(ask: Ask, text: str) -> None:
    answer = ask(text)
    assert answer is not None
    assert (answer.text, answer.source_message_ids, answer.abstained) == (UNKNOWN, (), True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did I tell you about the medicine?", "cupboard"),
        ("Tell me what I told you about my mother.", UNKNOWN),
        ("What don't I like to eat?", "olives"),
        ("What is my sister's name?", "Ana"),
        ("What's the capital of France?", None),
        ("I'm a bit tired today.", None),
    ],
)
def test_that_only_what_is_not_about_the_person_reaches_a_model(
    life: Workshop, answerer: MemoryAnswerer, text: str, expected: str | None
) -> None:
    story = life.story
    search = FullTextSearch(story.database)
    contexts = ContextBuilder(story.messages, EntityRows(story.database))
    recall = MessageRecall(
        answerer,
        OwnWordsAnswerer(MessageQuotes(search, story.messages)),
        FactRecall(
            PropositionRows(story.database),
            EntityRows(story.database),
            search,
            FactSources(StatementRows(story.database), story.messages),
            NoVectors(),
        ),
        lambda scope, conversation_id, message_id: contexts.of_question(scope, story.clock()),
    )
    recalled = recall.for_message(story.scope, story.conversation_id, "asking", text)
    if expected is None:
        assert recalled.direct_answer is None
    else:
        assert recalled.direct_answer is not None
        assert expected in recalled.direct_answer
