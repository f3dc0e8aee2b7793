"""Draws every screen of the window into shots/: light, dark and at 200 % text, offscreen."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QSize, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from benchmarks.screenshot_scenes import SCENES, Scene
from tests.fakes import FakeBackend
from ui.app import Desktop
from ui.theme import ThemeManager
from ui.window_memory import WindowMemory

FOLDER = Path("shots")

_SETTLE_MS = 450
"""Longer than the shortest shown state (reference/ux §4.2), so that state lines are seen."""


@dataclass(frozen=True)
class Look:
    """A theme and text size that every scene is drawn in."""

    name: str
    theme: str
    scale: int
    size: QSize


LOOKS = (
    Look("light", "light", 100, QSize(1180, 780)),
    Look("dark", "dark", 100, QSize(1180, 780)),
    Look("large", "light", 200, QSize(1500, 1000)),
)


def settle(milliseconds: int = _SETTLE_MS) -> None:
    """Let queued answers, timers and layouts run."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def draw(scene: Scene, look: Look, theme: ThemeManager, folder: Path) -> Path:
    """Play one scene in a window of its own and save its picture."""
    theme.choose(look.theme)
    theme.set_scale(look.scale)
    backend = FakeBackend()
    with tempfile.TemporaryDirectory() as home:
        desktop = Desktop(theme, backend, WindowMemory(Path(home) / "window.ini"))
        window = desktop.window
        window.resize(look.size)
        window.show()
        window.chat.composer.focus()
        subject: QWidget = scene.play(desktop, backend, settle) or window
        settle()
        path = folder / f"{scene.name}-{look.name}.png"
        subject.grab().save(str(path))
        if subject is not window:
            subject.close()
        window.close()
        window.deleteLater()
        desktop.deleteLater()
        settle(1)
    return path


def main(names: list[str]) -> int:
    """Draw the scenes called ``names``, or all of them."""
    application = QApplication.instance() or QApplication(["screenshots"])
    assert isinstance(application, QApplication)
    theme = ThemeManager(application)
    FOLDER.mkdir(exist_ok=True)
    for scene in (each for each in SCENES if not names or each.name in names):
        for look in LOOKS:
            if look.name in scene.looks:
                print(draw(scene, look, theme, FOLDER))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
