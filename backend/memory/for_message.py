"""What the memory contributes to one turn: an answer of its own, or facts for the prompt."""

from __future__ import annotations

from collections.abc import Callable

from backend.memory.answering import MemoryAnswerer
from backend.memory.own_words import OwnWordsAnswerer
from backend.memory.recall import FactRecall
from backend.memory.results import Recalled
from backend.storage.scope import Scope
from backend.understanding.statements import DialogueContext

_MOST_FACTS = 10
"""DICE's default for memories given eagerly to a reply."""

ContextOf = Callable[[Scope, str, str], DialogueContext]
"""Builds the dialogue context of a message from scope, conversation id and message id."""


class MessageRecall:
    """Fulfils the conversation's ``Recall``; a question that memory settles is left to no model."""

    def __init__(
        self,
        answerer: MemoryAnswerer,
        own_words: OwnWordsAnswerer,
        recall: FactRecall,
        context_of: ContextOf,
    ) -> None:
        self._answerer = answerer
        self._own_words = own_words
        self._recall = recall
        self._context_of = context_of

    def for_message(
        self, scope: Scope, conversation_id: str, message_id: str, text: str
    ) -> Recalled:
        """What is known that matters for ``text``; within the 100 ms of DESIGN §3."""
        context = self._context_of(scope, conversation_id, message_id)
        answer = self._answerer.answer(scope, text, context, before=message_id)
        if answer is None or answer.abstained:
            own = self._own_words.answer(scope, text, context.said_at.date(), message_id)
            if own is not None and (answer is None or not own.abstained):
                answer = own
        if answer is not None:
            return Recalled(
                fact_ids=answer.fact_ids,
                source_message_ids=answer.source_message_ids,
                direct_answer=answer.text,
            )
        facts = self._recall.recall(scope, text, _MOST_FACTS)
        return Recalled(
            facts_text=tuple(fact.text for fact in facts),
            fact_ids=tuple(fact.fact_id for fact in facts),
            source_message_ids=tuple(
                dict.fromkeys(source for fact in facts for source in fact.source_message_ids)
            ),
        )
