"""The messages behind facts: which they are, and the words of one of them for display."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from backend.storage.messages import MessageRecord, MessageRepository
from backend.storage.scope import Scope
from backend.storage.statement_rows import StatementRows

_LONGEST_QUOTE = 160
"""Code points of a quote shown inside an answer; the whole stands in the fact's evidence."""


@dataclass(frozen=True, slots=True)
class Source:
    """One piece of evidence: the message, and the words in it."""

    message: MessageRecord
    quote: str


class FactSources:
    """Finds the evidence of facts within a scope."""

    def __init__(self, statements: StatementRows, messages: MessageRepository) -> None:
        self._statements = statements
        self._messages = messages

    def of(self, scope: Scope, fact_ids: Sequence[str]) -> dict[str, tuple[Source, ...]]:
        """The sources of each fact, oldest first."""
        evidence = self._statements.evidence_of(scope, fact_ids)
        wanted = {record.message_id for records in evidence.values() for record in records}
        messages = self._messages.get_many(scope, sorted(wanted))
        return {
            fact_id: tuple(
                Source(message, message.text[record.span_start : record.span_end])
                for record in records
                if (message := messages.get(record.message_id)) is not None
            )
            for fact_id, records in evidence.items()
        }


def spoken_date(said_at: str) -> str:
    """The date of an ISO 8601 moment as people say it: "3 May 2026"."""
    moment = datetime.fromisoformat(said_at)
    return f"{moment.day} {moment.strftime('%B %Y')}"


def quoted(text: str) -> str:
    """The words in quotation marks, on one line, shortened where they run long."""
    line = " ".join(text.split())
    if len(line) > _LONGEST_QUOTE:
        line = line[: _LONGEST_QUOTE - 1].rstrip() + "…"
    return f"“{line}”"
