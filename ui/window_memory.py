"""What the window remembers of its looks between two runs, in a small file of the home folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings


@dataclass(frozen=True)
class WindowLook:
    """How the window looked when it was closed last."""

    geometry: QByteArray
    panes: QByteArray
    sidebar: bool
    panel: bool
    theme: str
    scale: int


class WindowMemory:
    """Reads and writes ``window.ini``; a damaged file only costs the looks."""

    def __init__(self, path: Path) -> None:
        self._settings = QSettings(str(path), QSettings.Format.IniFormat)

    def load(self) -> WindowLook:
        """The look of the last run, or that of a first start."""
        return WindowLook(
            geometry=self._bytes("geometry"),
            panes=self._bytes("panes"),
            sidebar=self._flag("sidebar", default=True),
            panel=self._flag("panel", default=False),
            theme=str(self._settings.value("theme", "system")),
            scale=self._number("scale", 100),
        )

    def save(
        self,
        *,
        geometry: QByteArray,
        panes: QByteArray,
        sidebar: bool,
        panel: bool,
        theme: str,
        scale: int,
    ) -> None:
        """Keep the look; written at once, so that a kill later loses nothing."""
        self._settings.setValue("geometry", geometry)
        self._settings.setValue("panes", panes)
        self._settings.setValue("sidebar", sidebar)
        self._settings.setValue("panel", panel)
        self._settings.setValue("theme", theme)
        self._settings.setValue("scale", scale)
        self._settings.sync()

    def _bytes(self, name: str) -> QByteArray:
        value = self._settings.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()

    def _flag(self, name: str, *, default: bool) -> bool:
        value = self._settings.value(name, default)
        return value in (True, "true", "1")

    def _number(self, name: str, default: int) -> int:
        try:
            return int(str(self._settings.value(name, default)))
        except ValueError:
            return default
