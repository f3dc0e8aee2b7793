"""Speaks a line through the screen reader without moving the focus."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str) -> None:
    """Announce ``text`` politely (WCAG 2.2, 4.1.3); silent where no reader listens."""
    if text:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
