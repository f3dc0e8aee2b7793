"""Ledger, imports, rejections, batches and users."""

from __future__ import annotations

import json

import pytest

from backend.storage.batches import BatchRepository
from backend.storage.database import Database
from backend.storage.errors import RecordNotFound, UniqueViolation
from backend.storage.imports import ImportRepository
from backend.storage.ledger import LedgerRepository
from backend.storage.messages import MessageRepository, NewMessage
from backend.storage.rejections import RejectionRepository
from backend.storage.scope import Scope
from backend.storage.users import UserRepository

OTHER = Scope("other")


def test_that_a_message_is_read_once_per_version(database: Database, scope: Scope) -> None:
    ledger = LedgerRepository(database)
    ledger.record(scope, "m1", "I like tea.", "rules-1")
    assert ledger.is_processed(scope, "m1", "I like tea.", "rules-1")
    assert not ledger.is_processed(scope, "m1", "I like tea.", "rules-2")
    assert not ledger.is_processed(scope, "m1", "I like coffee.", "rules-1")
    assert not ledger.is_processed(scope, "m2", "I like tea.", "rules-1")
    assert not ledger.is_processed(OTHER, "m1", "I like tea.", "rules-1")
    with pytest.raises(UniqueViolation):
        ledger.record(scope, "m1", "I like tea.", "rules-1")


def test_that_a_blanked_message_counts_as_read_and_leaves_no_hash(
    database: Database, scope: Scope
) -> None:
    ledger = LedgerRepository(database)
    for text, version in (("I like tea.", "rules-1"), ("I like tea.", "rules-2")):
        ledger.record(scope, "m1", text, version)
    ledger.text_blanked(scope, "m1", "           ")
    assert ledger.is_processed(scope, "m1", "           ", "rules-1")
    assert ledger.is_processed(scope, "m1", "           ", "rules-2")
    assert not ledger.is_processed(scope, "m1", "I like tea.", "rules-1")


def test_that_an_import_is_found_by_its_scope_only(database: Database, scope: Scope) -> None:
    imports = ImportRepository(database)
    made = imports.create(scope, "chat.jsonl")
    assert imports.get(scope, made.import_id) == made
    assert imports.get(OTHER, made.import_id) is None


def test_that_rejections_add_up(database: Database, scope: Scope) -> None:
    rejections = RejectionRepository(database)
    rejections.add(scope, "quoted")
    rejections.add(scope, "quoted", 4)
    rejections.add(scope, "assistant")
    assert rejections.counts(scope) == {"assistant": 1, "quoted": 5}
    assert rejections.counts(OTHER) == {}


def test_that_batches_are_found_undone_and_cleared_of_a_fact(
    database: Database, scope: Scope, conversation_id: str
) -> None:
    new = NewMessage(conversation_id, "user", "me", "I like tea.", "2026-11-30T09:00:00Z", "UTC")
    message_id = MessageRepository(database).add(scope, new).message.message_id
    batches = BatchRepository(database)
    items = [{"id": "f1", "text": "You like tea"}, {"id": "f2", "text": "You like Orla"}]
    first = batches.add(scope, message_id, "t1", json.dumps(items), batch_id="b1")
    second = batches.add(scope, message_id, None, "[]")
    assert batches.of_message(scope, message_id) == [first, second]
    assert batches.of_conversation(scope, conversation_id) == [first, second]
    batches.mark_undone(scope, "b1")
    assert batches.forget_fact(scope, "f1") == 1
    kept = batches.get(scope, "b1")
    assert kept is not None
    assert kept.undone
    assert json.loads(kept.items_json) == items[1:]
    assert batches.get(OTHER, "b1") is None
    assert batches.forget_fact(OTHER, "f2") == 0
    with pytest.raises(RecordNotFound):
        batches.mark_undone(OTHER, "b1")


def test_that_a_user_is_ensured_once(database: Database, scope: Scope) -> None:
    users = UserRepository(database)
    made = users.ensure(scope, "Orla", "Europe/Dublin")
    again = users.ensure(scope, "Orla Quinn", "Europe/Rome")
    assert again.created_at == made.created_at
    assert users.get("me") == again
    assert (again.display_name, again.zone) == ("Orla Quinn", "Europe/Rome")
    assert users.get("nobody") is None
    assert database.execute("SELECT context_id, user_id FROM contexts") == [("default", "me")]
