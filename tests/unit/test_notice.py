"""What the product is built on is named with its licence."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


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
