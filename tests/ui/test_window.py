"""The window around the chat: panes, keys, names, engines, notices, and what it remembers."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from aico_desktop.contract.messages import (
    EngineView,
    Failure,
    MemoryList,
    RenameConversation,
    SelectEngine,
)
from tests.fake_book import BUILT_IN, NO_OLLAMA
from tests.fakes import FakeBackend, added
from tests.ui.chat_driver import ChatDriver
from tests.ui.samples import sample_facts
from ui.app import Desktop
from ui.chat.engine_indicator import EngineIndicator, engine_words
from ui.connection_status import ConnectionStatus
from ui.shortcuts import WINDOW_SHORTCUTS, ShortcutSheet
from ui.single_instance import SingleInstance
from ui.theme import ThemeManager
from ui.tokens import DARK, LIGHT
from ui.window_memory import WindowMemory

CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
)

OLLAMA = EngineView(
    engine="ollama",
    available=True,
    selected=True,
    model="llama3.2",
    models=("llama3.2", "qwen3:8b"),
    address="127.0.0.1:11434",
)


def control_shift(chat: ChatDriver, key: Qt.Key) -> None:
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    chat.qtbot.keyClick(chat.desktop.window, key, modifiers)
    chat.turn_loop()


def control(chat: ChatDriver, key: Qt.Key) -> None:
    chat.qtbot.keyClick(chat.desktop.window, key, Qt.KeyboardModifier.ControlModifier)
    chat.turn_loop()


# ---------------------------------------------------------------------- access


def nameless(root: QWidget) -> list[str]:
    """Controls that a screen reader could only call "button" or "text"."""
    found = []
    for widget in root.findChildren(QWidget):
        if not isinstance(widget, CONTROLS) or isinstance(widget, QAbstractSlider):
            continue
        if widget.objectName().startswith("qt_") or not widget.isVisible():
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if not interface.text(QAccessible.Text.Name).strip():
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found


def test_that_every_visible_control_has_a_name(chat: ChatDriver) -> None:
    chat.backend.book.facts = {fact.id: fact for fact in sample_facts()}
    chat.say("My sister Ana lives in Porto.")
    chat.backend.stream("Fine.\n\n```python\nprint(1)\n```")
    chat.backend.finish()
    chat.backend.remember(added("f-1", "Ana is your sister", "My sister Ana"))
    chat.desktop.window.review_memory()
    chat.say("Go on")
    chat.backend.stream("It")
    chat.backend.break_off("The model stopped.", technical="EOF")
    chat.composer.text_box.big_paste_arrived.emit("x" * 60_000)
    chat.desktop.window.toggle_panel()
    chat.desktop.status.on_gave_up("The companion service stopped.", "log")
    chat.turn_loop()
    assert nameless(chat.desktop.window) == []


def test_that_each_message_has_speaker_time_and_words_as_its_name(chat: ChatDriver) -> None:
    message_id = chat.say("Good morning")
    chat.backend.stream("Good **morning**")
    chat.backend.finish()
    assert chat.row(message_id).accessibleName().startswith("You, Today ")
    name = chat.answer_row().accessibleName()
    assert name.startswith("AICO, Today ")
    assert name.endswith("Good **morning**")


def test_that_f6_goes_round_the_parts_of_the_window(chat: ChatDriver) -> None:
    stored = chat.backend.add_conversation("One", "a", "b")
    chat.backend.set_title(stored.conversation_id, "One")
    chat.open(stored.conversation_id)
    window = chat.desktop.window
    window.toggle_panel()
    window.chat.composer.focus()
    visited = []
    for _ in range(4):
        chat.qtbot.keyClick(window.focusWidget(), Qt.Key.Key_F6)
        visited.append(window.focusWidget())
    panel, sidebar, transcript, box = visited
    assert window.panel.isAncestorOf(panel)
    assert window.conversations.isAncestorOf(sidebar)
    assert transcript is window.chat.transcript
    assert box is window.chat.composer.text_box


def test_that_every_shortcut_of_the_window_stands_on_the_sheet(
    qtbot: QtBot, theme: ThemeManager
) -> None:
    sheet = ShortcutSheet(theme)
    qtbot.addWidget(sheet)
    from PySide6.QtWidgets import QLabel

    shown = {label.text() for label in sheet.findChildren(QLabel)}
    for entry in WINDOW_SHORTCUTS:
        assert entry.what in shown


# ---------------------------------------------------------------------- keys and panes


def test_that_ctrl_n_starts_an_empty_chat(chat: ChatDriver) -> None:
    chat.say("Hello")
    control(chat, Qt.Key.Key_N)
    assert chat.desktop.chat.model.items == []
    assert chat.desktop.window.chat.welcome.isVisible()


def test_that_ctrl_b_hides_and_shows_the_side_bar(chat: ChatDriver) -> None:
    control(chat, Qt.Key.Key_B)
    assert chat.desktop.window.conversations.isHidden()
    control(chat, Qt.Key.Key_B)
    assert not chat.desktop.window.conversations.isHidden()


def test_that_ctrl_k_opens_the_panel_and_reads_the_facts(chat: ChatDriver) -> None:
    chat.backend.book.facts = {fact.id: fact for fact in sample_facts()}
    control(chat, Qt.Key.Key_K)
    assert chat.desktop.window.panel.isVisible()
    assert chat.backend.requests(MemoryList)
    chat.qtbot.waitUntil(lambda: len(chat.desktop.window.panel.list_pane.index.facts) > 0)


def test_that_ctrl_shift_c_copies_the_last_answer(chat: ChatDriver) -> None:
    chat.say("Say it")
    chat.backend.stream("It.")
    chat.backend.finish()
    control_shift(chat, Qt.Key.Key_C)
    assert QGuiApplication.clipboard().text() == "It."


def test_that_ctrl_m_opens_the_newest_chip(chat: ChatDriver) -> None:
    message_id = chat.say("My sister is called Ana.")
    chat.backend.stream("Yes.")
    chat.backend.finish()
    chat.backend.remember(added("f-1", "Ana is your sister", "My sister"))
    control(chat, Qt.Key.Key_M)
    chip = chat.row(message_id).chip
    assert chip is not None
    assert chip.opened


def test_that_a_title_typed_into_the_list_is_a_rename(chat: ChatDriver) -> None:
    chat.say("Hello")
    index = chat.desktop.rows.index(0)
    chat.desktop.rows.setData(index, "A better name")
    chat.turn_loop()
    (rename,) = chat.backend.requests(RenameConversation)
    assert rename.title == "A better name"
    assert chat.desktop.rows.index(0).data() == "A better name"


def test_that_the_newest_conversation_stands_first(chat: ChatDriver) -> None:
    old = chat.backend.add_conversation("Old", "a", "b", hours_ago=50)
    new = chat.backend.add_conversation("New", "a", "b", hours_ago=1)
    chat.desktop.rows.replace([old, new])
    titles = [chat.desktop.rows.index(row).data() for row in range(2)]
    assert titles == ["New", "Old"]
    touched = msgspec.structs.replace(old, updated_at="2026-11-30T23:00:00+01:00")
    chat.desktop.rows.put(touched)
    assert chat.desktop.rows.index(0).data() == "Old"


# ---------------------------------------------------------------------- engines


def test_that_a_normal_start_is_not_called_a_lost_connection(
    chat: ChatDriver, theme: ThemeManager
) -> None:
    indicator = EngineIndicator(theme)
    assert "Starting…" in indicator.text()
    indicator.set_reachable(True)
    indicator.set_reachable(False)
    assert "Not connected" in indicator.text()


def test_that_the_indicator_names_the_model_and_says_what_is_down() -> None:
    assert engine_words([OLLAMA]) == ("llama3.2 · Ollama", True)
    gone = msgspec.structs.replace(OLLAMA, available=False)
    assert engine_words([gone]) == ("Ollama is not running", False)


def test_that_another_model_can_be_chosen_from_the_menu(chat: ChatDriver) -> None:
    chat.backend.set_engines(BUILT_IN, msgspec.structs.replace(OLLAMA, selected=False))
    indicator = chat.desktop.window.chat.engine
    indicator.menu().aboutToShow.emit()
    (action,) = [entry for entry in indicator.menu().actions() if entry.text() == "qwen3:8b"]
    action.trigger()
    chat.turn_loop()
    assert chat.backend.requests(SelectEngine)[-1].model == "qwen3:8b"
    assert "qwen3:8b" in indicator.text()


def test_that_an_engine_that_is_down_is_named_with_its_reason(chat: ChatDriver) -> None:
    chat.backend.set_engines(BUILT_IN, NO_OLLAMA)
    indicator = chat.desktop.window.chat.engine
    indicator.menu().aboutToShow.emit()
    texts = [entry.text() for entry in indicator.menu().actions() if not entry.isEnabled()]
    assert "Ollama is not running at 127.0.0.1:11434" in texts


# ---------------------------------------------------------------------- the service


def test_that_a_lost_service_is_said_in_a_banner_and_gone_when_it_is_back(
    qtbot: QtBot, backend: FakeBackend
) -> None:
    status = ConnectionStatus(backend, patience_ms=1)
    said: list[str] = []
    status.words_changed.connect(lambda words, actions: said.append(words))
    backend.lose("The companion service stopped.")
    qtbot.waitUntil(lambda: said == ["The companion service stopped."])
    backend.start()
    assert said[-1] == ""


def test_that_a_quick_restart_is_not_worth_a_banner(qtbot: QtBot, backend: FakeBackend) -> None:
    status = ConnectionStatus(backend, patience_ms=60_000)
    said: list[str] = []
    status.words_changed.connect(lambda words, actions: said.append(words))
    backend.lose()
    backend.start()
    assert [words for words in said if words] == []


def test_that_another_version_of_the_service_is_told_in_words(chat: ChatDriver) -> None:
    words = "The companion service is of another version. Restart the app."
    chat.backend.connection_lost.emit("refused", Failure(code="wrong_protocol", human=words))
    assert chat.desktop.window.chat.banner.text == words


def test_that_three_missed_heartbeats_are_said(chat: ChatDriver) -> None:
    chat.backend.not_responding.emit(2)
    assert not chat.desktop.window.chat.banner.isVisible()
    chat.backend.not_responding.emit(3)
    assert "not responding" in chat.desktop.window.chat.banner.text
    chat.backend.not_responding.emit(0)
    assert not chat.desktop.window.chat.banner.isVisible()


def test_that_a_service_that_never_came_is_not_said_to_be_starting(
    qtbot: QtBot, backend: FakeBackend
) -> None:
    status = ConnectionStatus(backend)
    with qtbot.waitSignal(status.reachable_changed) as told:
        status.on_gave_up("The settings file is not valid.", "")
    assert told.args == [False]


def test_that_restart_and_the_log_are_offered_when_the_service_stays_away(
    chat: ChatDriver,
) -> None:
    chat.desktop.status.on_gave_up("It stopped five times.", "backend.log: disk full")
    banner = chat.desktop.window.chat.banner
    with chat.qtbot.waitSignal(chat.desktop.actions.restart_requested):
        chat.click(banner, "Restart")
    chat.click(banner, "Show log")
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    box = dialog.findChild(QPlainTextEdit)
    assert box is not None
    assert box.toPlainText() == "backend.log: disk full"
    dialog.close()


# ---------------------------------------------------------------------- looks


def test_that_dark_and_light_apply_at_once(theme: ThemeManager) -> None:
    theme.choose("dark")
    assert theme.tokens is DARK
    palette = QApplication.palette()
    assert palette.window().color().name() == DARK.background
    theme.choose("light")
    assert theme.tokens is LIGHT


def test_that_text_grows_to_twice_its_size_and_no_further(theme: ThemeManager) -> None:
    normal = QApplication.font().pointSizeF()
    theme.set_scale(500)
    assert QApplication.font().pointSizeF() == pytest.approx(2 * normal)


def test_that_a_theme_change_keeps_conversation_and_draft(chat: ChatDriver) -> None:
    chat.say("Hello")
    chat.backend.stream("Hello **you**")
    chat.backend.finish()
    chat.type("a draft")
    chat.desktop.window._theme.choose("dark")
    chat.turn_loop()
    assert chat.composer.draft.text == "a draft"
    assert len(chat.transcript.rows) == 2


def test_that_the_window_looks_next_time_as_it_was_left(
    qtbot: QtBot, theme: ThemeManager, backend: FakeBackend, tmp_path: Path
) -> None:
    path = tmp_path / "window.ini"
    first = Desktop(theme, backend, WindowMemory(path))
    qtbot.addWidget(first.window)
    first.window.show()
    first.window.toggle_sidebar()
    first.window.toggle_panel()
    theme.choose("dark")
    theme.set_scale(130)
    first.window.close()
    look = WindowMemory(path).load()
    assert (look.sidebar, look.panel, look.theme, look.scale) == (False, True, "dark", 130)
    second = Desktop(theme, FakeBackend(), WindowMemory(path))
    qtbot.addWidget(second.window)
    assert second.window.conversations.isHidden()
    assert not second.window.panel.isHidden()


def test_that_a_damaged_window_file_only_costs_the_looks(tmp_path: Path) -> None:
    path = tmp_path / "window.ini"
    path.write_bytes(b"\x00\xff[General\nscale=many\n")
    look = WindowMemory(path).load()
    assert (look.geometry, look.sidebar, look.scale) == (QByteArray(), True, 100)


# ---------------------------------------------------------------------- one window


def test_that_a_second_start_raises_the_first_window(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.acquire()
    try:
        with qtbot.waitSignal(first.raise_requested):
            assert not second.acquire()
    finally:
        first.close()


def test_that_the_home_is_free_again_after_the_window_closed(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.acquire()
    first.close()
    assert second.acquire()
    second.close()
