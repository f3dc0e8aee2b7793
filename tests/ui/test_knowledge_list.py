"""The list of facts: grouping, filtering, states in words, keyboard."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.panels import TODAY, settle, shown_panel
from tests.ui.samples import many_facts, sample_facts
from ui.knowledge.fact_model import FactTreeModel
from ui.knowledge.grouping import FactIndex, Grouping
from ui.knowledge.panel import KnowledgePanel


def titles(panel: KnowledgePanel) -> list[str]:
    return [group.title for group in panel.list_pane.tree.fact_model.groups]


def test_that_the_model_keeps_qts_rules(qtbot: QtBot) -> None:
    model = FactTreeModel(lambda: TODAY)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_groups(FactIndex(sample_facts()).groups(Grouping.PERSON))
    model.set_groups(FactIndex(sample_facts()).groups(Grouping.TOPIC))
    model.set_groups(())
    assert isinstance(tester.model(), QAbstractItemModel)


def test_that_one_can_group_by_person_and_by_topic(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    assert titles(panel)[:2] == ["You", "Ana — your sister"]
    qtbot.mouseClick(panel.list_pane.by_topic, Qt.MouseButton.LeftButton)
    assert titles(panel)[0] == "People"
    assert panel.list_pane.tree.fact_model.fact_count == len(sample_facts())


def test_that_typing_filters_without_regard_to_diacritics(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    qtbot.keyClicks(panel.list_pane.search, "tomas cyc")
    qtbot.waitUntil(lambda: panel.list_pane.tree.fact_model.fact_count == 1)
    assert titles(panel) == ["Tomás — your friend"]
    assert panel.list_pane.count.text() == "1 of 25 facts"
    qtbot.keyClick(panel.list_pane.search, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: panel.list_pane.tree.fact_model.fact_count == 25)


def test_that_nothing_found_says_so_and_offers_to_clear_the_search(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    panel.list_pane.search.setText("zeppelin")
    page = panel.list_pane.state_page
    qtbot.waitUntil(page.isVisible)
    assert "zeppelin" in page.explanation.text()
    qtbot.mouseClick(page.action, Qt.MouseButton.LeftButton)
    assert panel.list_pane.search.text() == ""
    assert panel.list_pane.tree.isVisible()


def test_that_an_empty_memory_teaches_how_it_fills(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot, ())
    page = panel.list_pane.state_page
    assert page.isVisible()
    assert "Tell me something in the chat" in page.explanation.text()
    assert not page.action.isVisible()


def test_that_a_failure_is_said_in_words_and_can_be_tried_again(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot, ())
    panel.show_failure("facts", "The memory does not answer.")
    assert panel.list_pane.state_page.explanation.text() == "The memory does not answer."
    with qtbot.waitSignal(panel.facts_requested) as asked:
        qtbot.mouseClick(panel.list_pane.state_page.action, Qt.MouseButton.LeftButton)
    assert asked.args == [None, None]


def test_that_search_results_are_reached_and_opened_by_keyboard_alone(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    panel.focus_search()
    qtbot.keyClicks(panel.list_pane.search, "cello")
    with qtbot.waitSignal(panel.detail_requested) as asked:
        qtbot.keyClick(panel.list_pane.search, Qt.Key.Key_Down)
    assert asked.args == ["f-16"]
    assert panel.list_pane.tree.hasFocus()


def test_that_arrows_walk_through_facts_and_fold_groups(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    tree = panel.list_pane.tree
    tree.setFocus()
    tree.setCurrentIndex(tree.fact_model.index(0, 0))
    with qtbot.waitSignal(panel.detail_requested) as asked:
        qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert asked.args == ["f-02"]
    qtbot.keyClick(tree, Qt.Key.Key_Up)
    qtbot.keyClick(tree, Qt.Key.Key_Space)
    assert not tree.isExpanded(tree.fact_model.index(0, 0))
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert tree.isExpanded(tree.fact_model.index(0, 0))


def test_that_folded_groups_and_the_chosen_fact_survive_a_change_of_facts(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    tree = panel.list_pane.tree
    tree.choose_fact("f-18")
    tree.collapse(tree.fact_model.index(0, 0))
    with qtbot.waitSignal(panel.facts_requested):
        panel.facts_changed()
    with qtbot.assertNotEmitted(panel.detail_requested):
        panel.show_facts(sample_facts()[:-1])
    assert tree.chosen_fact_id() == "f-18"
    assert not tree.isExpanded(tree.fact_model.index(0, 0))
    assert tree.isExpanded(tree.fact_model.index(1, 0))


def test_that_many_changes_are_asked_for_once_and_none_while_hidden(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    asked: list[object] = []
    panel.facts_requested.connect(lambda about, query: asked.append((about, query)))
    for _ in range(20):
        panel.facts_changed()
    qtbot.waitUntil(lambda: len(asked) == 1)
    panel.hide()
    panel.facts_changed()
    qtbot.wait(200)  # longer than changes are gathered
    assert len(asked) == 1
    panel.show()
    qtbot.waitUntil(lambda: len(asked) == 2)


def test_that_a_row_says_its_marks_to_a_screen_reader(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    model = panel.list_pane.tree.fact_model
    said = model.data(model.index_of_fact("f-05"), Qt.ItemDataRole.AccessibleTextRole)
    assert said == "You do not drink coffee, sure, this is not so"


def test_that_rows_of_all_kinds_are_drawn_in_light_and_dark(qtbot: QtBot) -> None:
    before = QApplication.palette()
    panel = shown_panel(qtbot)
    try:
        pictures = []
        for ground, ink in (("#ffffff", "#202020"), ("#202020", "#f0f0f0")):
            palette = QPalette(before)
            palette.setColor(QPalette.ColorRole.Base, ground)
            palette.setColor(QPalette.ColorRole.Text, ink)
            QApplication.setPalette(palette)
            settle()
            pictures.append(panel.list_pane.tree.viewport().grab().toImage())
        assert pictures[0] != pictures[1]
    finally:
        QApplication.setPalette(before)


def test_that_two_thousand_facts_are_all_there_and_found(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot, many_facts(2_000))
    assert panel.list_pane.tree.fact_model.fact_count == 2_000
    panel.list_pane.search.setText("number 1999")
    qtbot.waitUntil(lambda: panel.list_pane.tree.fact_model.fact_count == 1)
    assert panel.list_pane.choose_fact("f-00003")
    assert panel.list_pane.search.text() == ""
