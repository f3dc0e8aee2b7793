"""Ties between people, and their pets: who, in which direction, under which name."""

from __future__ import annotations

import pytest

from tests.unit.understanding.conftest import Read

KINSHIP: list[tuple[str, list[str]]] = [
    ("I have a sister named Ana.", ["me HAS_SISTER Ana | I have a sister named Ana"]),
    ("I have a sister.", ["me HAS_SISTER [me's sister] | I have a sister"]),
    ("I've got a brother called Ivo.", ["me HAS_BROTHER Ivo | I've got a brother called Ivo"]),
    (
        "I have two brothers, Tom and Ben.",
        [
            "me HAS_BROTHER Tom | I have two brothers, Tom and Ben",
            "me HAS_BROTHER Ben | I have two brothers, Tom and Ben",
        ],
    ),
    ("I have three sisters.", ["me HAS_COUNT_OF_SISTERS «3» | I have three sisters"]),
    ("I have no siblings.", ["me HAS_SIBLING [me's sibling] negated | I have no siblings"]),
    (
        "I don't have any brothers.",
        ["me HAS_BROTHER [me's brother] negated | I don't have any brothers"],
    ),
    ("My sister's name is Ana.", ["me HAS_SISTER Ana | My sister's name is Ana"]),
    ("My sister's name's Ana.", ["me HAS_SISTER Ana | My sister's name's Ana"]),
    ("Ana is my sister.", ["me HAS_SISTER Ana | Ana is my sister"]),
    ("Ana is not my sister.", ["me HAS_SISTER Ana negated | Ana is not my sister"]),
    ("I am Ana's brother.", ["Ana HAS_BROTHER me | I am Ana's brother"]),
    ("Ana has a brother, Ivo.", ["Ana HAS_BROTHER Ivo | Ana has a brother, Ivo"]),
    (
        "Ana, my sister, lives in Graz.",
        ["me HAS_SISTER Ana | Ana, my sister", "Ana LIVES_IN Graz | Ana, my sister, lives in Graz"],
    ),
    (
        "My sister Ana lives in Graz.",
        ["me HAS_SISTER Ana | My sister Ana", "Ana LIVES_IN Graz | My sister Ana lives in Graz"],
    ),
    (
        "My older sister Ana lives in Graz.",
        [
            "me HAS_SISTER Ana | My older sister Ana",
            "Ana LIVES_IN Graz | My older sister Ana lives in Graz",
        ],
    ),
    (
        "My mom is a teacher.",
        [
            "me HAS_MOTHER [me's mother] | My mom",
            "[me's mother] HAS_OCCUPATION «teacher» | My mom is a teacher",
        ],
    ),
    (
        "My mom Greta loves opera.",
        ["me HAS_MOTHER Greta | My mom Greta", "Greta LIKES opera | My mom Greta loves opera"],
    ),
    (
        "My sister's husband Tom works at Acme.",
        [
            "me HAS_SISTER [me's sister] | My sister",
            "[me's sister] MARRIED_TO Tom | My sister's husband Tom",
            "Tom WORKS_AT Acme | My sister's husband Tom works at Acme",
        ],
    ),
    (
        "My mother-in-law Greta lives in Ulm.",
        [
            "me HAS_MOTHER_IN_LAW Greta | My mother-in-law Greta",
            "Greta LIVES_IN Ulm | My mother-in-law Greta lives in Ulm",
        ],
    ),
    (
        "My ex-wife lives in Spain.",
        [
            "me MARRIED_TO [me's ex-wife] ends | My ex-wife",
            "[me's ex-wife] LIVES_IN Spain | My ex-wife lives in Spain",
        ],
    ),
    (
        "My daughters Mia and Lea live in Graz.",
        [
            "me HAS_DAUGHTER Mia | My daughters Mia",
            "me HAS_DAUGHTER Lea | My daughters Mia and Lea",
            "Mia LIVES_IN Graz | My daughters Mia and Lea live in Graz",
            "Lea LIVES_IN Graz | My daughters Mia and Lea live in Graz",
        ],
    ),
    (
        "Our son Finn is 5 years old.",
        ["me HAS_SON Finn | Our son Finn", "Finn HAS_AGE «5» | Our son Finn is 5 years old"],
    ),
    ("Tom used to be my boss.", ["me HAS_BOSS Tom ends | Tom used to be my boss"]),
    ("My boss is called Petra.", ["me HAS_BOSS Petra | My boss is called Petra"]),
    (
        "My friend Lena works as a nurse.",
        [
            "me FRIEND_OF Lena | My friend Lena",
            "Lena HAS_OCCUPATION «nurse» | My friend Lena works as a nurse",
        ],
    ),
    ("I'm friends with Lena.", ["me FRIEND_OF Lena | I'm friends with Lena"]),
    ("My parents live in Ulm.", ["{parents} LIVES_IN Ulm | My parents live in Ulm"]),
    (
        "My wife and I live in Graz.",
        [
            "me MARRIED_TO [me's wife] | My wife",
            "[me's wife] LIVES_IN Graz | My wife and I live in Graz",
            "me LIVES_IN Graz | My wife and I live in Graz",
        ],
    ),
    ("I'm married to Eva.", ["me MARRIED_TO Eva | I'm married to Eva"]),
    ("I got married to Eva in 2015.", ["me MARRIED_TO Eva starts | I got married to Eva in 2015"]),
    ("I'm engaged to Jonas.", ["me ENGAGED_TO Jonas | I'm engaged to Jonas"]),
    ("I'm dating Lena.", ["me PARTNER_OF Lena | I'm dating Lena"]),
    ("I broke up with Tom.", ["me PARTNER_OF Tom ends | I broke up with Tom"]),
    (
        "My uncle Karl has a dog.",
        [
            "me HAS_UNCLE Karl | My uncle Karl",
            "Karl HAS_PET [Karl's dog] | My uncle Karl has a dog",
        ],
    ),
    ("Tom is the brother of Ana.", ["Ana HAS_BROTHER Tom | Tom is the brother of Ana"]),
    (
        "My neighbor Rosa speaks Italian.",
        [
            "me HAS_NEIGHBOR Rosa | My neighbor Rosa",
            "Rosa SPEAKS_LANGUAGE Italian | My neighbor Rosa speaks Italian",
        ],
    ),
    (
        "My grandfather passed away in 2010.",
        [
            "me HAS_GRANDFATHER [me's grandfather] | My grandfather",
            "[me's grandfather] DIED «2010-01-01» | My grandfather passed away in 2010",
        ],
    ),
    (
        "My colleague Sarah is a designer.",
        [
            "me COLLEAGUE_OF Sarah | My colleague Sarah",
            "Sarah HAS_OCCUPATION «designer» | My colleague Sarah is a designer",
        ],
    ),
    (
        "Mum lives in Bath.",
        ["me HAS_MOTHER [me's mother] | Mum", "[me's mother] LIVES_IN Bath | Mum lives in Bath"],
    ),
]
PETS: list[tuple[str, list[str]]] = [
    ("This is my dog Rex.", ["me HAS_PET Rex | my dog Rex", "Rex HAS_SPECIES «dog» | my dog Rex"]),
    (
        "My dog is called Rex.",
        ["me HAS_PET Rex | My dog is called Rex", "Rex HAS_SPECIES «dog» | My dog is called Rex"],
    ),
    (
        "My cat's name is Minka.",
        [
            "me HAS_PET Minka | My cat's name is Minka",
            "Minka HAS_SPECIES «cat» | My cat's name is Minka",
        ],
    ),
    (
        "We have a cat called Minka.",
        [
            "me HAS_PET Minka | We have a cat called Minka",
            "Minka HAS_SPECIES «cat» | cat called Minka",
        ],
    ),
    ("I have a dog.", ["me HAS_PET [me's dog] | I have a dog"]),
    (
        "I have two cats and a dog named Rex.",
        [
            "me HAS_PET {two cats} | I have two cats and a dog named Rex",
            "me HAS_PET Rex | I have two cats and a dog named Rex",
            "Rex HAS_SPECIES «dog» | dog named Rex",
        ],
    ),
    (
        "I adopted a kitten last week.",
        ["me HAS_PET [me's cat] starts | I adopted a kitten last week"],
    ),
    (
        "My beagle Bruno is 3 years old.",
        [
            "me HAS_PET Bruno | My beagle Bruno",
            "Bruno HAS_BREED «beagle» | My beagle Bruno",
            "Bruno HAS_AGE «3» | My beagle Bruno is 3 years old",
        ],
    ),
    (
        "Ana has a parrot named Coco.",
        [
            "Ana HAS_PET Coco | Ana has a parrot named Coco",
            "Coco HAS_SPECIES «parrot» | parrot named Coco",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), KINSHIP, ids=[row[0] for row in KINSHIP])
def test_that_family_sentences_say_exactly_this(read: Read, text: str, expected: list[str]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("text", "expected"), PETS, ids=[row[0] for row in PETS])
def test_that_pets_sentences_say_exactly_this(read: Read, text: str, expected: list[str]) -> None:
    assert read(text) == expected


def test_that_names_said_of_relatives_are_theirs(read: Read) -> None:
    assert read("My brothers are Ben and Felix.") == [
        "me HAS_BROTHER Ben | My brothers are Ben",
        "me HAS_BROTHER Felix | My brothers are Ben and Felix",
    ]
    assert read("My boss is Ingrid.") == ["me HAS_BOSS Ingrid | My boss is Ingrid"]


def test_that_an_introduction_gives_a_name(read: Read) -> None:
    assert "me HAS_NAME «Mara» | I'm Mara" in read("Hi, I'm Mara and I'm 34.")
    assert read("I'm Mara") == ["me HAS_NAME «Mara» | I'm Mara"]
    assert read("You can call me Mara.") == ["me HAS_NICKNAME «Mara» | call me Mara"]
    assert read("I'm German.") != ["me HAS_NAME «German» | I'm German"]
    assert read("I'm tired.") == []
