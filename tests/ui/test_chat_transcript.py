"""The transcript: streaming without pulling, long chats, safe Markdown, and the keyboard."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextDocument
from PySide6.QtWidgets import QScrollBar
from pytestqt.qtbot import QtBot

from aico_desktop.contract.messages import GetMessages, Snapshot, TurnDelta
from tests.fakes import texts
from tests.ui.chat_driver import ChatDriver
from ui.chat.code_block import CodeBlock
from ui.chat.message_text import MessageText
from ui.chat.row_window import LIVE_ROWS
from ui.theme import ThemeManager


def bar_of(chat: ChatDriver) -> QScrollBar:
    return chat.transcript.verticalScrollBar()


def open_long_chat(chat: ChatDriver, count: int) -> None:
    stored = chat.backend.add_conversation("A year of gardening", *texts(count))
    chat.open(stored.conversation_id)


def stream_paragraphs(chat: ChatDriver, count: int) -> None:
    for number in range(count):
        chat.backend.stream(f"Paragraph {number} says a little about beans and poles.\n\n")


# ---------------------------------------------------------------------- streaming


def test_that_a_streamed_answer_is_followed_while_the_reader_is_at_the_end(
    chat: ChatDriver,
) -> None:
    chat.say("Tell me all about beans")
    stream_paragraphs(chat, 60)
    chat.qtbot.waitUntil(lambda: bar_of(chat).maximum() > 500)
    chat.qtbot.waitUntil(lambda: bar_of(chat).value() == bar_of(chat).maximum())


def test_that_a_reader_who_scrolled_up_is_not_pulled_down_by_the_stream(chat: ChatDriver) -> None:
    chat.say("Tell me all about beans")
    stream_paragraphs(chat, 60)
    chat.qtbot.waitUntil(lambda: bar_of(chat).maximum() > 500)
    bar_of(chat).setValue(bar_of(chat).maximum() // 2)
    chat.turn_loop()
    place, height = bar_of(chat).value(), bar_of(chat).maximum()
    stream_paragraphs(chat, 60)
    chat.qtbot.waitUntil(lambda: bar_of(chat).maximum() > height + 500)
    assert bar_of(chat).value() == place


def test_that_a_button_leads_back_to_the_newest_text(chat: ChatDriver) -> None:
    open_long_chat(chat, 60)
    bar_of(chat).setValue(0)
    chat.turn_loop()
    chat.click(chat.transcript, "Jump to latest")
    assert bar_of(chat).value() == bar_of(chat).maximum()
    assert chat.transcript.at_latest


def test_that_the_streamed_text_equals_the_stored_answer(chat: ChatDriver) -> None:
    chat.say("Count")
    for word in ("one ", "two ", "three"):
        chat.backend.stream(word)
    chat.qtbot.waitUntil(lambda: shown_text(chat) == "one two three")
    chat.backend.finish()
    assert shown_text(chat) == "one two three"


def shown_text(chat: ChatDriver) -> str:
    texts_of_row = chat.answer_row().findChildren(MessageText)
    return "\n".join(piece.toPlainText() for piece in texts_of_row if piece.isVisible())


def test_that_finished_paragraphs_are_not_laid_out_again_for_each_token(chat: ChatDriver) -> None:
    chat.say("Tell me all about beans")
    stream_paragraphs(chat, 80)
    chat.qtbot.waitUntil(lambda: len(chat.answer_row().findChildren(MessageText)) > 2)
    first = chat.answer_row().findChildren(MessageText)[0]
    revision = first.document().revision()
    stream_paragraphs(chat, 3)
    chat.qtbot.waitUntil(lambda: "Paragraph 2" in shown_text(chat).rsplit("79", 1)[-1])
    assert first.document().revision() == revision


def test_that_missing_text_is_taken_from_a_snapshot(chat: ChatDriver) -> None:
    chat.say("Count")
    chat.backend.stream("one ")
    turn = chat.backend.turn
    before = len(chat.backend.requests(Snapshot))
    turn.text = "one two three "
    lost = TurnDelta(
        turn_id=turn.turn_id, conversation_id=turn.conversation_id, offset=14, text="four"
    )
    turn.text += "four"
    chat.backend.tell(lost)
    chat.qtbot.waitUntil(lambda: len(chat.backend.requests(Snapshot)) == before + 1)
    chat.qtbot.waitUntil(lambda: shown_text(chat) == "one two three four")


def test_that_an_answer_goes_on_behind_another_chat_and_is_whole_on_return(
    chat: ChatDriver,
) -> None:
    other = chat.backend.add_conversation("Other", "a", "b")
    chat.say("Count")
    here = chat.backend.turn.conversation_id
    chat.backend.stream("one ")
    chat.open(other.conversation_id)
    assert chat.composer.hint.startswith("Enter sends")
    chat.backend.stream("two")
    chat.backend.finish()
    chat.open(here)
    assert shown_text(chat) == "one two"


# ---------------------------------------------------------------------- long chats


def test_that_ten_thousand_messages_open_as_a_window_of_live_rows(chat: ChatDriver) -> None:
    open_long_chat(chat, 10_000)
    assert len(chat.transcript.rows) <= LIVE_ROWS
    (page,) = chat.backend.requests(GetMessages)
    assert page.limit <= 100
    assert "Answer 9999" in chat.transcript.rows[-1].accessibleName()


def test_that_scrolling_up_reaches_older_messages_and_never_keeps_too_many_alive(
    chat: ChatDriver,
) -> None:
    open_long_chat(chat, 400)
    seen: set[str] = set()

    def first_is_oldest() -> bool:
        bar_of(chat).setValue(0)
        seen.add(chat.transcript.rows[0].item.message.text)
        assert len(chat.transcript.rows) <= LIVE_ROWS
        return chat.transcript.rows[0].item.message.ordinal == 1

    chat.qtbot.waitUntil(first_is_oldest, timeout=20_000)
    assert len(seen) > 5


def test_that_older_messages_arrive_above_without_moving_what_is_read(chat: ChatDriver) -> None:
    open_long_chat(chat, 200)
    bar_of(chat).setValue(30)
    read = chat.transcript.rows[0]
    top = read.mapTo(chat.transcript, read.rect().topLeft()).y()
    chat.qtbot.waitUntil(lambda: chat.transcript.rows[0] is not read)
    assert read.mapTo(chat.transcript, read.rect().topLeft()).y() == top


def test_that_home_goes_to_the_very_first_message_and_end_back(chat: ChatDriver) -> None:
    open_long_chat(chat, 700)
    chat.qtbot.keyClick(chat.transcript, Qt.Key.Key_Home)
    chat.qtbot.waitUntil(lambda: chat.transcript.rows[0].item.message.ordinal == 1)
    assert bar_of(chat).value() == 0
    chat.qtbot.keyClick(chat.transcript, Qt.Key.Key_End)
    assert chat.transcript.rows[-1].item.message.ordinal == 700
    assert chat.transcript.at_latest


def test_that_page_up_scrolls_one_screen(chat: ChatDriver) -> None:
    open_long_chat(chat, 60)
    end = bar_of(chat).value()
    chat.qtbot.keyClick(chat.transcript, Qt.Key.Key_PageUp)
    assert 0 < end - bar_of(chat).value() <= bar_of(chat).pageStep()


def test_that_arrow_keys_walk_from_message_to_message(chat: ChatDriver) -> None:
    open_long_chat(chat, 10)
    chat.qtbot.keyClick(chat.transcript, Qt.Key.Key_Up)
    assert chat.transcript.rows[-1].hasFocus()
    chat.qtbot.keyClick(chat.transcript.rows[-1], Qt.Key.Key_Up)
    assert chat.transcript.rows[-2].hasFocus()


def test_that_a_source_in_an_old_chat_is_opened_at_its_message(chat: ChatDriver) -> None:
    stored = chat.backend.add_conversation("A year of gardening", *texts(300))
    wanted = chat.backend.book.messages[stored.conversation_id][20]
    chat.desktop.window.panel.source_requested.emit(stored.conversation_id, wanted.message_id, 0, 8)
    chat.qtbot.waitUntil(
        lambda: chat.transcript.row_of(wanted.message_id) is not None, timeout=10_000
    )
    row = chat.row(wanted.message_id)
    chat.qtbot.waitUntil(lambda: not row.visibleRegion().isEmpty())


def test_that_an_answer_from_memory_leads_to_the_words_it_rests_on(chat: ChatDriver) -> None:
    stored = chat.backend.add_conversation("Family", "My sister is called Ana.", "A fine name.")
    said = chat.backend.book.messages[stored.conversation_id][0]
    chat.say("What is my sister's name?")
    chat.backend.stream("Your sister is called Ana.")
    chat.backend.answer(engine="memory", sources=(said.message_id,))
    chat.click(chat.answer_row(), "1 source")
    chat.qtbot.waitUntil(lambda: chat.transcript.row_of(said.message_id) is not None)
    assert chat.desktop.chat.model.conversation_id == stored.conversation_id
    chat.qtbot.waitUntil(lambda: chat.row(said.message_id).hasFocus())


# ---------------------------------------------------------------------- text


TAGGED = """\
Use <b> and <example> tag, List<String> and a < b.

| call | result |
|------|--------|
| f(1) | <ok>   |

Then the end."""


def test_that_markdown_with_tags_loses_nothing(qtbot: QtBot, theme: ThemeManager) -> None:
    piece = MessageText(theme, "text")
    qtbot.addWidget(piece)
    piece.show_text(TAGGED, markdown=True)
    shown = piece.toPlainText()
    for words in ("<b>", "<example>", "List<String>", "a < b", "f(1)", "<ok>", "Then the end."):
        assert words in shown


def test_that_a_picture_in_an_answer_is_never_asked_for(qtbot: QtBot, theme: ThemeManager) -> None:
    asked: list[str] = []

    class Watched(MessageText):
        def loadResource(self, kind: int, name: QUrl | str) -> object:
            asked.append(str(name))
            return super().loadResource(kind, name)

    piece = Watched(theme, "text")
    qtbot.addWidget(piece)
    piece.resize(400, 200)
    piece.show()
    piece.show_text("Look: ![a cat](http://127.0.0.1:9/cat.png) nice?", markdown=True)
    piece.grab()
    assert asked == []
    assert "a cat" in piece.toPlainText()
    html = QTextDocument.ResourceType.ImageResource.value
    assert piece.loadResource(html, QUrl("file:///etc/hostname")) is None


def test_that_only_safe_links_are_opened(
    qtbot: QtBot, theme: ThemeManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    piece = MessageText(theme, "text")
    qtbot.addWidget(piece)
    for address in ("file:///etc/passwd", "http://a.example", "https://b.example", "ftp://c"):
        piece.anchorClicked.emit(QUrl(address))
    assert opened == ["https://b.example"]


def test_that_what_the_person_wrote_is_shown_as_written(chat: ChatDriver) -> None:
    message_id = chat.say("*not* bold, <b>nor</b> 1. a list")
    (piece,) = chat.row(message_id).findChildren(MessageText)
    assert piece.toPlainText() == "*not* bold, <b>nor</b> 1. a list"


def test_that_code_stands_in_its_own_frame_and_is_copied_as_it_is(chat: ChatDriver) -> None:
    chat.say("Show me")
    chat.backend.stream("Here:\n\n```python\nif a < b:\n    print('🌱')  # tab\n```\n\nDone.")
    chat.backend.finish()
    (block,) = chat.answer_row().findChildren(CodeBlock)
    chat.click(block, "Copy")
    assert QGuiApplication.clipboard().text() == "if a < b:\n    print('🌱')  # tab"


def test_that_a_whole_message_can_be_copied(chat: ChatDriver) -> None:
    chat.say("Show me")
    chat.backend.stream("**Bold** and `code`")
    chat.backend.finish()
    chat.click(chat.answer_row(), "Copy message")
    assert QGuiApplication.clipboard().text() == "**Bold** and `code`"


def test_that_a_giant_line_is_cut_for_display_and_whole_on_the_clipboard(
    chat: ChatDriver,
) -> None:
    giant = "0123456789" * 20_000
    stored = chat.backend.add_conversation("Log", giant)
    chat.open(stored.conversation_id)
    row = chat.transcript.rows[0]
    longest = max(
        len(line)
        for piece in row.findChildren(MessageText)
        for line in piece.toPlainText().split("\n")
    )
    assert longest <= 5_000
    chat.qtbot.keyClick(row, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == giant


def test_that_a_message_is_drawn_anew_when_words_in_it_were_forgotten(chat: ChatDriver) -> None:
    message_id = chat.say("My sister Ana lives in Porto.")
    messages = chat.backend.book.messages[chat.backend.turn.conversation_id]
    messages[0] = msgspec.structs.replace(messages[0], text=" " * 14 + "lives in Porto.")
    chat.desktop.chat.reload_words()
    chat.qtbot.waitUntil(lambda: "Ana" not in chat.row(message_id).accessibleName())
