"""Says which model answers and what is down, in words, and lets the person choose another."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from aico_desktop.contract.messages import EngineView
from ui.theme import ThemeManager, set_kind
from ui.widgets.icons import icon

ENGINE_NAMES = {
    "built_in": "Built-in model",
    "ollama": "Ollama",
    "openai_compatible": "Local server",
}

STARTING = "Starting…"
UNKNOWN = "Looking for models…"


def engine_words(engines: Sequence[EngineView]) -> tuple[str, bool]:
    """What the indicator says, and whether the chosen engine can answer."""
    chosen = next((engine for engine in engines if engine.selected), None)
    if chosen is None:
        ready = any(engine.available for engine in engines)
        return ("Choose a model" if ready else "No model can answer"), False
    name = ENGINE_NAMES[chosen.engine]
    if not chosen.available:
        return f"{name} is not running", False
    if chosen.engine == "built_in":
        return name, True
    return f"{chosen.model or name} · {name}", True


class EngineIndicator(QToolButton):
    """A button with the state of the engines; its menu lists every engine and model."""

    engine_chosen = Signal(str, object)
    #: arg 0: engine, arg 1: model or None.

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._engines: tuple[EngineView, ...] = ()
        self._reachable: bool | None = None
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        self._group = QActionGroup(self._menu)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        set_kind(self, "pill")
        theme.changed.connect(self._update)
        self._update()

    def show_engines(self, engines: Sequence[EngineView]) -> None:
        """Show what the backend knows of its engines."""
        self._engines = tuple(engines)
        self._update()

    def set_reachable(self, reachable: bool) -> None:
        """Say whether the backend is there at all; without it no model can answer."""
        self._reachable = reachable
        self._update()

    def _update(self) -> None:
        if self._reachable is None:
            words, ready = STARTING, False
        elif not self._reachable:
            words, ready = "Not connected", False
        elif not self._engines:
            words, ready = UNKNOWN, False
        else:
            words, ready = engine_words(self._engines)
        side = self._theme.em(1.0)
        starting = words in (STARTING, UNKNOWN)
        colour = self._theme.colour("success" if ready else "text_muted" if starting else "warning")
        self.setText(f" {words} \N{BLACK DOWN-POINTING SMALL TRIANGLE}")
        self.setIcon(icon("engine" if ready or starting else "alert", colour, side))
        self.setIconSize(QSize(side, side))
        self.setAccessibleName(f"Answers come from: {words}")
        self.setToolTip(self._details() or words)
        self.setEnabled(bool(self._engines))
        self.updateGeometry()

    def _details(self) -> str:
        """One line for each engine, in words."""
        lines = []
        for engine in self._engines:
            state = "ready" if engine.available else "not available"
            detail = f": {engine.detail}" if engine.detail else ""
            lines.append(f"{ENGINE_NAMES[engine.engine]} is {state}{detail}")
        return "\n".join(lines)

    def _fill_menu(self) -> None:
        menu = self._menu
        menu.clear()
        self._group.deleteLater()
        group = self._group = QActionGroup(menu)
        for engine in self._engines:
            name = ENGINE_NAMES[engine.engine]
            where = f" at {engine.address}" if engine.address else ""
            if not menu.isEmpty():
                menu.addSeparator()
            # Styled menus draw a section as a bare line, so the name is an entry of its own.
            menu.addAction(f"{name}{where}").setEnabled(False)
            if not engine.available:
                words = engine.detail or f"{name} is not running"
                menu.addAction(words).setEnabled(False)
                continue
            for model in engine.models or (engine.model,):
                action = menu.addAction(model or name)
                action.setCheckable(True)
                action.setChecked(engine.selected and model == engine.model)
                action.setData((engine.engine, model))
                group.addAction(action)
        group.triggered.connect(self._on_action_triggered)

    def _on_action_triggered(self, action: QAction) -> None:
        engine, model = action.data()
        self.engine_chosen.emit(engine, model)
