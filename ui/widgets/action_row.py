"""A wrapping row of worded buttons, each standing for one verb."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QWidget

from ui.widgets.buttons import text_button
from ui.widgets.flow_layout import FlowLayout

_VERB = "verb"


class ActionRow(QWidget):
    """Buttons given as (verb, label); hidden while there are none."""

    triggered = Signal(str)
    #: arg 0: the verb of the button that was pressed.

    def __init__(
        self, parent: QWidget | None = None, *, kind: str = "plain", align_right: bool = False
    ) -> None:
        super().__init__(parent)
        self._kind = kind
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._group.buttonClicked.connect(self._on_button_clicked)
        space = self.fontMetrics().height() * (0.9 if kind == "inline" else 0.45)
        self._flow = FlowLayout(self, spacing=round(space), align_right=align_right)
        self._actions: tuple[tuple[str, str], ...] = ()
        self.hide()

    def set_actions(
        self, actions: Sequence[tuple[str, str]], *, describe: str = "", primary: str = ""
    ) -> None:
        """Replace the buttons; the verb ``primary`` stands out.

        ``describe`` is added to each accessible name, so that ten rows of "Forget" can be told
        apart by ear.
        """
        if tuple(actions) == self._actions:
            return
        self._actions = tuple(actions)
        for old in self._group.buttons():
            self._group.removeButton(old)
            self._flow.removeWidget(old)
            old.hide()
            old.deleteLater()
        for verb, label in actions:
            spoken = f"{label}: {describe}" if describe else label
            kind = "primary" if verb == primary else self._kind
            button = text_button(label, kind, self, accessible=spoken)
            button.setProperty(_VERB, verb)
            self._group.addButton(button)
            self._flow.addWidget(button)
            button.show()
        self.setVisible(bool(actions))
        self.updateGeometry()

    def button(self, verb: str) -> QAbstractButton | None:
        """The button of ``verb``, if there is one."""
        for button in self._group.buttons():
            if button.property(_VERB) == verb:
                return button
        return None

    def _on_button_clicked(self, button: QAbstractButton) -> None:
        self.triggered.emit(str(button.property(_VERB)))
