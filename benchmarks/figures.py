"""Percentiles, and the table that every benchmark prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured quantity: values in milliseconds, and the budget for its p95 if it has one."""

    name: str
    values_ms: Sequence[float]
    budget_ms: float | None = None

    def percentile(self, share: float) -> float:
        """The smallest value that at least ``share`` (0 to 1) of the values do not exceed."""
        ordered = sorted(self.values_ms)
        return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered) + 0.5) - 1))]


def print_figures(title: str, figures: Sequence[Figure], floor: Figure) -> None:
    """Print p50 and p95 of each figure, and its p50 as a multiple of the floor of the same run.

    Machines differ and are busy with other things; the multiple is what can be compared.
    """
    print(f"\n{title}")
    print(f"{'':44}{'n':>5}{'p50 ms':>10}{'p95 ms':>10}{'p50/floor':>11}{'budget p95':>12}")
    base = floor.percentile(0.5)
    for figure in (floor, *figures):
        if not figure.values_ms:
            print(f"{figure.name:44}{0:>5}")
            continue
        middle, high = figure.percentile(0.5), figure.percentile(0.95)
        budget = f"{figure.budget_ms:.0f}" if figure.budget_ms is not None else ""
        print(
            f"{figure.name:44}{len(figure.values_ms):>5}{middle:>10.1f}{high:>10.1f}"
            f"{middle / base if base else 0:>11.2f}{budget:>12}"
        )
