"""Who a mention means: exactly one, or a new entity."""

from __future__ import annotations

import pytest

from backend.identity.names import take_apart
from backend.understanding.statements import ArgumentKind, EntityArgument
from tests.helpers.story import ME, Story, claim, described, literal, named, thing


def _people(story: Story) -> list[tuple[str, str | None]]:
    rows = story.database.execute(
        "SELECT name, anchor_predicate FROM entities WHERE label = 'PERSON' AND entity_id <> 'me' "
        "ORDER BY created_at, name"
    )
    return [(str(name), role) for name, role in rows]


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("Dr. Ana López's", "ana lopez"),
        ("the Piano", "piano"),
        ("ＡＮＡ", "ana"),
        ("Anna-Lena", "anna lena"),
        ("Straße", "strasse"),
        ("Jonas'", "jonas"),
        ("Mr", "mr"),
        ("O'Brien", "obrien"),
    ],
)
def test_that_spelling_does_not_make_a_person(written: str, compared: str) -> None:
    assert take_apart(written).normalised == compared


def test_that_the_same_name_is_the_same_person(story: Story) -> None:
    story.say("Ana sings.", claim(named("Ana"), "DOES_ACTIVITY", thing("singing", "ACTIVITY")))
    story.say("ANA dances.", claim(named("ANA"), "DOES_ACTIVITY", thing("dancing", "ACTIVITY")))
    assert _people(story) == [("Ana", None)]


def test_that_two_sarahs_stay_apart(story: Story) -> None:
    sister, colleague = named("Sarah", role="HAS_SISTER"), named("Sarah", role="COLLEAGUE_OF")
    story.say(
        "My sister Sarah plays piano.",
        claim(ME, "HAS_SISTER", sister),
        claim(sister, "PLAYS", thing("piano", "INSTRUMENT")),
    )
    story.say(
        "Sarah from work got promoted.",
        claim(ME, "COLLEAGUE_OF", colleague),
        claim(colleague, "HAS_OCCUPATION", literal("manager")),
    )
    assert _people(story) == [("Sarah", "HAS_SISTER"), ("Sarah", "COLLEAGUE_OF")]
    assert story.texts("my sister") == ["Sarah is your sister", "Sarah plays piano"]
    candidates = story.service.resolve_name(story.scope, "sarah")
    assert [one.description for one in candidates] == ["your sister", "your colleague"]


def test_that_a_role_said_as_a_fact_keeps_namesakes_apart(story: Story) -> None:
    story.say("Sarah is my sister.", claim(ME, "HAS_SISTER", named("Sarah")))
    story.say("Sarah is my boss.", claim(ME, "HAS_BOSS", named("Sarah")))
    assert len(_people(story)) == 2


def test_that_a_bare_name_of_two_known_people_asks_and_stays_apart(story: Story) -> None:
    story.say("My sister Sarah.", claim(ME, "HAS_SISTER", named("Sarah", role="HAS_SISTER")))
    story.say("My boss Sarah.", claim(ME, "HAS_BOSS", named("Sarah", role="HAS_BOSS")))
    for _ in range(8):
        story.message("What a day.")
    result = story.say("Sarah sings.", claim(named("Sarah"), "PLAYS", thing("harp", "INSTRUMENT")))
    assert [item.op for item in result.items] == ["added", "question"]
    chip = story.service.batches(story.scope, story.conversation_id)[-1]
    assert chip.items[1].text == "Which Sarah? (your sister · your boss)"
    assert story.texts("my sister") == ["Sarah is your sister"]
    for _ in range(8):
        story.message("Another day.")
    story.say("Sarah is 40.", claim(named("Sarah"), "HAS_AGE", literal("40", "years")))
    assert len(_people(story)) == 3


def test_that_a_bare_name_means_the_one_just_spoken_of(story: Story) -> None:
    story.say("My boss Sarah.", claim(ME, "HAS_BOSS", named("Sarah", role="HAS_BOSS")))
    for _ in range(8):
        story.message("What a day.")
    story.say("My sister Sarah.", claim(ME, "HAS_SISTER", named("Sarah", role="HAS_SISTER")))
    story.say("Sarah sings.", claim(named("Sarah"), "PLAYS", thing("harp", "INSTRUMENT")))
    assert story.texts("my sister") == ["Sarah is your sister", "Sarah plays harp"]


def test_that_an_unnamed_sister_gets_her_name(story: Story) -> None:
    sister = described("sister", "HAS_SISTER")
    story.say(
        "My sister lives in Ulm.",
        claim(ME, "HAS_SISTER", sister),
        claim(sister, "LIVES_IN", named("Ulm", "PLACE")),
    )
    assert story.texts() == ["You have a sister", "Your sister lives in Ulm"]
    story.say("My sister Ana called.", claim(ME, "HAS_SISTER", named("Ana", role="HAS_SISTER")))
    assert story.texts() == ["Ana is your sister", "Ana lives in Ulm"]
    assert [len(fact.evidence) for fact in story.facts()] == [2, 1]


def test_that_my_sister_is_the_one_known_sister(story: Story) -> None:
    story.say("My sister Ana.", claim(ME, "HAS_SISTER", named("Ana", role="HAS_SISTER")))
    story.say(
        "My sister is 30.",
        claim(described("sister", "HAS_SISTER"), "HAS_AGE", literal("30", "years")),
    )
    assert story.texts() == ["Ana is 30 years old", "Ana is your sister"]


def test_that_my_sister_is_unclear_with_two_sisters(story: Story) -> None:
    for name in ("Ana", "Eva"):
        story.say(f"My sister {name}.", claim(ME, "HAS_SISTER", named(name, role="HAS_SISTER")))
    for _ in range(8):
        story.message("What a day.")
    result = story.say(
        "My sister is 30.",
        claim(described("sister", "HAS_SISTER"), "HAS_AGE", literal("30", "years")),
    )
    assert [item.op for item in result.items] == ["added", "question"]
    assert story.texts("Ana") == ["Ana is your sister"]


def test_that_a_dog_does_not_become_the_cat(story: Story) -> None:
    dog, cat = described("dog", "HAS_PET", "PET"), described("cat", "HAS_PET", "PET")
    story.say("I have a dog and a cat.", claim(ME, "HAS_PET", dog), claim(ME, "HAS_PET", cat))
    assert len(story.facts()) == 2
    minka = named("Minka", "PET", role="HAS_PET")
    story.say(
        "Our cat Minka.",
        claim(ME, "HAS_PET", minka),
        claim(minka, "HAS_SPECIES", literal("cat", "species")),
    )
    story.say("My dog is old.", claim(dog, "HAS_AGE", literal("15", "years")))
    assert "Minka is your pet" in story.texts()
    assert not any("15" in text for text in story.texts("Minka"))
    assert len([fact for fact in story.facts() if fact.predicate == "HAS_PET"]) == 2


def test_that_mum_is_mother_but_a_dentist_is_not_the_doctor(story: Story) -> None:
    for word in ("mum", "mother"):
        story.say(f"My {word}.", claim(ME, "HAS_MOTHER", described(word, "HAS_MOTHER")))
    for word in ("doctor", "dentist"):
        story.say(f"My {word}.", claim(ME, "HAS_DOCTOR", described(word, "HAS_DOCTOR")))
    assert [len(fact.evidence) for fact in story.facts()] == [2, 1, 1]


def test_that_my_parents_are_the_same_group_each_time(story: Story) -> None:
    parents = EntityArgument(ArgumentKind.GROUP, "parents", "PERSON", None, "HAS_PARENT", ME)
    story.say("My parents live in Bonn.", claim(parents, "LIVES_IN", named("Bonn", "PLACE")))
    story.say("My parents like tea.", claim(parents, "LIKES", thing("tea", "FOOD")))
    children = EntityArgument(ArgumentKind.GROUP, "kids", "PERSON", None, "HAS_CHILD", ME)
    story.say("My kids like tea.", claim(children, "LIKES", thing("tea", "FOOD")))
    assert story.texts() == [
        "Your kids like tea",
        "Your parents like tea",
        "Your parents live in Bonn",
    ]
    rows = story.database.execute("SELECT count(*) FROM entities WHERE label = 'GROUP'")
    assert rows == [(2,)]


def test_that_a_name_fact_names_the_unnamed(story: Story) -> None:
    sister = described("sister", "HAS_SISTER")
    story.say(
        "My sister's name is Ana.",
        claim(ME, "HAS_SISTER", sister),
        claim(sister, "HAS_NAME", literal("Ana", "name")),
    )
    assert story.service.resolve_name(story.scope, "ana")[0].description == "your sister"
    assert "Ana is your sister" in story.texts()


def test_that_a_first_name_finds_the_one_full_name(story: Story) -> None:
    story.say("I met Tom Berger.", claim(ME, "MET", named("Tom Berger")))
    story.say("Tom sings.", claim(named("Tom"), "PLAYS", thing("harp", "INSTRUMENT")))
    assert _people(story) == [("Tom Berger", None)]
    story.say("I met Ida Lang.", claim(ME, "MET", named("Ida Lang")))
    story.say("I met Ida Kurz.", claim(ME, "MET", named("Ida Kurz")))
    for _ in range(8):
        story.message("What a day.")
    story.say("Ida sings.", claim(named("Ida"), "PLAYS", thing("harp", "INSTRUMENT")))
    assert len(_people(story)) == 4


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (named("Paris"), named("Paris", "PLACE")),
        (named("John Smith Jr"), named("John Smith Sr")),
        (named("Room 12", "PLACE"), named("Room 13", "PLACE")),
        (named("Mr. Miller"), named("Mrs. Miller")),
    ],
)
def test_that_guards_keep_apart(story: Story, first: object, second: object) -> None:
    for argument in (first, second):
        story.say("We met.", claim(ME, "MET", argument))  # type: ignore[arg-type]  # either kind of argument
    assert len(story.facts()) == 2


def test_that_the_owner_is_not_a_friend_of_the_same_name(story: Story) -> None:
    story.say("I am Mara.", claim(ME, "HAS_NAME", literal("Mara", "name")))
    story.say("My friend Mara.", claim(ME, "FRIEND_OF", named("Mara", role="FRIEND_OF")))
    assert _people(story) == [("Mara", "FRIEND_OF")]
    story.say(
        "Mara sings.",
        claim(named("Mara"), "PLAYS", thing("harp", "INSTRUMENT")),
    )
    assert "Mara plays harp" in story.texts()


def test_that_groups_of_different_animals_stay_apart(story: Story) -> None:
    horses = EntityArgument(ArgumentKind.GROUP, "horses", "PET", None, "HAS_PET", ME)
    cats = EntityArgument(ArgumentKind.GROUP, "cats", "PET", None, "HAS_PET", ME)
    story.say("I have three horses.", claim(ME, "HAS_PET", horses))
    story.say("I have a few cats.", claim(ME, "HAS_PET", cats))
    assert story.texts() == ["You have cats", "You have horses"]
