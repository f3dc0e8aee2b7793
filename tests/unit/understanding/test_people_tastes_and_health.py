"""Names, ages and birthdays; likes and dislikes; health and diets."""

from __future__ import annotations

import pytest

from tests.unit.understanding.conftest import Read

PERSONAL: list[tuple[str, list[str]]] = [
    ("My name is Max Weber.", ["me HAS_NAME «Max Weber» | My name is Max Weber"]),
    ("My name's Max.", ["me HAS_NAME «Max» | My name's Max"]),
    ("I'm 34 years old.", ["me HAS_AGE «34» | I'm 34 years old"]),
    ("I just turned 30.", ["me HAS_AGE «30» | I just turned 30"]),
    ("My birthday is on May 12th.", ["me BORN_ON «--05-12» | My birthday is on May 12th"]),
    (
        "My sister's birthday is June 3.",
        [
            "me HAS_SISTER [me's sister] | My sister",
            "[me's sister] BORN_ON «--06-03» | My sister's birthday is June 3",
        ],
    ),
    ("I was born on March 4, 1990.", ["me BORN_ON «1990-03-04» | I was born on March 4, 1990"]),
    ("I'm single.", ["me HAS_MARITAL_STATUS «single» | I'm single"]),
    ("I met Jonas in 2010.", ["me MET Jonas | I met Jonas in 2010"]),
]
LIKES: list[tuple[str, list[str]]] = [
    ("I love sushi.", ["me LIKES sushi | I love sushi"]),
    (
        "I love sushi and hate olives.",
        ["me LIKES sushi | I love sushi", "me DISLIKES olives | I love sushi and hate olives"],
    ),
    ("I don't like olives.", ["me LIKES olives negated | I don't like olives"]),
    ("I can't stand cilantro.", ["me DISLIKES cilantro | I can't stand cilantro"]),
    (
        "I like pizza and cookies.",
        [
            "me LIKES pizza | I like pizza and cookies",
            "me LIKES cookies | I like pizza and cookies",
        ],
    ),
    ("I love playing the guitar.", ["me LIKES playing the guitar | I love playing the guitar"]),
    ("I like to swim.", ["me LIKES swimming | I like to swim"]),
    ("I enjoy hiking.", ["me LIKES hiking | I enjoy hiking"]),
    ("I've always loved jazz.", ["me LIKES jazz | I've always loved jazz"]),
    ("That's why I love travelling.", ["me LIKES travelling | why I love travelling"]),
    ("I love books about history.", ["me LIKES books about history | I love books about history"]),
    ("My favorite color is blue.", ["me FAVORITE_COLOR «blue» | My favorite color is blue"]),
    (
        "Ana's favourite food is lasagne.",
        ["Ana FAVORITE_FOOD lasagne | Ana's favourite food is lasagne"],
    ),
    (
        "My favorite movie is Casablanca.",
        ["me FAVORITE_MOVIE Casablanca | My favorite movie is Casablanca"],
    ),
    ("I'm afraid of spiders.", ["me AFRAID_OF spiders | I'm afraid of spiders"]),
    ("I'm interested in astronomy.", ["me INTERESTED_IN astronomy | I'm interested in astronomy"]),
    ("I'm a big fan of chess.", ["me LIKES chess | I'm a big fan of chess"]),
    (
        "My brother Tom is into techno.",
        ["me HAS_BROTHER Tom | My brother Tom", "Tom LIKES techno | My brother Tom is into techno"],
    ),
]
HEALTH: list[tuple[str, list[str]]] = [
    ("I'm allergic to nuts.", ["me ALLERGIC_TO nuts | I'm allergic to nuts"]),
    ("I'm not allergic to nuts.", ["me ALLERGIC_TO nuts negated | I'm not allergic to nuts"]),
    ("I have a peanut allergy.", ["me ALLERGIC_TO peanut | I have a peanut allergy"]),
    ("I have asthma.", ["me HAS_CONDITION asthma | I have asthma"]),
    (
        "Ana was diagnosed with diabetes in 2018.",
        ["Ana HAS_CONDITION diabetes starts | Ana was diagnosed with diabetes in 2018"],
    ),
    ("I'm a vegetarian.", ["me DIET «vegetarian» | I'm a vegetarian"]),
    ("I'm not a vegetarian.", ["me DIET «vegetarian» negated | I'm not a vegetarian"]),
    ("I became vegan last year.", ["me DIET «vegan» starts | I became vegan last year"]),
    ("I don't drink.", ["me DRINKS alcohol negated | I don't drink"]),
    ("I don't drink coffee.", ["me DRINKS coffee negated | I don't drink coffee"]),
    ("I don't eat meat.", ["me EATS meat negated | I don't eat meat"]),
    ("I stopped smoking.", ["me SMOKES cigarettes ends | I stopped smoking"]),
    (
        "My sister is pregnant.",
        [
            "me HAS_SISTER [me's sister] | My sister",
            "[me's sister] HAS_HEALTH_STATE «pregnant» | My sister is pregnant",
        ],
    ),
    (
        "I broke my leg yesterday.",
        ["me HAS_CONDITION broken leg starts | I broke my leg yesterday"],
    ),
    (
        "I'm lactose intolerant.",
        ["me HAS_HEALTH_STATE «lactose intolerant» | I'm lactose intolerant"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), PERSONAL, ids=[row[0] for row in PERSONAL])
def test_that_personal_sentences_say_exactly_this(
    read: Read, text: str, expected: list[str]
) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("text", "expected"), LIKES, ids=[row[0] for row in LIKES])
def test_that_likes_sentences_say_exactly_this(read: Read, text: str, expected: list[str]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("text", "expected"), HEALTH, ids=[row[0] for row in HEALTH])
def test_that_health_sentences_say_exactly_this(read: Read, text: str, expected: list[str]) -> None:
    assert read(text) == expected
