"""Splits Markdown into prose and fenced code, and finds where a growing answer may be frozen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<ticks>`{3,}|~{3,})(?P<info>[^`]*)$")


@dataclass(frozen=True)
class Block:
    """A run of prose, or one fenced block without its fences; ``closed``: nothing follows."""

    kind: Literal["prose", "code"]
    text: str
    language: str = ""
    closed: bool = True


def split_blocks(text: str) -> list[Block]:
    """Prose and code of ``text`` in order; an unclosed fence is code up to the end.

    Code gets its own frame with a Copy button (reference/desktop §4.4), so it may not stay inside
    the Markdown that Qt lays out.
    """
    blocks: list[Block] = []
    prose: list[str] = []
    code: list[str] = []
    fence = ""
    indent = ""
    language = ""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        match = _FENCE.match(line)
        if fence:
            if match and _closes(match, fence):
                blocks.append(Block("code", "\n".join(code), language))
                fence, code = "", []
            else:
                code.append(line.removeprefix(indent))
        elif match:
            _flush_prose(prose, blocks)
            fence = match["ticks"]
            indent = match["indent"]
            # While the answer grows its last line may hold half a name: "pytho".
            whole = number + 1 < len(lines)
            language = match["info"].strip().split(" ")[0].lower() if whole else ""
        else:
            prose.append(line)
    if fence:
        blocks.append(Block("code", "\n".join(code), language, closed=False))
    else:
        _flush_prose(prose, blocks, closed=False)
    return blocks


def _closes(match: re.Match[str], fence: str) -> bool:
    ticks = match["ticks"]
    return ticks[0] == fence[0] and len(ticks) >= len(fence) and not match["info"].strip()


def _flush_prose(prose: list[str], blocks: list[Block], *, closed: bool = True) -> None:
    text = "\n".join(prose).strip("\n")
    prose.clear()
    if text.strip():
        blocks.append(Block("prose", text, closed=closed))


LONGEST_TAIL = 1_200
"""Characters of prose after which the next safe place starts a new piece: fewer pieces keep text
selectable in one go, and a tail of this length is laid out in a few milliseconds."""


def pieces_of(text: str) -> list[Block]:
    """The blocks of ``text`` with long prose cut where later text cannot change what went before.

    While an answer grows only its last piece changes, so that the cost of a token does not depend
    on the length of the answer (reference/desktop §4.3).
    """
    pieces: list[Block] = []
    for block in split_blocks(text):
        if block.kind == "code":
            pieces.append(block)
            continue
        rest = block.text
        while (end := _first_safe_end(rest)) > 0:
            pieces.append(Block("prose", rest[:end].strip("\n")))
            rest = rest[end:]
        pieces.append(Block("prose", rest.strip("\n"), closed=block.closed))
    return pieces


def _first_safe_end(prose: str) -> int:
    """Characters up to the first safe cut beyond the longest tail; 0 if there is none.

    A cut is safe after a blank line and before an unindented line that continues no list, table
    or quotation.
    """
    if len(prose) < LONGEST_TAIL:
        return 0
    start = 0
    previous_blank = False
    for line in prose.split("\n")[:-1]:
        if previous_blank and start >= LONGEST_TAIL and _starts_afresh(line):
            return start
        previous_blank = not line.strip()
        start += len(line) + 1
    return 0


def _starts_afresh(line: str) -> bool:
    return bool(line.strip()) and not re.match(r"\s|[-*+>|]|\d+[.)]", line)


LONGEST_LINE = 5_000
"""Characters that Qt lays out in one line without a stall (reference/desktop §4.2)."""

LONGEST_SHOWN = 40_000
"""Characters of one message that are shown at once; the rest is one click away."""

_PIECE = 2_000


def shown_part(text: str, limit: int = LONGEST_SHOWN) -> tuple[str, int]:
    """Text that can be laid out at once, and how many characters were left out.

    Unbroken giant lines are broken for display only; copying still gives the true text.
    """
    part = text[:limit]
    if any(len(line) > LONGEST_LINE for line in part.split("\n")):
        part = "\n".join(_broken(line) for line in part.split("\n"))
    return part, max(0, len(text) - limit)


def _broken(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    return "\n".join(line[start : start + _PIECE] for start in range(0, len(line), _PIECE))
