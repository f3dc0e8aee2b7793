"""What the graph view draws, as numpy arrays: positions, links, importance, hit tests; no Qt."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from aico_desktop.contract.messages import Graph, GraphEdgeView, GraphNodeView

Points = npt.NDArray[np.float64]

_KINDS: Final = {
    "PERSON": "PERSON",
    "GROUP": "PERSON",
    "PET": "PET",
    "ANIMAL": "PET",
    "PLACE": "PLACE",
    "LOCATION": "PLACE",
    "GPE": "PLACE",
    "ORGANIZATION": "ORGANIZATION",
    "ORG": "ORGANIZATION",
    "EVENT": "EVENT",
    "PROJECT": "PROJECT",
    "TASK": "PROJECT",
    "GOAL": "GOAL",
    "PRIORITY": "GOAL",
    "ACTIVITY": "INTEREST",
    "INTEREST": "INTEREST",
    "FIELD": "INTEREST",
    "INSTRUMENT": "INTEREST",
    "LANGUAGE": "INTEREST",
    "CREATIVE_WORK": "INTEREST",
}
KIND_WORDS: Final = {
    "PERSON": "People",
    "PET": "Pets",
    "PLACE": "Places",
    "ORGANIZATION": "Organisations",
    "EVENT": "Events",
    "PROJECT": "Projects and tasks",
    "GOAL": "Goals",
    "INTEREST": "Interests and activities",
    "OTHER": "Other things",
}
"""Families of entity labels that share a colour and a shape, in the order of the legend."""


def kind_of(label: str) -> str:
    """The family of an entity label; unknown ones are OTHER."""
    return _KINDS.get(label.upper(), "OTHER")


@dataclass(frozen=True, slots=True)
class Viewport:
    """How positions become pixels: ``screen = position * scale + (left, top)``."""

    scale: float
    left: float
    top: float

    def to_screen(self, positions: Points) -> Points:
        """Pixel coordinates of layout positions."""
        screen: Points = positions * self.scale + np.array((self.left, self.top))
        return screen

    def zoomed(self, factor: float, x: float, y: float) -> Viewport:
        """Larger by ``factor`` with the pixel (x, y) staying where it is."""
        return Viewport(
            self.scale * factor, x + (self.left - x) * factor, y + (self.top - y) * factor
        )

    def moved(self, right: float, down: float) -> Viewport:
        """Shifted by pixels."""
        return Viewport(self.scale, self.left + right, self.top + down)


class GraphScene:
    """One neighbourhood, centred on its centre node.

    Args:
        graph: nodes with the positions of the backend's layout, and edges between them.
    """

    def __init__(self, graph: Graph) -> None:
        self.center_id: str = graph.center_id
        self.hidden: int = graph.hidden
        self.nodes: tuple[GraphNodeView, ...] = graph.nodes
        self._row_of: dict[str, int] = {node.id: row for row, node in enumerate(graph.nodes)}
        self.edges: tuple[GraphEdgeView, ...] = tuple(
            edge
            for edge in graph.edges
            if edge.source_id in self._row_of and edge.target_id in self._row_of
        )
        count = len(self.nodes)
        raw = [(node.x, node.y) for node in self.nodes]
        self.positions: Points = np.nan_to_num(np.array(raw, dtype=np.float64).reshape(count, 2))
        center = self._row_of.get(graph.center_id)
        if center is not None:
            self.positions = self.positions - self.positions[center]
        self.center: int | None = center
        self.importance: Points = np.array([node.importance for node in self.nodes])
        self.kinds: tuple[str, ...] = tuple(kind_of(node.label) for node in self.nodes)
        self.ends: npt.NDArray[np.int64] = np.array(
            [(self._row_of[edge.source_id], self._row_of[edge.target_id]) for edge in self.edges],
            dtype=np.int64,
        ).reshape(len(self.edges), 2)
        self.bends: Points = self._bends()
        self.by_importance: tuple[int, ...] = self._order()
        self._edges_of: dict[int, list[int]] = defaultdict(list)
        for number, (source, target) in enumerate(self.ends.tolist()):
            self._edges_of[source].append(number)
            if target != source:
                self._edges_of[target].append(number)

    def row_of(self, node_id: str) -> int | None:
        """The row of a node id in the arrays."""
        return self._row_of.get(node_id)

    def edges_of(self, row: int) -> list[int]:
        """The numbers of the edges at a node."""
        return self._edges_of.get(row, [])

    def other_end(self, edge: int, row: int) -> int:
        """The node at the far side of an edge."""
        source, target = (int(end) for end in self.ends[edge])
        return target if source == row else source

    def neighbours_of(self, row: int) -> list[int]:
        """The nodes one edge away, each once, most important first."""
        found = {self.other_end(edge, row) for edge in self.edges_of(row)} - {row}
        return sorted(found, key=lambda other: -float(self.importance[other]))

    def kinds_present(self) -> tuple[str, ...]:
        """The families that the legend must explain, in its order."""
        present = set(self.kinds)
        return tuple(kind for kind in KIND_WORDS if kind in present)

    def fitting(self, width: float, height: float, margin: float) -> Viewport:
        """The viewport that shows everything with the centre node in the middle."""
        reach = np.abs(self.positions).max(axis=0) if len(self.nodes) else np.zeros(2)
        room = (max(width - 2 * margin, 40.0) / 2, max(height - 2 * margin, 40.0) / 2)
        scales = [
            space / extent for space, extent in zip(room, reach.tolist(), strict=True) if extent > 0
        ]
        scale = min(scales, default=1.0)
        return Viewport(scale, width / 2, height / 2)

    # ------------------------------------------------------------ what is under the pointer

    def node_at(self, screen: Points, radii: Points, x: float, y: float) -> int | None:
        """The node whose mark, with a little grace, covers a pixel."""
        if not len(screen):
            return None
        distance = np.hypot(screen[:, 0] - x, screen[:, 1] - y) - radii
        row = int(distance.argmin())
        return row if float(distance[row]) <= 5.0 else None

    def edge_at(self, screen: Points, x: float, y: float) -> int | None:
        """The edge that runs within four pixels of a pixel."""
        if not len(self.ends):
            return None
        start, end = screen[self.ends[:, 0]], screen[self.ends[:, 1]]
        along = end - start
        length = np.maximum((along**2).sum(axis=1), 1e-9)
        share = ((np.array((x, y)) - start) * along).sum(axis=1) / length
        nearest = start + along * np.clip(share, 0.0, 1.0)[:, None]
        distance = np.hypot(nearest[:, 0] - x, nearest[:, 1] - y)
        distance[self.bends != 0] = np.inf
        row = int(distance.argmin())
        return row if float(distance[row]) <= 4.0 else None

    def node_towards(self, row: int, right: int, down: int) -> int | None:
        """The nearest node in a direction (-1, 0, 1 each), for walking with the keyboard."""
        offset = self.positions - self.positions[row]
        ahead = offset @ np.array((right, down), dtype=np.float64)
        aside = np.abs(offset @ np.array((down, right), dtype=np.float64))
        cost = np.where((ahead > 1e-9) & (ahead >= aside * 0.5), ahead + 2 * aside, np.inf)
        if not len(cost) or not bool(np.isfinite(cost).any()):
            return None
        return int(cost.argmin())

    # ------------------------------------------------------------ preparation

    def _order(self) -> tuple[int, ...]:
        """Rows from most to least important; the centre comes first."""
        rows: list[int] = np.argsort(-self.importance, kind="stable").tolist()
        if self.center is not None:
            rows.remove(self.center)
            rows.insert(0, self.center)
        return tuple(rows)

    def _bends(self) -> Points:
        """How far each edge bows aside (in layout shares), so that parallel ones stay apart."""
        seen: dict[tuple[int, int], int] = defaultdict(int)
        bends = np.zeros(len(self.edges))
        for number, (source, target) in enumerate(self.ends.tolist()):
            pair = (min(source, target), max(source, target))
            place = seen[pair]
            seen[pair] += 1
            side = 1 if source <= target else -1
            bends[number] = side * 0.16 * ((place + 1) // 2) * (1 if place % 2 else -1)
        return bends
