"""Correcting and forgetting a fact from the panel."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.panels import panel_with_detail, shown_panel
from tests.ui.samples import sample_detail, sample_facts, sample_forgotten


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_that_a_fact_is_corrected_by_keyboard_alone(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    panel.focus_search()
    QTest.keyClicks(focused(), "You live in Halden")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    panel.show_detail(sample_detail())
    QTest.keyClick(focused(), Qt.Key.Key_F2)
    assert focused() is panel.detail_pane.edit_form.object_field
    QTest.keyClicks(focused(), "Bergen")  # what was there is selected, so it is replaced
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    QTest.keyClick(focused(), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(focused(), "March 2026")
    with qtbot.waitSignal(panel.edit_requested) as asked:
        QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert asked.args == ["f-02", "Bergen", "2026-03", None]
    corrected = msgspec.structs.replace(
        sample_detail(),
        fact=msgspec.structs.replace(
            sample_detail().fact, id="f-99", object="Bergen", text="You live in Bergen"
        ),
    )
    panel.show_detail(corrected)
    assert panel.detail_pane.fact_page.isVisible()
    assert panel.detail_pane.wanted_fact_id == "f-99"


def test_that_a_cleared_date_is_sent_as_cleared_and_the_rest_as_unchanged(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.detail_pane.begin_edit()
    form = panel.detail_pane.edit_form
    assert form.from_field.text() == "February 2026"
    form.from_field.clear()
    with qtbot.waitSignal(panel.edit_requested) as asked:
        qtbot.mouseClick(form.save_button, Qt.MouseButton.LeftButton)
    assert asked.args == ["f-02", None, "", None]


@pytest.mark.parametrize(
    ("target", "start", "end", "why"),
    [
        ("", "", "", "Write what it should say"),
        ("Bergen", "soon", "", "is not a date I can read"),
        ("Bergen", "2024", "2023", "cannot end before it begins"),
        ("Halden", "February 2026", "", "Nothing is changed yet"),
    ],
)
def test_that_a_wrong_correction_is_explained_and_not_sent(
    qtbot: QtBot, target: str, start: str, end: str, why: str
) -> None:
    panel = panel_with_detail(qtbot)
    panel.detail_pane.begin_edit()
    form = panel.detail_pane.edit_form
    form.object_field.setText(target)
    form.from_field.setText(start)
    form.until_field.setText(end)
    with qtbot.assertNotEmitted(panel.edit_requested):
        qtbot.mouseClick(form.save_button, Qt.MouseButton.LeftButton)
    assert form.problem.isVisible()
    assert why in form.problem.text()


def test_that_a_correction_is_sent_once_and_a_refusal_stays_in_the_form(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.detail_pane.begin_edit()
    form = panel.detail_pane.edit_form
    form.object_field.setText("Bergen")
    sent: list[str] = []
    panel.edit_requested.connect(lambda fact_id, *_: sent.append(fact_id))
    qtbot.keyClick(form.object_field, Qt.Key.Key_Return)
    qtbot.keyClick(form.object_field, Qt.Key.Key_Return)
    assert sent == ["f-02"]
    panel.show_failure("edit", "I know two places called Bergen.")
    assert form.isVisible()
    assert form.object_field.text() == "Bergen"
    assert form.problem.text() == "I know two places called Bergen."
    qtbot.keyClick(form.object_field, Qt.Key.Key_Return)
    assert sent == ["f-02", "f-02"]


def test_that_an_answer_from_before_does_not_close_the_form(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.detail_pane.begin_edit()
    panel.show_detail(sample_detail())
    assert panel.detail_pane.edit_form.isVisible()


def test_that_escape_leaves_the_fact_as_it_is(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.detail_pane.begin_edit()
    with qtbot.assertNotEmitted(panel.edit_requested):
        qtbot.keyClick(panel.detail_pane.edit_form.object_field, Qt.Key.Key_Escape)
    assert panel.detail_pane.fact_page.isVisible()
    assert focused() is panel.detail_pane.fact_page.edit_button


def test_that_forgetting_shows_what_goes_before_it_is_wished(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    with (
        qtbot.assertNotEmitted(panel.forget_requested),
        qtbot.waitSignal(panel.forget_preview_requested) as asked,
    ):
        qtbot.mouseClick(panel.detail_pane.fact_page.forget_button, Qt.MouseButton.LeftButton)
    assert asked.args == ["f-02"]
    page = panel.detail_pane.forget_page
    assert not page.forget_button.isEnabled()
    panel.show_forget_preview(sample_forgotten(preview=True))
    assert page.consequence.text() == "1 fact goes:"
    assert page.list.text() == "–  You live in Halden"
    assert page.blanked.text().startswith("2 passages in your messages are blanked")
    with qtbot.waitSignal(panel.forget_requested) as wished:
        qtbot.mouseClick(page.forget_button, Qt.MouseButton.LeftButton)
    assert wished.args == ["f-02"]
    with qtbot.waitSignal(panel.facts_requested):
        panel.show_forgotten(sample_forgotten(preview=False))
    assert panel.notice.words.text() == "Forgotten: 1 fact, 2 passages blanked."
    assert panel.detail_pane.state_page.isVisible()


def test_that_keep_has_the_focus_and_enter_keeps(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.list_pane.tree.setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Delete)
    panel.show_forget_preview(sample_forgotten(preview=True))
    assert focused() is panel.detail_pane.forget_page.keep_button
    with qtbot.assertNotEmitted(panel.forget_requested):
        QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert panel.detail_pane.fact_page.isVisible()


def test_that_forgetting_is_possible_by_keyboard_alone(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.list_pane.tree.setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Delete)
    panel.show_forget_preview(sample_forgotten(preview=True))
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    with qtbot.waitSignal(panel.forget_requested):
        QTest.keyClick(focused(), Qt.Key.Key_Return)


def test_that_a_failed_forgetting_says_that_nothing_went(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.detail_pane.begin_forget()
    panel.show_failure("forget_preview", "The memory does not answer.")
    page = panel.detail_pane.forget_page
    assert page.consequence.text() == "Nothing was forgotten."
    assert page.problem.text() == "The memory does not answer."
    assert not page.forget_button.isEnabled()


def test_that_a_changed_list_does_not_close_a_form(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.detail_pane.begin_edit()
    panel.show_facts(sample_facts())
    assert panel.detail_pane.edit_form.isVisible()
