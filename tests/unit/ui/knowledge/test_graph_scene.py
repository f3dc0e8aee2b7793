"""Arrays behind the graph view: centring, fitting, hit tests, walking, camera bounds."""

from __future__ import annotations

import numpy as np
import pytest

from aico_desktop.contract.messages import Graph, GraphEdgeView, GraphNodeView
from tests.ui.samples import sample_graph
from ui.knowledge.graph_camera import LARGEST_ZOOM, SMALLEST_ZOOM, Camera
from ui.knowledge.graph_scene import GraphScene, Viewport, kind_of


def node(name: str, x: float, y: float, importance: float = 0.5) -> GraphNodeView:
    return GraphNodeView(id=name, name=name, label="PERSON", importance=importance, x=x, y=y)


def edge(number: int, source: str, target: str) -> GraphEdgeView:
    return GraphEdgeView(
        id=str(number),
        source_id=source,
        target_id=target,
        predicate="KNOWS",
        text="knows",
        fact_ids=(),
    )


CROSS = Graph(
    center_id="me",
    nodes=(
        node("me", 0.5, 0.5, 0.1),
        node("east", 1.0, 0.5, 0.9),
        node("north", 0.5, 0.0),
        node("west", 0.0, 0.5),
    ),
    edges=(edge(1, "me", "east"), edge(2, "north", "me"), edge(3, "me", "gone")),
)


def test_that_the_centre_is_in_the_middle_whatever_the_layout_says() -> None:
    scene = GraphScene(CROSS)
    view = scene.fitting(800, 600, 40)
    assert view.to_screen(scene.positions)[0].tolist() == [400.0, 300.0]


@pytest.mark.parametrize("count", [1, 2, 12, 150, 2000])
def test_that_a_fitted_graph_lies_inside_the_margins(count: int) -> None:
    scene = GraphScene(sample_graph(count))
    screen = scene.fitting(900, 500, 30).to_screen(scene.positions)
    assert bool(((screen >= 29.9) & (screen <= np.array((870.1, 470.1)))).all())


def test_that_edges_to_nodes_that_are_not_drawn_are_left_out() -> None:
    assert [view.id for view in GraphScene(CROSS).edges] == ["1", "2"]


def test_that_the_nearest_mark_is_hit_and_empty_ground_is_not() -> None:
    scene = GraphScene(CROSS)
    screen = scene.fitting(800, 600, 40).to_screen(scene.positions)
    radii = np.full(4, 10.0)
    x, y = screen[1].tolist()
    assert scene.node_at(screen, radii, x + 12, y) == 1
    assert scene.node_at(screen, radii, x, y + 40) is None
    assert scene.edge_at(screen, (x + 400) / 2, y + 3) == 0
    assert scene.edge_at(screen, (x + 400) / 2, y + 30) is None


def test_that_one_walks_to_the_nearest_node_in_a_direction() -> None:
    scene = GraphScene(CROSS)
    assert scene.node_towards(0, 1, 0) == 1
    assert scene.node_towards(0, 0, -1) == 2
    assert scene.node_towards(0, -1, 0) == 3
    assert scene.node_towards(0, 0, 1) is None


def test_that_the_centre_leads_the_order_and_importance_the_rest() -> None:
    scene = GraphScene(CROSS)
    assert [scene.nodes[row].name for row in scene.by_importance][:2] == ["me", "east"]


def test_that_parallel_edges_bow_apart() -> None:
    graph = Graph(
        center_id="me",
        nodes=CROSS.nodes,
        edges=(edge(1, "me", "east"), edge(2, "me", "east"), edge(3, "east", "me")),
    )
    sides = (1, 1, -1)  # the third one runs the other way, so its left is their right
    bends = [side * bend for side, bend in zip(sides, GraphScene(graph).bends, strict=True)]
    assert sorted(bends) == pytest.approx([-0.16, 0.0, 0.16])


def test_that_neighbours_are_each_named_once() -> None:
    graph = Graph(
        center_id="me",
        nodes=CROSS.nodes,
        edges=(edge(1, "me", "east"), edge(2, "east", "me"), edge(3, "me", "me")),
    )
    assert GraphScene(graph).neighbours_of(0) == [1]


def test_that_a_graph_without_numbers_is_still_drawn() -> None:
    scene = GraphScene(Graph(center_id="x", nodes=(node("a", float("nan"), 0.0),), edges=()))
    assert scene.center is None
    assert scene.positions.tolist() == [[0.0, 0.0]]


def test_that_unknown_labels_share_one_kind() -> None:
    assert kind_of("GPE") == "PLACE"
    assert kind_of("SPACE_SHIP") == "OTHER"


def test_that_zooming_keeps_the_pixel_under_the_pointer() -> None:
    view = Viewport(100.0, 400.0, 300.0)
    before = (np.array([[0.5, 0.25]]) * 100 + np.array((400.0, 300.0)))[0]
    after = view.zoomed(1.7, *before.tolist()).to_screen(np.array([[0.5, 0.25]]))[0]
    assert after.tolist() == pytest.approx(before.tolist())


def test_that_zoom_stays_within_bounds() -> None:
    camera, scene = Camera(), GraphScene(CROSS)
    camera.fit(scene, 800, 600, 40)
    fitted = camera.viewport.scale
    for _ in range(60):
        camera.zoom(1.5, 400, 300)
    assert camera.viewport.scale == pytest.approx(fitted * LARGEST_ZOOM)
    for _ in range(90):
        camera.zoom(0.5, 400, 300)
    assert camera.viewport.scale == pytest.approx(fitted * SMALLEST_ZOOM)


def test_that_a_node_is_brought_into_view_by_the_shortest_way() -> None:
    camera, scene = Camera(), GraphScene(CROSS)
    camera.fit(scene, 800, 600, 40)
    assert not camera.bring_into_view(scene, 1, 800, 600, 20)
    camera.move(600, 0)
    assert camera.bring_into_view(scene, 1, 800, 600, 20)
    assert camera.viewport.to_screen(scene.positions)[1].tolist() == pytest.approx([780.0, 300.0])
