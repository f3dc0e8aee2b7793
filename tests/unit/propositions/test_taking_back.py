"""Forget, undo, edit and refold: what is taken back is gone, all else stands."""

from __future__ import annotations

import pytest

from backend.propositions.service import FactNotFound, InvalidEdit
from backend.storage.attachments import AttachmentRepository
from backend.storage.conversations import ConversationRepository
from backend.storage.messages import MessageRecord, NewMessage
from backend.storage.scope import Scope
from backend.understanding.statements import Change
from tests.helpers.story import ME, Story, claim, described, literal, named, thing

SISTER = named("Ana", role="HAS_SISTER")


def _tell(story: Story) -> list[MessageRecord]:
    texts = {
        "My sister Ana lives in Zwickau. She plays the zither.": (
            claim(ME, "HAS_SISTER", SISTER, "My sister Ana"),
            claim(SISTER, "LIVES_IN", named("Zwickau", "PLACE"), "Ana lives in Zwickau"),
            claim(SISTER, "PLAYS", thing("zither", "INSTRUMENT"), "She plays the zither"),
        ),
        "I live in Dresden.": (claim(ME, "LIVES_IN", named("Dresden", "PLACE")),),
        "I moved to Leipzig.": (
            claim(ME, "LIVES_IN", named("Leipzig", "PLACE"), change=Change.STARTS),
        ),
    }
    messages = []
    for text, claims in texts.items():
        message = story.message(text)
        story.learn(message, *claims)
        messages.append(message)
    return messages


# ---------------------------------------------------------------- forget


def test_that_a_forgotten_fact_leaves_no_word_in_any_table(story: Story) -> None:
    messages = _tell(story)
    story.message("Your sister Ana plays the zither, you said.", "assistant", "AICO")
    fact = story.fact("Ana plays zither")
    preview = story.service.forget_fact(story.scope, fact.id, preview=True)
    assert [span.text for span in preview.spans] == ["She plays the zither", "zither"]
    assert story.fact("Ana plays zither")
    done = story.service.forget_fact(story.scope, fact.id)
    assert [gone.id for gone in done.facts] == [fact.id]
    assert "zither" not in story.every_text()
    assert story.messages.get(story.scope, messages[0].message_id).text == (  # type: ignore[union-attr]  # it is there
        "My sister Ana lives in Zwickau.                     ."
    )
    assert story.texts("Ana") == ["Ana is your sister", "Ana lives in Zwickau"]
    with pytest.raises(FactNotFound):
        story.service.why(story.scope, fact.id)


def test_that_a_forgotten_fact_goes_from_answers_in_other_conversations_too(story: Story) -> None:
    told = _tell(story)[0]
    story.conversation_id = (
        ConversationRepository(story.database).create(story.scope).conversation_id
    )
    recalled = story.message(
        "How is Zwickau, where Ana lives? A zither shop is there.", "assistant"
    )
    cited = story.message("Ana plays the zither.", "assistant", sources=(told.message_id,))
    for text in ("Ana lives in Zwickau", "Ana plays zither"):
        story.service.forget_fact(story.scope, story.fact(text).id)
    answers = story.messages.get_many(story.scope, [recalled.message_id, cited.message_id])
    assert answers[recalled.message_id].text == (
        "How is        , where Ana lives? A        shop is there."
    )
    assert answers[cited.message_id].text == "Ana plays the       ."


def test_that_a_word_that_another_fact_tells_stays_in_other_conversations(story: Story) -> None:
    _tell(story)
    zither = thing("zither", "INSTRUMENT")
    story.say("I own a zither.", claim(ME, "OWNS", zither))
    story.conversation_id = (
        ConversationRepository(story.database).create(story.scope).conversation_id
    )
    kept = story.message("A zither has strings.", "assistant")
    story.service.forget_fact(story.scope, story.fact("Ana plays zither").id)
    assert story.messages.get(story.scope, kept.message_id).text == "A zither has strings."  # type: ignore[union-attr]  # it is there


def test_that_a_forgotten_word_goes_from_answers_in_all_its_forms(story: Story) -> None:
    story.say(
        "I'm allergic to quizzleberries.",
        claim(ME, "ALLERGIC_TO", thing("quizzleberries", "SUBSTANCE")),
    )
    conversations = ConversationRepository(story.database)
    story.conversation_id = conversations.create(story.scope).conversation_id
    story.message("Have you heard the classic Quizzleberry story?", "assistant")
    (fact,) = story.facts()
    done = story.service.forget_fact(story.scope, fact.id)
    assert done.words == ("quizzleberries",)
    assert "quizzleberr" not in story.every_text().casefold()


def test_that_a_forgotten_name_goes_from_titles_attachments_captions_and_files(
    story: Story,
) -> None:
    told = story.say("My sister Xanthippe sings.", claim(ME, "HAS_SISTER", named("Xanthippe")))
    assert told.items
    conversations = ConversationRepository(story.database)
    titled = conversations.create(story.scope).conversation_id
    conversations.title_automatically(story.scope, titled, "What is Xanthippe's job?")
    conversations.create(story.scope, "Notes on Xanthippe, 2024")
    conversations.create(story.scope, external_name="chat with Xanthippe")
    asked = story.message("What is Xanthippe's job?")
    story.message("I do not know what Xanthippe does.", "assistant")
    AttachmentRepository(story.database).add(
        story.scope, asked.message_id, "Xanthippe.txt", "Dear Xanthippe, sing."
    )
    story.messages.add(
        story.scope,
        NewMessage(
            story.conversation_id, "user", "me", "Look!", "2025-05-05T10:00:00+02:00",
            "Europe/Berlin", caption="Xanthippe at the sea",
        ),
    )  # fmt: skip
    (sister,) = story.service.resolve_name(story.scope, "Xanthippe")
    story.service.forget_entity(story.scope, sister.entity_id)
    everything = story.every_text()
    assert "xanthippe" not in everything.casefold()
    assert "Notes on , 2024" in everything
    assert "at the sea" in everything
    assert "Dear          , sing." in everything


def test_that_reading_old_text_again_does_not_bring_the_forgotten_back(story: Story) -> None:
    _tell(story)
    old = story.message("The zither again, Ana plays it.")
    story.service.forget_fact(story.scope, story.fact("Ana plays zither").id)
    again = claim(named("Ana"), "PLAYS", thing("zither", "INSTRUMENT"))
    result = story.learn(old, again)
    assert result.rejected == {"forgotten": 1}
    assert story.texts("zither") == []
    story.say("I can tell you anew: Ana plays the zither.", again)
    assert story.fact("Ana plays zither")


def test_that_forgetting_a_person_takes_each_fact_and_each_mention(story: Story) -> None:
    _tell(story)
    story.say(
        "Ana's husband Ulf is a baker. Greetings from Ana!",
        claim(named("Ana"), "MARRIED_TO", named("Ulf"), "Ana's husband Ulf"),
        claim(named("Ulf"), "HAS_OCCUPATION", literal("baker"), "Ulf is a baker"),
    )
    ana = story.service.resolve_name(story.scope, "Ana")[0]
    assert (ana.description, ana.fact_count) == ("your sister", 4)
    done = story.service.forget_entity(story.scope, ana.entity_id)
    assert len(done.facts) == 4
    everything = story.every_text()
    for word in ("Ana", "zither", "Zwickau"):
        assert word not in everything
    assert story.texts() == ["Ulf is a baker", "You live in Leipzig", "You used to live in Dresden"]
    assert story.service.resolve_name(story.scope, "my sister") == ()


def test_that_forgetting_one_of_two_namesakes_keeps_the_other(story: Story) -> None:
    story.say("My sister Sarah sings.", claim(ME, "HAS_SISTER", named("Sarah", role="HAS_SISTER")))
    story.say("My colleague Sarah.", claim(ME, "COLLEAGUE_OF", named("Sarah", role="COLLEAGUE_OF")))
    sister = story.service.resolve_name(story.scope, "my sister")[0]
    story.service.forget_entity(story.scope, sister.entity_id)
    assert story.texts() == ["Sarah is your colleague"]
    later = story.say("Sarah is 40.", claim(named("Sarah"), "HAS_AGE", literal("40", "years")))
    assert [item.op for item in later.items] == ["added"]


def test_that_a_forgotten_relation_is_not_told_by_other_statements(story: Story) -> None:
    _tell(story)
    story.service.forget_fact(story.scope, story.fact("Ana is your sister").id)
    assert story.texts("Ana") == ["Ana lives in Zwickau", "Ana plays zither"]
    assert story.service.resolve_name(story.scope, "my sister") == ()
    assert story.service.resolve_name(story.scope, "Ana")[0].description != "your sister"
    assert "HAS_SISTER" not in story.every_text()
    before = story.hash()
    story.service.refold(story.scope)
    assert story.hash() == before


def test_that_whoever_is_known_by_a_relation_alone_goes_with_it(story: Story) -> None:
    sister = described("sister", "HAS_SISTER")
    story.say(
        "My sister is 30.",
        claim(ME, "HAS_SISTER", sister, "My sister"),
        claim(sister, "HAS_AGE", literal("30", "years"), "sister is 30"),
    )
    fact = story.fact("You have a sister")
    preview = story.service.forget_fact(story.scope, fact.id, preview=True)
    assert len(preview.facts) == 2
    story.service.forget_fact(story.scope, fact.id)
    assert story.texts() == []
    assert "sister" not in story.every_text()


def test_that_forgetting_the_new_home_gives_the_old_one_back(story: Story) -> None:
    _tell(story)
    story.service.forget_fact(story.scope, story.fact("You live in Leipzig").id)
    assert "You live in Dresden" in story.texts()
    assert "Leipzig" not in story.every_text()


# ---------------------------------------------------------------- undo


def test_that_undo_restores_exactly_what_was_there_before(story: Story) -> None:
    hashes = [story.hash()]
    batches = []
    tellings = [
        ("My sister is nice.", claim(ME, "HAS_SISTER", described("sister", "HAS_SISTER"))),
        ("My sister Ana is here.", claim(ME, "HAS_SISTER", SISTER)),
        ("I live in Dresden.", claim(ME, "LIVES_IN", named("Dresden", "PLACE"))),
        ("I moved to Ulm.", claim(ME, "LIVES_IN", named("Ulm", "PLACE"), change=Change.STARTS)),
        ("I left Ulm.", claim(ME, "LIVES_IN", named("Ulm", "PLACE"), change=Change.ENDS)),
    ]
    for text, told in tellings:
        batches.append(story.say(text, told).batch_id)
        hashes.append(story.hash())
    assert len(set(hashes)) == len(hashes)
    story.close()
    story.open()
    for batch_id in reversed(batches):
        hashes.pop()
        assert batch_id is not None
        assert story.service.undo(story.scope, batch_id).batch.undone
        assert story.hash() == hashes[-1]


def test_that_undo_keeps_what_other_messages_say(story: Story) -> None:
    first = story.say("I play chess.", claim(ME, "PLAYS", thing("chess", "ACTIVITY")))
    story.say("Chess is my game.", claim(ME, "PLAYS", thing("chess", "ACTIVITY")))
    assert first.batch_id is not None
    story.service.undo(story.scope, first.batch_id)
    assert [len(fact.evidence) for fact in story.facts()] == [1]


def test_that_what_was_undone_is_not_learnt_again_from_that_message(story: Story) -> None:
    message = story.message("I play chess.")
    told = claim(ME, "PLAYS", thing("chess", "ACTIVITY"))
    batch_id = story.learn(message, told).batch_id
    assert batch_id is not None
    story.service.undo(story.scope, batch_id)
    story.service.undo(story.scope, batch_id)
    assert story.learn(message, told, version="test-2").items == ()
    assert story.texts() == []
    story.say("I do play chess.", told)
    assert story.texts() == ["You play chess"]


# ---------------------------------------------------------------- edit


def test_that_an_edit_changes_the_fact_and_is_seen_in_its_history(story: Story) -> None:
    _tell(story)
    fact = story.fact("You live in Leipzig")
    detail = story.service.edit(story.scope, fact.id, new_object="Markkleeberg")
    assert detail.fact.id == fact.id
    assert detail.fact.text == "You live in Markkleeberg"
    assert detail.fact.evidence == fact.evidence
    last = detail.history[-1]
    assert (last.change, last.reason) == ("corrected", "user_correction")
    assert "Leipzig" in (last.old or "")
    assert "You live in Leipzig" not in story.texts()
    assert ("me", "LIVES_IN", "Markkleeberg", 1) in story.graph_edges()
    before = story.hash()
    story.service.refold(story.scope)
    assert story.hash() == before
    assert story.fact("You live in Markkleeberg").id == fact.id


def test_that_dates_and_values_can_be_edited(story: Story) -> None:
    story.say("I am 33.", claim(ME, "HAS_AGE", literal("33", "years")))
    story.say("I work at Acme.", claim(ME, "WORKS_AT", named("Acme", "ORGANIZATION")))
    story.service.edit(story.scope, story.fact("You are 33 years old").id, new_object="34")
    work = story.fact("You work at Acme")
    detail = story.service.edit(story.scope, work.id, valid_from="2019-05-01")
    assert (detail.fact.valid_from, detail.fact.valid_precision) == ("2019-05-01", "day")
    story.service.refold(story.scope)
    assert story.texts() == ["You are 34 years old", "You work at Acme"]
    assert story.fact("You work at Acme").valid_from == "2019-05-01"


def test_that_what_is_said_after_an_edit_stands_for_itself(story: Story) -> None:
    story.say("I like tea.", claim(ME, "LIKES", thing("tea", "FOOD")))
    story.service.edit(story.scope, story.fact("You like tea").id, new_object="mate")
    story.say("I like tea as well.", claim(ME, "LIKES", thing("tea", "FOOD")))
    assert story.texts() == ["You like mate", "You like tea"]
    before = story.hash()
    story.service.refold(story.scope)
    assert story.hash() == before


def test_that_a_forgotten_edit_leaves_no_word(story: Story) -> None:
    story.say("I like tea.", claim(ME, "LIKES", thing("tea", "FOOD")))
    edited = story.service.edit(story.scope, story.fact("You like tea").id, new_object="mate")
    story.service.forget_fact(story.scope, edited.fact.id)
    assert "mate" not in story.every_text().replace("automate", "")
    assert "tea" not in story.every_text()


def test_that_senseless_edits_are_refused_in_words(story: Story) -> None:
    _tell(story)
    fact = story.fact("You live in Leipzig")
    with pytest.raises(InvalidEdit, match="needs an object"):
        story.service.edit(story.scope, fact.id, new_object=" ")
    with pytest.raises(InvalidEdit, match="looks like"):
        story.service.edit(story.scope, fact.id, valid_from="soon")
    with pytest.raises(InvalidEdit, match="after the beginning"):
        story.service.edit(story.scope, fact.id, valid_from="2026-05-01", valid_until="2026-04-01")


# ---------------------------------------------------------------- the whole


def test_that_dropping_and_refolding_everything_gives_the_same(story: Story) -> None:
    _tell(story)
    story.say("Tom is my boss.", claim(ME, "HAS_BOSS", named("Tom")))
    story.say("Sarah sings.", claim(named("Sarah"), "DOES_ACTIVITY", thing("singing", "ACTIVITY")))
    story.say(
        "I never lived in Dresden.",
        claim(ME, "LIVES_IN", named("Dresden", "PLACE"), negated=True, change=Change.NEVER_HELD),
    )
    before, texts, edges = story.hash(), story.texts(), story.graph_edges()
    ids = {fact.id for fact in story.facts()}
    story.service.refold(story.scope)
    assert (story.hash(), story.texts(), story.graph_edges()) == (before, texts, edges)
    assert {fact.id for fact in story.facts()} == ids


def test_that_another_context_sees_nothing(story: Story) -> None:
    _tell(story)
    other = Scope("me", "work")
    assert story.service.list(other) == ()
    assert story.service.resolve_name(other, "Ana") == ()
    with pytest.raises(FactNotFound):
        story.service.why(other, story.facts()[0].id)


def test_that_reading_a_message_with_a_new_version_replaces_what_it_taught(story: Story) -> None:
    message = story.message("I play chess and go.")
    story.learn(message, claim(ME, "PLAYS", thing("chess", "ACTIVITY")))
    chess = story.fact("You play chess").id
    story.learn(
        message,
        claim(ME, "PLAYS", thing("chess", "ACTIVITY")),
        claim(ME, "PLAYS", thing("go", "ACTIVITY")),
        version="test-2",
    )
    assert story.texts() == ["You play chess", "You play go"]
    assert story.fact("You play chess").id == chess
    assert [len(fact.evidence) for fact in story.facts()] == [1, 1]
    again = story.learn(message, claim(ME, "PLAYS", thing("go", "ACTIVITY")), version="test-2")
    assert again.rejected == {"already_read": 1}


@pytest.mark.parametrize(
    ("typed", "expected", "precision"),
    [("2020", "2020-01-01", "year"), ("2020-03", "2020-03-01", "month")],
)
def test_that_a_year_or_a_month_is_a_date_of_its_own_exactness(
    story: Story, typed: str, expected: str, precision: str
) -> None:
    story.say("I live in Bonn.", claim(ME, "LIVES_IN", named("Bonn", "PLACE")))
    fact = story.fact("You live in Bonn")
    edited = story.service.edit(story.scope, fact.id, valid_from=typed).fact
    assert (edited.valid_from, edited.valid_precision) == (expected, precision)
