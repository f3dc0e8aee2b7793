"""States and failures: what is said, when, and what the buttons do."""

from __future__ import annotations

import pytest

from aico_desktop.contract.messages import Action, RetryTurn, Snapshot
from tests.ui.chat_driver import ChatDriver
from ui.chat.message_row import MessageRow


def own_row(chat: ChatDriver) -> MessageRow:
    return chat.row(chat.backend.turn.user_message_id)


def state_text(chat: ChatDriver) -> str:
    words = own_row(chat).state_words
    return words.text if words is not None else ""


def test_that_the_state_of_a_turn_is_said_under_its_message(chat: ChatDriver) -> None:
    chat.say("What could I cook?")
    chat.backend.enter("understanding", facts=4)
    chat.qtbot.waitUntil(lambda: state_text(chat).startswith("Looking at 4 things I know"))
    chat.backend.stream("Soup")
    chat.qtbot.waitUntil(lambda: state_text(chat) == "Responding…")
    chat.backend.finish()
    chat.qtbot.waitUntil(lambda: state_text(chat) == "Storing in memory…")
    chat.backend.enter("done")
    chat.turn_loop()
    assert state_text(chat) == ""


def test_that_a_slow_state_says_how_long_it_really_took(chat: ChatDriver) -> None:
    chat.say("What could I cook?")
    chat.backend.enter("loading", model="llama3.2", size_bytes=2_000_000_000)
    chat.qtbot.waitUntil(lambda: state_text(chat) == "Loading llama3.2 (2.0 GB)… 1 s")


def test_that_no_timer_runs_when_nothing_happens(chat: ChatDriver) -> None:
    chat.say("Hello")
    assert chat.transcript.watching
    chat.backend.stream("Hello.")
    chat.backend.finish()
    chat.backend.enter("nothing")
    chat.turn_loop()
    assert not chat.transcript.watching


def break_off(chat: ChatDriver, *actions: Action) -> None:
    chat.say("Tell me about the coast")
    chat.backend.stream("It runs from")
    chat.backend.break_off("The model stopped unexpectedly. Your text is safe.", *actions)
    chat.turn_loop()


def test_that_a_failure_stands_below_the_text_and_does_not_replace_it(chat: ChatDriver) -> None:
    break_off(chat, Action(verb="continue", label="Continue"))
    row = chat.answer_row()
    assert row.item.message.text == "It runs from"
    assert row.failure_words is not None
    assert row.failure_words.text == "The model stopped unexpectedly. Your text is safe."
    assert own_row(chat).failure_words is None


@pytest.mark.parametrize(
    ("verb", "mode", "built_in"),
    [
        ("ask_again", "again", False),
        ("continue", "continue", False),
        ("use_built_in", "again", True),
    ],
)
def test_that_each_next_step_after_a_failure_is_carried_out(
    chat: ChatDriver, verb: str, mode: str, built_in: bool
) -> None:
    break_off(chat, Action(verb=verb, label="Do it"))  # type: ignore[arg-type]
    failed = chat.backend.turn.turn_id
    chat.click(chat.answer_row(), "Do it")
    (retry,) = chat.backend.requests(RetryTurn)
    assert (retry.turn_id, retry.mode, retry.use_built_in) == (failed, mode, built_in)


def test_that_the_failure_goes_when_the_answer_goes_on(chat: ChatDriver) -> None:
    break_off(chat, Action(verb="continue", label="Continue"))
    chat.click(chat.answer_row(), "Continue")
    chat.backend.enter("responding")
    chat.backend.stream(" Bayonne.")
    chat.turn_loop()
    row = chat.answer_row()
    assert row.failure_words is None
    assert row.item.message.text == "It runs from Bayonne."
    assert len(chat.transcript.rows) == 2


def test_that_an_answer_that_was_asked_for_again_offers_nothing_more(chat: ChatDriver) -> None:
    break_off(chat, Action(verb="ask_again", label="Ask again"))
    first = chat.answer_row()
    chat.click(first, "Ask again")
    assert not chat.composer.hint.startswith("Enter sends")
    chat.backend.stream("The coast runs from Bayonne to Bilbao.")
    chat.backend.answer()
    chat.turn_loop()
    assert chat.answer_row() is not first
    assert chat.answer_row().failure_words is None
    assert first.failure_words is not None
    assert first.failure_words.actions == ()
    assert first.item.message.text == "It runs from"


def test_that_technical_words_are_there_for_those_who_ask(chat: ChatDriver) -> None:
    chat.say("Tell me about the coast")
    chat.backend.stream("It")
    chat.backend.break_off("The model stopped.", technical="RemoteProtocolError")
    chat.turn_loop()
    from PySide6.QtWidgets import QLabel

    row = chat.answer_row()

    def technical_is_seen() -> bool:
        labels = row.findChildren(QLabel)
        return any(label.text() == "RemoteProtocolError" and label.isVisible() for label in labels)

    assert not technical_is_seen()
    chat.click(row, "Details")
    assert technical_is_seen()


def test_that_a_failure_before_any_text_stands_under_the_question(chat: ChatDriver) -> None:
    chat.say("Hello?")
    chat.backend.break_off("llama3.2 is not installed.", Action(verb="choose_model", label="Pick"))
    chat.turn_loop()
    words = own_row(chat).failure_words
    assert words is not None
    assert words.text == "llama3.2 is not installed."
    assert chat.composer.hint.startswith("Enter sends")


def test_that_an_answer_interrupted_by_a_crash_is_marked_and_can_go_on(chat: ChatDriver) -> None:
    chat.say("Tell me about the coast")
    chat.backend.stream("It runs")
    turn = chat.backend.turn
    turn.state = "interrupted"
    chat.backend.book.store_answer(turn, status="interrupted")
    chat.backend.lose()
    chat.backend.start()
    chat.qtbot.waitUntil(lambda: chat.answer_row().failure_words is not None)
    words = chat.answer_row().failure_words
    assert words is not None
    assert words.text == "This answer was interrupted."
    chat.click(chat.answer_row(), "Continue")
    assert len(chat.backend.requests(RetryTurn)) == 1


def test_that_the_composer_is_free_when_the_backend_forgot_the_turn(chat: ChatDriver) -> None:
    chat.say("Hello?")
    chat.backend.book.turns.clear()
    before = len(chat.backend.requests(Snapshot))
    chat.backend.start()
    chat.qtbot.waitUntil(lambda: len(chat.backend.requests(Snapshot)) > before)
    chat.qtbot.waitUntil(lambda: chat.composer.hint.startswith("Enter sends"))


def test_that_an_automatic_title_appears_in_list_and_header(chat: ChatDriver) -> None:
    chat.say("What should I plant beside the shed?")
    chat.backend.set_title(chat.backend.turn.conversation_id, "Planting beside the shed")
    chat.turn_loop()
    window = chat.desktop.window
    assert window.chat.title.text() == "Planting beside the shed"
    assert chat.desktop.rows.index(0).data() == "Planting beside the shed"
