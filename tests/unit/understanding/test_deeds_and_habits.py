"""Deeds, habits, tasks and the like that no closer predicate tells."""

from __future__ import annotations

import pytest

from backend.ontology.ontology import Ontology
from tests.unit.understanding.conftest import Read

TOLD = (
    ("I gave a presentation in class.", "me DID gave a presentation in class"),
    ("We renovated a community centre.", "me DID renovated a community centre"),
    ("My colleague Sarah got promoted.", "Sarah DID got promoted"),
    ("I usually get up at six.", "me HAS_HABIT usually get up at six"),
    ("I go to the gym every Tuesday.", "me HAS_HABIT go to the gym every Tuesday"),
    ("I'm saving money for a house.", "me HAS_GOAL save money for a house"),
    ("I need to finish my thesis by Friday.", "me HAS_TASK finish my thesis"),
    ("I have to call the dentist tomorrow.", "me HAS_TASK call the dentist"),
    ("I wear glasses.", "me WEARS glasses"),
    ("We're expecting a baby in May.", "me HAS_HEALTH_STATE «expecting a baby»"),
    ("My friend Ines lives in Wesburg.", "Ines LIVES_IN Wesburg"),
    ("I watched a classic movie the other day.", "me DID watched a classic movie"),
    ("I left Acme in 2023.", "me WORKS_AT Acme ends"),
    ("I grew up in Kiel.", "me GREW_UP_IN Kiel"),
    ("I hate Mondays.", "me DISLIKES Mondays"),
    ("I own a small bakery in Ulm.", "me OWNS small bakery"),
    ("My daughter Lena is eight years old.", "Lena HAS_AGE «8»"),
    ("My wife and I got married in 2015.", "me MARRIED_TO [me's wife] starts"),
    ("My brother Robert came. Everyone calls him Bob.", "Robert HAS_NICKNAME «Bob»"),
    ("I love the smell of rain.", "me LIKES smell of rain"),
    ("We went on a road trip.", "me WENT_ON road trip"),
)
SILENT = (
    "I took a look.",
    "We raised a ton.",
    "Sometimes we get too focused on the big stuff.",
    "We had a good time.",
    "I didn't give a presentation.",
    "I might give a presentation.",
    "I made a mistake.",
    "I started it yesterday.",
    "I bought that for you.",
    "We always have fun.",
)


@pytest.mark.parametrize(("text", "expected"), TOLD, ids=[row[0] for row in TOLD])
def test_that_what_a_friend_would_remember_is_understood(
    read: Read, text: str, expected: str
) -> None:
    assert expected in [line.split(" | ")[0] for line in read(text)]


@pytest.mark.parametrize("text", SILENT)
def test_that_small_talk_is_no_deed(read: Read, text: str) -> None:
    assert read(text) == []


def test_that_a_deed_is_told_once(read: Read) -> None:
    assert [line.split(" ")[1] for line in read("I won my first tournament.")] == ["ACHIEVED"]


def test_that_things_are_shown_with_their_article_and_own_things_as_yours() -> None:
    ontology = Ontology.load()

    def shown(predicate: str, what: str) -> str:
        return ontology.display(predicate, "me", what)

    assert shown("HAS_WORKPLACE", "mall") == "You work at a mall"
    assert shown("MEMBER_OF", "writers group") == "You are a member of a writers group"
    assert shown("OWNS", "the red house") == "You own the red house"
    assert shown("OWNS", "Tesla") == "You own Tesla"
    assert shown("OWNS", "snowboards") == "You own snowboards"
    assert shown("WENT_ON", "road trip") == "You went on a road trip"
    assert shown("DID", "finished my thesis") == "You finished your thesis"
    assert shown("HAS_COUNT_OF_CHILDREN", "2") == "You have 2 children"
    assert shown("HAS_COUNT_OF_SISTERS", "1") == "You have 1 sister"
