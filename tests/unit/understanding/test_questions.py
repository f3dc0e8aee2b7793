"""Questions become walks over the graph; personal ones that memory cannot answer are recognised."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.understanding.pipeline import Understander
from backend.understanding.statements import (
    DialogueContext,
    KnownName,
    QuestionKind,
    QuestionPattern,
)
from tests.unit.understanding.conftest import Read, named

WALKS: list[tuple[str, str]] = [
    ("What is my sister's name?", "name_of me>HAS_SISTER"),
    ("what's my dog called", "name_of me>HAS_PET"),
    ("Do you remember what my sister's name is?", "name_of me>HAS_SISTER"),
    ("Do you know my sister's name?", "name_of me>HAS_SISTER"),
    ("What is my sister's husband's name?", "name_of me>HAS_SISTER>MARRIED_TO"),
    ("Who is my sister's husband?", "name_of me>HAS_SISTER>MARRIED_TO"),
    ("Who is my boss?", "name_of me>HAS_BOSS"),
    ("What is my name?", "name_of me HAS_NAME"),
    ("Who is Ana?", "describe Ana"),
    ("What do you know about Ana?", "describe Ana"),
    ("What do you know about me?", "describe me"),
    ("What did I say about Rex?", "describe Rex"),
    ("Tell me about my sister.", "describe me>HAS_SISTER"),
    ("Where do I live?", "object_of me LIVES_IN"),
    ("Do you remember where I live?", "object_of me LIVES_IN"),
    ("Where does my sister work?", "object_of me>HAS_SISTER WORKS_AT"),
    ("Where does Ana live?", "object_of Ana LIVES_IN"),
    ("Where is my brother from?", "object_of me>HAS_BROTHER COMES_FROM"),
    ("What do I do?", "object_of me HAS_OCCUPATION"),
    ("What do I do for work?", "object_of me HAS_OCCUPATION"),
    ("What's my job?", "object_of me HAS_OCCUPATION"),
    ("How old is Tom?", "object_of Tom HAS_AGE"),
    ("How old am I?", "object_of me HAS_AGE"),
    ("When is my birthday?", "when me BORN_ON"),
    ("When is my sister's birthday?", "when me>HAS_SISTER BORN_ON"),
    ("When did I move to Leipzig?", "when me LIVES_IN Leipzig"),
    ("Do I like sushi?", "yes_no me LIKES sushi"),
    ("Am I allergic to nuts?", "yes_no me ALLERGIC_TO nuts"),
    ("What am I allergic to?", "object_of me ALLERGIC_TO"),
    ("Am I a vegetarian?", "yes_no me DIET «vegetarian»"),
    ("Is my sister married?", "yes_no me>HAS_SISTER HAS_MARITAL_STATUS «married»"),
    ("Is Tom my brother?", "yes_no me HAS_BROTHER Tom"),
    ("What instruments do I play?", "object_of me PLAYS"),
    ("Which languages do I speak?", "object_of me SPEAKS_LANGUAGE"),
    ("What are my hobbies?", "object_of me DOES_ACTIVITY"),
    ("What's my favourite colour?", "object_of me FAVORITE_COLOR"),
    ("What's my sister's favorite food?", "object_of me>HAS_SISTER FAVORITE_FOOD"),
    ("Who lives in Berlin?", "subject_of me LIVES_IN Berlin"),
    ("Do I have any siblings?", "yes_no me HAS_SIBLING"),
    ("Do I have a dog?", "yes_no me HAS_PET dog"),
    ("Do I have a car?", "yes_no me OWNS car"),
    ("Does Ana have kids?", "yes_no Ana HAS_CHILD"),
    ("How many brothers do I have?", "how_many me HAS_BROTHER"),
    ("Do I drink alcohol?", "yes_no me DRINKS alcohol"),
    ("What are my goals?", "object_of me HAS_GOAL"),
    ("Where does my sister Ana work?", "object_of Ana WORKS_AT"),
    ("Where did I use to live?", "object_of me LIVES_IN"),
    ("How old is my dog Rex?", "object_of Rex HAS_AGE"),
    ("whats my name", "name_of me HAS_NAME"),
    ("Any idea where Ana lives?", "object_of Ana LIVES_IN"),
    ("Did I tell you where I work?", "object_of me WORKS_AT"),
    ("Do you still know what I do for a living?", "object_of me HAS_OCCUPATION"),
    ("Has Ana got any children?", "yes_no Ana HAS_CHILD"),
    ("Which food do I hate?", "object_of me DISLIKES"),
    ("What do I need to do?", "object_of me HAS_TASK"),
    ("What did I do last weekend?", "object_of me ATTENDED"),
    ("What happened to Ana?", "describe Ana"),
    ("Who am I married to?", "object_of me MARRIED_TO"),
    ("What illness do I have?", "object_of me HAS_CONDITION"),
    ("Do I have any illnesses?", "yes_no me HAS_CONDITION"),
    ("What don't I like to eat?", "object_of me DISLIKES"),
    ("Where did I live before?", "object_of me LIVES_IN"),
    ("Is my father alive?", "yes_no me>HAS_FATHER DIED"),
    ("Is my father dead?", "yes_no me>HAS_FATHER DIED"),
    ("What is the name of my band?", "object_of me MEMBER_OF"),
    ("Which band do I play in?", "object_of me MEMBER_OF"),
    ("When is Ella getting married?", "when Ella MARRIED_TO"),
    ("What school does Noah go to?", "object_of Noah STUDIES_AT"),
    ("What breed is Bruno?", "object_of Bruno HAS_BREED"),
    ("Do you remember my dog?", "describe me>HAS_PET"),
]
UNANSWERABLE = [
    "What is my blood type?",
    "Where did I leave my keys?",
    "What was my grade in maths?",
    "How tall am I?",
    "What is my shoe size?",
    "Who fired me?",
]
NOT_FOR_MEMORY = [
    "How are you?",
    "What's your name?",
    "What is the capital of France?",
    "How do I cook rice?",
    "Can you help me?",
    "What should I do this weekend?",
    "What are you doing?",
    "I live in Graz.",
    "",
    "?",
]


def _short(pattern: QuestionPattern) -> str:
    walk = ">".join([named(pattern.anchor), *pattern.path])
    parts = [pattern.kind.value, walk, *pattern.predicates[:1]]
    return " ".join([*parts, named(pattern.object)] if pattern.object else parts)


@pytest.mark.parametrize(("question", "expected"), WALKS, ids=[row[0] for row in WALKS])
def test_that_a_question_becomes_this_walk(
    understander: Understander, context: DialogueContext, question: str, expected: str
) -> None:
    pattern = understander.parse_question(question, context)

    assert pattern is not None
    assert _short(pattern) == expected


@pytest.mark.parametrize("question", UNANSWERABLE)
def test_that_a_personal_question_outside_the_graph_is_recognised(
    understander: Understander, context: DialogueContext, question: str
) -> None:
    pattern = understander.parse_question(question, context)

    assert pattern is not None
    assert pattern.personal
    assert pattern.predicates == ()
    assert pattern.path == ()
    assert pattern.kind is QuestionKind.OBJECT_OF


@pytest.mark.parametrize("text", NOT_FOR_MEMORY)
def test_that_other_questions_are_left_to_the_chat(
    understander: Understander, context: DialogueContext, text: str
) -> None:
    assert understander.parse_question(text, context) is None


def test_that_a_question_about_the_past_carries_its_time(
    understander: Understander, context: DialogueContext
) -> None:
    pattern = understander.parse_question("Where did I work in January?", context)

    assert pattern is not None
    assert pattern.predicates[0] == "WORKS_AT"
    assert pattern.interval is not None
    assert pattern.interval.start == "2026-01-01"


KNOWN = (
    KnownName("Ana Berger", "PERSON", "female"),
    KnownName("Rex", "PET"),
    KnownName("Graz", "PLACE"),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("where does ana live", "object_of ana LIVES_IN"),
        ("where does my sister ana live?", "object_of ana LIVES_IN"),
        ("who is rex", "describe Rex"),
        ("Do you know Ana?", "describe Ana"),
        ("Where does Rex sleep?", "object_of Rex"),
        ("When is Ana coming?", "object_of Ana Berger"),
        ("Is Ana older than Rex?", "object_of Ana Berger"),
    ],
)
def test_that_a_question_about_someone_known_is_always_one_for_the_memory(
    understander: Understander, context: DialogueContext, question: str, expected: str
) -> None:
    pattern = understander.parse_question(question, replace(context, known_names=KNOWN))

    assert pattern is not None
    assert pattern.personal
    assert _short(pattern) == expected


@pytest.mark.parametrize(
    "question",
    ["Who wrote Faust?", "How do I get to Graz?", "What is Graz?", "Could Ana help me with this?"],
)
def test_that_knowing_a_name_does_not_make_every_question_personal(
    understander: Understander, context: DialogueContext, question: str
) -> None:
    assert understander.parse_question(question, replace(context, known_names=KNOWN)) is None


def test_that_someone_unknown_is_not_the_persons_world(
    understander: Understander, context: DialogueContext
) -> None:
    pattern = understander.parse_question("Who is Albert Einstein?", context)

    assert pattern is not None
    assert not pattern.personal


def test_that_what_used_to_be_is_asked_for_as_past(
    understander: Understander, context: DialogueContext
) -> None:
    pattern = understander.parse_question("Where did I use to live?", context)

    assert pattern is not None
    assert pattern.past


def test_that_a_dog_is_not_asked_for_as_a_cat(
    understander: Understander, context: DialogueContext
) -> None:
    dog = understander.parse_question("What's my dog's name?", context)
    cat = understander.parse_question("What's my cat's name?", context)

    assert dog is not None
    assert cat is not None
    assert (dog.path_words, cat.path_words) == (("dog",), ("cat",))


@pytest.mark.parametrize(
    "question",
    [
        "What is my daughter's name?",
        "what's my cat's name",
        "Is my father alive?",
        "What is the name of my band?",
        "Do you remember my dog?",
        "Where did I meet my wife?",
        "do you know if my brother has a car",
        "Tell me about my sister.",
    ],
)
def test_that_a_question_about_someone_unnamed_states_nothing(read: Read, question: str) -> None:
    assert read(question) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When is my daughter Ella getting married?", ["me HAS_DAUGHTER Ella | my daughter Ella"]),
        ("I have a sister, do you?", ["me HAS_SISTER [me's sister] | I have a sister"]),
    ],
)
def test_that_a_question_states_who_is_named_and_what_its_other_clauses_say(
    read: Read, question: str, expected: list[str]
) -> None:
    assert read(question) == expected
