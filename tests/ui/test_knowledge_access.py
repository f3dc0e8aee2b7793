"""Every control of the panel has a name, can be reached by Tab, and grows with the text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QKeySequence, QPalette, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.panels import panel_with_detail, settle, shown_panel
from tests.ui.samples import inferred_detail, sample_detail, sample_forgotten, sample_graph
from ui.knowledge import colours
from ui.knowledge.graph_scene import KIND_WORDS
from ui.knowledge.panel import KnowledgePanel
from ui.theme import palette_of
from ui.tokens import DARK, LIGHT, Tokens, contrast


def unnamed(panel: KnowledgePanel) -> list[str]:
    """Controls that a keyboard reaches and that a screen reader could not name."""
    found = []
    for widget in panel.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or isinstance(widget, QScrollBar):
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is None or not interface.text(QAccessible.Text.Name).strip():
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found


def test_that_every_control_has_an_accessible_name(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    assert unnamed(panel) == []
    panel.detail_pane.begin_edit()
    assert unnamed(panel) == []
    panel.detail_pane.edit_form.cancelled.emit()
    panel.detail_pane.begin_forget()
    panel.show_forget_preview(sample_forgotten(preview=True))
    assert unnamed(panel) == []
    panel.tabs.setCurrentIndex(1)
    panel.show_graph(sample_graph(12))
    panel.graph_pane.view.select("e-ana")
    assert unnamed(panel) == []
    panel.show_fact("f-24")
    panel.show_detail(inferred_detail())
    panel.show_failure("facts", "The memory does not answer.")
    assert unnamed(panel) == []


def test_that_tab_goes_through_list_and_detail_in_reading_order(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    panel.tabs.setFocus()
    order: list[QWidget] = []
    for _ in range(40):
        widget = QApplication.focusWidget()
        if widget is None or widget in order:
            break
        order.append(widget)
        QTest.keyClick(widget, Qt.Key.Key_Tab)
    detail = panel.detail_pane.fact_page
    expected = [
        panel.tabs,
        panel.list_pane.search,
        panel.list_pane.by_person,
        panel.list_pane.tree,
        detail.cards[0].open_button,
        detail.cards[1].open_button,
        detail.edit_button,
        detail.forget_button,
    ]
    assert [widget for widget in order if widget in expected] == expected


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_that_the_panels_own_colours_keep_their_contrast(tokens: Tokens) -> None:
    palette = palette_of(tokens)
    base = palette.color(QPalette.ColorRole.Base).name()
    for kind in KIND_WORDS:
        assert contrast(colours.kind_colour(kind, palette).name(), base) >= 3, kind
    for ground in (
        base,
        palette.color(QPalette.ColorRole.Window).name(),
        colours.tint(palette, 0.2).name(),
    ):
        assert contrast(colours.muted(palette).name(), ground) >= 4.5, ground
    ink = colours.text_colour(palette).name()
    assert contrast(ink, colours.marker(palette).name()) >= 4.5


def test_that_rows_grow_with_the_text(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    tree = panel.list_pane.tree
    index = tree.fact_model.index_of_fact("f-02")
    before = tree.visualRect(index).height()
    font = tree.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    tree.setFont(font)
    QApplication.processEvents()
    assert tree.visualRect(index).height() >= 1.8 * before


def test_that_the_panel_stacks_when_it_is_narrow(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    assert panel.splitter.orientation() == Qt.Orientation.Horizontal
    panel.resize(430, 760)
    QApplication.processEvents()
    assert panel.splitter.orientation() == Qt.Orientation.Vertical
    assert panel.width() <= 430


def test_that_a_narrow_panel_spends_no_room_on_an_empty_detail(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    assert panel.detail_pane.isVisible()
    panel.resize(430, 760)
    QApplication.processEvents()
    assert not panel.detail_pane.isVisible()
    panel.list_pane.choose_fact(sample_detail().fact.id)
    assert panel.detail_pane.isVisible()
    panel.show_detail(sample_detail())
    panel.detail_pane.show_nothing()
    assert not panel.detail_pane.isVisible()
    panel.resize(1100, 760)
    QApplication.processEvents()
    assert panel.detail_pane.isVisible()


def test_that_the_legend_lies_within_its_pane_at_any_width(qtbot: QtBot) -> None:
    panel = shown_panel(qtbot)
    panel.tabs.setCurrentIndex(1)
    panel.show_graph(sample_graph(40))
    legend = panel.graph_pane.legend
    for width in (1100, 430):
        panel.resize(width, 760)
        settle()
        assert legend.height() == legend.heightForWidth(legend.width())
        assert legend.geometry().bottom() < legend.parentWidget().height()


def test_that_the_hidden_header_of_the_list_has_a_name(qtbot: QtBot) -> None:
    model = shown_panel(qtbot).list_pane.tree.fact_model
    assert model.headerData(0, Qt.Orientation.Horizontal) == "Facts"


def test_that_the_panels_keys_win_over_the_windows_while_it_has_the_focus(qtbot: QtBot) -> None:
    panel = panel_with_detail(qtbot)
    renamed: list[bool] = []
    shortcut = QShortcut(QKeySequence(Qt.Key.Key_F2), panel)
    shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
    shortcut.activated.connect(lambda: renamed.append(True))
    panel.list_pane.tree.setFocus()
    QTest.keyClick(panel.list_pane.tree, Qt.Key.Key_F2)
    assert panel.detail_pane.edit_form.isVisible()
    assert renamed == []
