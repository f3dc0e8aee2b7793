"""The content of one bubble: prose and code in order, updated piece by piece while it grows."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.chat.code_block import CodeBlock
from ui.chat.markdown_blocks import LONGEST_SHOWN, Block, pieces_of, shown_part
from ui.chat.message_text import MessageText
from ui.theme import ThemeManager
from ui.widgets.buttons import text_button

_EVERYTHING = 10_000_000


class MessageBody(QWidget):
    """Stacks the pieces of one message. Only pieces whose text changed are laid out again.

    Params: ``colour`` token of the text; ``markdown`` False shows prose exactly as written.
    """

    copy_message_requested = Signal()
    #: The person wants the whole message on the clipboard.
    height_changed = Signal()
    #: More or less is shown than before, without a new text.

    def __init__(
        self, theme: ThemeManager, colour: str, *, markdown: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._colour = colour
        self._markdown = markdown
        self._text = ""
        self._limit = LONGEST_SHOWN
        self._pieces: list[MessageText | CodeBlock] = []
        self._more = text_button("Show all", "quiet", self)
        self._more.clicked.connect(self._on_more_clicked)
        self._more.hide()

    def set_text(self, text: str) -> None:
        """Show ``text``, keeping the pieces that did not change."""
        self._text = text
        part, left_out = shown_part(text, self._limit)
        blocks = pieces_of(part) if part.strip() else []
        for index, block in enumerate(blocks):
            self._show_piece(index, block)
        self._drop_from(len(blocks))
        self._more.setVisible(left_out > 0)
        self._more.setText(f"Show all ({left_out:,} more characters)")

    def restyle(self) -> None:
        """Draw again in the theme's present colours and sizes."""
        for piece in self._pieces:
            piece.restyle()

    def natural_width(self, most: int) -> int:
        """Pixels that the widest piece takes, up to ``most``."""
        widths = [piece.natural_width(most) for piece in self._pieces]
        if not self._more.isHidden():
            widths.append(min(most, self._more.sizeHint().width()))
        return max(widths, default=0)

    def focus_text(self) -> None:
        """Put the caret into the text, for selecting by keyboard."""
        if self._pieces:
            piece = self._pieces[0]
            piece.setFocus(Qt.FocusReason.OtherFocusReason)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        heights = [piece.heightForWidth(width) for piece in self._pieces]
        if not self._more.isHidden():
            heights.append(self._more.sizeHint().height())
        return sum(heights) + self._gap * max(0, len(heights) - 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.place()

    def place(self) -> None:
        """Set each piece to its place at the present width."""
        top = 0
        width = self.width()
        for piece in self._pieces:
            height = piece.heightForWidth(width)
            piece.setGeometry(0, top, width, height)
            top += height + self._gap
        if not self._more.isHidden():
            hint = self._more.sizeHint()
            self._more.setGeometry(0, top, min(width, hint.width()), hint.height())

    @property
    def _gap(self) -> int:
        return self._theme.em(0.45)

    def _show_piece(self, index: int, block: Block) -> None:
        kind = CodeBlock if block.kind == "code" else MessageText
        if index < len(self._pieces) and not isinstance(self._pieces[index], kind):
            self._drop_from(index)
        if index == len(self._pieces):
            self._pieces.append(self._new_piece(kind))
        piece = self._pieces[index]
        if isinstance(piece, CodeBlock):
            piece.show_code(block.text, block.language, closed=block.closed)
        else:
            piece.show_text(block.text, markdown=self._markdown)

    def _drop_from(self, index: int) -> None:
        for piece in self._pieces[index:]:
            piece.hide()
            piece.deleteLater()
        del self._pieces[index:]

    def _new_piece(self, kind: type[MessageText | CodeBlock]) -> MessageText | CodeBlock:
        if kind is CodeBlock:
            code = CodeBlock(self._theme, self)
            code.show()
            return code
        text = MessageText(self._theme, self._colour, self)
        text.copy_message_requested.connect(self.copy_message_requested)
        text.show()
        return text

    def _on_more_clicked(self) -> None:
        self._limit = _EVERYTHING
        self.set_text(self._text)
        self.height_changed.emit()
