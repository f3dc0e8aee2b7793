"""The parts that keep the truth of one memory file, built once and handed to each operation."""

from __future__ import annotations

from dataclasses import dataclass

from backend.identity.guards import RoleGuard
from backend.identity.keeper import EntityKeeper
from backend.identity.resolver import EntityResolver
from backend.ontology.ontology import Ontology
from backend.propositions.claim_loader import ClaimLoader
from backend.propositions.facts import Reason
from backend.propositions.forgotten import ForgottenThings
from backend.propositions.graph_port import GraphProjection, Link
from backend.propositions.group_store import GroupStore
from backend.propositions.outcome import Outcome
from backend.propositions.predicates import PredicateRules
from backend.propositions.wording import Wording
from backend.storage.batches import BatchRepository
from backend.storage.clock import Clock, to_text, utc_now
from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.decision_rows import IdentityDecisionRows, PersonDecision, PersonDecisionRows
from backend.storage.entity_rows import EntityRows
from backend.storage.graph_rows import GraphRows
from backend.storage.home_secret import HomeSecret
from backend.storage.identifiers import new_id
from backend.storage.ledger import LedgerRepository
from backend.storage.messages import MessageRepository
from backend.storage.proposition_rows import PropositionRows
from backend.storage.scope import Scope
from backend.storage.spoken_words import SpokenWords
from backend.storage.statement_rows import StatementRecord, StatementRows
from backend.storage.tombstones import TombstoneRows


@dataclass(frozen=True, slots=True)
class Truth:
    """Row repositories and rules over one database; operations are written on top of it."""

    ontology: Ontology
    clock: Clock
    secret: HomeSecret
    statements: StatementRows
    decisions: IdentityDecisionRows
    person_decisions: PersonDecisionRows
    entities: EntityRows
    propositions: PropositionRows
    messages: MessageRepository
    conversations: ConversationRepository
    batches: BatchRepository
    ledger: LedgerRepository
    spoken: SpokenWords
    graph_rows: GraphRows
    guard: RoleGuard
    resolver: EntityResolver
    keeper: EntityKeeper
    rules: PredicateRules
    wording: Wording
    loader: ClaimLoader
    store: GroupStore
    forgotten: ForgottenThings
    graph: GraphProjection

    @staticmethod
    def over(
        database: Database, ontology: Ontology, graph: GraphProjection, clock: Clock = utc_now
    ) -> Truth:
        """Build all parts over an open, migrated database."""
        secret = HomeSecret(database)
        statements, entities = StatementRows(database), EntityRows(database)
        decisions, by_hand = IdentityDecisionRows(database), PersonDecisionRows(database)
        propositions, guard = PropositionRows(database), RoleGuard(ontology)
        rules, wording = PredicateRules(ontology), Wording(entities, ontology)
        loader = ClaimLoader(decisions, by_hand, rules)
        return Truth(
            ontology=ontology,
            clock=clock,
            secret=secret,
            statements=statements,
            decisions=decisions,
            person_decisions=by_hand,
            entities=entities,
            propositions=propositions,
            messages=MessageRepository(database, clock),
            conversations=ConversationRepository(database, clock),
            batches=BatchRepository(database, clock),
            ledger=LedgerRepository(database, clock),
            spoken=SpokenWords(database),
            graph_rows=GraphRows(database),
            guard=guard,
            resolver=EntityResolver(entities, ontology),
            keeper=EntityKeeper(entities, statements, decisions, by_hand, guard),
            rules=rules,
            wording=wording,
            loader=loader,
            store=GroupStore(propositions, statements, loader, rules, wording, secret),
            forgotten=ForgottenThings(TombstoneRows(database), entities, ontology, secret),
            graph=graph,
        )

    def now(self) -> str:
        """The present moment as rows keep it."""
        return to_text(self.clock())

    def decide(self, scope: Scope, kind: str, target: str, body_json: str = "{}") -> str:
        """Record what the person did; returns the time of it."""
        now = self.now()
        self.person_decisions.add(
            PersonDecision(
                decision_id=new_id(),
                user_id=scope.user_id,
                context_id=scope.context_id,
                sequence=self.person_decisions.next_sequence(scope),
                kind=kind,
                target=target,
                body_json=body_json,
                recorded_at=now,
            )
        )
        return now

    def remove(self, scope: Scope, rows: list[StatementRecord], reason: Reason) -> Outcome:
        """Take statements away as if they had never been made; all else stays as it is."""
        ids = [row.statement_id for row in rows]
        facts = self.statements.proposition_ids_of(scope, ids)
        groups = self.store.groups_of(self.propositions.get_many(scope, sorted(facts)))
        places = self.decisions.of_statements(scope, ids)
        meant = {entity_id for by_place in places.values() for entity_id in by_place.values()}
        self.statements.delete(scope, ids)
        renamed = self.keeper.rebuild(scope, meant)
        outcome = self.store.refold(scope, groups)
        self.store.reword(scope, renamed)
        self.project(scope, outcome, meant, reason)
        return outcome

    def project(self, scope: Scope, outcome: Outcome, renamed: set[str], reason: Reason) -> None:
        """Bring the graph in step with changed facts and renamed entities."""
        states = [*outcome.before.values(), *outcome.after.values()]
        links = {
            Link(state.record.subject_id, state.record.predicate, state.record.object_id)
            for state in states
            if state.record.object_id
        }
        self.graph.project(scope, outcome.touched_entities | renamed, links, str(reason))
