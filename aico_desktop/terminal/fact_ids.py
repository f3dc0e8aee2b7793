"""Ids of facts for people: short enough for a terminal, and found again by their beginning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from aico_desktop.contract.client import BackendClient, RequestFailed
from aico_desktop.contract.messages import Facts, FactView, Failure, MemoryList

SHORT_LENGTH = 10
"""Hexadecimal digits: among 100,000 facts, two share them in one of 200 homes."""

_BEGINNING = re.compile("[0-9a-f]{6,31}")
"""A whole id has 32 digits (DESIGN §6); fewer than six would be guesswork."""

_MOST_SHOWN = 5


def all_facts(client: BackendClient, about: str | None = None) -> list[FactView]:
    """Page by page; a page without facts ends it, whatever changed meanwhile."""
    facts: list[FactView] = []
    while True:
        page = client.request_as(Facts, MemoryList(about=about, offset=len(facts)))
        facts += page.facts
        if not page.facts or len(facts) >= page.total:
            return facts


def short_ids(ids: Sequence[str]) -> dict[str, str]:
    """A beginning of one length for each id, long enough to tell them all apart."""
    length = SHORT_LENGTH
    while ids and Counter(each[:length] for each in set(ids)).most_common(1)[0][1] > 1:
        length += 1
    return {each: each[:length] for each in ids}


def whole_id(client: BackendClient, given: str) -> str:
    """The id of the one fact that begins so; whatever is no such beginning stays as it is.

    Raises :class:`RequestFailed` (``ambiguous``) when several facts begin so.
    """
    if not _BEGINNING.fullmatch(given):
        return given
    fitting = [fact for fact in all_facts(client) if fact.id.startswith(given)]
    if any(fact.id == given for fact in fitting):
        return given
    if len(fitting) > 1:
        shown = ", ".join(short_ids([fact.id for fact in fitting][:_MOST_SHOWN]).values())
        more = ", …" if len(fitting) > _MOST_SHOWN else ""
        words = f"{len(fitting)} facts have an id that begins with {given}: {shown}{more}."
        raise RequestFailed(Failure(code="ambiguous", human=f"{words} Give more of the id."))
    return fitting[0].id if fitting else given
