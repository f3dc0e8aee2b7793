"""Gives each test an empty home of its own, so that none touches the person's files."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Point every place where programs keep things of a person into the test's own folder."""
    home = tmp_path / "home"
    home.mkdir()
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    for variable, folder in (
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_CACHE_HOME", ".cache"),
        ("XDG_STATE_HOME", ".local/state"),
    ):
        monkeypatch.setenv(variable, str(home / folder))
    monkeypatch.setenv("AICO_HOME", str(home / "aico"))
    monkeypatch.delenv("AICO_MODELS", raising=False)
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    return home
