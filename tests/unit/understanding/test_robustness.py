"""Any text is taken: bounded work, exact spans, same result each time, and who said it counts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.understanding.pipeline import Understander, UnderstandingCancelled
from backend.understanding.preparation import ANALYSED_LIMIT, prepare
from backend.understanding.statements import (
    ArgumentKind,
    DialogueContext,
    EntityArgument,
    KnownName,
    Modality,
    Turn,
)
from tests.unit.understanding.conftest import Read

FACT = "My sister Ana lives in Graz."
ODD = [
    "",
    " ",
    "\n\n\n",
    "\x00",
    "\ud800\udfff",
    "👩‍👩‍👧‍👦" * 50,
    "مرحبا كيف حالك",
    "a" * 5000,
    "?!?!?!",
    "<div><p>I</p></div>",
    "a\r\nb\rc\n",
    "\u202eesrever\u202c",
]
pieces = st.lists(
    st.sampled_from(
        [FACT, "😀", "👩‍👩‍👧", "\n", " ", "I love sushi.", "`x = 1`", "é", "中文", "\x00", "- "]
    ),
    max_size=8,
).map(" ".join)


@pytest.mark.parametrize("text", ODD)
def test_that_odd_text_teaches_nothing_and_does_no_harm(read: Read, text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "noise", ["😀 ", "👩‍👩‍👧‍👦 ", "<b></b> ", "`code` ", "\x00 ", "мама. ", "שלום. "]
)
def test_that_spans_stay_exact_behind_noise(
    understander: Understander, context: DialogueContext, noise: str
) -> None:
    text = f"{noise}{FACT}"
    statements = understander.understand(text, context).statements

    quotes = [text[s.evidence.start : s.evidence.end] for s in statements]
    assert quotes == ["My sister Ana", "My sister Ana lives in Graz"]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=pieces)
def test_that_every_span_lies_in_the_text_and_holds_its_name(
    understander: Understander, context: DialogueContext, text: str
) -> None:
    for statement in understander.understand(text, context).statements:
        assert 0 <= statement.evidence.start < statement.evidence.end <= len(text)
        for argument in (statement.subject, statement.object):
            if isinstance(argument, EntityArgument) and argument.kind is ArgumentKind.NAMED:
                assert argument.span is not None
                assert text[argument.span.start : argument.span.end] == argument.name


@settings(max_examples=50, deadline=None)
@given(text=st.text(max_size=300))
def test_that_preparing_keeps_the_length_and_orders_sentences(text: str) -> None:
    prepared = prepare(text)

    assert len(prepared.text) == len(text)
    ends = [0, *(end for s in prepared.sentences for end in (s.start, s.end))]
    assert ends == sorted(ends)


def test_that_a_huge_message_is_read_up_to_the_limit_and_counted(
    understander: Understander, context: DialogueContext
) -> None:
    result = understander.understand(f"{FACT} {'x ' * 100_000}", context)

    assert result.rejected["text_beyond_limit"] == 1
    assert result.rejected["sentence_beyond_limit"] == 1
    assert len(result.statements) == 2


def test_that_one_unbroken_line_of_any_length_is_cheap() -> None:
    assert prepare("x" * 200_000).sentences == ()
    assert len(prepare("word " * 40_000).text) == ANALYSED_LIMIT


def test_that_the_same_text_gives_the_same_statements(
    understander: Understander, context: DialogueContext
) -> None:
    text = "My sister Ana, a nurse, moved to Graz in May and loves hiking. Her dog is called Rex."

    assert understander.understand(text, context) == understander.understand(text, context)


def test_that_assistants_teach_nothing(
    understander: Understander, context: DialogueContext
) -> None:
    said = replace(context, role="assistant", speaker="AICO")

    assert understander.understand(FACT, said).statements == ()


def test_that_another_speaker_is_the_subject_of_their_own_words(
    read: Read, context: DialogueContext
) -> None:
    said = replace(context, role="other", speaker="Lena")

    assert read("I live in Graz with my dog Rex.", said) == [
        "Lena HAS_PET Rex | my dog Rex",
        "Rex HAS_SPECIES «dog» | my dog Rex",
        "Lena LIVES_IN Graz | I live in Graz with my dog Rex",
    ]


def test_that_what_another_speaker_says_about_you_is_not_taken(
    read: Read, context: DialogueContext
) -> None:
    assert read("You live in Graz.", replace(context, role="other", speaker="Lena")) == []


def test_that_a_pronoun_reaches_back_into_the_last_turns(
    read: Read, context: DialogueContext
) -> None:
    turns = (Turn("other", "Lena", "I saw Anna Berger yesterday."),)

    assert read("She works at Acme.", replace(context, turns=turns)) == [
        "Anna Berger WORKS_AT Acme | She works at Acme"
    ]


def test_that_a_pronoun_with_two_candidates_is_dropped(read: Read) -> None:
    assert read("Anna met Lena. She lives in Graz.") == []


def test_that_known_names_help_to_tell_a_company_from_a_person(
    read: Read, context: DialogueContext
) -> None:
    known = replace(context, known_names=(KnownName("Acme", "ORGANIZATION"),))

    assert read("I left Acme in May.", known) == ["me WORKS_AT Acme ends | I left Acme in May"]
    assert read("I left Tom in May.", known) == []


def test_that_two_sarahs_keep_their_own_descriptions(
    understander: Understander, context: DialogueContext
) -> None:
    text = "My colleague Sarah is a designer. My sister Sarah is a nurse."
    jobs = [
        s
        for s in understander.understand(text, context).statements
        if s.predicate == "HAS_OCCUPATION"
    ]

    assert [s.subject.description_predicate for s in jobs] == ["COLLEAGUE_OF", "HAS_SISTER"]


def test_that_a_correction_is_marked(understander: Understander, context: DialogueContext) -> None:
    (fact,) = understander.understand("Actually, my sister's name is Anna.", context).statements

    assert ("correction", "yes") in fact.qualifiers


def test_that_kin_carry_their_gender(understander: Understander, context: DialogueContext) -> None:
    (fact,) = understander.understand("Robin has a brother, Kim.", context).statements

    assert isinstance(fact.object, EntityArgument)
    assert (fact.object.name, fact.object.gender) == ("Kim", "male")


def test_that_a_joke_takes_back_what_went_before_it(read: Read) -> None:
    assert read("I live in a castle in Scotland. Just kidding!") == []


def test_that_reported_words_are_marked_as_such(
    understander: Understander, context: DialogueContext
) -> None:
    statements = understander.understand("Tom says Ana works at Acme.", context).statements

    assert [s.modality for s in statements] == [Modality.REPORTED]


def test_that_understanding_stops_when_asked(
    understander: Understander, context: DialogueContext
) -> None:
    with pytest.raises(UnderstandingCancelled):
        understander.understand(FACT, context, cancelled=lambda: True)


def test_that_mentions_are_found_with_known_labels(
    understander: Understander, context: DialogueContext
) -> None:
    known = replace(context, known_names=(KnownName("Acme", "ORGANIZATION"),))
    mentions = understander.mentions("Did Ana call from Acme?", known)

    assert [(m.text, m.label) for m in mentions if m.text == "Acme"] == [("Acme", "ORGANIZATION")]
