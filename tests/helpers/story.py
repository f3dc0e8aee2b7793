"""A real memory file in which a test says sentences with hand-made statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from aico_desktop.contract.messages import FactView
from aico_desktop.paths import HomePaths
from backend.knowledge_graph.projection import PropositionGraph
from backend.ontology.ontology import Ontology
from backend.propositions.service import BatchResult, PropositionService
from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.messages import MessageRecord, MessageRepository, NewMessage, Role
from backend.storage.migrations import migrate
from backend.storage.scope import Scope
from backend.storage.users import UserRepository
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    LiteralArgument,
    Modality,
    Polarity,
    Precision,
    Span,
    Statement,
    TimeInterval,
)

ME = EntityArgument(ArgumentKind.ME, "me", "PERSON")
VERSION = "test-1"


def named(
    name: str, label: str = "PERSON", role: str | None = None, of: EntityArgument = ME
) -> EntityArgument:
    """A proper name; with ``role`` as in "my sister Ana"."""
    anchor = of if role else None
    return EntityArgument(ArgumentKind.NAMED, name, label, None, role, anchor)


def described(
    words: str, role: str, label: str = "PERSON", of: EntityArgument = ME
) -> EntityArgument:
    """Someone without a name, as in "my sister"."""
    return EntityArgument(ArgumentKind.DESCRIBED, words, label, None, role, of)


def thing(words: str, label: str = "OBJECT") -> EntityArgument:
    """A thing named by its noun phrase."""
    return EntityArgument(ArgumentKind.DESCRIBED, words, label)


def literal(value: str, kind: str = "text") -> LiteralArgument:
    """A value written as it is stored."""
    return LiteralArgument(kind, value, value)


def claim(
    subject: EntityArgument,
    predicate: str,
    target: EntityArgument | LiteralArgument,
    quote: str = "",
    *,
    negated: bool = False,
    modality: Modality = Modality.ASSERTED,
    change: Change = Change.HOLDS,
    valid: tuple[str | None, str | None, Precision] | None = None,
) -> tuple[Statement, str]:
    """A statement and the words it stands on ('' for the whole message)."""
    statement = Statement(
        subject=subject,
        predicate=predicate,
        object=target,
        evidence=Span(0, 1),
        method="by hand",
        confidence=0.9,
        polarity=Polarity.NEGATED if negated else Polarity.AFFIRMED,
        modality=modality,
        change=change,
        valid=TimeInterval(*valid) if valid else None,
    )
    return statement, quote


class Story:
    """One home, one conversation, a clock that goes on by a day with each message."""

    def __init__(self, folder: Path, ontology: Ontology, scope: Scope | None = None) -> None:
        self.scope = scope or Scope()
        self.paths = HomePaths(folder)
        self.paths.database.parent.mkdir(parents=True, exist_ok=True)
        self.ontology = ontology
        self.moment = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)
        self.open()
        UserRepository(self.database, self.clock).ensure(self.scope, "Mara", "Europe/Berlin")
        conversations = ConversationRepository(self.database, self.clock)
        self.conversation_id = conversations.create(self.scope).conversation_id

    def open(self) -> None:
        """Open the file, as a start of the app does."""
        self.database = Database(self.paths.database)
        migrate(self.database, self.paths)
        self.graph = PropositionGraph(self.database, self.clock)
        self.service = PropositionService(self.database, self.ontology, self.graph, self.clock)
        self.messages = MessageRepository(self.database, self.clock)

    def close(self) -> None:
        self.database.close()

    def clock(self) -> datetime:
        return self.moment

    def message(
        self, text: str, role: Role = "user", speaker: str = "me", sources: tuple[str, ...] = ()
    ) -> MessageRecord:
        """Store a message, a day after the last one; ``sources`` are what an answer rests on."""
        self.moment += timedelta(days=1)
        new = NewMessage(
            self.conversation_id,
            role,
            speaker,
            text,
            self.moment.isoformat(),
            "Europe/Berlin",
            sources=sources,
        )
        return self.messages.add(self.scope, new).message

    def say(
        self,
        text: str,
        *claims: tuple[Statement, str],
        role: Role = "user",
        speaker: str = "me",
    ) -> BatchResult:
        """Store a message and learn the claims from it."""
        message = self.message(text, role, speaker)
        return self.learn(message, *claims)

    def learn(
        self, message: MessageRecord, *claims: tuple[Statement, str], version: str = VERSION
    ) -> BatchResult:
        """Learn claims from a stored message."""
        statements = [_placed(statement, quote, message.text) for statement, quote in claims]
        return self.service.assert_statements(self.scope, message, statements, version)

    def facts(self, about: str | None = None) -> list[FactView]:
        return list(self.service.list(self.scope, about))

    def texts(self, about: str | None = None) -> list[str]:
        return sorted(fact.text for fact in self.facts(about))

    def fact(self, text: str) -> FactView:
        """The one fact with this text."""
        found = [fact for fact in self.facts() if fact.text == text]
        assert len(found) == 1, self.texts()
        return found[0]

    def hash(self) -> str:
        return self.service.canonical_hash(self.scope)

    def graph_edges(self) -> set[tuple[str, str, str, int]]:
        """Edges by names: source, relation, target, whether current."""
        rows = self.database.execute(
            "SELECT s.properties ->> '$.name', e.relation_type, t.properties ->> '$.name', "
            "e.is_current FROM kg_edges e JOIN kg_nodes s ON s.id = e.source_id "
            "JOIN kg_nodes t ON t.id = e.target_id"
        )
        return {(str(a), str(b), str(c), int(d)) for a, b, c, d in rows}

    def every_text(self) -> str:
        """All text of all tables, to look for words that must be gone."""
        tables: Sequence[str] = [
            str(row[0])
            for row in self.database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' "
                "AND name NOT LIKE '%_fts%' AND name NOT LIKE 'sqlite_%'"
            )
        ]
        rows = [row for table in tables for row in self.database.execute(f"SELECT * FROM {table}")]
        return "\n".join(str(value) for row in rows for value in row)


def _placed(statement: Statement, quote: str, text: str) -> Statement:
    start = text.index(quote) if quote else 0
    end = start + len(quote) if quote else len(text)

    def located(argument: EntityArgument) -> EntityArgument:
        at = text.find(argument.name, start, end)
        if argument.kind is ArgumentKind.ME or at < 0:
            return argument
        return replace(argument, span=Span(at, at + len(argument.name)))

    target = statement.object
    if isinstance(target, EntityArgument):
        target = located(target)
    return replace(
        statement, evidence=Span(start, end), subject=located(statement.subject), object=target
    )
