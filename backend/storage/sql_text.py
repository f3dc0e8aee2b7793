"""A look at the text of one SQL statement: its places for parameters, and whether it is one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from backend.storage.errors import StatementRefused

_TOKENS = re.compile(
    r"""
    (?P<skip> '(?:[^']|'')*' | "(?:[^"]|"")*" | `(?:[^`]|``)*` | \[[^\]]*\]
            | --[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<named> \?\d+ | (?<![\w$]) [:@$#] [A-Za-z_]\w* )
    | (?P<place> \? )
    | (?P<end> ; )
    | (?P<word> [A-Za-z_][\w$]* )
    | (?P<other> [^\s] )
    """,
    re.VERBOSE | re.DOTALL,
)
_TRANSACTION_WORDS = frozenset({"BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"})
_READING_WORDS = frozenset({"SELECT", "EXPLAIN", "PRAGMA", "VALUES"})


@dataclass(frozen=True, slots=True)
class StatementShape:
    """What the wrapper must know of a statement; ``places`` are offsets of each ``?``."""

    places: tuple[int, ...]
    first_word: str
    copies_file: bool

    @property
    def reads_only(self) -> bool:
        """True if the statement surely changes no row (WITH may, so it counts as a write)."""
        return self.first_word in _READING_WORDS


@lru_cache(maxsize=1024)
def shape_of(sql: str) -> StatementShape:
    """Scan a statement once; refuse what the driver would silently do half.

    Raises StatementRefused for text after the first statement (the driver ignores it), for named
    and numbered parameters (the driver binds by position only), for transaction control (which
    belongs to ``Database.transaction``) and for an empty text. reference/storage §1.2, 5 and 7.
    """
    places: list[int] = []
    words: list[str] = []
    ended = False
    for token in _TOKENS.finditer(sql):
        kind = token.lastgroup
        if kind == "skip" and token.group().startswith(("--", "/*")):
            continue
        if kind == "end":
            ended = True
            continue
        if ended:
            raise StatementRefused("one statement per call: text follows the ';'")
        if kind == "named":
            raise StatementRefused("only plain '?' parameters are allowed")
        if kind == "place":
            places.append(token.start())
        if kind == "word":
            words.append(token.group().upper())
    if not words:
        raise StatementRefused("the statement is empty")
    if words[0] in _TRANSACTION_WORDS:
        raise StatementRefused("transactions are opened with Database.transaction()")
    copies_file = words[0] == "ATTACH" or (words[0] == "VACUUM" and "INTO" in words)
    return StatementShape(tuple(places), words[0], copies_file)


def cast_places(sql: str, places: tuple[int, ...], wide: frozenset[int]) -> str:
    """Wrap the parameter places with the given indexes in ``CAST(? AS INTEGER)``."""
    parts: list[str] = []
    last = 0
    for index, offset in enumerate(places):
        if index in wide:
            parts.append(sql[last:offset])
            parts.append("CAST(? AS INTEGER)")
            last = offset + 1
    parts.append(sql[last:])
    return "".join(parts)
