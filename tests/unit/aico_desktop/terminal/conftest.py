"""Runs `aico` in this process against a scripted backend of the real contract."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from aico_desktop.cli import app
from aico_desktop.contract.messages import EvidenceView, FactView
from aico_desktop.paths import HomePaths
from tests.helpers.scripted_backend import Script, ScriptedBackend

Serve = Callable[[Script], ScriptedBackend]


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output read as JSON."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HomePaths:
    """The home that `aico` finds by itself."""
    root = tmp_path / "aico"
    monkeypatch.setenv("AICO_HOME", str(root))
    return HomePaths(root)


@pytest.fixture
def serve(home: HomePaths) -> Iterator[Serve]:
    """Start a scripted backend for the home; it ends with the test."""
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(ScriptedBackend(home, script))


@pytest.fixture
def run() -> Run:
    """Run `aico` with arguments, without a terminal."""

    def run_aico(*arguments: str | Path, typed: str = "") -> Ran:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=typed)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    return run_aico


@pytest.fixture
def fact() -> FactView:
    """A fact about an invented sister, told in one message."""
    return FactView(
        id="fact-1",
        subject="me",
        predicate="HAS_SISTER",
        object="Oda",
        text="Oda is your sister",
        polarity="affirmed",
        modality="asserted",
        status="ACTIVE",
        confidence=0.95,
        valid_from="2025-03-01T00:00:00+00:00",
        valid_until=None,
        valid_precision="month",
        recorded_at="2025-04-01T10:00:00+00:00",
        subject_id="me",
        topic="family",
        evidence=(
            EvidenceView(
                conversation="tea",
                message_id="m1",
                start=0,
                end=16,
                quote="My sister is Oda",
                said_at="2025-04-01T09:59:00+00:00",
                speaker="me",
                method="rule",
            ),
        ),
    )
