"""Answers from the person's own words what no fact answers, so that no model has to imagine it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from backend.memory.personal_questions import personal_question
from backend.memory.quoting import MessageQuotes
from backend.memory.results import MemoryAnswer
from backend.memory.sources import quoted, spoken_date
from backend.storage.messages import MessageRecord
from backend.storage.scope import Scope

UNKNOWN = "I don't know that. You have not told me yet."
_MOST_QUOTED = 4


class OwnWordsAnswerer:
    """Quotes what the person wrote, or abstains; leaves everything else to a model (DESIGN §5)."""

    def __init__(self, quotes: MessageQuotes) -> None:
        self._quotes = quotes

    def answer(
        self, scope: Scope, text: str, today: date, before: str | None = None
    ) -> MemoryAnswer | None:
        """The answer to a question about the person; None when ``text`` is none.

        ``today`` is the day of the question in the person's zone, ``before`` the asking message.
        """
        question = personal_question(text, today)
        if question is None:
            return None
        messages = self._quotes.matching(scope, question, before, _MOST_QUOTED)
        if not messages:
            return MemoryAnswer(UNKNOWN, (), (), abstained=True)
        ids = tuple(message.message_id for message in messages)
        return MemoryAnswer(_quotation(messages), (), ids)


def _quotation(messages: Sequence[MessageRecord]) -> str:
    lines = [f"On {spoken_date(each.said_at)} you wrote: {quoted(each.text)}" for each in messages]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
