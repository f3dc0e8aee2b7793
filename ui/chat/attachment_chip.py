"""A pasted text beside the message, with its size and a button to take it off again."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from aico_desktop.contract.messages import AttachmentInput
from ui.chat.wording import size_in_words
from ui.theme import ThemeManager
from ui.widgets.buttons import IconButton
from ui.widgets.icons import icon_pixmap


class AttachmentChip(QWidget):
    """Shows one :class:`AttachmentInput`."""

    remove_requested = Signal()
    #: The person does not want to send it.

    def __init__(
        self, theme: ThemeManager, attachment: AttachmentInput, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.attachment = attachment
        label = attachment_label(attachment)
        picture = QLabel(self)
        colour = theme.colour("on_accent_soft")
        picture.setPixmap(icon_pixmap("attachment", colour, theme.em(1.0)))
        words = QLabel(label, self)
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setStyleSheet(f"color: {theme.tokens.on_accent_soft};")
        remove = IconButton(
            theme, "close", f"Remove {label}", self, colour="on_accent_soft", factor=0.7
        )
        remove.clicked.connect(self.remove_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.em(0.4), theme.em(0.1), theme.em(0.2), theme.em(0.1))
        row.setSpacing(theme.em(0.3))
        row.addWidget(picture)
        row.addWidget(words)
        row.addWidget(remove)
        self.setAccessibleName(f"Attachment: {label}")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the soft ground."""
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("accent_soft"))
            radius = self._theme.em(0.4)
            painter.drawRoundedRect(self.rect(), radius, radius)
        finally:
            painter.end()


def attachment_label(attachment: AttachmentInput) -> str:
    """Name and size as people read them."""
    size = len(attachment.text.encode("utf-8", "surrogatepass"))
    return f"{attachment.name} ({size_in_words(size)})"
