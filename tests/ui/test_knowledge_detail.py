"""The detail of a fact: exactly its quotes, its dates, its history, and where it leads."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.panels import panel_with_detail, shown_panel
from tests.ui.samples import evidence, inferred_detail, sample_detail, sample_facts
from ui.knowledge.panel import KnowledgePanel


def words(panel: KnowledgePanel) -> list[str]:
    """The text of every label on the page of the fact."""
    page = panel.detail_pane.fact_page
    return [label.text() for label in page.findChildren(QLabel) if not label.isHidden()]


def test_that_the_detail_shows_exactly_the_quotes_of_the_fact(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    cards = panel.detail_pane.fact_page.cards
    shown = [QTextDocumentFragment.fromHtml(card.quote.text()).toPlainText() for card in cards]
    assert shown == ["“We moved to Halden in February”", "“I live in Halden now”"]
    assert [card.origin.text().split(".")[0] for card in cards] == [
        "You, 2 March 2026, 18:21",
        "You, 18 April 2026, 09:02",
    ]


def test_that_markup_in_a_quote_is_shown_as_it_was_typed(qtbot: QtBot) -> None:
    typed = "I <b>love</b> Halden & <img src='http://example.invalid/x.png'>"
    panel = panel_with_detail(qtbot)
    detail = sample_detail()
    view = msgspec.structs.replace(
        detail.fact, evidence=(evidence("m-9", typed, typed, "2026-03-02T18:21:05+01:00"),)
    )
    panel.show_detail(msgspec.structs.replace(detail, fact=view))
    (card,) = panel.detail_pane.fact_page.cards
    shown = QTextDocumentFragment.fromHtml(card.quote.text()).toPlainText()
    assert shown == f"“{typed}”"


def test_that_a_quote_leads_to_its_place_in_the_chat(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    card = panel.detail_pane.fact_page.cards[1]
    with qtbot.waitSignal(panel.source_requested) as asked:
        qtbot.mouseClick(card.open_button, Qt.MouseButton.LeftButton)
    text = "It rains a lot here, but I live in Halden now and I like it."
    start = text.index("I live")
    assert asked.args == ["c-1", "m-41", start, start + len("I live in Halden now")]


def test_that_dates_confidence_and_history_are_said_in_words(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    shown = words(panel)
    assert "Since February 2026" in shown
    assert any(text.endswith("Sure") for text in shown)
    assert "You live in Porto  →  You live in Halden" in shown
    assert "2 March 2026, 18:21  ·  Changed" in shown
    assert "You said that you moved" in shown


def test_that_an_inferred_fact_says_so_and_leads_to_its_premises(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    panel.list_pane.choose_fact("f-24")
    panel.show_detail(inferred_detail())
    assert any("inferred, nobody said it" in text for text in words(panel))
    premise = next(
        button
        for button in panel.detail_pane.fact_page.findChildren(QPushButton)
        if button.text() == "Biscuit is your dog"
    )
    with qtbot.waitSignal(panel.detail_requested) as asked:
        qtbot.mouseClick(premise, Qt.MouseButton.LeftButton)
    assert asked.args == ["f-10"]


def test_that_a_late_answer_does_not_replace_the_fact_chosen_since(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.list_pane.choose_fact("f-04")
    panel.show_detail(sample_detail())
    assert panel.detail_pane.wanted_fact_id == "f-04"
    panel.show_detail(msgspec.structs.replace(sample_detail(), fact=sample_facts()[3]))
    assert panel.detail_pane.fact_page.detail is not None
    assert panel.detail_pane.fact_page.detail.fact.id == "f-04"


def test_that_a_fact_that_cannot_be_read_says_why(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    panel.list_pane.choose_fact("f-04")
    panel.show_failure("detail", "The memory does not answer.")
    page = panel.detail_pane.state_page
    assert page.isVisible()
    assert page.explanation.text() == "The memory does not answer."
    with qtbot.waitSignal(panel.detail_requested) as asked:
        qtbot.mouseClick(page.action, Qt.MouseButton.LeftButton)
    assert asked.args == ["f-04"]


def test_that_many_quotes_are_shown_when_asked_for(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    detail = sample_detail()
    many = detail.fact.evidence * 10
    fact = msgspec.structs.replace(detail.fact, evidence=many)
    panel.show_detail(msgspec.structs.replace(detail, fact=fact))
    page = panel.detail_pane.fact_page
    assert len(page.cards) == 5
    more = next(b for b in page.findChildren(QPushButton) if b.text() == "Show all 20")
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert len(page.cards) == 20


def test_that_a_fact_that_went_is_no_longer_explained(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.show_facts(tuple(view for view in sample_facts() if view.id != "f-02"))
    assert panel.detail_pane.state_page.isVisible()


def test_that_a_fact_can_be_opened_from_elsewhere(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    panel.tabs.setCurrentIndex(1)
    with qtbot.waitSignal(panel.detail_requested) as asked:
        panel.show_fact("f-20")
    assert asked.args == ["f-20"]
    assert panel.tabs.currentIndex() == 0
