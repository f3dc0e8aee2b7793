"""Places the nodes of a neighbourhood: Fruchterman-Reingold, the same picture every time."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

import igraph

Position = tuple[float, float]

_ITERATIONS = 50
"""Enough for a neighbourhood, and 0.01 s at 500 nodes (reference/desktop §5.2)."""

_GRID_FROM = 400
"""From this many nodes the grid variant is used, which is faster and a little coarser."""

_GENTLE = 0.1
"""How far a node of a known picture may move in the first step, in edge lengths."""

_SEED = 1


def arrange(
    node_ids: Sequence[str],
    edges: Sequence[tuple[str, str]],
    previous: Mapping[str, Position] | None = None,
) -> dict[str, Position]:
    """A place for each node, roughly in -1…1; the first node lies in the middle.

    Nodes with a place in ``previous`` start from it, so that a picture that grows stays
    recognisable. Edges to unknown nodes are ignored. Deterministic.
    """
    if not node_ids:
        return {}
    index = {identifier: place for place, identifier in enumerate(node_ids)}
    pairs = sorted(
        {
            (min(index[a], index[b]), max(index[a], index[b]))
            for a, b in edges
            if a in index and b in index and a != b
        }
    )
    known = previous or {}
    is_new = sum(identifier in known for identifier in node_ids) * 2 < len(node_ids)
    graph = igraph.Graph(n=len(node_ids), edges=pairs)
    # The engine draws small jitters from this generator; a fresh one makes them the same.
    igraph.set_random_number_generator(random.Random(_SEED))
    layout = graph.layout_fruchterman_reingold(
        niter=_ITERATIONS,
        start_temp=math.sqrt(len(node_ids)) / 10 if is_new else _GENTLE,
        grid="grid" if len(node_ids) >= _GRID_FROM else "nogrid",
        seed=_starting_places(node_ids, pairs, known),
    )
    places = [complex(x, y) for x, y in layout]
    turned = _turned_like(places, [known.get(identifier) for identifier in node_ids])
    return dict(zip(node_ids, _fitted(turned), strict=True))


def _starting_places(
    node_ids: Sequence[str], pairs: Sequence[tuple[int, int]], previous: Mapping[str, Position]
) -> list[Position]:
    """Known places; for others one beside a neighbour that has one, else on a circle."""
    noise = random.Random(_SEED)
    scale = _unit(node_ids, pairs, previous)
    beside: dict[int, Position] = {}
    for first, second in pairs:
        for new, old in ((first, second), (second, first)):
            if node_ids[new] not in previous and node_ids[old] in previous:
                beside.setdefault(new, previous[node_ids[old]])
    places: list[Position] = []
    for rank, identifier in enumerate(node_ids):
        angle = 2 * math.pi * rank / len(node_ids)
        circle = (math.cos(angle) * 0.7, math.sin(angle) * 0.7)
        x, y = previous.get(identifier) or beside.get(rank) or circle
        if identifier not in previous:
            x, y = x + noise.uniform(-0.05, 0.05), y + noise.uniform(-0.05, 0.05)
        places.append((x * scale, y * scale))
    return places


def _unit(
    node_ids: Sequence[str], pairs: Sequence[tuple[int, int]], previous: Mapping[str, Position]
) -> float:
    """What the places are multiplied with, so that an edge is about as long as the engine likes."""
    lengths = [
        math.dist(previous[node_ids[a]], previous[node_ids[b]])
        for a, b in pairs
        if node_ids[a] in previous and node_ids[b] in previous
    ]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    return 1 / mean if mean > 0 else math.sqrt(len(node_ids))


def _turned_like(places: Sequence[complex], known: Sequence[Position | None]) -> list[complex]:
    """The places, turned and mirrored to lie best on the known ones.

    The engine lays the longest axis level at its end, so that a picture with one node more may
    come out upside down. (Least squares for a rotation in the plane: the angle of the sum of
    products; the mirror image is taken where its sum is larger.)
    """
    pairs = [(new, complex(*old)) for new, old in zip(places, known, strict=True) if old]
    straight = sum((new.conjugate() * old for new, old in pairs), 0j)
    mirrored = sum((new * old for new, old in pairs), 0j)
    if abs(straight) >= abs(mirrored):
        turn = straight / abs(straight) if straight else 1
        return [place * turn for place in places]
    turn = mirrored / abs(mirrored)
    return [place.conjugate() * turn for place in places]


def _fitted(places: Sequence[complex]) -> list[Position]:
    """Moved so that the first node is the origin, and scaled into the unit square."""
    moved = [place - places[0] for place in places]
    widest = max((max(abs(place.real), abs(place.imag)) for place in moved), default=0.0) or 1.0
    return [(round(place.real / widest, 4), round(place.imag / widest, 4)) for place in moved]
