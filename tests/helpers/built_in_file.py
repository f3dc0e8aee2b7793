"""Where the real built-in model lies, for tests that talk with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from aico_desktop.paths import HomePaths, builtin_model_path


def built_in_file() -> Path:
    """Return the file that the set-up installed; without it the calling test is skipped, aloud."""
    path = builtin_model_path(HomePaths(Path("/nonexistent")))
    if path is None:
        pytest.skip("the built-in model's file is missing: run the set-up (make setup)")
    return path
