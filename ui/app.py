"""Composition root of the window: builds each part once, connects them, runs the application."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from aico_desktop.backend_command import log_tail
from aico_desktop.contract.messages import Event, Shutdown
from aico_desktop.paths import HomeFolderError, HomePaths
from ui.chat.chat_controller import ChatController
from ui.chat.composer import Draft
from ui.chat.conversation_rows import ConversationRows
from ui.chat.engine_controller import EngineController
from ui.chat.memory_controller import MemoryController
from ui.chat.outbox import Outbox
from ui.chat.turn_actions import TurnActions
from ui.client.connection import BackendConnection
from ui.client.requests import BackendRequests, Connection
from ui.client.supervisor import BackendSupervisor
from ui.connection_status import ConnectionStatus
from ui.knowledge.controller import KnowledgeController
from ui.knowledge.panel import KnowledgePanel
from ui.log_dialog import LogDialog
from ui.main_window import MainWindow
from ui.single_instance import SingleInstance
from ui.theme import ThemeManager
from ui.widgets.announcer import announce
from ui.window_memory import WindowMemory

logger = logging.getLogger(__name__)

APPLICATION_ID = "aico-desktop"


class Desktop(QObject):
    """The window with its controllers over one connection.

    Widgets emit wishes and are told facts; only the controllers built here talk to the backend,
    and only the connection hops threads.

    Params: ``connection`` real or fake; ``read_log`` gives the end of the service's log.
    """

    def __init__(
        self,
        theme: ThemeManager,
        connection: Connection,
        memory: WindowMemory,
        read_log: Callable[[], str] = str,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._connection = connection
        self._read_log = read_log
        self._theme = theme
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.setInterval(0)
        requests = BackendRequests(connection, self)
        self.rows = ConversationRows()
        self.status = ConnectionStatus(connection, self)
        self.outbox = Outbox(requests, self)
        self.chat = ChatController(requests, self.rows, self.outbox, self)
        self.memory = MemoryController(requests, self)
        self.engines = EngineController(requests, self)
        self.actions = TurnActions(requests, self.chat, self.memory, self)
        panel = KnowledgePanel()
        self.knowledge = KnowledgeController(requests, panel, self)
        self.window = MainWindow(theme, self.rows, panel, memory)
        self._connect_backend()
        self._connect_chat()
        self._connect_memory()
        self._connect_window()
        self.chat.start()

    # ------------------------------------------------------------------ wiring

    def _connect_backend(self) -> None:
        connection = self._connection
        # A resumed connection tells both at once; one reading serves for both.
        self._refresh_timer.timeout.connect(self._refresh)
        connection.connected.connect(self._on_connected)
        connection.snapshot_needed.connect(self._refresh_timer.start)
        connection.events_arrived.connect(self._on_events)
        page = self.window.chat
        self.status.words_changed.connect(self._on_status_words)
        self.status.reachable_changed.connect(page.engine.set_reachable)
        page.banner.action_requested.connect(self._on_banner_action)

    def _connect_chat(self) -> None:
        page, chat = self.window.chat, self.chat
        wishes = page.transcript.wishes
        chat.model_changed.connect(page.show_model)
        chat.title_changed.connect(page.show_title)
        chat.draft_changed.connect(page.composer.set_draft)
        chat.answering_changed.connect(page.composer.set_answering)
        chat.current_changed.connect(self.window.conversations.mark_current)
        chat.announced.connect(self._on_announced)
        page.composer.send_requested.connect(self._on_send_requested)
        page.composer.stop_requested.connect(self.actions.stop)
        wishes.action_requested.connect(self.actions.act)
        wishes.copy_requested.connect(self._on_copy_requested)
        wishes.sources_requested.connect(self._on_sources_requested)
        chat.message_found.connect(page.transcript.want_message)
        wishes.older_requested.connect(chat.load_older)
        wishes.oldest_requested.connect(chat.load_oldest)
        page.engine.engine_chosen.connect(self.engines.select)
        self.engines.engines_changed.connect(page.engine.show_engines)
        self.actions.choose_model_requested.connect(page.engine.showMenu)
        self.actions.show_log_requested.connect(self._show_log)
        for source in (chat, self.actions, self.engines, self.memory):
            source.failed.connect(page.show_notice)

    def _connect_memory(self) -> None:
        transcript, memory = self.window.chat.transcript, self.memory
        wishes = transcript.wishes
        wishes.undo_requested.connect(memory.undo)
        wishes.edit_started.connect(memory.start_edit)
        wishes.edit_requested.connect(memory.edit)
        wishes.forget_started.connect(memory.start_forget)
        wishes.forget_requested.connect(memory.forget)
        wishes.fact_requested.connect(self.window.show_fact)
        memory.batch_changed.connect(self.chat.put_batch)
        memory.edit_ready.connect(transcript.start_edit)
        memory.forget_ready.connect(transcript.ask_to_forget)
        memory.noted.connect(transcript.note_fact)
        memory.noted.connect(self._on_fact_noted)
        memory.words_forgotten.connect(self.chat.reload_words)
        self.knowledge.words_forgotten.connect(self.chat.reload_words)
        self.window.panel.source_requested.connect(self._on_source_requested)

    def _connect_window(self) -> None:
        window = self.window
        window.conversations.conversation_chosen.connect(self._on_conversation_chosen)
        window.conversations.new_chat_requested.connect(self._on_new_chat_requested)
        window.copy_reply_requested.connect(self._on_copy_reply_requested)

    # ------------------------------------------------------------------ the backend

    def _on_connected(self, welcome: object) -> None:
        self._refresh_timer.start()

    def _refresh(self) -> None:
        self.chat.refresh()
        self.engines.refresh()
        self.knowledge.refresh()

    def _on_events(self, events: list[Event]) -> None:
        self.chat.on_events(events)
        self.engines.on_events(events)
        self.knowledge.on_events(events)

    def _on_status_words(self, words: str, actions: tuple[tuple[str, str], ...]) -> None:
        banner = self.window.chat.banner
        if words:
            banner.show_notice(words, actions)
        else:
            banner.clear()

    def _on_banner_action(self, verb: str) -> None:
        if verb == "show_log":
            self._show_log()
        elif verb == "restart":
            self.actions.restart_requested.emit()

    def _show_log(self) -> None:
        dialog = LogDialog(self._theme, self.status.log or self._read_log(), self.window)
        dialog.open()

    # ------------------------------------------------------------------ the person

    def _on_send_requested(self, draft: Draft) -> None:
        self.window.chat.transcript.jump_to_latest()
        self.chat.send(draft)

    def _on_conversation_chosen(self, conversation_id: str) -> None:
        self.chat.keep_draft(self.window.chat.composer.draft)
        self.chat.open_conversation(conversation_id)
        self.window.chat.composer.focus()

    def _on_new_chat_requested(self) -> None:
        self.chat.keep_draft(self.window.chat.composer.draft)
        self.chat.new_conversation()
        self.window.chat.composer.focus()

    def _on_source_requested(
        self, conversation_id: str, message_id: str, start: int, end: int
    ) -> None:
        self.chat.keep_draft(self.window.chat.composer.draft)
        self.chat.find_message(message_id)

    def _on_sources_requested(self, answer_id: str) -> None:
        self.chat.keep_draft(self.window.chat.composer.draft)
        self.chat.show_source_of(answer_id)

    def _on_copy_requested(self, message_id: str) -> None:
        model = self.chat.model
        index = model.index_of(message_id)
        if index >= 0:
            self._copy(model.items[index].message.text, "Message copied")

    def _on_copy_reply_requested(self) -> None:
        self._copy(self.chat.model.last_answer, "Answer copied")

    def _copy(self, text: str, spoken: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)
            announce(self.window, spoken)

    def _on_fact_noted(self, fact_id: str, words: str) -> None:
        # The line about the fact may be gone a moment later, together with what was forgotten.
        announce(self.window, words)

    def _on_announced(self, words: str) -> None:
        announce(self.window.chat.transcript, words)


class Session(QObject):
    """One run of the window over a home folder: connection, backend process, and the desktop."""

    def __init__(
        self, theme: ThemeManager, paths: HomePaths, memory: WindowMemory, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._connection = BackendConnection(paths)
        self._supervisor = BackendSupervisor(paths)
        self.desktop = Desktop(theme, self._connection, memory, lambda: log_tail(paths), self)
        connection, supervisor, desktop = self._connection, self._supervisor, self.desktop
        supervisor.backend_ready.connect(connection.retry_now)
        supervisor.attached.connect(connection.retry_now)
        supervisor.backend_lost.connect(desktop.status.on_backend_lost)
        supervisor.gave_up.connect(desktop.status.on_gave_up)
        connection.backend_hung.connect(supervisor.replace_hung_backend)
        connection.connection_lost.connect(supervisor.look_again)
        desktop.actions.restart_requested.connect(supervisor.restart_by_hand)

    def start(self) -> None:
        """Show the window first; the backend may take its time."""
        self.desktop.window.show()
        self.desktop.window.chat.composer.focus()
        self.desktop.status.start()
        self._connection.start()
        self._supervisor.start()

    def close(self) -> None:
        """End the backend if it is ours, then the connection and its thread."""
        self._supervisor.close(lambda: self._connection.send(Shutdown()))
        self._connection.close()


def main(home: Path) -> int:
    """Open the window of the home folder ``home`` and return the exit code when it is closed."""
    paths = HomePaths(home)
    try:
        paths.prepare()
    except HomeFolderError as error:
        print(error, file=sys.stderr)  # noqa: T201 - there is no window to say it in
        return 1
    application = _application()
    instance = SingleInstance(paths.root)
    if not instance.acquire():
        return 0
    try:
        return _run(application, paths, instance)
    finally:
        instance.close()


def _application() -> QApplication:
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    application = QApplication(sys.argv[:1])
    application.setApplicationName(APPLICATION_ID)
    application.setApplicationDisplayName("AICO")
    QGuiApplication.setDesktopFileName(APPLICATION_ID)
    return application


def _run(application: QApplication, paths: HomePaths, instance: SingleInstance) -> int:
    memory = WindowMemory(paths.root / "window.ini")
    theme = ThemeManager(application)
    look = memory.load()
    theme.set_scale(look.scale)
    theme.choose(look.theme)
    session = Session(theme, paths, memory, application)
    instance.raise_requested.connect(session.desktop.window.raise_window)
    session.start()
    try:
        return application.exec()
    finally:
        session.close()
        logger.info("window closed")
