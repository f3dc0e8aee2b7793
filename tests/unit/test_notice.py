"""What the product is built on is asked for, pinned, and named with its licence."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
OUR_FOLDERS = ("aico_desktop", "backend", "ui")


def normalised(name: str) -> str:
    """A package's name as indexes compare names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_that_the_notice_names_every_package_that_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for requirement in asked:
        name = re.split(r"[<>=\[]", requirement)[0]
        assert re.search(rf"\b{re.escape(name)}\b", notice), f"{name} is missing in NOTICE"


def test_that_every_package_that_is_asked_for_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = {
        line.split("==")[0].lower()
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line and not line.startswith("#")
    }
    asked = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    names = {re.split(r"[<>=\[]", requirement)[0].lower() for requirement in asked}
    assert names <= pinned


def test_that_every_package_that_is_imported_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {normalised(re.split(r"[<>=\[]", each)[0]) for each in project["dependencies"]}
    # _typeshed exists for type checkers alone and is never imported at run time.
    known = {*sys.stdlib_module_names, *OUR_FOLDERS, "_typeshed"}
    providers = packages_distributions()
    for folder in OUR_FOLDERS:
        for file in (ROOT / folder).rglob("*.py"):
            for name in imported_by(file) - known:
                provided = {normalised(each) for each in providers.get(name, [])}
                assert provided & asked, f"{file.relative_to(ROOT)} imports {name}"


def imported_by(file: Path) -> set[str]:
    """The top-level names that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names
