"""Questions to a memory that was told a life in plain sentences."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.memory.results import MemoryAnswer

Ask = Callable[[str], MemoryAnswer | None]

ANSWERED = (
    ("What is my sister's name?", ("Ana",)),
    ("What's my sister called?", ("Ana",)),
    ("Who is my sister?", ("Ana",)),
    ("Do you remember my sister's name?", ("Ana",)),
    ("Is Ana my sister?", ("Yes", "sister")),
    ("Where does my sister live?", ("Graz",)),
    ("Where does Ana live?", ("Graz",)),
    ("Where does my sister Ana work?", ("Acme",)),
    ("Who is Ana married to?", ("Tom",)),
    ("Who is my sister's husband?", ("Tom",)),
    ("What are my brothers called?", ("Ben", "Felix")),
    ("How many brothers do I have?", ("2",)),
    ("Do I have any siblings?", ("Yes",)),
    ("Where do I live?", ("Leipzig",)),
    ("Where did I use to live?", ("Dresden",)),
    ("What do I do for work?", ("nurse",)),
    ("Where do I work?", ("Mercy",)),
    ("What is my job?", ("nurse",)),
    ("What's my dog's name?", ("Rex",)),
    ("Do you remember my dog?", ("Rex",)),
    ("What is my cat called?", ("Luna",)),
    ("Do I have a dog?", ("Yes", "Rex")),
    ("Do I have pets?", ("Yes",)),
    ("Do I like sushi?", ("Yes", "sushi")),
    ("Do I like olives?", ("No", "olives")),
    ("What do I like?", ("sushi",)),
    ("What am I allergic to?", ("nuts",)),
    ("Am I allergic to nuts?", ("Yes", "nuts")),
    ("What instrument do I play?", ("guitar",)),
    ("Can I play the guitar?", ("Yes", "guitar")),
    ("What do I want to learn?", ("Italian",)),
    ("What are my goals?", ("Italian",)),
    ("When is my birthday?", ("12",)),
    ("What's my favourite colour?", ("green",)),
    ("What is my favorite color?", ("green",)),
    ("Which languages do I speak?", ("German", "English")),
    ("What is my name?", ("Mara",)),
    ("How old am I?", ("34",)),
    ("Who is my boss?", ("Ingrid",)),
    ("Who lives in Graz?", ("Ana",)),
    ("What do you know about Ana?", ("Graz", "Acme")),
    ("What do you know about me?", ("Mara",)),
    ("Tell me about my sister.", ("Ana",)),
    ("Who is Rex?", ("dog",)),
    ("Is my father alive?", ("No", "2019")),
    ("When did my dad die?", ("2019",)),
    ("What illness do I have?", ("diabetes",)),
    ("Do I have any illnesses?", ("Yes", "diabetes")),
    ("What don't I like to eat?", ("olives",)),
    ("Where did I live before?", ("Dresden",)),
    ("Am I married?", ("Yes", "married")),
    ("What school does Noah go to?", ("Lincoln",)),
    ("How many children do I have?", ("three", "Noah", "Ella")),
    ("What is my boss's name?", ("Your boss's name is Ingrid",)),
    ("where is my blood pressure medicine?", ("blue cupboard",)),
)

UNKNOWN = (
    "What is my blood type?",
    "What is my mother's name?",
    "Where does my cousin live?",
    "Do I have a car?",
    "When did I get married?",
    "What is my favourite film?",
    "Where does Tom work?",
    "Do I like football?",
    "Who is my neighbour?",
    "How tall am I?",
    "Who fired me?",
    "Is my mother alive?",
)

NOT_FOR_THE_MEMORY = (
    "How are you?",
    "What's the capital of France?",
    "Can you help me write a letter?",
    "What should I cook tonight?",
    "I had a nice day.",
    "Thanks!",
)


@pytest.mark.parametrize(("question", "expected"), ANSWERED)
def test_that_the_memory_answers(ask: Ask, question: str, expected: tuple[str, ...]) -> None:
    answer = ask(question)
    assert answer is not None
    assert not answer.abstained, answer.text
    assert all(word in answer.text for word in expected), answer.text
    assert answer.source_message_ids


@pytest.mark.parametrize("question", UNKNOWN)
def test_that_the_memory_says_that_it_does_not_know(ask: Ask, question: str) -> None:
    answer = ask(question)
    assert answer is not None
    assert answer.abstained, answer.text
    assert answer.fact_ids == ()


@pytest.mark.parametrize("text", NOT_FOR_THE_MEMORY)
def test_that_what_is_no_question_about_the_person_is_left_to_the_model(
    ask: Ask, text: str
) -> None:
    assert ask(text) is None


def test_that_my_cat_is_the_one_that_lives(ask: Ask) -> None:
    answer = ask("What is my cat's name?")

    assert answer is not None
    assert "Luna" in answer.text
    assert "Mitzi" not in answer.text


def test_that_a_group_is_not_counted_beside_its_named_members(ask: Ask) -> None:
    answer = ask("How many children do I have?")

    assert answer is not None
    assert "Your children" not in answer.text
    assert "You have children" not in answer.text
