"""Conversations: naming, listing, and keeping users apart."""

from __future__ import annotations

import pytest

from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.errors import RecordNotFound, UniqueViolation
from backend.storage.scope import Scope


@pytest.fixture
def conversations(database: Database) -> ConversationRepository:
    return ConversationRepository(database)


def test_that_a_title_by_hand_is_never_replaced(
    conversations: ConversationRepository, scope: Scope
) -> None:
    made = conversations.create(scope)
    assert made.title_origin == "none"
    assert conversations.title_automatically(scope, made.conversation_id, "A walk")
    assert conversations.title_automatically(scope, made.conversation_id, "A long walk")
    conversations.rename(scope, made.conversation_id, "Dublin")
    assert not conversations.title_automatically(scope, made.conversation_id, "The sea")
    found = conversations.get(scope, made.conversation_id)
    assert found is not None
    assert (found.title, found.title_origin) == ("Dublin", "person")


def test_that_an_import_name_means_one_conversation(
    conversations: ConversationRepository, scope: Scope
) -> None:
    first = conversations.for_import(scope, "session-1")
    assert conversations.for_import(scope, "session-1") == first
    assert conversations.for_import(Scope("other"), "session-1") != first
    with pytest.raises(UniqueViolation):
        conversations.create(scope, external_name="session-1")


def test_that_the_newest_comes_first_and_pages_go_back(
    conversations: ConversationRepository, scope: Scope
) -> None:
    made = [conversations.create(scope, title=str(number)) for number in range(4)]
    page = conversations.newest(scope, limit=2)
    assert [record.title for record in page] == ["3", "2"]
    rest = conversations.newest(scope, before=page[-1].updated_at)
    assert [record.title for record in rest] == ["1", "0"]
    assert conversations.count(scope) == len(made)


@pytest.mark.parametrize("other", [Scope("other", "default"), Scope("me", "work")])
def test_that_another_scope_sees_nothing(
    conversations: ConversationRepository, scope: Scope, other: Scope
) -> None:
    made = conversations.create(scope, title="mine")
    assert conversations.get(other, made.conversation_id) is None
    assert conversations.newest(other) == []
    assert not conversations.title_automatically(other, made.conversation_id, "stolen")
    with pytest.raises(RecordNotFound):
        conversations.rename(other, made.conversation_id, "stolen")
