"""How a sentence was meant, and whom its pronouns mean."""

from __future__ import annotations

import pytest

from backend.understanding.statements import DialogueContext, Turn
from tests.unit.understanding.conftest import SAID_AT, Read

MODALITY: list[tuple[str, list[str]]] = [
    (
        "Mum says my sister is pregnant.",
        [
            "me HAS_SISTER [me's sister] | my sister",
            "me HAS_MOTHER [me's mother] | Mum",
            "[me's sister] HAS_HEALTH_STATE «pregnant» reported by [me's mother] |"
            " my sister is pregnant",
        ],
    ),
    ("Tom says he lives in Graz.", ["Tom LIVES_IN Graz reported by Tom | he lives in Graz"]),
    ("Maybe I live in Graz.", ["me LIVES_IN Graz possible | Maybe I live in Graz"]),
    ("I think Tom works at Acme.", ["Tom WORKS_AT Acme possible | Tom works at Acme"]),
    ("I'm glad that Ana lives in Graz.", ["Ana LIVES_IN Graz | Ana lives in Graz"]),
    ("I told him that I live in Graz.", ["me LIVES_IN Graz | I live in Graz"]),
    ("Does my sister Ana live in Graz?", ["me HAS_SISTER Ana | my sister Ana"]),
    (
        "Did you know my dog Rex is old?",
        ["me HAS_PET Rex | my dog Rex", "Rex HAS_SPECIES «dog» | my dog Rex"],
    ),
    ("I live in Leipzig, do you?", ["me LIVES_IN Leipzig | I live in Leipzig"]),
]
REFERENCE: list[tuple[str, list[str]]] = [
    (
        "My sister Ana is 30. Her husband works at Acme.",
        [
            "me HAS_SISTER Ana | My sister Ana",
            "Ana HAS_AGE «30» | My sister Ana is 30",
            "Ana MARRIED_TO [Ana's husband] | Her husband",
            "[Ana's husband] WORKS_AT Acme | Her husband works at Acme",
        ],
    ),
    (
        "My brother Tom called Anna yesterday. She lives in Graz.",
        ["me HAS_BROTHER Tom | My brother Tom", "Anna LIVES_IN Graz | She lives in Graz"],
    ),
    (
        "My sister's name is Ana. She works at Acme.",
        ["me HAS_SISTER Ana | My sister's name is Ana", "Ana WORKS_AT Acme | She works at Acme"],
    ),
    (
        "I have a brother. His name is Tom. He lives in Ulm.",
        [
            "me HAS_BROTHER [me's brother] | I have a brother",
            "me HAS_BROTHER Tom | His name is Tom",
            "Tom LIVES_IN Ulm | He lives in Ulm",
        ],
    ),
    (
        "My dog Bello is 7 years old. He loves carrots.",
        [
            "me HAS_PET Bello | My dog Bello",
            "Bello HAS_SPECIES «dog» | My dog Bello",
            "Bello HAS_AGE «7» | My dog Bello is 7 years old",
            "Bello LIKES carrots | He loves carrots",
        ],
    ),
    (
        "My best friend Lena, who lives in Paris, is a doctor.",
        [
            "me FRIEND_OF Lena | My best friend Lena",
            "Lena LIVES_IN Paris | Lena, who lives in Paris",
            "Lena HAS_OCCUPATION «doctor» | My best friend Lena, who lives in Paris, is a doctor",
        ],
    ),
    (
        "I got a puppy two weeks ago! Her name's Coco.",
        [
            "me HAS_PET [me's dog] starts | I got a puppy two weeks ago",
            "me HAS_PET Coco | Her name's Coco",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), MODALITY, ids=[row[0] for row in MODALITY])
def test_that_modality_sentences_say_exactly_this(
    read: Read, text: str, expected: list[str]
) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("text", "expected"), REFERENCE, ids=[row[0] for row in REFERENCE])
def test_that_reference_sentences_say_exactly_this(
    read: Read, text: str, expected: list[str]
) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("turns", "text", "expected"),
    [
        (("Tobias lives in Ulm.",), "He works at Acme.", ["Tobias WORKS_AT Acme"]),
        (("Tobias lives in Ulm.",), "I met a man. He works at Acme.", []),
        (("Tobias lives in Ulm.", "I met a man today."), "He works at Acme.", []),
        (("Tobias lives in Ulm.", "Nice.", "Yes."), "He works at Acme.", []),
        (
            ("Tobias lives in Ulm.", "My brother called."),
            "He works at Acme.",
            ["[me's brother] WORKS_AT Acme"],
        ),
        (
            ("Tobias is my friend.",),
            "My best friend since school is Ole. He moved to Canada last year.",
            ["Ole LIVES_IN Canada starts"],
        ),
    ],
)
def test_that_a_pronoun_is_never_carried_past_someone_nearer(
    read: Read, turns: tuple[str, ...], text: str, expected: list[str]
) -> None:
    said = DialogueContext(
        "user", "Max", SAID_AT, turns=tuple(Turn("user", "Max", turn) for turn in turns)
    )

    found = [line.split(" | ")[0] for line in read(text, said)]
    assert [line for line in found if " FRIEND_OF " not in line] == expected
