"""Guards around every test: its own home, no network, no unexpected log, thread or window left."""

from __future__ import annotations

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.setdefault("QT_QUICK_BACKEND", "software")

import pytest

pytest_plugins = [
    "pytester",
    "tests.guards.homes",
    "tests.guards.leaks",
    "tests.guards.logs",
    "tests.guards.network",
]

END_TO_END_TIMEOUT_SECONDS = 240
"""Real processes load real models, on two busy cores if need be."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make faults` ask for many more kills than the everyday run."""
    parser.addoption(
        "--fault-rounds",
        type=int,
        default=20,
        help="how many seeded kills each fault test makes",
    )


@pytest.fixture
def fault_rounds(request: pytest.FixtureRequest) -> int:
    """How many seeded kills a fault test makes in this run."""
    return int(request.config.getoption("--fault-rounds"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by the folder they lie in, and give real processes more time."""
    for item in items:
        folders = item.path.parts
        for kind in ("e2e", "faults"):
            if kind in folders:
                item.add_marker(kind)
                if item.get_closest_marker("timeout") is None:
                    item.add_marker(pytest.mark.timeout(END_TO_END_TIMEOUT_SECONDS))
