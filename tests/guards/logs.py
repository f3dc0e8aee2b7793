"""Fails a test that logs a warning or worse without having asked for `caplog`."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


class UnexpectedRecords(logging.Handler):
    """Collects the records of WARNING and above that no test asked for."""

    def __init__(self) -> None:
        super().__init__(level=logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the record for the end of the test; raising here would be swallowed by threads."""
        self.records.append(record)


@pytest.fixture(autouse=True)
def no_unexpected_logs(request: pytest.FixtureRequest) -> Iterator[None]:
    """Treat a warning in the log as a failure; a test that expects one takes `caplog`."""
    if "caplog" in request.fixturenames:
        yield
        return
    handler = UnexpectedRecords()
    root = logging.getLogger()
    root.addHandler(handler)
    yield
    root.removeHandler(handler)
    if handler.records:
        lines = [f"{r.name} {r.levelname}: {r.getMessage()}" for r in handler.records]
        pytest.fail("unexpected in the log:\n" + "\n".join(lines), pytrace=False)
