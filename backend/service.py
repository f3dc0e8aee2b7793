"""The composition root of the backend: builds each part once and hands it to the next."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from aico_desktop.contract.messages import (
    EngineChanged,
    Failure,
    Ingest,
    IngestStatus,
    Message,
    SelectEngine,
)
from aico_desktop.local_zone import local_zone_name
from aico_desktop.paths import builtin_model_path
from aico_desktop.redaction import error_places
from aico_desktop.settings import Settings, load_settings
from backend.background_loading import BackgroundLoading
from backend.conversation.history import ConversationHistory
from backend.conversation.inbox import MessageInbox
from backend.conversation.learning_states import LearningStates
from backend.conversation.memory_events import MemoryEvents
from backend.conversation.prompt import PromptBuilder
from backend.conversation.replier import Replier
from backend.conversation.turn_store import TurnStore
from backend.conversation.turns import TurnRunner
from backend.health import Health, StoreCounts
from backend.inference.built_in import BuiltInChat
from backend.inference.embedding import UniversalSentenceEmbedder
from backend.inference.engine_probe import EngineProbe
from backend.inference.engines import EngineChoice, EngineManager
from backend.interfaces.row_import import RowImporter
from backend.knowledge_graph.projection import PropositionGraph
from backend.knowledge_graph.query import GraphQuery
from backend.late_parts import LateUnderstander, LateVectors
from backend.learning.context_builder import ContextBuilder
from backend.learning.job_step import JobStep
from backend.learning.worker import LearningWorker
from backend.memory.answering import MemoryAnswerer
from backend.memory.for_message import MessageRecall
from backend.memory.forgetting import MemoryForgetting
from backend.memory.own_words import OwnWordsAnswerer
from backend.memory.quoting import MessageQuotes
from backend.memory.recall import FactRecall
from backend.memory.sources import FactSources
from backend.memory.walk import GraphWalk
from backend.memory.wording import AnswerWording
from backend.ontology.ontology import Ontology
from backend.process import ProcessParts, StartRefused, parse_arguments, run_backend
from backend.propositions.service import PropositionService
from backend.server.explanations import explain
from backend.server.handlers.conversations import ConversationHandlers
from backend.server.handlers.graph import GraphHandlers
from backend.server.handlers.memory import MemoryHandlers
from backend.server.handlers.status import StatusHandlers, chosen_engine, engine_views
from backend.server.requests import Handler
from backend.storage.attachments import AttachmentRepository
from backend.storage.choices import ChoiceRepository
from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.entity_rows import EntityRows
from backend.storage.errors import StorageError
from backend.storage.forgetting import Forgetter
from backend.storage.jobs import JobRepository
from backend.storage.ledger import LedgerRepository
from backend.storage.messages import MessageRepository
from backend.storage.migrations import migrate
from backend.storage.outbox import OutboxDrainer
from backend.storage.outbox_thread import OutboxThread
from backend.storage.proposition_rows import PropositionRows
from backend.storage.rejections import RejectionRepository
from backend.storage.scope import Scope
from backend.storage.search import FullTextSearch
from backend.storage.statement_rows import StatementRows
from backend.storage.turns import TurnRepository
from backend.storage.users import UserRepository
from backend.storage.vectors import VectorStore
from backend.storage.working_memory import WorkingMemory
from backend.understanding.statements import DialogueContext

if TYPE_CHECKING:
    from backend.understanding.pipeline import Understander

logger = logging.getLogger(__name__)


class BackendService:
    """Everything behind the socket of one home.

    The stores open in the constructor, which takes a fraction of a second; parser, embedder,
    vector store and chat models load behind it, so that messages are accepted at once
    (DESIGN §7).
    """

    def __init__(self, parts: ProcessParts) -> None:
        self._home = parts.home
        self._publisher = parts.publisher
        self._scope = Scope()
        settings = load_settings(parts.home.config)
        self._zone_name = settings.person.zone or local_zone_name()
        self._zone: tzinfo = ZoneInfo(self._zone_name)
        self._open_stores(settings)
        self._build_understanding()
        self._build_truth()
        self._build_memory()
        self._build_conversation(settings)
        self._handlers = self._build_handlers()

    # ------------------------------------------------------------ building, lowest room first

    def _open_stores(self, settings: Settings) -> None:
        try:
            self._database = Database(self._home.database)
            migrate(self._database, self._home)
            self._working_memory = WorkingMemory(self._home.working_memory)
            UserRepository(self._database).ensure(
                self._scope, settings.person.name or "me", self._zone_name
            )
        except StorageError as error:
            raise StartRefused(f"The memory cannot be opened. {error}") from error
        self._messages = MessageRepository(self._database)
        self._conversations = ConversationRepository(self._database)
        self._jobs = JobRepository(self._database)
        self._rejections = RejectionRepository(self._database)
        self._choices = ChoiceRepository(self._database)
        self._embedder = UniversalSentenceEmbedder()
        self._vectors = VectorStore(
            self._home.vectors, self._embedder.dimension, self._embedder.name
        )
        self._forgetter = Forgetter(
            self._database, self._working_memory, [self._working_memory], self._home.backups
        )

        self._resuming = BackgroundLoading("forgetting", self._finish_forgetting)

    def _build_understanding(self) -> None:
        self._ontology = Ontology.load()
        self._loading_understander = BackgroundLoading(
            "understanding", lambda: _load_understander(self._ontology)
        )
        self._understander = LateUnderstander(self._loading_understander)

    def _build_truth(self) -> None:
        self._propositions = PropositionService(
            self._database, self._ontology, PropositionGraph(self._database)
        )
        drainer = OutboxDrainer(self._database, self._vectors, self._embedder.embed)
        self._outbox = OutboxThread(self._database, drainer, self._vectors)

    def _build_memory(self) -> None:
        facts, entities = PropositionRows(self._database), EntityRows(self._database)
        search = FullTextSearch(self._database)
        sources = FactSources(StatementRows(self._database), self._messages)
        self._contexts = ContextBuilder(self._messages, entities)
        quotes = MessageQuotes(search, self._messages)
        self._answerer = MemoryAnswerer(
            self._understander,
            GraphWalk(facts, entities, self._ontology),
            sources,
            quotes,
            AnswerWording(self._ontology),
            lambda scope: self._contexts.of_question(scope, datetime.now(self._zone)),
        )
        recall = FactRecall(
            facts, entities, search, sources, LateVectors(self._embedder, self._vectors)
        )
        self._message_recall = MessageRecall(
            self._answerer, OwnWordsAnswerer(quotes), recall, self._context_of
        )
        self._forgetting = MemoryForgetting(self._database, self._propositions, self._forgetter)

    def _build_conversation(self, settings: Settings) -> None:
        openai = settings.conversation.openai_compatible
        self._engines = EngineManager(
            EngineProbe(
                openai_address=openai.address, openai_model=openai.model, openai_key=openai.api_key
            ),
            BuiltInChat(builtin_model_path(self._home)),
            _engine_choice(settings, chosen_engine(self._choices)),
            settings.modelservice.default_models.conversation,
            on_change=self._tell_engines,
        )
        store = TurnStore(self._database, self._zone, self._zone_name)
        history = ConversationHistory(
            self._messages,
            AttachmentRepository(self._database),
            TurnRepository(self._database),
            self._working_memory,
        )
        states = LearningStates(store, self._publisher)
        step = JobStep(
            self._database,
            self._propositions,
            self._contexts,
            self._messages,
            self._jobs,
            LedgerRepository(self._database),
            self._rejections,
        )
        self._learning = LearningWorker(
            step, self._loading_understander.get, MemoryEvents(states, self._publisher)
        )
        self._turns = TurnRunner(
            store,
            MessageInbox(self._database, self._zone, self._zone_name, settings.person.name or "me"),
            history,
            Replier(self._message_recall, self._engines, PromptBuilder(), history),
            states,
            self._learning,
            self._publisher,
        )
        self._forgetter.also_tell(self._turns)

    def _build_handlers(self) -> dict[type[Message], Handler]:
        importer = RowImporter(
            self._database,
            self._scope,
            self._zone,
            self._zone_name,
            self._learning.wake,
            lambda: self._learning.trouble,
        )
        conversations = ConversationHandlers(
            self._scope, self._turns, self._conversations, self._messages, self._publisher
        )
        memory = MemoryHandlers(
            self._scope,
            self._propositions,
            self._answerer,
            self._messages,
            self._forgetting,
            self._publisher,
        )
        status = StatusHandlers(
            self._scope,
            StoreCounts(self._database, self._propositions),
            Health(
                self._home,
                self._database,
                self._vectors,
                self._embedder,
                self._loading_understander,
                self._engines,
                self._jobs,
            ),
            self._engines,
            self._jobs,
            self._rejections,
            self._choices,
            self._learning.wake,
        )
        graph = GraphHandlers(self._scope, GraphQuery(self._database))
        return {
            **conversations.handlers(),
            **memory.handlers(),
            **graph.handlers(),
            **status.handlers(),
            Ingest: importer.ingest,
            IngestStatus: importer.progress,
        }

    # ------------------------------------------------------------ what the process needs

    @property
    def handlers(self) -> Mapping[type[Message], Handler]:
        """What is called for each type of request."""
        return self._handlers

    def explain(self, error: Exception) -> Failure | None:
        """Words for an error of the rooms."""
        return explain(error)

    def start(self) -> None:
        """Begin all background work; what a crash left undone comes first."""
        self._resuming.start()
        self._loading_understander.start()
        self._turns.start()
        self._learning.start()
        self._outbox.start()
        self._engines.start()

    def busy(self) -> bool:
        """Whether memory jobs or vectors are still being worked on."""
        return self._jobs.counts(self._scope).unfinished > 0 or self._forgetter.is_working()

    def close(self) -> None:
        """End every thread, then close every store."""
        self._turns.close()
        self._learning.close()
        self._engines.close()
        self._outbox.close()
        self._loading_understander.close()
        self._resuming.close()
        self._vectors.close()
        self._working_memory.close()
        self._database.close()

    # ------------------------------------------------------------ small joints

    def _finish_forgetting(self) -> bool:
        """Do what a crash left undone; it may rewrite the whole file, hence in the background."""
        try:
            self._working_memory.sweep()  # what expired while the app was closed
            finished = self._forgetter.resume()
        except StorageError as error:
            # A full disk must not keep the person from what is remembered.
            logger.error("Forgetting could not be finished: %s", error_places(error))
            return False
        if not finished:
            logger.error("Something forgotten is still in a file; it is tried again at each start")
        return finished

    def _context_of(self, scope: Scope, conversation_id: str, message_id: str) -> DialogueContext:
        del conversation_id
        message = self._messages.get(scope, message_id)
        if message is None:
            raise StorageError("the message is gone")
        return self._contexts.context_of(scope, message)

    def _tell_engines(self) -> None:
        self._publisher.emit(EngineChanged(engines=engine_views(self._engines.statuses())))


def _engine_choice(settings: Settings, chosen: SelectEngine | None) -> EngineChoice:
    if chosen is not None:
        return EngineChoice(chosen.engine, chosen.model)
    return EngineChoice(settings.conversation.engine, settings.conversation.model)


def _load_understander(ontology: Ontology) -> Understander:
    """Import and load the parser: seconds, hence in the background and not at the top."""
    from backend.understanding.language import load_language
    from backend.understanding.pipeline import Understander

    return Understander(ontology, load_language())


def build(parts: ProcessParts) -> BackendService:
    """Assemble the backend of one home."""
    return BackendService(parts)


def main(argv: Sequence[str]) -> int:
    """Run the backend process; returns its exit code."""
    return run_backend(parse_arguments(argv), build)
