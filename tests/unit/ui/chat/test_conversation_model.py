"""The conversation as the window holds it, event by event."""

from __future__ import annotations

from aico_desktop.contract.messages import (
    MemoryBatchView,
    MessageView,
    TurnDelta,
    TurnError,
    TurnState,
    TurnView,
)
from ui.chat.conversation_model import ConversationModel
from ui.chat.items import Change


def message(number: int, role: str = "user", text: str = "", **fields: object) -> MessageView:
    values: dict[str, object] = {
        "message_id": f"m-{number}",
        "conversation_id": "c-1",
        "ordinal": number,
        "role": role,
        "speaker": "me",
        "text": text or f"text {number}",
        "said_at": "2026-11-30T09:15:00+01:00",
    }
    return MessageView(**(values | fields))  # type: ignore[arg-type]


def state(name: str, **fields: object) -> TurnState:
    return TurnState(
        turn_id="t-1",
        conversation_id="c-1",
        message_id="m-1",
        state=name,  # type: ignore[arg-type]
        wall_time="2026-11-30T09:15:00+01:00",
        **fields,  # type: ignore[arg-type]
    )


def delta(offset: int, text: str) -> TurnDelta:
    return TurnDelta(turn_id="t-1", conversation_id="c-1", offset=offset, text=text)


def loaded(*messages: MessageView) -> ConversationModel:
    model = ConversationModel("c-1", clock=lambda: 100.0)
    model.show_page(messages, has_older=False)
    return model


def answering() -> ConversationModel:
    model = loaded(message(1))
    model.enter_state(state("responding"))
    return model


def test_that_deltas_build_the_answer_in_order() -> None:
    model = answering()
    assert model.add_delta(delta(0, "one "))
    assert model.add_delta(delta(4, "two"))
    assert model.items[-1].message.text == "one two"
    assert model.items[-1].message.status == "streaming"


def test_that_a_delta_seen_twice_changes_nothing() -> None:
    model = answering()
    model.add_delta(delta(0, "one "))
    model.add_delta(delta(4, "two"))
    model.add_delta(delta(4, "two"))
    assert model.items[-1].message.text == "one two"


def test_that_a_gap_in_the_text_is_noticed_and_not_papered_over() -> None:
    model = answering()
    model.add_delta(delta(0, "one "))
    assert not model.add_delta(delta(9, "three"))
    assert model.items[-1].message.text == "one "


def test_that_offsets_count_code_points() -> None:
    model = answering()
    model.add_delta(delta(0, "🌱🌱"))
    assert model.add_delta(delta(2, "!"))
    assert model.items[-1].message.text == "🌱🌱!"


def test_that_text_of_an_unknown_turn_asks_for_a_snapshot() -> None:
    assert not loaded(message(1)).add_delta(delta(0, "x"))


def test_that_the_stored_answer_replaces_the_streamed_one() -> None:
    model = answering()
    model.add_delta(delta(0, "one "))
    model.finish_answer("t-1", message(2, "assistant", "one two", turn_id="t-1"), 12.0)
    assert [item.message.message_id for item in model.items] == ["m-1", "m-2"]
    assert model.items[-1].message.text == "one two"


def test_that_input_is_free_as_soon_as_the_memory_works() -> None:
    model = answering()
    assert model.answering
    model.enter_state(state("storing"))
    assert not model.answering


def test_that_a_failure_keeps_the_text() -> None:
    model = answering()
    model.add_delta(delta(0, "half"))
    model.fail_turn(TurnError(turn_id="t-1", conversation_id="c-1", code="x", human="Gone."))
    assert model.items[-1].message.text == "half"
    assert model.items[-1].message.status == "failed"
    assert not model.answering


def test_that_a_snapshot_brings_text_that_was_missed() -> None:
    model = loaded(message(1))
    model.restore_turn(
        TurnView(
            turn_id="t-1",
            conversation_id="c-1",
            user_message_id="m-1",
            assistant_message_id="m-2",
            state="responding",
            text="all of it",
        )
    )
    assert model.items[-1].message.text == "all of it"
    assert model.answering


def test_that_a_turn_the_backend_forgot_does_not_block_the_composer() -> None:
    model = answering()
    model.add_delta(delta(0, "half"))
    model.settle_turns([])
    assert not model.answering
    assert model.items[-1].message.status == "interrupted"


def test_that_a_message_is_acknowledged_once_even_if_the_page_brought_it_first() -> None:
    model = loaded()
    model.add_own(message(0, message_id="unsent-k"), "k")
    model.merge_page([message(1)], has_older=False)
    model.acknowledge("k", message(1), None)
    assert [item.message.message_id for item in model.items] == ["m-1"]


def test_that_an_unsent_message_survives_a_reload_of_the_chat() -> None:
    model = loaded(message(1))
    model.add_own(message(2, message_id="unsent-k"), "k")
    model.show_page([message(1)], has_older=False)
    assert [item.client_key for item in model.items] == ["", "k"]


def test_that_a_chip_that_comes_before_its_message_is_not_lost() -> None:
    model = ConversationModel("c-1")
    batch = MemoryBatchView(batch_id="b-1", message_id="m-1", items=())
    model.set_batches([batch])
    model.show_page([message(1)], has_older=False)
    assert model.items[0].batch == batch


def test_that_older_messages_are_put_before_and_never_twice() -> None:
    model = loaded(message(3), message(4))
    told: list[Change] = []
    model.subscribe(told.append)
    model.add_older([message(1), message(2), message(3)], has_older=False)
    assert [item.message.ordinal for item in model.items] == [1, 2, 3, 4]
    assert told == [Change("older", count=2)]


def test_that_missed_messages_are_added_behind_what_is_shown() -> None:
    model = loaded(message(1), message(2))
    model.merge_page([message(2, text="new words"), message(3)], has_older=True)
    assert [item.message.text for item in model.items] == ["text 1", "new words", "text 3"]


def test_that_a_page_without_overlap_replaces_what_is_shown() -> None:
    model = loaded(message(1), message(2))
    model.merge_page([message(90), message(91)], has_older=True)
    assert [item.message.ordinal for item in model.items] == [90, 91]
    assert model.has_older
