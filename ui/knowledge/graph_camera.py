"""Where the graph view looks: fitting, zooming and moving within bounds; no Qt."""

from __future__ import annotations

from ui.knowledge.graph_scene import GraphScene, Viewport

SMALLEST_ZOOM, LARGEST_ZOOM = 0.25, 12.0
"""Zoom relative to the fitted picture."""


class Camera:
    """Holds the viewport, and whether the person has moved away from the fitted one."""

    def __init__(self) -> None:
        self.viewport = Viewport(1.0, 0.0, 0.0)
        self.is_fitted = True
        self._fitted = self.viewport

    def fit(self, scene: GraphScene, width: float, height: float, margin: float) -> None:
        """Show all of ``scene`` in this many pixels, its centre in the middle."""
        self._fitted = scene.fitting(width, height, margin)
        self.viewport = self._fitted
        self.is_fitted = True

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Enlarge around a pixel, within bounds."""
        wanted = self.viewport.scale * factor / self._fitted.scale
        bounded = min(max(wanted, SMALLEST_ZOOM), LARGEST_ZOOM)
        self.viewport = self.viewport.zoomed(factor * bounded / wanted, x, y)
        self.is_fitted = False

    def move(self, right: float, down: float) -> None:
        """Shift the picture by pixels."""
        self.viewport = self.viewport.moved(right, down)
        self.is_fitted = False

    def bring_into_view(
        self, scene: GraphScene, row: int, width: float, height: float, margin: float
    ) -> bool:
        """Shift as little as needed to see a node; False if it was seen already."""
        x, y = self.viewport.to_screen(scene.positions)[row].tolist()
        right = _shift(x, width, margin)
        down = _shift(y, height, margin)
        if right == 0.0 and down == 0.0:
            return False
        self.move(right, down)
        return True


def _shift(place: float, extent: float, margin: float) -> float:
    """How far ``place`` must move to lie within ``margin`` of both ends of ``extent``."""
    if extent <= 2 * margin:
        return extent / 2 - place
    return min(max(place, margin), extent - margin) - place
