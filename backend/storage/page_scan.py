"""Looks for bytes in the pages of the database, freed ones and gaps between rows included."""

from __future__ import annotations

from collections.abc import Sequence

from backend.storage.database import Database

PAGES_AT_ONCE = 2000
"""8 MB: a few milliseconds for which nothing else in the process runs."""

SHORTEST_BYTES = 4
"""Shorter texts stand in many places by chance."""

_TEXTS_AT_ONCE = 20

# Wherever a text may rightly stand in a row; the other columns hold ids, numbers and states.
_TEXT_COLUMNS = (
    ("messages", "text"), ("messages", "caption"), ("attachments", "text"),
    ("attachments", "name"), ("conversations", "title"), ("conversations", "external_name"),
    ("propositions", "text"), ("propositions", "literal_text"), ("propositions", "literal"),
    ("propositions", "qualifiers_json"), ("proposition_history", "old_json"),
    ("proposition_history", "new_json"), ("statements", "body_json"), ("entities", "name"),
    ("entities", "normalised"), ("entity_aliases", "alias"), ("entity_aliases", "normalised"),
    ("kg_nodes", "properties"), ("kg_nodes", "source_text"), ("kg_nodes", "aliases_json"),
    ("kg_edges", "properties"), ("kg_edges", "source_text"), ("kg_node_properties", "value"),
    ("kg_edge_properties", "value"), ("kg_node_history", "properties"),
    ("kg_edge_history", "properties"), ("batches", "items_json"),
    ("person_decisions", "body_json"), ("users", "display_name"), ("imports", "source"),
)  # fmt: skip


def leftover_texts(database: Database, texts: Sequence[str]) -> list[str]:
    """Those of the texts that lie in a page although no row holds them any more."""
    wanted = [text for text in dict.fromkeys(texts) if len(text.encode()) >= SHORTEST_BYTES]
    found: list[str] = []
    for start in range(0, len(wanted), _TEXTS_AT_ONCE):
        part = wanted[start : start + _TEXTS_AT_ONCE]
        if _any_in_pages(database, part):
            found += [text for text in part if _any_in_pages(database, [text])]
    return [text for text in found if not _is_in_a_row(database, text)]


def _any_in_pages(database: Database, texts: Sequence[str]) -> bool:
    needles = [form.encode() for text in texts for form in {text, text.casefold()}]
    condition = " OR ".join("instr(page.data, ?)" for _ in needles)
    last = int(database.execute("PRAGMA page_count")[0][0])
    for first in range(1, last + 1, PAGES_AT_ONCE):
        rows = database.execute(
            "WITH RECURSIVE numbers(n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers"
            " WHERE n < ?) SELECT 1 FROM numbers CROSS JOIN sqlite_dbpage page"
            f" ON page.pgno = numbers.n WHERE {condition} LIMIT 1",
            (first, min(first + PAGES_AT_ONCE - 1, last), *needles),
        )
        if rows:
            return True
    return False


def _is_in_a_row(database: Database, text: str) -> bool:
    return any(
        database.execute(
            f"SELECT 1 FROM {table} WHERE instr({column}, ?) OR instr({column}, ?) LIMIT 1",
            (text, text.casefold()),
        )
        for table, column in _TEXT_COLUMNS
    )
