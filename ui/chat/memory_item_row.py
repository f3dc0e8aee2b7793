"""One line of an open memory chip: verb, fact, where it came from, and what can be done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from aico_desktop.contract.messages import MemoryItem
from ui.chat.wording import VERBS, quote_of
from ui.knowledge.wording import confidence_in_words
from ui.theme import ThemeManager, set_text_role
from ui.widgets.action_row import ActionRow
from ui.widgets.icons import icon_pixmap

_USUAL_ACTIONS = (("edit", "Edit"), ("forget", "Forget"), ("show", "Show"))
_EDIT_ACTIONS = (("save", "Save"), ("cancel", "Cancel"))
_FORGET_ACTIONS = (("forget_now", "Forget"), ("cancel", "Keep"))


class MemoryItemRow(QWidget):
    """Shows one item and asks inline before it forgets or while it edits; no dialog in the way."""

    edit_started = Signal(str)
    #: arg 0: fact id; the owner answers with :meth:`start_edit`.
    edit_requested = Signal(str, str)
    #: arg 0: fact id, arg 1: the new object.
    forget_started = Signal(str)
    #: arg 0: fact id; the owner answers with :meth:`ask_to_forget`.
    forget_requested = Signal(str)
    #: arg 0: fact id; the person confirmed.
    fact_requested = Signal(str)
    #: arg 0: fact id to show in "What I know about you".
    height_changed = Signal()
    #: The row needs more or less room than before.

    def __init__(
        self, theme: ThemeManager, item: MemoryItem, *, undone: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._item = item
        self._icon = QLabel(self)
        self._text = _plain_label(self)
        self._origin = _plain_label(self)
        set_text_role(self._origin, "small")
        self._question = _plain_label(self)
        self._question.hide()
        self._editor = QLineEdit(self)
        self._editor.setAccessibleName(f"Correct: {item.text}")
        self._editor.returnPressed.connect(self._on_editor_returned)
        self._editor.hide()
        self._actions = ActionRow(self, kind="inline")
        self._actions.triggered.connect(self._on_action_triggered)
        self._setup_layout()
        self._fill(undone)

    @property
    def fact_id(self) -> str:
        """The fact that this line is about."""
        return self._item.id

    def _setup_layout(self) -> None:
        em = self._theme.em
        words = QVBoxLayout()
        words.setSpacing(em(0.12))
        for part in (self._text, self._origin, self._question, self._editor):
            words.addWidget(part)
        words.addWidget(self._actions)
        grid = QHBoxLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(em(0.5))
        grid.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(words, 1)

    def _fill(self, undone: bool) -> None:
        icon, spoken = VERBS[self._item.op]
        colour = "warning" if self._item.op == "question" else "accent"
        side = self._theme.em(0.95)
        self._icon.setPixmap(icon_pixmap(icon, self._theme.colour(colour), side, 2.2))
        self._icon.setToolTip(spoken)
        self._icon.setAccessibleName(spoken)
        self._text.setText(self._item.text)
        font = QFont(self._theme.font(weight=QFont.Weight.Medium))
        font.setStrikeOut(undone)
        self._text.setFont(font)
        self._origin.setText(self._origin_words())
        self.setAccessibleName(f"{spoken}: {self._item.text}. {self._origin_words()}")
        self._actions.set_actions(() if undone else _USUAL_ACTIONS, describe=self._item.text)

    def _origin_words(self) -> str:
        parts = [confidence_in_words(self._item.confidence).words]
        if self._item.old:
            parts.append(f"was: {self._item.old}")
        quote = quote_of(self._item)
        if quote:
            parts.append(f"from “{quote}”")
        return " · ".join(parts)

    def start_edit(self, current: str) -> None:
        """Let the person correct the fact's object, which is ``current`` now."""
        self._question.hide()
        self._editor.setText(current)
        self._editor.show()
        self._actions.set_actions(_EDIT_ACTIONS, describe=self._item.text, primary="save")
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._editor.selectAll()
        self._changed()

    def ask_to_forget(self, consequence: str) -> None:
        """Say what forgetting does, and ask."""
        self._editor.hide()
        self._question.setText(consequence)
        self._question.show()
        self._actions.set_actions(_FORGET_ACTIONS, describe=self._item.text)
        button = self._actions.button("cancel")
        if button is not None:
            button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._changed()

    def show_note(self, words: str) -> None:
        """Say how a wish ended and offer nothing more, for example "Forgotten.", or why not."""
        self._editor.hide()
        self._question.setText(words)
        self._question.show()
        self._actions.set_actions(())
        self._changed()

    def _restore(self) -> None:
        self._editor.hide()
        self._question.hide()
        self._actions.set_actions(_USUAL_ACTIONS, describe=self._item.text)
        self._changed()

    def _changed(self) -> None:
        self.updateGeometry()
        self.height_changed.emit()

    def _on_editor_returned(self) -> None:
        self._on_action_triggered("save")

    def _on_action_triggered(self, verb: str) -> None:
        match verb:
            case "edit":
                self.edit_started.emit(self._item.id)
            case "forget":
                self.forget_started.emit(self._item.id)
            case "show":
                self.fact_requested.emit(self._item.id)
            case "save":
                text = self._editor.text().strip()
                self._restore()
                if text:
                    self.edit_requested.emit(self._item.id, text)
            case "forget_now":
                self.forget_requested.emit(self._item.id)
            case _:
                self._restore()


def _plain_label(parent: QWidget) -> QLabel:
    """A wrapping label; names are user data and never read as markup (reference/ux §4.3)."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
