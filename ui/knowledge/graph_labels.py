"""Where labels of the graph go: clear of each other, of nodes, of edges and of the border."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF

from ui.knowledge.graph_scene import Points


class LabelPlaces:
    """Hands out free rectangles for labels.

    Args:
        screen: pixel coordinates of all nodes.
        ends: rows of the two nodes of each edge.
        area: the rectangle that is painted.
        seen: the part of it that shows in the window; no label is cut by its border.
    """

    def __init__(
        self, screen: Points, ends: npt.NDArray[np.int64], area: QRectF, seen: QRectF
    ) -> None:
        self._area = area
        self._seen = seen
        self._taken: list[QRectF] = []
        self._starts: Points = screen[ends[:, 0]]
        along = screen[ends[:, 1]] - self._starts
        self._along: Points = np.where(np.abs(along) < 1e-9, 1e-9, along)

    def block(self, box: QRectF) -> None:
        """Keep a rectangle (a node) free of labels."""
        self._taken.append(box)

    def take(self, box: QRectF) -> bool:
        """Claim a rectangle for a label; False if something is there or it would be cut."""
        is_cut = box.intersects(self._seen) and not self._seen.contains(box)
        if is_cut or not self._area.contains(box):
            return False
        claim = box.adjusted(-2, 1, 2, -1)
        if any(claim.intersects(other) for other in self._taken):
            return False
        self._taken.append(claim)
        return True

    def take_near(
        self,
        middle: tuple[float, float],
        reach: float,
        size: tuple[float, float],
        *,
        wished: QRectF | None,
        must: bool,
    ) -> QRectF | None:
        """A place for a label of a node.

        Args:
            middle: the node's place.
            reach: how far its mark goes.
            size: width and height of the label.
            wished: where the label was before, tried first.
            must: whether the node is named even where there is no room.
        """
        boxes = sorted(_around(middle, reach, size), key=self._edges_across)
        for box in [wished, *boxes] if wished is not None else boxes:
            if self.take(box):
                return box
        if not must:
            return None
        self.block(boxes[0])
        return boxes[0]

    def _edges_across(self, box: QRectF) -> int:
        """How many edges run through a rectangle (Liang and Barsky's clipping, all at once)."""
        if not len(self._starts):
            return 0
        low = np.array((box.left(), box.top())) - self._starts
        high = np.array((box.right(), box.bottom())) - self._starts
        near, far = low / self._along, high / self._along
        first = np.minimum(near, far).max(axis=1)
        last = np.maximum(near, far).min(axis=1)
        return int(((first <= last) & (last >= 0.0) & (first <= 1.0)).sum())


def _around(middle: tuple[float, float], reach: float, size: tuple[float, float]) -> list[QRectF]:
    """Eight places around a mark: below, above, right, left, and the four corners."""
    (x, y), (width, height) = middle, size
    corners = (
        (x - width / 2, y + reach - 1),
        (x - width / 2, y - reach - height + 1),
        (x + reach + 2, y - height / 2),
        (x - reach - width - 2, y - height / 2),
        (x + reach * 0.7, y + reach * 0.5),
        (x - reach * 0.7 - width, y + reach * 0.5),
        (x + reach * 0.7, y - reach * 0.5 - height),
        (x - reach * 0.7 - width, y - reach * 0.5 - height),
    )
    return [QRectF(left, top, width, height) for left, top in corners]
