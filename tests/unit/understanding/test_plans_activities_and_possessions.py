"""Wishes and plans, activities and skills, things owned."""

from __future__ import annotations

import pytest

from tests.unit.understanding.conftest import Read

PLANS: list[tuple[str, list[str]]] = [
    ("I want to learn the piano.", ["me HAS_GOAL learn the piano | I want to learn the piano"]),
    ("I'd like to visit Japan.", ["me HAS_GOAL visit Japan | I'd like to visit Japan"]),
    (
        "I'm going to move to Berlin next month.",
        ["me HAS_GOAL move to Berlin | I'm going to move to Berlin next month"],
    ),
    (
        "I'm moving to Berlin next month.",
        ["me HAS_GOAL move to Berlin | I'm moving to Berlin next month"],
    ),
    (
        "I'm planning to open a bakery.",
        ["me HAS_GOAL open a bakery | I'm planning to open a bakery"],
    ),
    (
        "I can't wait to visit Iceland!",
        ["me HAS_GOAL visit Iceland | I can't wait to visit Iceland"],
    ),
    (
        "My goal is to run a marathon.",
        ["me HAS_GOAL run a marathon | My goal is to run a marathon"],
    ),
    (
        "My sister wants to study medicine.",
        [
            "me HAS_SISTER [me's sister] | My sister",
            "[me's sister] HAS_GOAL study medicine | My sister wants to study medicine",
        ],
    ),
    ("I'm working on a novel.", ["me WORKING_ON novel | I'm working on a novel"]),
    (
        "I've been writing a screenplay.",
        ["me WORKING_ON screenplay | I've been writing a screenplay"],
    ),
    ("Family is very important to me.", ["me PRIORITIZES family | Family is very important to me"]),
]
ACTIVITIES: list[tuple[str, list[str]]] = [
    (
        "I play the piano and speak German.",
        [
            "me PLAYS piano | I play the piano",
            "me SPEAKS_LANGUAGE German | I play the piano and speak German",
        ],
    ),
    ("I can play the violin.", ["me PLAYS violin | I can play the violin"]),
    ("I don't play chess.", ["me PLAYS chess negated | I don't play chess"]),
    ("I used to play tennis.", ["me PLAYS tennis ends | I used to play tennis"]),
    ("I'm fluent in French.", ["me SPEAKS_LANGUAGE French | I'm fluent in French"]),
    ("I'm learning Spanish.", ["me LEARNS Spanish | I'm learning Spanish"]),
    (
        "I started learning Spanish last month.",
        ["me LEARNS Spanish starts | I started learning Spanish last month"],
    ),
    ("I do yoga.", ["me DOES_ACTIVITY yoga | I do yoga"]),
    ("I go swimming every Monday.", ["me DOES_ACTIVITY swimming | I go swimming every Monday"]),
    ("I run every morning.", ["me DOES_ACTIVITY running | I run every morning"]),
    ("I paint landscapes.", ["me DOES_ACTIVITY painting landscapes | I paint landscapes"]),
    (
        "My hobbies are hiking and chess.",
        [
            "me DOES_ACTIVITY hiking | My hobbies are hiking and chess",
            "me DOES_ACTIVITY chess | My hobbies are hiking and chess",
        ],
    ),
    ("I collect stamps.", ["me COLLECTS stamps | I collect stamps"]),
    (
        "I volunteer at an animal shelter.",
        ["me VOLUNTEERS_AT animal shelter | I volunteer at an animal shelter"],
    ),
    (
        "I took up climbing in 2020.",
        ["me DOES_ACTIVITY climbing starts | I took up climbing in 2020"],
    ),
    ("We went camping last weekend.", ["me WENT camping | We went camping last weekend"]),
    (
        "I went to a jazz concert yesterday.",
        ["me ATTENDED jazz concert | I went to a jazz concert yesterday"],
    ),
    (
        "I signed up for a pottery class.",
        ["me TAKES_CLASS pottery class starts | I signed up for a pottery class"],
    ),
    ("I'm a member of a chess club.", ["me MEMBER_OF chess club | I'm a member of a chess club"]),
    (
        "I won my first tournament last week.",
        ["me ACHIEVED won first tournament | I won my first tournament last week"],
    ),
    ('I\'m reading "Dune" at the moment.', ['me READ Dune | I\'m reading "Dune" at the moment']),
]
POSSESSIONS: list[tuple[str, list[str]]] = [
    ("I have a red bike.", ["me OWNS red bike | I have a red bike"]),
    ("I bought a new car yesterday.", ["me OWNS new car starts | I bought a new car yesterday"]),
    ("I sold my car.", ["me OWNS car ends | I sold my car"]),
    ("I don't have a car.", ["me OWNS car negated | I don't have a car"]),
    ("I drive a Tesla.", ["me DRIVES Tesla | I drive a Tesla"]),
    ("My car broke down yesterday.", ["me OWNS car | My car"]),
]


@pytest.mark.parametrize(("text", "expected"), PLANS, ids=[row[0] for row in PLANS])
def test_that_plans_sentences_say_exactly_this(read: Read, text: str, expected: list[str]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("text", "expected"), ACTIVITIES, ids=[row[0] for row in ACTIVITIES])
def test_that_activities_sentences_say_exactly_this(
    read: Read, text: str, expected: list[str]
) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("text", "expected"), POSSESSIONS, ids=[row[0] for row in POSSESSIONS])
def test_that_possessions_sentences_say_exactly_this(
    read: Read, text: str, expected: list[str]
) -> None:
    assert read(text) == expected
