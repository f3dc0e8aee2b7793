"""What the panel says about a fact: confidence, marks, origin, changes."""

from __future__ import annotations

from datetime import date

import msgspec
import pytest

from tests.ui.samples import ME, fact, sample_facts
from ui.knowledge.wording import (
    change_in_words,
    confidence_in_words,
    dates_in_words,
    label_in_words,
    marks_of,
    method_in_words,
    origin_of,
    reason_in_words,
    spoken_fact,
)

TODAY = date(2026, 11, 30)
FACTS = {view.id: view for view in sample_facts()}


@pytest.mark.parametrize(
    ("confidence", "words", "dots"),
    [
        (1.0, "sure", 3),
        (0.8, "sure", 3),
        (0.79, "I think", 2),
        (0.5, "I think", 2),
        (0.49, "a guess", 1),
        (0.0, "a guess", 1),
    ],
)
def test_that_confidence_is_said_in_words(confidence: float, words: str, dots: int) -> None:
    said = confidence_in_words(confidence)
    assert (said.words, said.filled) == (words, dots)


@pytest.mark.parametrize(
    ("fact_id", "words"),
    [
        ("f-02", []),
        ("f-03", ["Past"]),
        ("f-05", ["Not"]),
        ("f-08", ["Planned"]),
        ("f-09", ["Private"]),
        ("f-15", ["Hearsay", "Private"]),
        ("f-24", ["Inferred"]),
    ],
)
def test_that_all_that_is_not_plainly_so_now_is_marked_by_a_word(
    fact_id: str, words: list[str]
) -> None:
    assert [mark.word for mark in marks_of(FACTS[fact_id], TODAY)] == words


def test_that_what_someone_else_said_names_the_speaker() -> None:
    view = fact("f-1", ME, "LIKES", "tea", "You like tea", "likes", speaker="Tomás")
    assert [mark.word for mark in marks_of(view, TODAY)] == ["Tomás said"]


def test_that_a_fact_of_the_future_is_marked_until_it_begins() -> None:
    view = fact(
        "f-1",
        ME,
        "LIVES_IN",
        "Faro",
        "You live in Faro",
        "places",
        valid=("2027-01-01", None, "year"),
    )
    assert [mark.word for mark in marks_of(view, TODAY)] == ["Later"]
    assert marks_of(view, date(2027, 1, 1)) == ()


def test_that_what_happened_on_one_day_is_not_called_no_longer_so() -> None:
    born = fact(
        "f-1",
        ME,
        "BORN_IN",
        "Faro",
        "You were born in Faro",
        "places",
        valid=("1990-05-03", "1990-05-04", "day"),
    )
    assert marks_of(born, TODAY) == ()


def test_that_a_screen_reader_hears_everything_that_a_row_shows() -> None:
    said = spoken_fact(FACTS["f-03"], TODAY)
    assert said == "You lived in Porto, sure, no longer so, January 2019 to February 2026"
    assert dates_in_words(FACTS["f-02"], TODAY) == "Since February 2026"


def test_that_origin_names_speaker_and_time() -> None:
    evidence = FACTS["f-01"].evidence[0]
    assert origin_of(evidence) == "You, 2 March 2026, 18:21"
    by_tomas = msgspec.structs.replace(evidence, speaker="Tomás", said_at="")
    assert origin_of(by_tomas) == "Tomás"


def test_that_methods_changes_and_kinds_have_words_and_unknown_ones_stay_readable() -> None:
    assert method_in_words("person_edit") == "You wrote this yourself."
    assert method_in_words("personal.name") == "Read in these words."
    assert method_in_words("rule:appositive") == "Read in these words."
    assert change_in_words("superseded") == "Replaced"
    assert change_in_words("moved_away") == "Moved away"
    assert reason_in_words("user_correction") == "You corrected it"
    assert reason_in_words("You said that you moved") == "You said that you moved"
    assert label_in_words("ORGANIZATION", plural=True) == "organisations"
    assert label_in_words("SPACE_SHIP") == "space ship"
    assert label_in_words(None) == "thing"
