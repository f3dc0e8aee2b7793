"""A real conversation room on a real database, with a scripted Ollama and a recording client."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from aico_desktop.contract.messages import (
    Acknowledged,
    AttachmentInput,
    Message,
    SendMessage,
    TurnDelta,
    TurnState,
)
from aico_desktop.paths import HomePaths
from backend.conversation.history import ConversationHistory
from backend.conversation.inbox import MessageInbox
from backend.conversation.learning_states import LearningStates
from backend.conversation.prompt import PromptBuilder
from backend.conversation.replier import Replier
from backend.conversation.turn_store import TurnStore
from backend.conversation.turns import TurnRunner
from backend.inference.addresses import parse_ollama_host
from backend.inference.chat import ChatModel, ChatModelError
from backend.inference.ollama_chat import OllamaChat
from backend.inference.ollama_server import OllamaModel, OllamaServer
from backend.storage.attachments import AttachmentRepository
from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.jobs import JobRepository
from backend.storage.messages import MessageRecord, MessageRepository
from backend.storage.migrations import migrate
from backend.storage.scope import Scope
from backend.storage.turns import TurnRepository
from backend.storage.working_memory import WorkingMemory
from tests.helpers.scripted_ollama import ScriptedOllama

SCOPE = Scope()
ZONE_NAME = "Europe/Berlin"


class RecordingSink:
    """Keeps every event, and lets a test wait for one."""

    def __init__(self) -> None:
        self.events: list[Message] = []
        self._changed = threading.Condition()

    def emit(self, event: Message) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    def wait_for(self, wanted: Callable[[list[Message]], bool], timeout: float = 20.0) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: wanted(self.events), timeout), self.events

    def wait_for_state(self, turn_id: str, state: str) -> None:
        self.wait_for(lambda _: state in self.states(turn_id))

    def wait_for_text(self, turn_id: str, text: str) -> None:
        self.wait_for(lambda _: text in self.text(turn_id))

    def states(self, turn_id: str) -> list[str]:
        return [each.state for each in self.state_events(turn_id)]

    def state_events(self, turn_id: str) -> list[TurnState]:
        with self._changed:
            return [e for e in self.events if isinstance(e, TurnState) and e.turn_id == turn_id]

    def text(self, turn_id: str) -> str:
        with self._changed:
            deltas = [e for e in self.events if isinstance(e, TurnDelta) and e.turn_id == turn_id]
        return "".join(each.text for each in deltas)

    def of_kind(self, kind: type[Message]) -> list[Message]:
        with self._changed:
            return [each for each in self.events if isinstance(each, kind)]


@dataclass
class Remembered:
    """What the test's memory gives back."""

    facts_text: tuple[str, ...] = ()
    fact_ids: tuple[str, ...] = ()
    source_message_ids: tuple[str, ...] = ()
    direct_answer: str | None = None


class FixedRecall:
    """Gives what the test put in; can be made to wait or to fail."""

    def __init__(self) -> None:
        self.result = Remembered()
        self.gate: threading.Event | None = None
        self.failure: Exception | None = None
        self.asked = threading.Event()

    def for_message(
        self, scope: Scope, conversation_id: str, message_id: str, text: str
    ) -> Remembered:
        self.asked.set()
        if self.gate is not None:
            assert self.gate.wait(10)
        if self.failure is not None:
            raise self.failure
        return self.result


@dataclass
class CountingGate:
    """Notes when the memory is held back."""

    calls: list[str] = field(default_factory=list)

    def pause(self) -> None:
        self.calls.append("pause")

    def resume(self) -> None:
        self.calls.append("resume")


class OneEngine:
    """Always hands out the same model, or an error."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self.small: ChatModel = model
        self.error: ChatModelError | None = None

    def current(self) -> ChatModel:
        if self.error is not None:
            raise self.error
        return self.model

    def built_in(self) -> ChatModel:
        return self.small


class Room:
    """The conversation room, assembled as the service does it."""

    def __init__(self, home: HomePaths, ollama: ScriptedOllama) -> None:
        self.home = home
        self.sink = RecordingSink()
        self.recall = FixedRecall()
        self.gate = CountingGate()
        server = OllamaServer(parse_ollama_host(ollama.url))
        model = OllamaModel("llama3.2:latest", 2_019_393_189, None)
        self.engines = OneEngine(OllamaChat(server, model, silence_seconds=0.5))
        self.open()
        conversations = ConversationRepository(self.database)
        self.conversation_id = conversations.create(SCOPE).conversation_id

    def open(self) -> None:
        """Open the stores and assemble the parts, as at the start of the backend."""
        zone = ZoneInfo(ZONE_NAME)
        self.database = Database(self.home.database)
        migrate(self.database, self.home)
        self.working_memory = WorkingMemory(self.home.working_memory)
        self.messages = MessageRepository(self.database)
        self.turns = TurnRepository(self.database)
        self.jobs = JobRepository(self.database)
        self.store = TurnStore(self.database, zone, ZONE_NAME)
        self.history = ConversationHistory(
            self.messages, AttachmentRepository(self.database), self.turns, self.working_memory
        )
        self.learning = LearningStates(self.store, self.sink)
        self.runner = TurnRunner(
            store=self.store,
            inbox=MessageInbox(self.database, zone, ZONE_NAME),
            history=self.history,
            replier=Replier(self.recall, self.engines, PromptBuilder(), self.history),
            learning=self.learning,
            gate=self.gate,
            sink=self.sink,
        )
        self.interrupted = self.runner.start()

    def close(self) -> None:
        self.runner.close()
        self.database.close()
        self.working_memory.close()

    def send(
        self, text: str, client_key: str = "", attachments: tuple[AttachmentInput, ...] = ()
    ) -> Acknowledged:
        return self.runner.send(
            SCOPE,
            SendMessage(
                conversation_id=self.conversation_id,
                text=text,
                client_key=client_key,
                attachments=attachments,
            ),
        )

    def ask(self, text: str) -> str:
        """Send and wait until the turn is over; returns its id."""
        turn_id = self.send(text).turn_id
        self.wait_until_idle()
        return turn_id

    def wait_until_idle(self) -> None:
        assert self.runner.wait_until_idle(20)

    def transcript(self) -> list[MessageRecord]:
        return self.messages.recent(SCOPE, self.conversation_id)

    def answer(self, turn_id: str) -> MessageRecord:
        turn = self.turns.get(SCOPE, turn_id)
        assert turn is not None
        assert turn.assistant_message_id is not None
        found = self.messages.get(SCOPE, turn.assistant_message_id)
        assert found is not None
        return found


@pytest.fixture
def ollama() -> Iterator[ScriptedOllama]:
    with ScriptedOllama(loaded={"llama3.2:latest"}) as server:
        yield server


@pytest.fixture
def room(tmp_path: Path, ollama: ScriptedOllama) -> Iterator[Room]:
    made = Room(HomePaths(tmp_path), ollama)
    yield made
    made.close()
