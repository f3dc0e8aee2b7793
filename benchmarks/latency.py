"""`python -m benchmarks.latency`: from the key press to the answer, the memory, and the screen."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from benchmarks.figures import print_figures

MESSAGES = 60


def main() -> None:
    """Measure both halves in a folder of their own and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    wishes = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from benchmarks import conversation_latency, window_stall

    with tempfile.TemporaryDirectory(prefix="aico-benchmark-") as name:
        folder = Path(name)
        figures, floor = conversation_latency.measure(folder, wishes.messages)
        print_figures("One message, through a model that answers at once", figures, floor)
        stalls, quiet, counts = window_stall.measure(folder)
        print_figures(f"The window under 2,000 events a second ({counts})", stalls, quiet)


if __name__ == "__main__":
    main()
