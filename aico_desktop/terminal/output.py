"""How the terminal commands print: JSON for programs, tables and plain words for people."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def use_utf8_everywhere() -> None:
    """Let what people write reach pipes and consoles whose own encoding could not hold it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def harmless(text: str) -> str:
    """Text without the control characters by which it could steer or disguise the terminal."""
    return _CONTROL_CHARACTERS.sub("\ufffd", text.replace("\r\n", "\n"))


def print_json(value: Any) -> None:
    """Print one JSON value; ``value`` may hold contract records."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.write(text.decode("utf-8") + "\n")
    sys.stdout.flush()


def say(text: str) -> None:
    """Print words for the person on standard output, exactly as they are."""
    _console(stderr=False).print(Text(harmless(text)), soft_wrap=True)


def complain(text: str) -> None:
    """Print words for the person on standard error, so that they never mix with data."""
    _console(stderr=True).print(Text(harmless(text)), soft_wrap=True)


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], whole: int = 1) -> None:
    """Print a table; cells are the person's own words and are never read as markup.

    Params: ``whole`` so many of the first columns are never broken, whatever the width: ids would
    be useless in pieces.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, heading in enumerate(headings):
        table.add_column(heading, overflow="fold", no_wrap=number < whole)
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))
    _console(stderr=False).print(table)


def _console(*, stderr: bool) -> Console:
    """A console for the streams as they are now; it honours ``NO_COLOR`` by itself."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)
