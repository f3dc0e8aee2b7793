"""The memory chip: what it says, what it opens to, Undo, correcting and forgetting."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt

from aico_desktop.contract.messages import (
    Failure,
    MemoryBatchView,
    MemoryEdit,
    MemoryForget,
    MemoryItem,
    MemoryUndo,
)
from tests.fakes import added
from tests.ui.chat_driver import ChatDriver
from tests.ui.samples import evidence, sample_facts
from ui.chat.memory_chip import MemoryChip
from ui.chat.memory_item_row import MemoryItemRow

SAID = "My sister Ana lives in Porto."


def remembered(chat: ChatDriver, *items: MemoryItem) -> MemoryBatchView:
    """Say something, have it answered, and let the memory commit ``items``."""
    chat.say(SAID)
    chat.backend.stream("A fine city.")
    chat.backend.finish()
    batch = chat.backend.remember(*items)
    chat.turn_loop()
    return batch


def two_things() -> tuple[MemoryItem, MemoryItem]:
    return (
        added("f-1", "Ana is your sister", "My sister Ana"),
        added("f-2", "Ana lives in Porto", "lives in Porto", confidence=0.6),
    )


def chip_of(chat: ChatDriver) -> MemoryChip:
    chip = chat.row(chat.backend.turn.user_message_id).chip
    assert chip is not None
    return chip


def open_line(chat: ChatDriver, fact_id: str) -> MemoryItemRow:
    chat.desktop.window.review_memory()
    chat.turn_loop()
    line = chip_of(chat).row_of(fact_id)
    assert line is not None
    return line


def words_of(line: MemoryItemRow) -> str:
    from PySide6.QtWidgets import QLabel

    labels = line.findChildren(QLabel)
    return " | ".join(label.text() for label in labels if label.isVisible() and label.text())


def test_that_the_chip_stands_under_the_message_that_caused_it(chat: ChatDriver) -> None:
    batch = remembered(chat, *two_things())
    assert batch.message_id == chat.backend.turn.user_message_id
    assert chip_of(chat).title == "Remembered 2 things"
    assert chip_of(chat).isVisible()


def test_that_nothing_worth_remembering_makes_no_chip_and_no_line(chat: ChatDriver) -> None:
    message_id = chat.say("Good morning!")
    chat.backend.stream("Good morning.")
    chat.backend.finish()
    chat.backend.enter("nothing")
    chat.turn_loop()
    row = chat.row(message_id)
    assert row.chip is None
    assert row.state_words is None
    assert row.failure_words is None


def test_that_the_open_chip_says_verb_confidence_old_value_and_words(chat: ChatDriver) -> None:
    changed = MemoryItem(
        op="changed",
        id="f-3",
        text="You live in Halden",
        old="Porto",
        confidence=0.9,
        evidence=(evidence("m-1", SAID, "lives in Porto", "2026-11-30T09:15:00+01:00"),),
    )
    remembered(chat, changed)
    line = open_line(chat, "f-3")
    assert words_of(line) == "You live in Halden | sure · was: Porto · from “lives in Porto”"
    assert line.accessibleName().startswith("Changed: You live in Halden")


def test_that_confirmations_are_hidden_beside_anything_new(chat: ChatDriver) -> None:
    confirmed = MemoryItem(op="confirmed", id="f-4", text="You like tea")
    remembered(chat, two_things()[0], confirmed)
    assert chip_of(chat).title == "Remembered 1 thing"
    open_line(chat, "f-1")
    assert chip_of(chat).row_of("f-4") is None


def test_that_a_retelling_says_that_it_was_known(chat: ChatDriver) -> None:
    remembered(chat, MemoryItem(op="confirmed", id="f-4", text="You like tea"))
    assert chip_of(chat).title == "Already knew 1 thing"


def test_that_a_question_stands_in_the_chip(chat: ChatDriver) -> None:
    question = MemoryItem(op="question", id="f-5", text="Which Ana?", confidence=0.3)
    remembered(chat, question)
    assert chip_of(chat).title == "1 question"


def test_that_undo_takes_the_whole_batch_back_and_says_so(chat: ChatDriver) -> None:
    batch = remembered(chat, *two_things())
    chat.click(chip_of(chat), "Undo")
    chat.qtbot.waitUntil(lambda: chip_of(chat).title == "Taken back: 2 things")
    assert [body.batch_id for body in chat.backend.requests(MemoryUndo)] == [batch.batch_id]


def test_that_a_chip_with_nothing_left_to_list_does_not_count_to_zero(chat: ChatDriver) -> None:
    batch = remembered(chat, *two_things())
    chat.desktop.window.review_memory()
    chat.desktop.chat.put_batch(msgspec.structs.replace(batch, items=(), undone=True))
    chat.turn_loop()
    chip = chip_of(chat)
    assert chip.title == "Taken back"
    assert not chip.opened
    assert chip.rows == []


def test_that_tab_goes_through_chips_in_the_order_in_which_they_are_seen(
    chat: ChatDriver,
) -> None:
    remembered(chat, added("f-1", "Ana is your sister", "My sister Ana"))
    first = chip_of(chat)
    remembered(chat, added("f-2", "Ana lives in Porto", "lives in Porto"))
    first.open_list()
    chat.turn_loop()
    spoken = []
    for _ in range(5):
        focus = chat.desktop.window.focusWidget()
        assert focus is not None
        spoken.append(focus.accessibleName().split(":")[0])
        chat.qtbot.keyClick(focus, Qt.Key.Key_Tab)
    assert spoken == ["Memory", "Undo", "Edit", "Forget", "Show"]
    focus = chat.desktop.window.focusWidget()
    assert focus is not None
    assert not first.isAncestorOf(focus)
    assert chat.transcript.isAncestorOf(focus)


def test_that_the_chips_of_a_chat_are_there_again_when_it_is_opened_later(
    chat: ChatDriver,
) -> None:
    remembered(chat, *two_things())
    message_id, here = chat.backend.turn.user_message_id, chat.backend.turn.conversation_id
    chat.desktop.window.conversations.new_chat_requested.emit()
    chat.desktop.chat._models.clear()
    chat.open(here)
    chip = chat.row(message_id).chip
    assert chip is not None
    assert chip.title == "Remembered 2 things"


def test_that_forgetting_asks_first_and_says_what_goes(chat: ChatDriver) -> None:
    fact = sample_facts()[0]
    chat.backend.book.facts[fact.id] = fact
    remembered(chat, added(fact.id, fact.text, "words"))
    line = open_line(chat, fact.id)
    chat.click(line, "Forget")
    assert "blanked too" in words_of(line)
    assert all(body.preview for body in chat.backend.requests(MemoryForget))
    chat.click(line, "Forget")
    chat.qtbot.waitUntil(lambda: "Forgotten." in words_of(line))
    assert fact.id not in chat.backend.book.facts


def test_that_keep_forgets_nothing(chat: ChatDriver) -> None:
    fact = sample_facts()[0]
    chat.backend.book.facts[fact.id] = fact
    remembered(chat, added(fact.id, fact.text, "words"))
    line = open_line(chat, fact.id)
    chat.click(line, "Forget")
    chat.click(line, "Keep")
    assert fact.id in chat.backend.book.facts
    assert "blanked" not in words_of(line)


def test_that_a_forgotten_fact_leaves_blanks_in_the_shown_message(chat: ChatDriver) -> None:
    message_id = chat.say(SAID)
    chat.backend.stream("A fine city.")
    chat.backend.finish()
    spoken = evidence(message_id, SAID, "My sister Ana", "2026-11-30T09:15:00+01:00")
    fact = msgspec.structs.replace(sample_facts()[0], id="f-1", evidence=(spoken,))
    chat.backend.book.facts["f-1"] = fact
    chat.backend.remember(two_things()[0])
    line = open_line(chat, "f-1")
    chat.click(line, "Forget")
    chat.click(line, "Forget")
    chat.qtbot.waitUntil(lambda: "Ana" not in chat.row(message_id).item.message.text)


def test_that_what_the_panel_forgets_goes_from_every_message_that_is_shown(
    chat: ChatDriver,
) -> None:
    message_id = chat.say(SAID)
    chat.backend.stream("Ana must love Porto.")
    chat.backend.finish()
    chat.backend.remember(two_things()[0])
    chat.turn_loop()
    book = chat.backend.book
    book.facts["f-1"] = msgspec.structs.replace(sample_facts()[0], id="f-1", evidence=())
    conversation = chat.backend.turn.conversation_id
    book.messages[conversation] = [
        msgspec.structs.replace(message, text=message.text.replace("Ana", "   "))
        for message in book.messages[conversation]
    ]
    book.batches.clear()
    chip_of(chat).open_list()
    chat.turn_loop()
    chat.desktop.window.panel.forget_requested.emit("f-1")
    chat.qtbot.waitUntil(
        lambda: not any("Ana" in row.item.message.text for row in chat.transcript.rows)
    )
    chat.qtbot.waitUntil(lambda: not chip_of(chat).isVisible())
    assert chat.desktop.window.focusWidget() is chat.row(message_id)


def test_that_a_correction_starts_from_what_the_fact_says_now(chat: ChatDriver) -> None:
    fact = sample_facts()[0]
    chat.backend.book.facts[fact.id] = fact
    remembered(chat, added(fact.id, fact.text, "words"))
    line = open_line(chat, fact.id)
    chat.click(line, "Edit")
    from PySide6.QtWidgets import QLineEdit

    editor = line.findChild(QLineEdit)
    assert editor is not None
    assert editor.text() == fact.object
    editor.setText("Lisbon")
    chat.click(line, "Save")
    (edit,) = chat.backend.requests(MemoryEdit)
    assert (edit.fact_id, edit.object) == (fact.id, "Lisbon")
    chat.qtbot.waitUntil(lambda: "Corrected:" in words_of(line))


def test_that_a_wish_that_fails_is_told_in_its_own_line(chat: ChatDriver) -> None:
    remembered(chat, *two_things())
    line = open_line(chat, "f-1")
    chat.backend.fail_next(
        MemoryForget, Failure(code="read_only", human="The disk is full; nothing can be changed.")
    )
    chat.click(line, "Forget")
    assert "The disk is full" in words_of(line)


def test_that_show_opens_the_panel_at_the_fact(chat: ChatDriver) -> None:
    fact = sample_facts()[0]
    chat.backend.book.facts[fact.id] = fact
    remembered(chat, added(fact.id, fact.text, "words"))
    chat.click(open_line(chat, fact.id), "Show")
    panel = chat.desktop.window.panel
    assert panel.isVisible()
    chat.qtbot.waitUntil(lambda: panel.detail_pane.wanted_fact_id == fact.id)


def test_that_markup_in_a_name_is_shown_as_text(chat: ChatDriver) -> None:
    remembered(chat, added("f-7", "<b>Bobby</b> is your friend", "Bobby"))
    assert "<b>Bobby</b> is your friend" in words_of(open_line(chat, "f-7"))
