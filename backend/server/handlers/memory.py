"""Requests about what is known: facts, their words, corrections, forgetting, questions."""

from __future__ import annotations

from collections.abc import Sequence

from aico_desktop.contract.messages import (
    Answer,
    Ask,
    Batch,
    Batches,
    EntityCandidate,
    EntityCandidates,
    FactDetail,
    Facts,
    FactsChanged,
    Forgotten,
    MemoryBatches,
    MemoryEdit,
    MemoryForget,
    MemoryList,
    MemoryUndo,
    MemoryWhy,
    Message,
    ResolveEntity,
)
from backend.conversation.ports import EventSink
from backend.identity.owner import owner_id
from backend.memory.answering import MemoryAnswerer
from backend.memory.forgetting import MemoryForgetting
from backend.propositions.service import PropositionService
from backend.server.requests import Handler, Refused, RequestContext
from backend.storage.messages import MessageRepository
from backend.storage.scope import Scope
from backend.storage.text_boundary import repair_text

_MOST_FACTS = 10_000
_UNKNOWN_QUESTION = "I don't know that. Nothing that you told me answers it."


class MemoryHandlers:
    """Reads and changes facts through the PropositionService, and tells every client of it."""

    def __init__(
        self,
        scope: Scope,
        propositions: PropositionService,
        answerer: MemoryAnswerer,
        messages: MessageRepository,
        forgetting: MemoryForgetting,
        sink: EventSink,
    ) -> None:
        self._scope = scope
        self._propositions = propositions
        self._answerer = answerer
        self._messages = messages
        self._forgetting = forgetting
        self._sink = sink

    def handlers(self) -> dict[type[Message], Handler]:
        """The requests that this class answers."""
        return {
            MemoryList: self._list,
            MemoryWhy: self._why,
            MemoryForget: self._forget,
            MemoryEdit: self._edit,
            MemoryUndo: self._undo,
            MemoryBatches: self._batches,
            ResolveEntity: self._resolve,
            Ask: self._ask,
        }

    def _list(self, request: MemoryList, context: RequestContext) -> Facts:
        del context
        page = self._propositions.page(
            self._scope,
            _clean(request.about),
            _clean(request.query),
            max(0, request.offset),
            max(1, min(request.limit, _MOST_FACTS)),
        )
        return Facts(facts=page.facts, total=page.total)

    def _why(self, request: MemoryWhy, context: RequestContext) -> FactDetail:
        del context
        return self._propositions.why(self._scope, request.fact_id)

    def _forget(self, request: MemoryForget, context: RequestContext) -> Forgotten:
        del context
        target = _clean(request.target) or ""
        fact_id = entity_id = None
        if self._propositions.get(self._scope, (target,)):
            fact_id = target
        else:
            entity_id = self._one_entity(target).entity_id
        if entity_id == owner_id(self._scope):
            raise Refused(
                "invalid",
                "Forgetting everything about yourself at once is not possible here."
                " Forget single facts instead.",
            )
        if request.preview:
            forgetting = self._forgetting.preview(self._scope, fact_id, entity_id)
            return Forgotten(
                facts=forgetting.facts, blanked_spans=len(forgetting.spans), preview=True
            )
        result = self._forgetting.forget(self._scope, fact_id, entity_id)
        forgetting = result.forgetting
        self._sink.emit(FactsChanged(fact_ids=tuple(fact.id for fact in forgetting.facts)))
        return Forgotten(
            facts=forgetting.facts,
            blanked_spans=len(forgetting.spans),
            preview=False,
            vectors_pending=result.vectors_pending,
        )

    def _one_entity(self, name: str) -> EntityCandidate:
        candidates = self._propositions.resolve_name(self._scope, name)
        if not candidates:
            raise Refused("not_found", f"I know nothing by the id or name “{name}”.")
        if len(candidates) > 1:
            raise Refused(
                "ambiguous",
                f"“{name}” may mean several people or things. Say which one by its id.",
                candidates=candidates,
            )
        return candidates[0]

    def _edit(self, request: MemoryEdit, context: RequestContext) -> FactDetail:
        del context
        detail = self._propositions.edit(
            self._scope,
            request.fact_id,
            _clean(request.object),
            _clean(request.valid_from),
            _clean(request.valid_until),
        )
        self._sink.emit(FactsChanged(fact_ids=(request.fact_id, detail.fact.id)))
        return detail

    def _undo(self, request: MemoryUndo, context: RequestContext) -> Batch:
        del context
        undone = self._propositions.undo(self._scope, request.batch_id)
        self._sink.emit(FactsChanged(fact_ids=undone.fact_ids))
        return Batch(batch=undone.batch)

    def _batches(self, request: MemoryBatches, context: RequestContext) -> Batches:
        del context
        return Batches(batches=self._propositions.batches(self._scope, request.conversation_id))

    def _resolve(self, request: ResolveEntity, context: RequestContext) -> EntityCandidates:
        del context
        name = _clean(request.name) or ""
        return EntityCandidates(candidates=self._propositions.resolve_name(self._scope, name))

    def _ask(self, request: Ask, context: RequestContext) -> Answer:
        del context
        question = _clean(request.question) or ""
        if not question:
            raise Refused("invalid", "There is no question.")
        answer = self._answerer.answer(self._scope, question)
        if answer is None:
            return Answer(answer=_UNKNOWN_QUESTION, facts=(), sources=(), abstained=True)
        return Answer(
            answer=answer.text,
            facts=answer.fact_ids,
            sources=self._shown_ids(answer.source_message_ids),
            abstained=answer.abstained,
        )

    def _shown_ids(self, message_ids: Sequence[str]) -> tuple[str, ...]:
        """The id that an import gave a message comes back as its source."""
        found = self._messages.get_many(self._scope, message_ids)
        return tuple(
            found[message_id].external_id or message_id
            for message_id in message_ids
            if message_id in found
        )


def _clean(text: str | None) -> str | None:
    """Text from a client in a form that can be compared with what is stored."""
    return None if text is None else repair_text(text)[0].strip()
