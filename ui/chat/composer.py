"""Where a message is written: text, attachments, Send or Stop, and what Enter will do."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from aico_desktop.contract.messages import AttachmentInput
from ui.chat.attachment_chip import AttachmentChip
from ui.chat.composer_text import ComposerText
from ui.chat.transcript_column import COLUMN_EM, COLUMN_SIDE_EM
from ui.theme import ThemeManager, set_kind, set_text_role
from ui.widgets.announcer import announce
from ui.widgets.buttons import IconButton
from ui.widgets.flow_layout import FlowLayout

_REST_HINT = "Enter sends · Shift+Enter starts a new line"
_WORDLESS_HINT = "Add a few words about the attachment, then send"
_BUSY_HINT = "You can go on writing · Esc stops the answer"
_HELD_HINT = "Will be sent when the answer is finished · Esc stops the answer"


@dataclass(frozen=True)
class Draft:
    """What stands in the composer, to be kept per chat and given back when sending failed."""

    text: str = ""
    attachments: tuple[AttachmentInput, ...] = ()

    @property
    def sendable(self) -> bool:
        """Whether there are words to send; an attachment alone does not say what is wanted."""
        return bool(self.text.strip())


class Composer(QWidget):
    """Emits a whole message; while an answer runs it keeps the text and sends it afterwards."""

    send_requested = Signal(object)
    #: arg 0: Draft to send; the composer is empty again.
    stop_requested = Signal()
    #: Stop the running answer.

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._answering = False
        self._held = False
        self._right_inset = 0
        self._pasted = 0
        self._chips: list[AttachmentChip] = []
        self.text_box = ComposerText(theme, self)
        self._chip_area = QWidget(self)
        self._chip_flow = FlowLayout(self._chip_area)
        self._chip_area.hide()
        self._button = IconButton(theme, "send", "Send", self, colour="on_accent", factor=1.15)
        set_kind(self._button, "round")
        self._button.refresh()
        self._hint = QLabel(_REST_HINT, self)
        self._hint.setWordWrap(True)
        set_text_role(self._hint, "small")
        self._setup_layout()
        self._connect_signals()
        self._update()

    def _setup_layout(self) -> None:
        em = self._theme.em
        line = QHBoxLayout()
        line.setSpacing(em(0.4))
        line.addWidget(self.text_box, 1)
        line.addWidget(self._button, 0, Qt.AlignmentFlag.AlignBottom)
        self._frame = _Frame(self._theme, self)
        inner = QVBoxLayout(self._frame)
        inner.setContentsMargins(em(0.6), em(0.3), em(0.35), em(0.3))
        inner.setSpacing(em(0.3))
        inner.addWidget(self._chip_area)
        inner.addLayout(line)
        self._column = QWidget(self)
        column = QVBoxLayout(self._column)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(em(0.25))
        column.addWidget(self._frame)
        column.addWidget(self._hint)

    def _connect_signals(self) -> None:
        self._theme.changed.connect(self._on_theme_changed)
        self.text_box.enter_pressed.connect(self._on_enter)
        self.text_box.escape_pressed.connect(self.stop_answer)
        self.text_box.big_paste_arrived.connect(self._on_big_paste)
        self.text_box.textChanged.connect(self._on_text_changed)
        self.text_box.focus_changed.connect(self._frame.set_focused)
        self._button.clicked.connect(self._on_button_clicked)

    # ------------------------------------------------------------------ state

    @property
    def draft(self) -> Draft:
        """What stands in the composer now."""
        attachments = tuple(chip.attachment for chip in self._chips)
        return Draft(self.text_box.toPlainText(), attachments)

    @property
    def hint(self) -> str:
        """The words under the box."""
        return self._hint.text()

    @property
    def chips(self) -> list[AttachmentChip]:
        """The attachments that stand beside the text."""
        return list(self._chips)

    def set_draft(self, draft: Draft) -> None:
        """Put a draft into the composer, in place of what is there."""
        self._held = False
        for chip in list(self._chips):
            self._remove_chip(chip)
        for attachment in draft.attachments:
            self._add_chip(attachment)
        self.text_box.setPlainText(draft.text)
        cursor = self.text_box.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self.text_box.setTextCursor(cursor)
        self._update()

    def set_answering(self, answering: bool) -> None:
        """Say whether an answer runs; a message that was held is sent when it ends."""
        if answering == self._answering:
            return
        self._answering = answering
        self._update()
        if not answering and self._held:
            self._send()

    def set_right_inset(self, pixels: int) -> None:
        """Leave room at the right for the transcript's scroll bar, to stand exactly under it."""
        self._right_inset = pixels
        self._place_column()

    def stop_answer(self) -> bool:
        """Stop the running answer; False when none runs."""
        if self._answering:
            self.stop_requested.emit()
        return self._answering

    def focus(self) -> None:
        """Put the caret into the box."""
        self.text_box.setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------------ wishes

    def _on_enter(self) -> None:
        if not self.draft.sendable:
            return
        if self._answering:
            self._held = True
            self._update()
            announce(self, _HELD_HINT)
        else:
            self._send()

    def _send(self) -> None:
        draft = self.draft
        self._held = False
        if not draft.sendable:
            return
        self.set_draft(Draft())
        self.send_requested.emit(draft)

    def _on_button_clicked(self) -> None:
        if not self.stop_answer():
            self._on_enter()
        self.focus()

    def _on_text_changed(self) -> None:
        # Whoever goes on writing does not want the unfinished text to leave by itself.
        self._held = False
        self._update()

    # ------------------------------------------------------------------ attachments

    def _on_big_paste(self, text: str) -> None:
        self._pasted += 1
        attachment = AttachmentInput(name=f"Pasted text {self._pasted}", text=text)
        self._add_chip(attachment)
        self._update()
        announce(self, f"{attachment.name} was attached because it is long")

    def _add_chip(self, attachment: AttachmentInput) -> None:
        chip = AttachmentChip(self._theme, attachment, self._chip_area)
        chip.remove_requested.connect(self._on_chip_remove_requested)
        self._chips.append(chip)
        self._chip_flow.addWidget(chip)
        chip.show()
        self._chip_area.setVisible(True)

    def _on_chip_remove_requested(self) -> None:
        chip = self.sender()
        if isinstance(chip, AttachmentChip):
            self._remove_chip(chip)
            self._update()
            self.focus()

    def _remove_chip(self, chip: AttachmentChip) -> None:
        self._chips.remove(chip)
        self._chip_flow.removeWidget(chip)
        chip.hide()
        chip.deleteLater()
        self._chip_area.setVisible(bool(self._chips))

    # ------------------------------------------------------------------ looks

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand under the transcript's column, and not wider than it."""
        if event.size().width() != event.oldSize().width():
            # The hint may take another number of lines now, and must not cut the box.
            self.updateGeometry()
        self._place_column()

    def sizeHint(self) -> QSize:
        """As high as text, attachments and hint need."""
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        """As high as text, attachments and hint need."""
        hint = self._column.minimumSizeHint()
        width = self._column_width
        height = self._column.heightForWidth(width) if self._column.hasHeightForWidth() else -1
        margin = self._theme.em(0.3) + self._theme.em(0.5)
        return QSize(hint.width(), max(height, hint.height()) + margin)

    def event(self, event: QEvent) -> bool:
        """Take another height when the column wants one."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place_column()
        return super().event(event)

    @property
    def _column_width(self) -> int:
        most = self.width() - self._right_inset - 2 * self._theme.em(COLUMN_SIDE_EM)
        return min(most, self._theme.em(COLUMN_EM))

    def _place_column(self) -> None:
        em = self._theme.em
        width = self._column_width
        top = em(0.3)
        left = (self.width() - self._right_inset - width) // 2
        self._column.setGeometry(left, top, width, self.height() - top - em(0.5))

    def _update(self) -> None:
        """Make button and hint say what they would do now."""
        if self._answering:
            self._button.set_icon("stop", "on_accent")
            self._button.set_label("Stop", "Esc")
            self._button.setEnabled(True)
            self._hint.setText(_HELD_HINT if self._held else _BUSY_HINT)
        else:
            self._button.set_icon("send", "on_accent")
            self._button.set_label("Send", "Enter")
            self._button.setEnabled(self.draft.sendable)
            wordless = bool(self._chips) and not self.draft.sendable
            self._hint.setText(_WORDLESS_HINT if wordless else _REST_HINT)

    def _on_theme_changed(self) -> None:
        self.text_box.restyle()
        self.set_draft(self.draft)


class _Frame(QWidget):
    """The rounded frame around text and attachments; shows the focus for all of it."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._focused = False

    def set_focused(self, focused: bool) -> None:
        """Show that typing goes here."""
        self._focused = focused
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint ground and outline."""
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            colour = self._theme.colour("focus" if self._focused else "border_strong")
            painter.setPen(QPen(colour, 2 if self._focused else 1))
            painter.setBrush(self._theme.colour("surface"))
            radius = self._theme.em(0.8)
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), radius, radius)
        finally:
            painter.end()
