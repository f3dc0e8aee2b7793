"""Writing and sending: keys, input methods, big pastes, and messages that do not arrive."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from aico_desktop.contract.messages import (
    CreateConversation,
    Failure,
    SendMessage,
    StopTurn,
)
from tests.ui.chat_driver import ChatDriver
from ui.chat.message_text import MessageText


def test_that_enter_sends_the_message_and_empties_the_box(chat: ChatDriver) -> None:
    chat.say("Hello there")
    assert [body.text for body in chat.backend.requests(SendMessage)] == ["Hello there"]
    assert chat.composer.draft.text == ""


def test_that_a_message_is_seen_before_the_backend_has_answered(chat: ChatDriver) -> None:
    chat.backend.silent.add(CreateConversation)
    chat.type("Hello there")
    chat.press(Qt.Key.Key_Return)
    (item,) = chat.desktop.chat.model.items
    assert (item.message.text, item.delivery) == ("Hello there", "sending")
    assert chat.transcript.rows[0].isVisible()


def test_that_the_first_message_of_a_chat_gets_the_width_it_needs(chat: ChatDriver) -> None:
    message_id = chat.say("What should I plant beside the shed?")
    (piece,) = chat.row(message_id).findChildren(MessageText)
    needed = piece.fontMetrics().horizontalAdvance("What should I plant beside the shed?")
    assert piece.width() >= needed
    assert piece.height() < 2 * piece.fontMetrics().height()


def test_that_an_empty_chat_is_not_stored_before_its_first_message(chat: ChatDriver) -> None:
    chat.desktop.window.conversations.new_chat_requested.emit()
    chat.turn_loop()
    assert chat.backend.requests(CreateConversation) == []
    chat.say("Now it begins")
    assert len(chat.backend.requests(CreateConversation)) == 1
    assert chat.desktop.rows.rowCount() == 1


def test_that_shift_enter_starts_a_new_line(chat: ChatDriver) -> None:
    chat.type("one")
    chat.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    chat.type("two")
    assert chat.composer.draft.text == "one\ntwo"
    assert chat.backend.requests(SendMessage) == []


def test_that_enter_is_left_to_an_input_method_that_composes(chat: ChatDriver) -> None:
    box = chat.composer.text_box
    chat.type("watashi")
    QApplication.sendEvent(box, QInputMethodEvent("にほん", []))
    assert box.composing
    chat.press(Qt.Key.Key_Return)
    chat.turn_loop()
    assert chat.backend.sent_texts() == []
    commit = QInputMethodEvent("", [])
    commit.setCommitString("日本")
    QApplication.sendEvent(box, commit)
    chat.press(Qt.Key.Key_Return)
    chat.qtbot.waitUntil(lambda: chat.backend.sent_texts() == ["watashi日本"])


def test_that_blank_text_is_not_sent(chat: ChatDriver) -> None:
    chat.type("   ")
    chat.press(Qt.Key.Key_Return)
    chat.turn_loop()
    assert chat.backend.requests(CreateConversation) == []


def test_that_a_paste_over_fifty_thousand_characters_becomes_an_attachment(
    chat: ChatDriver,
) -> None:
    pasted = QMimeData()
    pasted.setText("a line of a report\n" * 3000)
    chat.composer.text_box.insertFromMimeData(pasted)
    (chip,) = chat.composer.chips
    assert chip.attachment.text == pasted.text()
    assert chat.composer.draft.text == ""
    chat.say("Please sum this up")
    (sent,) = chat.backend.requests(SendMessage)
    assert [part.text for part in sent.attachments] == [pasted.text()]
    assert chat.composer.chips == []


def test_that_a_paste_with_one_very_long_line_becomes_an_attachment(chat: ChatDriver) -> None:
    pasted = QMimeData()
    pasted.setText("x" * 5001)
    chat.composer.text_box.insertFromMimeData(pasted)
    assert len(chat.composer.chips) == 1


def test_that_an_ordinary_paste_becomes_text(chat: ChatDriver) -> None:
    pasted = QMimeData()
    pasted.setText("two\nlines")
    chat.composer.text_box.insertFromMimeData(pasted)
    assert chat.composer.draft.text == "two\nlines"
    assert chat.composer.chips == []


def test_that_an_attachment_can_be_taken_off_again(chat: ChatDriver) -> None:
    chat.composer.text_box.big_paste_arrived.emit("y" * 60_000)
    chat.click(chat.composer, "Remove")
    assert chat.composer.chips == []


def test_that_an_attachment_without_words_is_not_sent_and_the_hint_says_why(
    chat: ChatDriver,
) -> None:
    chat.composer.text_box.big_paste_arrived.emit("y" * 60_000)
    chat.press(Qt.Key.Key_Return)
    assert len(chat.composer.chips) == 1
    assert "few words" in chat.composer.hint


def test_that_a_message_that_was_refused_can_be_tried_again_with_the_same_key(
    chat: ChatDriver,
) -> None:
    full = Failure(code="disk_full", human="The disk is full (12 MB free).")
    chat.backend.fail_next(SendMessage, full)
    chat.type("Keep this")
    chat.press(Qt.Key.Key_Return)
    chat.qtbot.waitUntil(lambda: chat.desktop.chat.model.items[0].delivery == "failed")
    row = chat.transcript.rows[0]
    assert row.failure_words is not None
    assert "The disk is full (12 MB free)." in row.failure_words.text
    chat.click(row, "Try again")
    chat.qtbot.waitUntil(lambda: chat.desktop.chat.model.items[0].delivery == "sent")
    first, second = chat.backend.requests(SendMessage)
    assert first.client_key == second.client_key
    assert len(chat.desktop.chat.model.items) == 1


def test_that_the_text_of_a_refused_message_goes_back_to_the_composer(chat: ChatDriver) -> None:
    chat.backend.fail_next(SendMessage, Failure(code="invalid", human="Too long."))
    chat.type("Too many words")
    chat.press(Qt.Key.Key_Return)
    chat.qtbot.waitUntil(lambda: chat.desktop.chat.model.items[0].delivery == "failed")
    chat.click(chat.transcript.rows[0], "Edit")
    assert chat.composer.draft.text == "Too many words"
    assert chat.desktop.chat.model.items == []


def test_that_a_message_lost_with_the_connection_is_sent_again_when_it_is_back(
    chat: ChatDriver,
) -> None:
    gone = Failure(code="unreachable", human="The companion service went away.")
    chat.backend.fail_next(SendMessage, gone)
    chat.type("Do not lose me")
    chat.press(Qt.Key.Key_Return)
    chat.qtbot.waitUntil(lambda: chat.desktop.chat.model.items[0].delivery == "failed")
    chat.backend.start()
    chat.qtbot.waitUntil(lambda: chat.desktop.chat.model.items[0].delivery == "sent")
    keys = {body.client_key for body in chat.backend.requests(SendMessage)}
    assert len(keys) == 1


def test_that_text_written_during_an_answer_stays_and_is_sent_when_the_answer_ends(
    chat: ChatDriver,
) -> None:
    chat.say("What could I cook?")
    chat.backend.stream("How about")
    chat.type("Without nuts, please")
    chat.press(Qt.Key.Key_Return)
    chat.turn_loop()
    assert chat.backend.sent_texts() == ["What could I cook?"]
    assert chat.composer.draft.text == "Without nuts, please"
    chat.backend.stream(" soup?")
    chat.backend.finish()
    chat.qtbot.waitUntil(
        lambda: chat.backend.sent_texts() == ["What could I cook?", "Without nuts, please"]
    )


def test_that_input_is_free_as_soon_as_the_answer_ended(chat: ChatDriver) -> None:
    chat.say("Hello")
    chat.backend.stream("Hello.")
    assert not chat.composer.hint.startswith("Enter sends")
    chat.backend.answer()
    assert chat.composer.hint.startswith("Enter sends")


def test_that_input_is_free_while_the_memory_still_works(chat: ChatDriver) -> None:
    chat.say("My sister is called Ana.")
    chat.backend.stream("A fine name.")
    chat.backend.finish()
    assert chat.backend.turn.state == "storing"
    chat.say("And she lives in Porto.")
    assert len(chat.backend.sent_texts()) == 2


def test_that_escape_stops_the_running_answer_and_keeps_its_text(chat: ChatDriver) -> None:
    chat.say("Tell me a long story")
    chat.backend.stream("Once upon a time")
    chat.press(Qt.Key.Key_Escape)
    chat.qtbot.waitUntil(lambda: chat.backend.turn.state == "stopped")
    (stop,) = chat.backend.requests(StopTurn)
    assert stop.turn_id == chat.backend.turn.turn_id
    row = chat.answer_row()
    assert row.item.message.text == "Once upon a time"
    assert row.failure_words is not None
    assert [verb for verb, _ in row.failure_words.actions] == ["continue", "ask_again"]


def test_that_escape_stops_the_answer_also_from_the_transcript(chat: ChatDriver) -> None:
    chat.say("Tell me a long story")
    chat.backend.stream("Once upon a time")
    chat.transcript.setFocus()
    chat.qtbot.keyClick(chat.transcript, Qt.Key.Key_Escape)
    chat.qtbot.waitUntil(lambda: chat.backend.turn.state == "stopped")
    chat.qtbot.keyClick(chat.transcript, Qt.Key.Key_Escape)
    assert chat.composer.text_box.hasFocus()


def test_that_the_hint_never_cuts_the_box_when_the_window_gets_narrow(chat: ChatDriver) -> None:
    composer = chat.composer
    chat.desktop.window.resize(280, 600)
    chat.turn_loop()
    box = composer.text_box
    frame = box.parentWidget()
    assert frame.height() >= box.height()
    assert frame.mapTo(composer, frame.rect().bottomLeft()).y() < composer.height()


def test_that_the_stop_button_stands_where_send_was_only_while_an_answer_runs(
    chat: ChatDriver,
) -> None:
    chat.say("Tell me a long story")
    chat.click(chat.composer, "Stop")
    assert len(chat.backend.requests(StopTurn)) == 1
    chat.qtbot.waitUntil(lambda: chat.backend.turn.state == "stopped")
    chat.type("Another one")
    chat.click(chat.composer, "Send")
    chat.qtbot.waitUntil(lambda: len(chat.backend.sent_texts()) == 2)


def test_that_each_chat_keeps_its_own_draft(chat: ChatDriver) -> None:
    first = chat.backend.add_conversation("First", "a", "b")
    second = chat.backend.add_conversation("Second", "c", "d")
    chat.open(first.conversation_id)
    chat.type("half a thought")
    chat.open(second.conversation_id)
    assert chat.composer.draft.text == ""
    chat.open(first.conversation_id)
    assert chat.composer.draft.text == "half a thought"
