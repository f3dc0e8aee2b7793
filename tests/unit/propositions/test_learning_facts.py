"""How statements become facts: repetition, change, correction, contradiction."""

from __future__ import annotations

import pytest

from backend.understanding.statements import Change, Modality, Precision
from tests.helpers.story import ME, Story, claim, described, literal, named, thing


def _tell_family(story: Story) -> None:
    story.say(
        "My sister Ana lives in Leipzig and I have a dog, Rex.",
        claim(ME, "HAS_SISTER", named("Ana", role="HAS_SISTER"), "My sister Ana"),
        claim(
            named("Ana", role="HAS_SISTER"),
            "LIVES_IN",
            named("Leipzig", "PLACE"),
            "My sister Ana lives in Leipzig",
        ),
        claim(ME, "HAS_PET", named("Rex", "PET"), "I have a dog, Rex"),
    )


def test_that_what_is_told_three_times_is_known_once_with_three_quotes(story: Story) -> None:
    for _ in range(3):
        _tell_family(story)
    facts = story.facts()
    assert sorted(fact.text for fact in facts) == [
        "Ana is your sister",
        "Ana lives in Leipzig",
        "Rex is your pet",
    ]
    assert [len(fact.evidence) for fact in facts] == [3, 3, 3]


def test_that_a_story_with_a_change_told_three_times_is_known_once(story: Story) -> None:
    for _ in range(3):
        story.say("I live in Dresden.", claim(ME, "LIVES_IN", named("Dresden", "PLACE")))
        story.say(
            "I moved to Leipzig.",
            claim(ME, "LIVES_IN", named("Leipzig", "PLACE"), change=Change.STARTS),
        )
    assert story.texts() == ["You live in Leipzig", "You used to live in Dresden"]
    assert [len(fact.evidence) for fact in story.facts()] == [3, 3]


def test_that_moving_to_leipzig_ends_dresden_and_the_history_shows_it(story: Story) -> None:
    story.say("I live in Dresden.", claim(ME, "LIVES_IN", named("Dresden", "PLACE")))
    result = story.say(
        "I moved to Leipzig last month.",
        claim(
            ME,
            "LIVES_IN",
            named("Leipzig", "PLACE"),
            change=Change.STARTS,
            valid=("2025-02-01", "2025-03-01", Precision.MONTH),
        ),
    )
    dresden = story.fact("You used to live in Dresden")
    leipzig = story.fact("You live in Leipzig")
    assert (leipzig.valid_from, leipzig.valid_until) == ("2025-02-01", None)
    assert dresden.valid_until == "2025-02-01"
    history = story.service.why(story.scope, dresden.id).history
    assert [(change.change, change.reason) for change in history] == [
        ("added", "new_information"),
        ("ended", "new_information"),
    ]
    assert [item.op for item in result.items] == ["changed"]
    chip = story.service.batches(story.scope, story.conversation_id)[-1]
    assert chip.items[0].old == "You used to live in Dresden"
    assert story.graph_edges() == {
        ("me", "LIVES_IN", "Dresden", 0),
        ("me", "LIVES_IN", "Leipzig", 1),
    }


def test_that_coming_back_is_a_second_interval(story: Story) -> None:
    story.say("I work at Acme.", claim(ME, "WORKS_AT", named("Acme", "ORGANIZATION")))
    story.say(
        "I left Acme.",
        claim(ME, "WORKS_AT", named("Acme", "ORGANIZATION"), change=Change.ENDS),
    )
    assert story.texts() == ["You used to work at Acme"]
    story.say(
        "I'm back at Acme!",
        claim(ME, "WORKS_AT", named("Acme", "ORGANIZATION"), change=Change.STARTS),
    )
    assert story.texts() == ["You used to work at Acme", "You work at Acme"]


def test_that_never_retracts_and_gives_back_what_the_error_had_ended(story: Story) -> None:
    story.say("I live in Ulm.", claim(ME, "LIVES_IN", named("Ulm", "PLACE")))
    story.say("I live in Dresden now.", claim(ME, "LIVES_IN", named("Dresden", "PLACE")))
    wrong = story.fact("You live in Dresden").id
    story.say(
        "No, I never lived in Dresden, that was a joke.",
        claim(ME, "LIVES_IN", named("Dresden", "PLACE"), negated=True, change=Change.NEVER_HELD),
    )
    assert story.texts() == ["You don't live in Dresden", "You live in Ulm"]
    detail = story.service.why(story.scope, wrong)
    assert detail.fact.status == "RETRACTED"
    assert detail.history[-1].reason == "user_correction"


def test_that_talking_about_a_retracted_fact_does_not_raise_its_confidence(story: Story) -> None:
    story.say("I live in Dresden.", claim(ME, "LIVES_IN", named("Dresden", "PLACE")))
    before = story.fact("You live in Dresden")
    for words in ("I never lived in Dresden.", "Really, I have never lived in Dresden!"):
        story.say(
            words,
            claim(
                ME, "LIVES_IN", named("Dresden", "PLACE"), negated=True, change=Change.NEVER_HELD
            ),
        )
    assert story.service.why(story.scope, before.id).fact.confidence == before.confidence


def test_that_a_denial_ends_what_was_so(story: Story) -> None:
    story.say("I like coffee.", claim(ME, "LIKES", thing("coffee", "FOOD")))
    story.say("I don't like coffee.", claim(ME, "LIKES", thing("coffee", "FOOD"), negated=True))
    assert story.texts() == ["You don't like coffee", "You used to like coffee"]
    reasons = story.service.why(story.scope, story.fact("You used to like coffee").id).history
    assert reasons[-1].reason == "conflict_resolution"


def test_that_disliking_ends_liking(story: Story) -> None:
    story.say("I love olives.", claim(ME, "LIKES", thing("olives", "FOOD")))
    story.say("I hate olives now.", claim(ME, "DISLIKES", thing("olives", "FOOD")))
    assert story.texts() == ["You dislike olives", "You used to like olives"]


def test_that_two_values_of_what_cannot_change_are_a_contradiction(story: Story) -> None:
    story.say("I was born in Ulm.", claim(ME, "BORN_IN", named("Ulm", "PLACE")))
    story.say("I was born in Bern.", claim(ME, "BORN_IN", named("Bern", "PLACE")))
    assert story.texts() == ["You were born in Bern"]
    assert story.facts()[0].confidence < 0.5
    assert story.service.counts(story.scope) == {"ACTIVE": 1, "CONTRADICTED": 1}


def test_that_both_directions_of_a_relation_are_one_fact(story: Story) -> None:
    story.say("My boss is Tom.", claim(ME, "HAS_BOSS", named("Tom")))
    story.say("Tom manages me.", claim(named("Tom"), "MANAGES", ME))
    assert [len(fact.evidence) for fact in story.facts()] == [2]
    story.say("Ana is my friend.", claim(named("Ana"), "FRIEND_OF", ME))
    story.say("I am a friend of Ana.", claim(ME, "FRIEND_OF", named("Ana")))
    assert story.texts() == ["Ana is your friend", "Tom is your boss"]


def test_that_two_homes_in_one_breath_are_no_move(story: Story) -> None:
    story.say(
        "I live in Ulm and Wien.",
        claim(ME, "LIVES_IN", named("Ulm", "PLACE")),
        claim(ME, "LIVES_IN", named("Wien", "PLACE")),
    )
    assert story.texts() == ["You live in Ulm", "You live in Wien"]


def test_that_a_past_stay_does_not_end_the_present_home(story: Story) -> None:
    story.say("I live in Ulm.", claim(ME, "LIVES_IN", named("Ulm", "PLACE")))
    story.say(
        "I lived in Paris from 2001 to 2003.",
        claim(
            ME,
            "LIVES_IN",
            named("Paris", "PLACE"),
            valid=("2001-01-01", "2004-01-01", Precision.YEAR),
        ),
    )
    assert story.texts() == ["You live in Ulm", "You used to live in Paris"]


def test_that_a_better_date_refines_the_fact(story: Story) -> None:
    story.say("I work at Acme.", claim(ME, "WORKS_AT", named("Acme", "ORGANIZATION")))
    story.say(
        "I have been at Acme since 2019.",
        claim(
            ME,
            "WORKS_AT",
            named("Acme", "ORGANIZATION"),
            valid=("2019-01-01", None, Precision.YEAR),
        ),
    )
    facts = story.facts()
    assert [(fact.valid_from, fact.valid_precision) for fact in facts] == [("2019-01-01", "year")]


def test_that_a_plan_is_settled_once_it_is_so(story: Story) -> None:
    story.say(
        "I will move to Bern.",
        claim(ME, "LIVES_IN", named("Bern", "PLACE"), modality=Modality.PLANNED),
    )
    assert story.texts() == ["You plan to live in Bern"]
    assert story.graph_edges() == set()
    story.say(
        "I moved to Bern.",
        claim(ME, "LIVES_IN", named("Bern", "PLACE"), change=Change.STARTS),
    )
    assert story.texts() == ["You live in Bern"]


def test_that_confidence_grows_with_other_words_only(story: Story) -> None:
    story.say("I play chess.", claim(ME, "PLAYS", thing("chess", "ACTIVITY")))
    once = story.facts()[0].confidence
    story.say("I play chess.", claim(ME, "PLAYS", thing("chess", "ACTIVITY")))
    assert story.facts()[0].confidence == once
    for number in range(12):
        story.say(f"Chess again, game {number}.", claim(ME, "PLAYS", thing("chess", "ACTIVITY")))
    assert once < story.facts()[0].confidence <= 0.99


def test_that_what_others_say_of_themselves_is_kept_with_them(story: Story) -> None:
    story.say(
        "I work at Acme.",
        claim(named("Ben"), "WORKS_AT", named("Acme", "ORGANIZATION")),
        role="other",
        speaker="Ben",
    )
    fact = story.fact("Ben works at Acme")
    assert fact.speaker == "Ben"
    assert ("Ben", "WORKS_AT", "Acme", 1) in story.graph_edges()


def test_that_what_others_say_of_the_owner_is_only_proposed(story: Story) -> None:
    result = story.say(
        "You live in Bonn, right?",
        claim(ME, "LIVES_IN", named("Bonn", "PLACE")),
        role="other",
        speaker="Ben",
    )
    assert story.texts() == []
    assert story.graph_edges() == set()
    assert story.service.get(story.scope, result.fact_ids)[0].status == "PROPOSED"


def test_that_quotes_are_substrings_of_their_messages(story: Story) -> None:
    _tell_family(story)
    for fact in story.facts():
        for evidence in fact.evidence:
            message = story.messages.get(story.scope, evidence.message_id)
            assert message is not None
            assert evidence.quote == message.text[evidence.start : evidence.end] != ""


def test_that_values_become_properties_of_the_node(story: Story) -> None:
    story.say(
        "My sister is 34.",
        claim(ME, "HAS_SISTER", described("sister", "HAS_SISTER")),
        claim(described("sister", "HAS_SISTER"), "HAS_AGE", literal("34", "years")),
    )
    assert story.texts() == ["You have a sister", "Your sister is 34 years old"]
    rows = story.database.execute("SELECT value FROM kg_node_properties WHERE key = 'has_age'")
    assert rows == [("34",)]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_that_imports_out_of_order_give_the_same_facts(
    story: Story, order: tuple[int, int]
) -> None:
    first = story.message("I live in Dresden.")
    second = story.message("I live in Leipzig.")
    pairs = [
        (first, claim(ME, "LIVES_IN", named("Dresden", "PLACE"))),
        (second, claim(ME, "LIVES_IN", named("Leipzig", "PLACE"))),
    ]
    for index in order:
        story.learn(*pairs[index])
    assert story.texts() == ["You live in Leipzig", "You used to live in Dresden"]


def test_that_a_long_list_comes_in_pages_that_make_the_whole(story: Story) -> None:
    for town in ("Bonn", "Celle", "Emden", "Fulda", "Gera"):
        story.say(f"My aunt is from {town}.", claim(ME, "VISITED", named(town, "PLACE")))
    pages = [story.service.page(story.scope, offset=begin, limit=2) for begin in (0, 2, 4, 6)]
    assert [len(page.facts) for page in pages] == [2, 2, 1, 0]
    assert {page.total for page in pages} == {5}
    paged = [fact.id for page in pages for fact in page.facts]
    assert paged == [fact.id for fact in story.service.list(story.scope)]


def test_that_a_second_spouse_is_a_question_until_the_first_marriage_is_said_to_be_over(
    story: Story,
) -> None:
    wife = claim(ME, "MARRIED_TO", named("Anna", role="MARRIED_TO"))
    husband = claim(ME, "MARRIED_TO", named("Raj", role="MARRIED_TO"))
    story.say("My wife is Anna.", wife)
    sure = story.facts()[0].confidence
    told = story.say("My husband is Raj.", husband)
    assert [item.op for item in told.items] == ["added", "question"]
    assert len(story.facts()) == 2
    assert [fact.confidence for fact in story.facts()] == [sure / 2, sure / 2]
    assert told.batch_id is not None
    (chip,) = [
        batch
        for batch in story.service.batches(story.scope, story.conversation_id)
        if batch.batch_id == told.batch_id
    ]
    assert chip.items[-1].text.startswith("Which is so? (")
    assert "Anna" in chip.items[-1].text
    assert "Raj" in chip.items[-1].text
    before = story.hash()
    story.service.refold(story.scope)
    assert story.hash() == before
    story.say("I divorced Anna.", claim(ME, "MARRIED_TO", named("Anna"), change=Change.ENDS))
    (raj,) = [fact for fact in story.facts() if fact.object == "Raj"]
    assert raj.confidence == sure


def test_that_an_age_reached_on_a_day_is_not_over_with_that_day(story: Story) -> None:
    story.say(
        "I turned 42 yesterday.",
        claim(
            ME,
            "HAS_AGE",
            literal("42", "years"),
            valid=("2025-03-01", "2025-03-02", Precision.DAY),
        ),
    )
    (fact,) = story.facts()
    assert (fact.valid_from, fact.valid_until) == ("2025-03-01", None)
    assert "used to" not in fact.text
