"""The chip under a message that says what was remembered, opens to the list, and undoes it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from aico_desktop.contract.messages import MemoryBatchView
from ui.chat.memory_item_row import MemoryItemRow
from ui.chat.wording import chip_title, shown_items
from ui.theme import ThemeManager, set_kind
from ui.widgets.buttons import text_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.icons import icon


class _Card(QWidget):
    """The ground on which the lines of an open chip stand."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.lines = QVBoxLayout(self)
        pad = theme.em(0.65)
        self.lines.setContentsMargins(pad, pad, pad, pad)
        self.lines.setSpacing(theme.em(0.6))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self._theme.colour("border"))
            painter.setBrush(self._theme.colour("surface"))
            radius = self._theme.em(0.55)
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), radius, radius)
        finally:
            painter.end()


class MemoryChip(QWidget):
    """Shows one batch (reference/ux §4.3). Undo takes back the whole batch, at any later time."""

    undo_requested = Signal(str)
    #: arg 0: batch id.
    edit_started = Signal(str)
    edit_requested = Signal(str, str)
    forget_started = Signal(str)
    forget_requested = Signal(str)
    fact_requested = Signal(str)
    #: The wishes of :class:`ui.chat.memory_item_row.MemoryItemRow`, handed on.
    height_changed = Signal()
    #: The chip was opened or closed, or one of its lines grew.

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._batch: MemoryBatchView | None = None
        self._pill = QToolButton(self)
        self._pill.setCheckable(True)
        self._pill.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._pill.setCursor(Qt.CursorShape.PointingHandCursor)
        self._pill.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_kind(self._pill, "pill")
        self._pill.toggled.connect(self._on_pill_toggled)
        self._undo = text_button("Undo", "quiet", self)
        self._undo.clicked.connect(self._on_undo_clicked)
        self._card: _Card | None = None
        self._head = QWidget(self)
        flow = FlowLayout(self._head, spacing=theme.em(0.2), align_right=True)
        flow.addWidget(self._pill)
        flow.addWidget(self._undo)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.em(0.3))
        self._column.addWidget(self._head)
        self.restyle()
        self.hide()

    @property
    def batch(self) -> MemoryBatchView | None:
        """The batch that is shown."""
        return self._batch

    @property
    def title(self) -> str:
        """What the closed chip says."""
        return self._pill.text().strip()

    @property
    def opened(self) -> bool:
        """Whether the list is shown."""
        return self._pill.isChecked()

    @property
    def rows(self) -> list[MemoryItemRow]:
        """The lines of the open list."""
        return self._card.findChildren(MemoryItemRow) if self._card is not None else []

    def sizeHint(self) -> QSize:
        """Wide enough, when open, that facts and their words take few lines."""
        hint = super().sizeHint()
        return QSize(max(hint.width(), self._theme.em(26)), hint.height()) if self.opened else hint

    def show_batch(self, batch: MemoryBatchView | None) -> bool:
        """Show ``batch``; True when the chip may need another size now."""
        if batch == self._batch:
            return False
        self._batch = batch
        title = chip_title(batch) if batch is not None else ""
        if not title and self._has_focus_within():
            # A hidden chip would hand the focus to some other message.
            row = self.parentWidget()
            if row is not None:
                row.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setVisible(bool(title))
        if batch is None or not title:
            return True
        self._pill.setText(f" {title}")
        self._pill.setAccessibleName(f"Memory: {title}")
        self._undo.setAccessibleName(f"Undo: {title}")
        self._undo.setVisible(not batch.undone)
        self._undo.setEnabled(True)
        if self._card is not None:
            self._rebuild_card()
        if not batch.items:
            self._pill.setChecked(False)
        self._pill.setEnabled(bool(batch.items))
        return True

    def _has_focus_within(self) -> bool:
        return any(child.hasFocus() for child in self.findChildren(QWidget))

    def open_list(self) -> None:
        """Open the list and put the focus on the chip."""
        self._pill.setChecked(True)
        self._pill.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def row_of(self, fact_id: str) -> MemoryItemRow | None:
        """The open line about a fact."""
        return next((row for row in self.rows if row.fact_id == fact_id), None)

    def restyle(self) -> None:
        """Draw again in the theme's present colours and sizes."""
        side = self._theme.em(1.15)
        self._pill.setIcon(icon("memory", self._theme.colour("accent"), side))
        self._pill.setIconSize(QSize(side, side))
        if self._card is not None:
            self._rebuild_card()

    def _on_pill_toggled(self, checked: bool) -> None:
        if checked:
            self._rebuild_card()
        elif self._card is not None:
            self._drop_card()
        self.updateGeometry()
        self.height_changed.emit()

    def _drop_card(self) -> None:
        if self._card is not None:
            self._card.hide()
            self._column.removeWidget(self._card)
            self._card.deleteLater()
            self._card = None

    def _rebuild_card(self) -> None:
        self._drop_card()
        if self._batch is None or not self._batch.items:
            return
        card = _Card(self._theme, self)
        for item in shown_items(self._batch):
            row = MemoryItemRow(self._theme, item, undone=self._batch.undone, parent=card)
            row.edit_started.connect(self.edit_started)
            row.edit_requested.connect(self.edit_requested)
            row.forget_started.connect(self.forget_started)
            row.forget_requested.connect(self.forget_requested)
            row.fact_requested.connect(self.fact_requested)
            row.height_changed.connect(self.height_changed)
            card.lines.addWidget(row)
        card.setAccessibleName("What was remembered")
        self._card = card
        self._column.addWidget(card)
        card.show()

    def _on_undo_clicked(self) -> None:
        if self._batch is not None:
            if self._undo.hasFocus():
                # The button goes; without this the focus would jump to some other message.
                self._pill.setFocus(Qt.FocusReason.OtherFocusReason)
            self._undo.setEnabled(False)
            self.undo_requested.emit(self._batch.batch_id)
