"""Messages: order, resends, windows, running answers, blanking, and keeping scopes apart."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from backend.storage.attachments import AttachmentRepository
from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.errors import ForeignKeyViolation, RecordNotFound
from backend.storage.messages import MessageRepository, NewMessage
from backend.storage.scope import Scope


@pytest.fixture
def messages(database: Database) -> MessageRepository:
    return MessageRepository(database)


@pytest.fixture
def hello(conversation_id: str) -> NewMessage:
    return NewMessage(
        conversation_id=conversation_id,
        role="user",
        speaker="me",
        text="My sister Orla lives in Galway.",
        said_at="2026-11-30T09:00:00+01:00",
        zone="Europe/Berlin",
    )


def test_that_ordinals_count_from_one_in_each_conversation(
    database: Database, messages: MessageRepository, hello: NewMessage, scope: Scope
) -> None:
    other = ConversationRepository(database).create(scope).conversation_id
    ordinals = [messages.add(scope, hello).message.ordinal for _ in range(3)]
    elsewhere = messages.add(scope, replace(hello, conversation_id=other)).message.ordinal
    assert (ordinals, elsewhere) == ([1, 2, 3], 1)


def test_that_ordinals_stay_unique_when_threads_write_at_once(
    messages: MessageRepository, hello: NewMessage, scope: Scope, conversation_id: str
) -> None:
    def write() -> None:
        for _ in range(20):
            messages.add(scope, hello)

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    found = messages.recent(scope, conversation_id, limit=100)
    assert [record.ordinal for record in found] == list(range(1, 61))


def test_that_a_resend_gives_back_the_message_stored_before(
    messages: MessageRepository, hello: NewMessage, scope: Scope
) -> None:
    keyed = replace(hello, client_key="k1", external_id="row-7")
    first = messages.add(scope, keyed)
    again = messages.add(scope, keyed)
    by_row = messages.add(scope, replace(keyed, client_key=None))
    assert (first.created, again.created, by_row.created) == (True, False, False)
    assert first.message == again.message == by_row.message
    assert messages.count(scope) == 1


def test_that_everything_said_comes_back(
    messages: MessageRepository, hello: NewMessage, scope: Scope
) -> None:
    new = replace(hello, text="王 🎉 Zoë\n\t'\"", caption="a boat", sources=("a", "b"), engine="x")
    stored = messages.add(scope, new).message
    assert messages.get(scope, stored.message_id) == stored
    assert (stored.text, stored.caption, stored.sources) == (new.text, "a boat", ("a", "b"))
    assert messages.get_many(scope, [stored.message_id, "nothing"]) == {stored.message_id: stored}


def test_that_windows_end_before_an_ordinal(
    messages: MessageRepository, hello: NewMessage, scope: Scope, conversation_id: str
) -> None:
    for _ in range(7):
        messages.add(scope, hello)

    def window(before: int | None, limit: int) -> list[int]:
        return [m.ordinal for m in messages.recent(scope, conversation_id, before, limit)]

    assert window(None, 3) == [5, 6, 7]
    assert window(5, 3) == [2, 3, 4]
    assert window(2, 3) == [1]
    assert [m.ordinal for m in messages.after(scope, conversation_id, 5)] == [6, 7]


def test_that_a_message_needs_a_conversation_of_its_scope(
    messages: MessageRepository, hello: NewMessage, scope: Scope
) -> None:
    with pytest.raises(RecordNotFound):
        messages.add(Scope("other"), hello)
    with pytest.raises(RecordNotFound):
        messages.add(scope, replace(hello, conversation_id="nowhere"))
    assert messages.count(scope) == 0


def test_that_a_running_answer_is_saved_and_ended(
    messages: MessageRepository, hello: NewMessage, scope: Scope
) -> None:
    answer = replace(hello, role="assistant", speaker="AICO", text="", status="streaming")
    running = messages.add(scope, answer).message
    messages.save_partial(scope, running.message_id, "Gal")
    ended = messages.finish(scope, running.message_id, "Galway.", "stopped", "built_in", ["m1"])
    assert (ended.text, ended.status, ended.engine) == ("Galway.", "stopped", "built_in")
    assert ended.sources == ("m1",)
    with pytest.raises(RecordNotFound):
        messages.save_partial(scope, running.message_id, "late")
    messages.resume(scope, running.message_id)
    messages.save_partial(scope, running.message_id, "Galway. More")
    kept = messages.finish(scope, running.message_id, "Galway. More.", "complete")
    assert (kept.engine, kept.sources) == ("built_in", ("m1",))


def test_that_an_answer_cut_off_by_a_crash_is_marked(
    messages: MessageRepository, hello: NewMessage, scope: Scope
) -> None:
    answer = replace(hello, role="assistant", speaker="AICO", text="Gal", status="streaming")
    running = messages.add(scope, answer).message
    done = messages.add(scope, hello).message
    assert messages.interrupt_streaming() == 1
    marked = messages.get(scope, running.message_id)
    assert marked is not None
    assert (marked.status, marked.text) == ("interrupted", "Gal")
    assert messages.get(scope, done.message_id) == done


def test_that_blanking_keeps_the_length_in_code_points(
    messages: MessageRepository, hello: NewMessage, scope: Scope
) -> None:
    stored = messages.add(scope, replace(hello, text="🎉 Orla 王 lives in Galway")).message
    text = messages.blank_span(scope, stored.message_id, 2, 8)
    assert text == "🎉        lives in Galway"
    found = messages.get(scope, stored.message_id)
    assert found is not None
    assert found.text == text
    with pytest.raises(ValueError, match="span"):
        messages.blank_span(scope, stored.message_id, 5, 500)
    with pytest.raises(RecordNotFound):
        messages.blank_span(Scope("other"), stored.message_id, 0, 1)


@pytest.mark.parametrize("other", [Scope("other", "default"), Scope("me", "work")])
def test_that_another_scope_sees_nothing(
    messages: MessageRepository, hello: NewMessage, scope: Scope, other: Scope
) -> None:
    mine = messages.add(scope, replace(hello, client_key="k", external_id="e")).message
    assert messages.get(other, mine.message_id) is None
    assert messages.get_many(other, [mine.message_id]) == {}
    assert messages.by_client_key(other, "k") is None
    assert messages.by_external_id(other, "e") is None
    assert messages.recent(other, mine.conversation_id) == []
    assert messages.after(other, mine.conversation_id, 0) == []
    assert messages.count(other) == 0
    with pytest.raises(RecordNotFound):
        messages.finish(other, mine.message_id, "stolen", "complete")


def test_that_attachments_belong_to_a_message(
    database: Database, messages: MessageRepository, hello: NewMessage, scope: Scope
) -> None:
    attachments = AttachmentRepository(database)
    message_id = messages.add(scope, hello).message.message_id
    made = [attachments.add(scope, message_id, name, "text") for name in ("b.txt", "a.txt")]
    assert attachments.of_message(scope, message_id) == made
    assert attachments.of_message(Scope("other"), message_id) == []
    with pytest.raises(ForeignKeyViolation):
        attachments.add(scope, "nothing", "c.txt", "text")
