"""Full-text search: what it finds, what it withstands, and its bound on common words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from backend.storage import search
from backend.storage.database import Database
from backend.storage.messages import MessageRepository, NewMessage
from backend.storage.scope import Scope
from backend.storage.search import FullTextSearch, search_words

Say = Callable[..., str]


@pytest.fixture
def finder(database: Database) -> FullTextSearch:
    return FullTextSearch(database)


@pytest.fixture
def say(database: Database, scope: Scope, conversation_id: str) -> Say:
    """Store a message and give its id."""
    messages = MessageRepository(database)

    def store(text: str, role: str = "user", status: str = "complete") -> str:
        new = NewMessage(conversation_id, role, "me", text, "2026-11-30", "UTC", status=status)  # type: ignore[arg-type]  # plain strings keep the tests short
        return messages.add(scope, new).message.message_id

    return store


def _ids(found: Sequence[tuple[str, float]]) -> list[str]:
    return [identifier for identifier, _ in found]


def _add_fact(database: Database, fact_id: str, text: str, status: str = "ACTIVE") -> None:
    database.execute(
        "INSERT INTO propositions(proposition_id, user_id, context_id, subject_id, predicate,"
        " literal, polarity, modality, speaker_id, episode, text, confidence, importance, decay,"
        " status, recorded_at) VALUES (?, 'me', 'default', 'me', 'LIKES', ?, 'affirmed',"
        " 'asserted', 'me', 0, ?, 0.9, 0.5, 0.1, ?, '2026')",
        (fact_id, fact_id, text, status),
    )


def test_that_the_row_with_more_of_the_words_comes_first(
    finder: FullTextSearch, say: Say, scope: Scope
) -> None:
    both = say("My sister Orla plays the cello.")
    one = say("The cello is a fine instrument, and there is much more to say about it.")
    say("It rains.")
    found = finder.messages(scope, ["cello", "sister"])
    assert _ids(found) == [both, one]
    assert found[0][1] < found[1][1] < 0


def test_that_word_forms_accents_and_case_do_not_matter(
    finder: FullTextSearch, say: Say, scope: Scope
) -> None:
    lived = say("Zoë lived in Málaga")
    assert _ids(finder.messages(scope, ["LIVES"])) == [lived]
    assert _ids(finder.messages(scope, ["malaga"])) == [lived]
    assert _ids(finder.messages(scope, ["ZOE"])) == [lived]


@pytest.mark.parametrize(
    "word",
    ['"', "'", '"" OR 1', "tea OR cello", "NEAR(tea cello)", "text:tea", "tea*", "-tea", "^tea",
     "(tea", "tea)", "AND", "OR", "NOT", "{tea}", "+", "王小明", "🎉", "a\0b", "\ud800", "", " ",
     "x" * 5000, "%", "_", "; DROP TABLE messages", "--", "tea -- cello"],
)  # fmt: skip
def test_that_no_word_is_syntax(
    database: Database, finder: FullTextSearch, say: Say, scope: Scope, word: str
) -> None:
    tea = say("I like tea")
    say("I like a cello")
    found = finder.messages(scope, [word])
    assert set(_ids(found)) <= {tea}
    found = finder.messages(scope, [word, "tea"])
    assert tea in _ids(found)
    assert len(found) == 1


def test_that_chinese_words_are_found_whole(finder: FullTextSearch, say: Say, scope: Scope) -> None:
    wang = say("王小明 是我的朋友")
    assert _ids(finder.messages(scope, search_words("王小明"))) == [wang]


def test_that_words_are_taken_from_a_text_without_the_empty_ones() -> None:
    words = search_words("What's my sister's name? ORLA — the sister in ﬁne Galway\0\ud800!")
    assert words == ("sister", "name", "orla", "fine", "galway")
    assert search_words("") == search_words("what is the ?!") == ()


def test_that_another_scope_and_other_roles_are_left_out(
    finder: FullTextSearch, say: Say, scope: Scope
) -> None:
    mine = say("I like tea")
    reply = say("Tea is a drink", role="assistant")
    assert set(_ids(finder.messages(scope, ["tea"]))) == {mine, reply}
    assert _ids(finder.messages(scope, ["tea"], roles=["user"])) == [mine]
    assert finder.messages(Scope("other"), ["tea"]) == []
    assert finder.messages(Scope("me", "work"), ["tea"]) == []


def test_that_facts_are_found_by_status(
    database: Database, finder: FullTextSearch, scope: Scope
) -> None:
    _add_fact(database, "p1", "You like tea")
    _add_fact(database, "p2", "You liked tea once", status="SUPERSEDED")
    assert _ids(finder.facts(scope, ["tea"])) == ["p1"]
    assert set(_ids(finder.facts(scope, ["tea"], statuses=["ACTIVE", "SUPERSEDED"]))) == {
        "p1",
        "p2",
    }
    database.execute("UPDATE propositions SET text = 'You like cocoa' WHERE proposition_id = 'p1'")
    assert finder.facts(scope, ["tea"]) == []
    assert _ids(finder.facts(scope, ["cocoa"])) == ["p1"]
    database.execute("DELETE FROM propositions")
    assert finder.facts(scope, ["cocoa"]) == []


def test_that_a_running_answer_is_indexed_once_it_has_ended(
    database: Database, finder: FullTextSearch, say: Say, scope: Scope
) -> None:
    messages = MessageRepository(database)
    answer = say("", role="assistant", status="streaming")
    messages.save_partial(scope, answer, "Galway is")
    assert finder.messages(scope, ["galway"]) == []
    messages.finish(scope, answer, "Galway is wet", "stopped")
    assert _ids(finder.messages(scope, ["wet"])) == [answer]
    messages.resume(scope, answer)
    assert finder.messages(scope, ["wet"]) == []
    messages.save_partial(scope, answer, "Galway is wet and")
    messages.interrupt_streaming()
    assert _ids(finder.messages(scope, ["wet"])) == [answer]
    messages.blank_span(scope, answer, 0, 6)
    assert finder.messages(scope, ["galway"]) == []
    assert _ids(finder.messages(scope, ["wet"])) == [answer]
    database.execute("INSERT INTO message_fts(message_fts, rank) VALUES ('integrity-check', 1)")


def test_that_common_words_are_dropped_beside_telling_ones(
    finder: FullTextSearch, say: Say, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "COMMON_ROWS", 3)
    for number in range(40):
        say(f"Today I drank tea number {number}")
    cello = say("Orla plays the cello")
    assert _ids(finder.messages(scope, ["tea", "cello"])) == [cello]


def test_that_only_common_words_give_the_newest_rows_that_hold_them_all(
    finder: FullTextSearch, say: Say, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "COMMON_ROWS", 3)
    said = [say(f"Today I drank {'tea' if n % 2 else 'milk'} number {n}") for n in range(40)]
    assert _ids(finder.messages(scope, ["today", "tea"], limit=2)) == [said[39], said[37]]


def test_that_a_search_scores_no_more_rows_than_its_budget(
    finder: FullTextSearch, say: Say, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MATCHED_ROWS", 10)
    for number in range(8):
        say(f"tea {number}")
    for number in range(6):
        say(f"cocoa {number}")
    rare = say("cello")
    found = finder.messages(scope, ["tea", "cocoa", "cello"])
    assert len(found) == 7
    assert rare in _ids(found)


def test_that_nothing_asked_gives_nothing(finder: FullTextSearch, say: Say, scope: Scope) -> None:
    say("tea")
    assert finder.messages(scope, []) == []
    assert finder.messages(scope, ["tea"], limit=0) == []
    assert finder.messages(scope, ["tea"], roles=[]) == []
