"""Text of a message that can be selected and copied, and that never fetches anything."""

from __future__ import annotations

import math

from PySide6.QtCore import QMimeData, Qt, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDesktopServices,
    QPalette,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from ui.chat.markdown_document import fill_markdown, fill_plain, is_allowed_link
from ui.theme import ThemeManager


class MessageText(QTextBrowser):
    """One piece of a message. Grows to its text; the transcript scrolls, not the piece."""

    copy_message_requested = Signal()
    #: The person wants the whole message, not only this piece, on the clipboard.

    def __init__(self, theme: ThemeManager, colour: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._colour = colour
        self._shown: tuple[str, bool] | None = None
        self._document = self.document()
        self._natural: dict[int, int] = {}
        self._fitted = (-1, 0)
        self._setup_ui()
        self.anchorClicked.connect(self._on_anchor_clicked)

    def _setup_ui(self) -> None:
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.viewport().setAutoFillBackground(False)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self._set_colour()

    def show_text(self, text: str, *, markdown: bool) -> None:
        """Show ``text``; does nothing when it is there already."""
        if self._shown == (text, markdown):
            return
        self._shown = (text, markdown)
        # A document without a widget asks for no resources; by the time it is shown, its pictures
        # are words.
        document = QTextDocument()
        document.setDocumentMargin(0)
        fill = fill_markdown if markdown else fill_plain
        fill(document, text, self._theme)
        # Owned by this piece, and so gone with it: the binding keeps a document without an owner
        # for ever once it was given to a widget (60 KB for each message that scrolls away).
        document.setParent(self)
        before = self._document
        is_ours = before.parent() is self
        self.setDocument(document)
        if is_ours:
            # The one that the widget made itself is deleted by the line above.
            before.deleteLater()
        self._document = document
        self._natural = {}
        self._fitted = (-1, 0)
        self.setAccessibleName(document.toPlainText())

    def restyle(self) -> None:
        """Draw again in the theme's present colours and sizes."""
        self._set_colour()
        shown, self._shown = self._shown, None
        if shown is not None:
            self.show_text(shown[0], markdown=shown[1])

    def natural_width(self, most: int) -> int:
        """Pixels that the text takes when it may use up to ``most``."""
        if most not in self._natural:
            self._lay_out(most)
            self._natural[most] = min(most, math.ceil(self._document.idealWidth()) + 1)
        return self._natural[most]

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        # Both are asked for at each token of a long answer, for every piece of it.
        if self._fitted[0] != width or self._document.textWidth() != width:
            self._lay_out(width)
            self._fitted = (width, math.ceil(self._document.size().height()))
        return self._fitted[1]

    def _lay_out(self, width: int) -> None:
        """Break the lines at ``width``; told to the document alone, the widget would undo it."""
        self.setLineWrapColumnOrWidth(width)
        if self._document.textWidth() != width:
            self._document.setTextWidth(width)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        # Nothing, whatever is asked for: pictures in a message would otherwise read files and
        # call servers (reference/desktop §4.4).
        return None

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(self.textCursor().selection().toPlainText())
        return data

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu(event.pos())
        menu.addSeparator()
        menu.addAction("Copy whole message", self.copy_message_requested.emit)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def _set_colour(self) -> None:
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Text, self._theme.colour(self._colour))
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        self.setPalette(palette)

    def _on_anchor_clicked(self, url: QUrl) -> None:
        if is_allowed_link(url):
            QDesktopServices.openUrl(url)
