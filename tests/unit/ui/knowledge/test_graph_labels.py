"""Labels of the graph keep clear of each other, of nodes, of edges and of the border."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from PySide6.QtCore import QRectF

from tests.ui.samples import sample_graph
from ui.knowledge.graph_labels import LabelPlaces
from ui.knowledge.graph_scene import GraphScene

AREA = QRectF(0, 0, 800, 600)
SIZE = (60.0, 14.0)


def test_that_no_two_labels_overlap_and_none_is_cut() -> None:
    scene = GraphScene(sample_graph(150))
    screen = scene.fitting(800, 600, 10).to_screen(scene.positions)
    places = LabelPlaces(screen, scene.ends, AREA, AREA)
    nodes = [QRectF(x - 4, y - 4, 8, 8) for x, y in screen.tolist()]
    for node in nodes:
        places.block(node)
    found = [
        places.take_near((x, y), 6.0, SIZE, wished=None, must=False) for x, y in screen.tolist()
    ]
    boxes = [box.adjusted(-2, 1, 2, -1) for box in found if box is not None]
    assert 20 < len(boxes) < 150
    assert not any(one.intersects(other) for one, other in combinations(boxes, 2))
    assert not any(box.intersects(node) for box in boxes for node in nodes)
    assert all(AREA.contains(box) for box in found if box is not None)


def test_that_a_label_goes_where_no_edge_runs() -> None:
    screen = np.array([[400.0, 300.0], [400.0, 500.0], [600.0, 300.0]])
    ends = np.array([[0, 1], [0, 2]])  # edges leave downwards and to the right
    places = LabelPlaces(screen, ends, AREA, AREA)
    box = places.take_near((400.0, 300.0), 8.0, SIZE, wished=None, must=False)
    assert box is not None
    assert box.bottom() <= 300 or box.right() <= 400


def test_that_a_label_stays_where_it_was_if_that_is_free() -> None:
    places = LabelPlaces(np.zeros((0, 2)), np.zeros((0, 2), dtype=np.int64), AREA, AREA)
    wished = QRectF(20, 20, 60, 14)
    assert places.take_near((400.0, 300.0), 8.0, SIZE, wished=wished, must=False) == wished
    assert places.take_near((400.0, 300.0), 8.0, SIZE, wished=wished, must=False) != wished


def test_that_one_that_must_be_named_is_named_in_any_crowd() -> None:
    places = LabelPlaces(np.zeros((0, 2)), np.zeros((0, 2), dtype=np.int64), AREA, AREA)
    places.block(AREA)
    assert places.take_near((400.0, 300.0), 8.0, SIZE, wished=None, must=False) is None
    assert places.take_near((400.0, 300.0), 8.0, SIZE, wished=None, must=True) is not None
