"""Where people live, come from, work and study, and what they used to."""

from __future__ import annotations

import pytest

from tests.unit.understanding.conftest import Read

RESIDENCE: list[tuple[str, list[str]]] = [
    ("I live in Leipzig.", ["me LIVES_IN Leipzig | I live in Leipzig"]),
    (
        "I'm living in Leipzig at the moment.",
        ["me LIVES_IN Leipzig | I'm living in Leipzig at the moment"],
    ),
    ("I don't live in Leipzig.", ["me LIVES_IN Leipzig negated | I don't live in Leipzig"]),
    ("I don't live in Graz anymore.", ["me LIVES_IN Graz ends | I don't live in Graz anymore"]),
    ("I no longer live in Graz.", ["me LIVES_IN Graz ends | I no longer live in Graz"]),
    (
        "I used to live in Graz but now I live in Linz.",
        ["me LIVES_IN Graz ends | I used to live in Graz", "me LIVES_IN Linz | now I live in Linz"],
    ),
    (
        "I never lived in Dresden.",
        ["me LIVES_IN Dresden negated never_held | I never lived in Dresden"],
    ),
    (
        "I moved to Leipzig last spring.",
        ["me LIVES_IN Leipzig starts | I moved to Leipzig last spring"],
    ),
    ("Just moved to Graz last week.", ["me LIVES_IN Graz starts | Just moved to Graz last week"]),
    (
        "Ana moved from Linz to Graz.",
        [
            "Ana LIVES_IN Graz starts | Ana moved from Linz to Graz",
            "Ana LIVES_IN Linz ends | Ana moved from Linz to Graz",
        ],
    ),
    (
        "Ana and Ben live in Graz.",
        [
            "Ana LIVES_IN Graz | Ana and Ben live in Graz",
            "Ben LIVES_IN Graz | Ana and Ben live in Graz",
        ],
    ),
    ("I live in a small town.", ["me HAS_HOME «a small town» | I live in a small town"]),
    (
        "I live with my brother Ivo.",
        ["me HAS_BROTHER Ivo | my brother Ivo", "me LIVES_WITH Ivo | I live with my brother Ivo"],
    ),
    ("I'm from Texas.", ["me COMES_FROM Texas | I'm from Texas"]),
    ("I'm originally from Spain.", ["me COMES_FROM Spain | I'm originally from Spain"]),
    ("I grew up in Bremen.", ["me GREW_UP_IN Bremen | I grew up in Bremen"]),
    ("I was born in Rome.", ["me BORN_IN Rome | I was born in Rome"]),
    ("I'm Canadian.", ["me HAS_NATIONALITY «Canadian» | I'm Canadian"]),
    ("I visited Japan in 2019.", ["me VISITED Japan | I visited Japan in 2019"]),
    ("We went to Paris last summer.", ["me VISITED Paris | We went to Paris last summer"]),
    (
        "I've never been to Iceland.",
        ["me VISITED Iceland negated never_held | I've never been to Iceland"],
    ),
    ("I just got back from Rome.", ["me VISITED Rome | I just got back from Rome"]),
]
WORK: list[tuple[str, list[str]]] = [
    ("I work at Acme.", ["me WORKS_AT Acme | I work at Acme"]),
    (
        "I work for Acme as an accountant.",
        [
            "me WORKS_AT Acme | I work for Acme as an accountant",
            "me HAS_OCCUPATION «accountant» | I work for Acme as an accountant",
        ],
    ),
    (
        "I'm a software engineer at Globex.",
        [
            "me HAS_OCCUPATION «software engineer» | I'm a software engineer at Globex",
            "me WORKS_AT Globex | I'm a software engineer at Globex",
        ],
    ),
    ("I'm not a doctor.", ["me HAS_OCCUPATION «doctor» negated | I'm not a doctor"]),
    ("I was a teacher.", ["me HAS_OCCUPATION «teacher» ends | I was a teacher"]),
    (
        "Ana became a nurse in 2020.",
        ["Ana HAS_OCCUPATION «nurse» starts | Ana became a nurse in 2020"],
    ),
    ("I used to work at Acme.", ["me WORKS_AT Acme ends | I used to work at Acme"]),
    ("I quit my job at Acme.", ["me WORKS_AT Acme ends | I quit my job at Acme"]),
    ("I got a job at Globex.", ["me WORKS_AT Globex starts | I got a job at Globex"]),
    (
        "I started working at Acme in May.",
        ["me WORKS_AT Acme starts | I started working at Acme in May"],
    ),
    ("I no longer work at Acme.", ["me WORKS_AT Acme ends | I no longer work at Acme"]),
    (
        "I work at a hospital as a nurse.",
        [
            "me HAS_WORKPLACE «hospital» | I work at a hospital as a nurse",
            "me HAS_OCCUPATION «nurse» | I work at a hospital as a nurse",
        ],
    ),
    ("I work in marketing.", ["me WORKS_IN_FIELD marketing | I work in marketing"]),
    ("I'm retired.", ["me HAS_EMPLOYMENT_STATUS «retired» | I'm retired"]),
    ("I am unemployed.", ["me HAS_EMPLOYMENT_STATUS «unemployed» | I am unemployed"]),
    (
        "My sister Sarah, a doctor, lives in Rome.",
        [
            "me HAS_SISTER Sarah | My sister Sarah",
            "Sarah LIVES_IN Rome | My sister Sarah, a doctor, lives in Rome",
            "Sarah HAS_OCCUPATION «doctor» | Sarah, a doctor",
        ],
    ),
]
STUDY: list[tuple[str, list[str]]] = [
    ("I study biology.", ["me STUDIES biology | I study biology"]),
    (
        "I'm studying physics at Ghent University.",
        [
            "me STUDIES physics | I'm studying physics at Ghent University",
            "me STUDIES_AT Ghent University | I'm studying physics at Ghent University",
        ],
    ),
    ("I'm majoring in economics.", ["me STUDIES economics | I'm majoring in economics"]),
    (
        "I graduated from Harvard in 2012.",
        ["me GRADUATED_FROM Harvard | I graduated from Harvard in 2012"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), RESIDENCE, ids=[row[0] for row in RESIDENCE])
def test_that_residence_sentences_say_exactly_this(
    read: Read, text: str, expected: list[str]
) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("text", "expected"), WORK, ids=[row[0] for row in WORK])
def test_that_work_sentences_say_exactly_this(read: Read, text: str, expected: list[str]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(("text", "expected"), STUDY, ids=[row[0] for row in STUDY])
def test_that_study_sentences_say_exactly_this(read: Read, text: str, expected: list[str]) -> None:
    assert read(text) == expected
