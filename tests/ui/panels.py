"""Builds the knowledge panel for tests, with invented facts and a fixed day."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from aico_desktop.contract.messages import FactView
from tests.ui.samples import sample_detail, sample_facts
from ui.knowledge.panel import KnowledgePanel

TODAY = date(2026, 11, 30)


def shown_panel(qtbot: QtBot, facts: tuple[FactView, ...] | None = None) -> KnowledgePanel:
    """A panel on the screen that was given ``facts`` (the samples if None)."""
    panel = KnowledgePanel(lambda: TODAY)
    qtbot.addWidget(panel)
    panel.resize(1100, 760)
    with qtbot.waitSignal(panel.facts_requested):
        panel.show()
    panel.show_facts(sample_facts() if facts is None else facts)
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    return panel


def panel_with_detail(qtbot: QtBot) -> KnowledgePanel:
    """A panel on which the fact of :func:`sample_detail` was chosen and explained."""
    panel = shown_panel(qtbot)
    detail = sample_detail()
    with qtbot.waitSignal(panel.detail_requested) as asked:
        panel.list_pane.choose_fact(detail.fact.id)
    assert asked.args == [detail.fact.id]
    panel.show_detail(detail)
    return panel


def settle() -> None:
    """Let layouts and deferred deletions happen."""
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
