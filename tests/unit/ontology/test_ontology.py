"""The ontology loads, refuses contradictions in words, and words facts to the person."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from backend.ontology.__main__ import PAGE
from backend.ontology.loading import DEFAULT_FOLDER
from backend.ontology.model import OntologyError
from backend.ontology.ontology import Ontology
from backend.ontology.page import predicates_page


@pytest.fixture(scope="module")
def ontology() -> Ontology:
    """The shipped one."""
    return Ontology.load()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped files, to break."""
    return Path(shutil.copytree(DEFAULT_FOLDER, tmp_path / "ontology"))


SENTENCES = [
    (("LIVES_IN", "me", "Leipzig"), {}, "You live in Leipzig"),
    (("LIVES_IN", "Ana", "Graz"), {}, "Ana lives in Graz"),
    (("HAS_SISTER", "me", "Ana"), {}, "Ana is your sister"),
    (("HAS_SISTER", "Ana", "me"), {}, "You are Ana's sister"),
    (("HAS_SISTER", "me", "sister"), {"named": False}, "You have a sister"),
    (
        ("HAS_SISTER", "me", "sister"),
        {"named": False, "polarity": "negated"},
        "You don't have a sister",
    ),
    (
        ("HAS_CHILD", "me", "children"),
        {"named": False, "object_plural": True},
        "You have children",
    ),
    (("WORKS_AT", "Ana", "Acme"), {"current": False}, "Ana used to work at Acme"),
    (("DRINKS", "me", "alcohol"), {"polarity": "negated"}, "You don't drink alcohol"),
    (("DIET", "me", "vegetarian"), {"polarity": "negated"}, "You are not vegetarian"),
    (("HAS_OCCUPATION", "Ana", "engineer"), {}, "Ana is an engineer"),
    (("HAS_AGE", "Tom", "34"), {}, "Tom is 34 years old"),
    (("HAS_GOAL", "me", "learn the piano"), {}, "You want to learn the piano"),
    (("LIVES_IN", "me", "Rome"), {"modality": "planned"}, "You plan to live in Rome"),
    (("WORKS_AT", "Tom", "Acme"), {"modality": "possible"}, "Tom may work at Acme"),
    (("FAVORITE_COLOR", "me", "blue"), {}, "Your favourite colour is blue"),
    (("VISITED", "Jonas", "Rome"), {}, "Jonas visited Rome"),
    (("HAS_BOSS", "Jonas", "Ana"), {"current": False}, "Ana was Jonas' boss"),
    (("LIVES_IN", "Ana and Ben", "Graz"), {"subject_plural": True}, "Ana and Ben live in Graz"),
    (("COUNTS_CLOUDS", "me", "daily"), {}, "You – counts clouds – daily"),
]


@pytest.mark.parametrize(("fact", "how", "sentence"), SENTENCES, ids=[row[2] for row in SENTENCES])
def test_that_a_fact_is_worded_to_the_person(
    ontology: Ontology, fact: tuple[str, str, str], how: dict[str, object], sentence: str
) -> None:
    assert ontology.display(*fact, **how) == sentence  # type: ignore[arg-type]  # a table of keywords


def test_that_synonyms_lead_to_one_name(ontology: Ontology) -> None:
    assert ontology.canonical_label("org") == "ORGANIZATION"
    assert ontology.canonical_predicate("works for") == "WORKS_AT"
    assert ontology.canonical_predicate("EATS_CLOUDS") is None
    assert ontology.predicate("WORKS_FOR").name == "WORKS_AT"


def test_that_a_sister_is_a_sibling_is_family(ontology: Ontology) -> None:
    assert ontology.wider("HAS_SISTER") == ("HAS_SIBLING", "FAMILY_MEMBER")
    assert ontology.narrower("HAS_SIBLING") == ("HAS_SIBLING", "HAS_SISTER", "HAS_BROTHER")


@pytest.mark.parametrize(
    ("label", "name", "value", "fits"),
    [
        ("PROJECT", "progress", 0.5, True),
        ("PROJECT", "progress", 1.5, False),
        ("PROJECT", "priority", True, False),
        ("GOAL", "status", "pending", True),
        ("GOAL", "status", "somewhen", False),
        ("GOAL", "deadline", "2026-05-01", True),
        ("GOAL", "deadline", "soon", False),
        ("GOAL", "motivation", " ", False),
        ("PERSON", "shoe_size", 42, True),
    ],
)
def test_that_properties_keep_to_their_convention(
    ontology: Ontology, label: str, name: str, value: object, fits: bool
) -> None:
    if fits:
        ontology.validate_property(label, name, value)
    else:
        with pytest.raises(OntologyError, match=f"{label}.{name}"):
            ontology.validate_property(label, name, value)


@pytest.mark.parametrize(
    ("file_name", "addition", "complaint"),
    [
        ("people.toml", '[predicate.X]\nparent = "NOPE"\ndisplay = { pattern = "noun" }', "NOPE"),
        ("people.toml", '[predicate.X]\nrange = ["NOPE"]\ndisplay = { pattern = "noun" }', "NOPE"),
        ("people.toml", '[predicate.X]\ntopic = "nope"\ndisplay = { pattern = "noun" }', "nope"),
        ("people.toml", '[predicate.X]\ncolour = "red"', "colour"),
        ("people.toml", "[predicate.X]", "no display pattern"),
        ("people.toml", '[predicate.X]\ndisplay = { pattern = "noun" }', "noun"),
        ("people.toml", '[predicate.X]\ndisplay = { pattern = "song" }', "song"),
        ("people.toml", '[predicate.X]\nparent = "X"\ndisplay = { pattern = "noun" }', "ancestor"),
        (
            "people.toml",
            '[predicate.X]\nsynonyms = ["KNOWS"]\ndisplay = { pattern = "noun" }',
            "belongs to both",
        ),
        ("labels.toml", '[[label]]\nname = "PERSON"', "twice"),
        ("labels.toml", "[[label]", "cannot be read"),
    ],
)
def test_that_a_contradiction_is_refused_in_words(
    folder: Path, file_name: str, addition: str, complaint: str
) -> None:
    with (folder / file_name).open("a", encoding="utf-8") as file:
        file.write(f"\n{addition}\n")

    with pytest.raises(OntologyError, match=complaint):
        Ontology.load(folder)


def test_that_a_missing_file_is_named(folder: Path) -> None:
    (folder / "life.toml").unlink()

    with pytest.raises(OntologyError, match=r"life\.toml"):
        Ontology.load(folder)


def test_that_the_page_on_predicates_is_current(ontology: Ontology) -> None:
    assert PAGE.read_text(encoding="utf-8") == predicates_page(ontology), (
        "run `python -m backend.ontology`"
    )
