"""Buttons that always carry an accessible name and follow the theme."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from ui.theme import ThemeManager, set_kind
from ui.widgets.icons import IconName, icon

SMALLEST_TARGET = 24
"""Least side of anything to click, in pixels (WCAG 2.2, 2.5.8)."""


class IconButton(QToolButton):
    """A button that shows one icon; its name is its tool tip and its accessible name."""

    def __init__(
        self,
        theme: ThemeManager,
        name: IconName,
        label: str,
        parent: QWidget | None = None,
        *,
        colour: str = "text_muted",
        factor: float = 1.1,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon_name: IconName = name
        self._colour = colour
        self._factor = factor
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_label(label)
        self.refresh()
        theme.changed.connect(self.refresh)

    def set_label(self, label: str, shortcut: str = "") -> None:
        """Name the button; ``shortcut`` is shown in its tool tip only."""
        self.setAccessibleName(label)
        self.setToolTip(f"{label} ({shortcut})" if shortcut else label)

    def set_icon(self, name: IconName, colour: str | None = None) -> None:
        """Show another icon, perhaps in another token's colour."""
        self._icon_name = name
        self._colour = colour or self._colour
        self.refresh()

    def refresh(self) -> None:
        """Draw the icon again in the theme's present colours and size."""
        side = self._theme.em(self._factor)
        tokens = self._theme.tokens
        colour = getattr(tokens, self._colour)
        self.setIcon(icon(self._icon_name, colour, side, tokens.text_muted))
        self.setIconSize(QSize(side, side))
        # Border and padding of the style sheet must fit beside the icon, or Qt shrinks it.
        least = max(SMALLEST_TARGET, side + self._theme.em(0.75))
        self.setFixedSize(least, least)
        if self.property("kind") == "round":
            # Qt drops a radius that is larger than half the side, so it must be exact.
            self.setStyleSheet(f"QToolButton {{ border-radius: {least // 2}px; }}")


def text_button(
    label: str,
    kind: str,
    parent: QWidget | None = None,
    *,
    accessible: str = "",
) -> QPushButton:
    """A worded button of one of the style sheet's kinds; verbs, never OK (reference/desktop §9)."""
    button = QPushButton(label, parent)
    set_kind(button, kind)
    button.setAccessibleName(accessible or label)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setAutoDefault(False)
    return button
