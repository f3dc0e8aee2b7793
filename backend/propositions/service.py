"""The system of record: every way in and out of what the app knows goes through here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aico_desktop.contract.messages import (
    EntityCandidate,
    FactDetail,
    FactView,
    MemoryBatchView,
)
from backend.ontology.ontology import Ontology
from backend.propositions.canonical import canonical_hash
from backend.propositions.editing import InvalidEdit, edit_fact
from backend.propositions.facts import Reason
from backend.propositions.finding import find_entities
from backend.propositions.forgetting import Forgetting, forget_entity, forget_facts
from backend.propositions.graph_port import GraphProjection
from backend.propositions.learning_step import BatchResult, learn
from backend.propositions.truth import Truth
from backend.propositions.views import FactViewer
from backend.storage.clock import Clock, utc_now
from backend.storage.database import Database
from backend.storage.messages import MessageRecord
from backend.storage.proposition_rows import PropositionRecord
from backend.storage.scope import Scope
from backend.storage.search import FullTextSearch, search_words
from backend.understanding.statements import Statement

__all__ = [
    "BatchResult",
    "FactNotFound",
    "Forgetting",
    "InvalidEdit",
    "PropositionService",
    "Undone",
]

_SEARCH_LIMIT = 200


class FactNotFound(LookupError):
    """There is no such fact or batch in this scope."""


@dataclass(frozen=True, slots=True)
class Undone:
    """A batch that was taken back, and the facts that changed by it."""

    batch: MemoryBatchView
    fact_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactPage:
    """Some facts of a list, and how many the whole list has."""

    facts: tuple[FactView, ...]
    total: int


class PropositionService:
    """Asserts statements, shows facts with their words, and takes them back.

    Statements, identity decisions and the person's decisions are kept; propositions, history and
    graph are folded from them (DESIGN §4), incrementally here and anew by ``refold``. Each method
    is one transaction, which joins an outer one. Thread-safe as the Database is.
    """

    def __init__(
        self,
        database: Database,
        ontology: Ontology,
        graph: GraphProjection,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._truth = Truth.over(database, ontology, graph, clock)
        self._viewer = FactViewer(self._truth)
        self._search = FullTextSearch(database)

    # ------------------------------------------------------------ learning

    def assert_statements(
        self,
        scope: Scope,
        message: MessageRecord,
        statements: Sequence[Statement],
        extractor_version: str,
        *,
        turn_id: str | None = None,
        batch_id: str | None = None,
    ) -> BatchResult:
        """Take in what a message says; see ``learning_step.learn``."""
        with self._database.transaction():
            return learn(
                self._truth, scope, message, statements, extractor_version, turn_id, batch_id
            )

    def batch_view(self, scope: Scope, message_id: str, result: BatchResult) -> MemoryBatchView:
        """The chip of a result."""
        return self._viewer.items(scope, result.batch_id or "", message_id, result.items)

    def batches(self, scope: Scope, conversation_id: str) -> tuple[MemoryBatchView, ...]:
        """All chips of a conversation, oldest first."""
        rows = self._truth.batches.of_conversation(scope, conversation_id)
        return tuple(self._viewer.batch(scope, row) for row in rows)

    # ------------------------------------------------------------ looking

    def list(
        self, scope: Scope, about: str | None = None, query: str | None = None
    ) -> tuple[FactView, ...]:
        """ACTIVE facts: all, those about whatever the name may mean, or those with the words."""
        return self.page(scope, about, query).facts

    def page(
        self,
        scope: Scope,
        about: str | None = None,
        query: str | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> FactPage:
        """As ``list``, but at most ``limit`` facts from the ``offset``-th on, with their total."""
        records = self._found(scope, about, query)
        end = None if limit is None else offset + limit
        return FactPage(tuple(self._viewer.facts(scope, records[offset:end])), len(records))

    def _found(
        self, scope: Scope, about: str | None, query: str | None
    ) -> Sequence[PropositionRecord]:
        if about is not None:
            ids = [row.entity_id for row in find_entities(self._truth, scope, about)]
            records = self._truth.propositions.about(scope, ids)
        else:
            records = self._truth.propositions.active(scope)
        if query is not None and query.strip():
            words = search_words(query) or tuple(query.split())
            hits = self._search.facts(scope, words, _SEARCH_LIMIT, ("ACTIVE",))
            rank = {identifier: place for place, (identifier, _) in enumerate(hits)}
            records = sorted(
                (record for record in records if record.proposition_id in rank),
                key=lambda record: rank[record.proposition_id],
            )
        return records

    def get(self, scope: Scope, fact_ids: Sequence[str]) -> tuple[FactView, ...]:
        """Facts of any status by id, in the given order; ids that are gone are left out."""
        found = {
            record.proposition_id: record
            for record in self._truth.propositions.get_many(scope, fact_ids)
        }
        return tuple(self._viewer.facts(scope, [found[one] for one in fact_ids if one in found]))

    def why(self, scope: Scope, fact_id: str) -> FactDetail:
        """A fact with its quotes and history. Raises FactNotFound."""
        return self._viewer.detail(scope, self._record(scope, fact_id))

    def resolve_name(self, scope: Scope, name: str) -> tuple[EntityCandidate, ...]:
        """Entities that a name, id or description ("my sister") may mean."""
        rows = find_entities(self._truth, scope, name)
        return tuple(self._viewer.candidate(scope, row) for row in rows)

    # ------------------------------------------------------------ taking back

    def forget_fact(self, scope: Scope, fact_id: str, *, preview: bool = False) -> Forgetting:
        """Forget one fact with its quotes. Raises FactNotFound."""
        with self._database.transaction():
            records = [self._record(scope, fact_id)]
            return forget_facts(self._truth, self._viewer, scope, records, preview=preview)

    def forget_entity(self, scope: Scope, entity_id: str, *, preview: bool = False) -> Forgetting:
        """Forget each fact about an entity and its name. Raises FactNotFound."""
        with self._database.transaction():
            if self._truth.entities.get(scope, entity_id) is None:
                raise FactNotFound("nothing is known by this id")
            return forget_entity(self._truth, self._viewer, scope, entity_id, preview=preview)

    def undo(self, scope: Scope, batch_id: str) -> Undone:
        """Take back all that one message taught, at any later time; twice is as once.

        Facts keep what other messages say for them; what the batch ended or changed is as before.
        Raises FactNotFound.
        """
        truth = self._truth
        with self._database.transaction():
            batch = truth.batches.get(scope, batch_id)
            if batch is None:
                raise FactNotFound("there is no such batch")
            changed: list[str] = []
            if not batch.undone:
                now = truth.decide(scope, "undo", batch_id)
                truth.forgotten.undo_message(scope, batch.message_id, now)
                self._drop_edits_of(scope, batch.message_id)
                rows = truth.statements.of_batch(scope, batch_id)
                changed = truth.remove(scope, rows, Reason.USER_CORRECTION).changed_ids
                truth.batches.mark_undone(scope, batch_id)
            undone = truth.batches.get(scope, batch_id) or batch
            return Undone(self._viewer.batch(scope, undone), tuple(changed))

    def _drop_edits_of(self, scope: Scope, message_id: str) -> None:
        """Corrections of what only this message said would correct nothing any more."""
        gone = [
            edit.decision_id
            for edit in self._truth.loader.edits(scope)
            if edit.message_ids == {message_id}
        ]
        self._truth.person_decisions.delete(scope, gone)

    def edit(
        self,
        scope: Scope,
        fact_id: str,
        new_object: str | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
    ) -> FactDetail:
        """Correct a fact; None leaves a field, '' takes a date away.

        Raises FactNotFound and InvalidEdit.
        """
        with self._database.transaction():
            record = self._record(scope, fact_id)
            if new_object is not None or valid_from is not None or valid_until is not None:
                fact_id = edit_fact(self._truth, scope, record, new_object, valid_from, valid_until)
            return self.why(scope, fact_id)

    # ------------------------------------------------------------ the whole

    def refold(self, scope: Scope) -> None:
        """Drop propositions, entities and graph, and fold them anew from what was said."""
        truth = self._truth
        with self._database.transaction():
            truth.propositions.delete_all(scope)
            truth.keeper.rebuild_all(scope)
            rows = truth.statements.all_in_order(scope)
            groups = {truth.store.group_of(one.key) for one in truth.loader.claims(scope, rows)}
            truth.store.refold(scope, groups, rows)
            truth.graph.rebuild(scope)

    def canonical_hash(self, scope: Scope) -> str:
        """Equal for equal knowledge (DESIGN §4)."""
        with self._database.transaction():
            return canonical_hash(self._truth, scope)

    def counts(self, scope: Scope) -> dict[str, int]:
        """Facts by status, for ``aico stats``."""
        return self._truth.propositions.counts(scope)

    def _record(self, scope: Scope, fact_id: str) -> PropositionRecord:
        record = self._truth.propositions.get(scope, fact_id)
        if record is None:
            raise FactNotFound("there is no such fact")
        return record
