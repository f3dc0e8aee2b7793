"""Facts grouped by person or topic, and found by words."""

from __future__ import annotations

from tests.ui.samples import ANA, ME, fact, many_facts, sample_facts
from ui.knowledge.grouping import OTHER_TOPIC, FactIndex, Grouping, fold


def test_that_you_come_first_and_people_say_who_they_are_to_you() -> None:
    titles = [group.title for group in FactIndex(sample_facts()).groups(Grouping.PERSON)]
    assert titles == [
        "You",
        "Ana — your sister",
        "Priya Nair — your colleague",
        "Tomás — your friend",
        "Biscuit — your pet",
        "Marlow Instruments",
    ]


def test_that_no_fact_is_lost_or_doubled_by_grouping() -> None:
    facts = sample_facts()
    for grouping in Grouping:
        shown = [view.id for group in FactIndex(facts).groups(grouping) for view in group.facts]
        assert sorted(shown) == sorted(view.id for view in facts)


def test_that_a_tie_to_you_stands_with_the_person_it_is_about() -> None:
    groups = {group.title: group for group in FactIndex(sample_facts()).groups(Grouping.PERSON)}
    assert "f-01" in {view.id for view in groups["Ana — your sister"].facts}


def test_that_two_people_of_one_name_stay_apart() -> None:
    other = ("e-ana-2", "Ana", "PERSON")
    facts = (
        fact("f-1", ME, "HAS_SISTER", ANA, "Ana is your sister", "people"),
        fact("f-2", other, "LIKES", "chess", "Ana likes chess", "likes"),
    )
    titles = [group.title for group in FactIndex(facts).groups(Grouping.PERSON)]
    assert sorted(titles) == ["Ana", "Ana — your sister"]


def test_that_a_person_without_a_name_is_headed_by_who_they_are() -> None:
    sister = ("e-s", "sister", "PERSON")
    facts = (fact("f-1", ME, "HAS_SISTER", sister, "You have a sister", "people"),)
    assert [group.title for group in FactIndex(facts).groups(Grouping.PERSON)] == ["Your sister"]


def test_that_a_denied_or_past_tie_names_no_relation() -> None:
    denied = fact(
        "f-1", ME, "HAS_SISTER", ANA, "Ana is not your sister", "people", polarity="negated"
    )
    past = fact(
        "f-2",
        ME,
        "PARTNER_OF",
        ANA,
        "Ana was your partner",
        "people",
        valid=("2015-01-01", "2020-01-01", "year"),
    )
    index = FactIndex((denied, past))
    assert index.title_of(ANA[0], ANA[1]) == "Ana"


def test_that_topics_come_in_a_fixed_order_and_untold_topics_last() -> None:
    facts = (
        fact("f-1", ME, "LIKES", "tea", "You like tea", ""),
        fact("f-2", ME, "LIKES", "tea", "You like tea", "likes"),
        fact("f-3", ME, "LIKES", "tea", "You like tea", "zeppelins"),
        fact("f-4", ME, "LIKES", "tea", "You like tea", "people"),
    )
    titles = [group.title for group in FactIndex(facts).groups(Grouping.TOPIC)]
    assert titles == ["People", "Likes", "Zeppelins", OTHER_TOPIC]


def test_that_search_ignores_case_and_diacritics_both_ways() -> None:
    index = FactIndex(sample_facts())
    plain, accented = index.matching("tomas cycling"), index.matching("TOMÁS cyclíng")
    assert [view.id for view in plain] == [view.id for view in accented] == ["f-20"]
    assert fold("Øystein Łukasz Straße") == "oystein lukasz strasse"


def test_that_search_finds_the_quoted_words_and_wants_every_word() -> None:
    index = FactIndex(sample_facts())
    assert [view.id for view in index.matching("slipper")] == ["f-10"]
    assert index.matching("slipper cello") == ()


def test_that_facts_about_an_entity_are_those_on_either_side_of_it() -> None:
    index = FactIndex(sample_facts())
    assert {view.id for view in index.about("e-marlow")} == {"f-04", "f-18", "f-25"}


def test_that_a_group_keeps_its_key_when_facts_are_read_again() -> None:
    before = FactIndex(many_facts(40)).groups(Grouping.PERSON)
    after = FactIndex(many_facts(48)).groups(Grouping.PERSON)
    assert {group.key for group in before} < {group.key for group in after}
