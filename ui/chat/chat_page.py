"""The middle of the window: title and engine, notices, transcript or welcome, and composer."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ui.chat.composer import Composer, Draft
from ui.chat.conversation_model import ConversationModel
from ui.chat.engine_indicator import EngineIndicator
from ui.chat.items import Change
from ui.chat.transcript_view import TranscriptView
from ui.chat.welcome import WelcomePane
from ui.theme import ThemeManager, set_text_role
from ui.widgets.banner import Banner
from ui.widgets.buttons import IconButton
from ui.widgets.elided_label import ElidedLabel


class ChatPage(QWidget):
    """Arranges the parts of the chat and switches between an empty and a filled conversation."""

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model: ConversationModel | None = None
        self.sidebar_button = IconButton(theme, "sidebar", "Side bar", self)
        self.title = ElidedLabel("New chat", self)
        set_text_role(self.title, "heading")
        self.engine = EngineIndicator(theme, self)
        self.panel_button = IconButton(theme, "panel", "What I know about you", self)
        self.banner = Banner(theme, self)
        self.notice = Banner(theme, self)
        self.transcript = TranscriptView(theme, self)
        self.welcome = WelcomePane(theme, self)
        self.composer = Composer(theme, self)
        self._stack = QStackedWidget(self)
        self._setup_ui()
        theme.changed.connect(self._align_composer)
        self._align_composer()
        self.notice.action_requested.connect(self.notice.clear)
        self.welcome.beginning_chosen.connect(self._on_beginning_chosen)

    def _setup_ui(self) -> None:
        em = self._theme.em
        self.sidebar_button.setCheckable(True)
        self.panel_button.setCheckable(True)
        self._stack.addWidget(self.welcome)
        self._stack.addWidget(self.transcript)
        self._header = _Header(self._theme, self)
        head = QHBoxLayout(self._header)
        head.setContentsMargins(em(0.6), em(0.35), em(0.6), em(0.35))
        head.setSpacing(em(0.4))
        head.addWidget(self.sidebar_button)
        head.addWidget(self.title, 1)
        head.addWidget(self.engine)
        head.addWidget(self.panel_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self.banner)
        column.addWidget(self.notice)
        column.addWidget(self._stack, 1)
        column.addWidget(self.composer)
        self.setMinimumWidth(em(16))

    def _align_composer(self) -> None:
        bar = self.transcript.verticalScrollBar().sizeHint().width()
        self.composer.set_right_inset(bar)

    def show_model(self, model: ConversationModel) -> None:
        """Show a conversation, or the welcome while it has no messages."""
        if self._model is not None:
            self._model.unsubscribe(self._on_model_changed)
        self._model = model
        self.transcript.set_model(model)
        model.subscribe(self._on_model_changed)
        self._choose_pane()

    def show_title(self, title: str) -> None:
        """Show the title of the conversation."""
        self.title.setText(title)
        self.title.setAccessibleName(f"Chat: {title}")

    def show_notice(self, words: str) -> None:
        """Say that a wish could not be carried out; the person takes the words away."""
        self.notice.show_notice(words, (("dismiss", "Dismiss"),))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape stops the answer wherever the focus is, and else goes back to writing."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif not self.composer.stop_answer():
            self.composer.focus()

    def focusNextPrevChild(self, next: bool) -> bool:
        """Go to the next part in the order in which the parts are seen."""
        self.transcript.order_tab_stops()
        return super().focusNextPrevChild(next)

    def _on_model_changed(self, change: Change) -> None:
        if change.kind in ("reset", "appended", "removed"):
            self._choose_pane()

    def _choose_pane(self) -> None:
        empty = self._model is None or (self._model.loaded and not self._model.items)
        self._stack.setCurrentWidget(self.welcome if empty else self.transcript)

    def _on_beginning_chosen(self, text: str) -> None:
        self.composer.set_draft(Draft(text))
        self.composer.focus()


class _Header(QWidget):
    """The strip with title and engine, set off by a hairline."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the hairline under the strip."""
        painter = QPainter(self)
        try:
            line = self._theme.colour("border")
            painter.fillRect(0, self.height() - 1, self.width(), 1, line)
        finally:
            painter.end()
