"""The graph of the panel: drawing at every size, selection by mouse, keyboard and outline."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.panels import shown_panel
from tests.ui.samples import sample_detail, sample_graph
from ui.knowledge.graph_outline import OutlineModel
from ui.knowledge.graph_scene import GraphScene
from ui.knowledge.graph_view import GraphView
from ui.knowledge.panel import KnowledgePanel


def panel_with_graph(qtbot: QtBot, count: int = 12) -> KnowledgePanel:
    panel = shown_panel(qtbot)
    with qtbot.waitSignal(panel.graph_requested) as asked:
        panel.tabs.setCurrentIndex(1)
    assert asked.args == [None, 2]
    panel.show_graph(sample_graph(count))
    QApplication.processEvents()
    return panel


def place_of(view: GraphView, node_id: str) -> QPoint:
    place = view.screen_place(node_id)
    assert place is not None
    return place


@pytest.mark.parametrize("count", [0, 1, 2, 150, 2000])
def test_that_a_graph_of_any_size_is_drawn(qtbot: QtBot, count: int) -> None:
    view = GraphView()
    qtbot.addWidget(view)
    view.resize(700, 500)
    view.show()
    view.show_graph(sample_graph(count))
    picture = view.grab().toImage()
    colours = {picture.pixel(x, y) for x in range(0, 700, 5) for y in range(0, 500, 5)}
    assert len(colours) > (1 if count else 0)


def test_that_keys_do_no_harm_where_there_is_nothing(qtbot: QtBot) -> None:
    view = GraphView()
    qtbot.addWidget(view)
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Home):
        qtbot.keyClick(view, key)
    qtbot.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert view.selected_id == ""


def test_that_a_widget_without_room_is_drawn_without_failing(qtbot: QtBot) -> None:
    view = GraphView()
    qtbot.addWidget(view)
    view.setMinimumSize(0, 0)
    view.show_graph(sample_graph(12))
    view.resize(1, 1)
    assert not view.grab().isNull()


def test_that_a_click_selects_and_the_detail_lists_its_facts(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    with qtbot.waitSignal(view.node_selected) as chosen:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_of(view, "e-ana"))
    assert chosen.args == ["e-ana"]
    page = panel.detail_pane.entity_page
    assert page.isVisible()
    assert page.title == "Ana — your sister"
    assert page.tree.fact_model.fact_count == 5
    outline = panel.graph_pane.outline
    assert outline.outline_model.node_id(outline.currentIndex()) == "e-ana"


def test_that_a_click_on_empty_ground_selects_nothing(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_of(view, "e-ana"))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert view.selected_id == ""
    assert panel.detail_pane.state_page.isVisible()


def test_that_a_fact_of_a_node_can_be_opened_and_left_again(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_of(view, "e-halden"))
    page = panel.detail_pane.entity_page
    page.tree.choose_fact("f-02")
    with qtbot.waitSignal(panel.detail_requested) as asked:
        qtbot.keyClick(page.tree, Qt.Key.Key_Return)
    assert asked.args == ["f-02"]
    panel.show_detail(sample_detail())
    back = panel.detail_pane.fact_page.back_button
    assert back.text() == "‹ Halden"
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert page.isVisible()


def test_that_nodes_are_walked_and_centred_by_keyboard(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert view.selected_id == "me"
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    second = view.selected_id
    assert second not in ("", "me")
    assert f"Selected: {view.scene.nodes[view.scene.by_importance[1]].name}" in (
        view.accessibleDescription()
    )
    with qtbot.waitSignal(panel.graph_requested) as asked:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert asked.args == [second, 2]
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.selected_id == ""


def test_that_control_and_arrows_walk_in_a_direction(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(view, Qt.Key.Key_Right, control)
    assert view.selected_id == "me"
    qtbot.keyClick(view, Qt.Key.Key_Right, control)
    assert view.selected_id != "me"
    assert place_of(view, view.selected_id).x() > place_of(view, "me").x()


def test_that_arrows_pan_and_plus_and_minus_zoom(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    before = place_of(view, "me")
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert place_of(view, "me").x() < before.x()
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert place_of(view, "me") == before
    scale = view.viewport_now.scale
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.viewport_now.scale > scale
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    assert view.viewport_now.scale == pytest.approx(scale)


def test_that_dragging_moves_the_picture_and_selects_nothing(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    start = place_of(view, "me")
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view, start + QPoint(60, 30))
    qtbot.mouseMove(view, start + QPoint(80, 40))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start + QPoint(80, 40))
    assert place_of(view, "me") == start + QPoint(80, 40)
    assert view.selected_id == ""


def test_that_the_wheel_zooms_around_the_pointer(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    at = place_of(view, "e-ana")
    event = QWheelEvent(
        QPointF(at),
        QPointF(view.mapToGlobal(at)),
        QPoint(0, 0),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    before = view.viewport_now.scale
    QApplication.sendEvent(view, event)
    assert view.viewport_now.scale > before
    assert (place_of(view, "e-ana") - at).manhattanLength() <= 2  # whole pixels on both sides


def test_that_the_picture_is_sharp_again_after_a_rest(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    moving = view.grab().toImage()
    qtbot.waitUntil(lambda: view.grab().toImage() != moving)
    rested = view.grab().toImage()
    view.repaint()
    assert view.grab().toImage() == rested


def test_that_hovering_lifts_neighbours_and_dims_the_rest(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    far = next(
        node.id
        for row, node in enumerate(view.scene.nodes)
        if row not in view.scene.neighbours_of(view.scene.row_of("e-ana") or 0)
        and node.id != "e-ana"
    )
    ana, other = place_of(view, "e-ana"), place_of(view, far)
    before = _ink(view.grab().toImage(), ana), _ink(view.grab().toImage(), other)
    qtbot.mouseMove(view, ana)
    qtbot.waitUntil(lambda: _ink(view.grab().toImage(), other) != before[1])
    assert _ink(view.grab().toImage(), ana) == before[0]


def _ink(picture: QImage, at: QPoint) -> int:
    return picture.pixel(at)


def test_that_a_double_click_asks_for_a_neighbourhood(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    view = panel.graph_pane.view
    with qtbot.waitSignal(panel.graph_requested) as asked:
        qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=place_of(view, "e-porto"))
    assert asked.args == ["e-porto", 2]


def test_that_a_link_leads_to_its_fact(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot, 2)
    view = panel.graph_pane.view
    middle = (place_of(view, "me") + place_of(view, "e-ana")) / 2
    with qtbot.waitSignal(panel.detail_requested) as asked:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle)
    assert asked.args == ["f-01"]


def test_that_the_depth_switch_asks_for_one_or_two_steps(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    with qtbot.waitSignal(panel.graph_requested) as asked:
        qtbot.mouseClick(panel.graph_pane.depth_one, Qt.MouseButton.LeftButton)
    assert asked.args == [None, 1]
    with qtbot.waitSignal(panel.graph_requested) as asked:
        qtbot.mouseClick(panel.graph_pane.depth_two, Qt.MouseButton.LeftButton)
    assert asked.args == [None, 2]


def test_that_nodes_left_out_are_counted(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot, 150)
    assert panel.graph_pane.hidden_note.isVisible()
    assert panel.graph_pane.hidden_note.text() == "37 more are not drawn"
    panel.show_graph(sample_graph(12))
    assert not panel.graph_pane.hidden_note.isVisible()


def test_that_the_outline_keeps_qts_rules_and_names_every_node(qtbot: QtBot) -> None:
    model = OutlineModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_scene(GraphScene(sample_graph(40)))
    ids = {model.node_id(model.index(row, 0)) for row in range(model.rowCount())}
    assert ids == {node.id for node in sample_graph(40).nodes}
    assert tester.model() is model


def test_that_the_outline_selects_in_the_picture_and_opens_links(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    outline, view = panel.graph_pane.outline, panel.graph_pane.view
    model = outline.outline_model
    outline.setCurrentIndex(model.index_of("e-biscuit"))
    assert view.selected_id == "e-biscuit"
    assert panel.detail_pane.entity_page.title == "Biscuit — your pet"
    links = [
        model.data(model.index(row, 0, model.index_of("e-biscuit")))
        for row in range(model.rowCount(model.index_of("e-biscuit")))
    ]
    assert "pet ← You" in links
    outline.setCurrentIndex(model.index(links.index("pet ← You"), 0, model.index_of("e-biscuit")))
    with qtbot.waitSignal(panel.detail_requested) as asked:
        qtbot.keyClick(outline, Qt.Key.Key_Return)
    assert asked.args == ["f-10"]


def test_that_a_graph_of_you_alone_teaches_and_a_failure_is_said(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot, 1)
    page = panel.graph_pane.state_page
    assert page.isVisible()
    assert "how they belong together" in page.explanation.text()
    panel.show_failure("graph", "The memory does not answer.")
    assert page.explanation.text() == "The memory does not answer."
    with qtbot.waitSignal(panel.graph_requested):
        qtbot.mouseClick(page.action, Qt.MouseButton.LeftButton)


def test_that_a_selected_node_stays_selected_when_the_graph_is_read_again(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot)
    panel.graph_pane.outline.setCurrentIndex(
        panel.graph_pane.outline.outline_model.index_of("e-ana")
    )
    panel.show_graph(sample_graph(14))
    assert panel.graph_pane.view.selected_id == "e-ana"


def test_that_the_legend_explains_just_the_kinds_that_are_drawn(qtbot: QtBot) -> None:
    panel = panel_with_graph(qtbot, 4)
    legend = panel.graph_pane.legend
    assert legend.accessibleDescription() == "People, Organisations"
    assert not legend.grab().isNull()
