"""How long a message takes to be kept, to reach the model, and to become memory."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aico_desktop.contract.client import BackendClient
from aico_desktop.contract.link_facts import EventsMissed
from aico_desktop.contract.messages import (
    Acknowledged,
    AnswerFinished,
    ConversationCreated,
    CreateConversation,
    Engines,
    EnginesReply,
    Event,
    SendMessage,
    Shutdown,
    TurnState,
)
from aico_desktop.launcher import attach_or_start
from aico_desktop.paths import HomePaths
from backend.understanding.language import load_language
from benchmarks.figures import Figure
from tests.helpers.scripted_ollama import ScriptedOllama

SENTENCES = (
    "My sister {name} moved to Leipzig last month.",
    "I had lunch with {name} at the harbour today.",
    "{name} works at the Brindle Bakery and loves chess.",
    "I don't like coriander, but my friend {name} does.",
    "We are planning a trip to Lisbon with {name} in October.",
    "My cat is called {name} and she is three years old.",
)
NAMES = ("Oda", "Falk", "Quill", "Mirabel", "Tamsin", "Ivo", "Pell", "Runa", "Bastian", "Wilka")
WARM_UP = 4
WAIT_S = 60.0

ACKNOWLEDGE_BUDGET_MS = 25.0
REQUEST_BUDGET_MS = 25.0 + 100.0 + 80.0
MEMORY_BUDGET_MS = 1000.0
"""DESIGN §3: the p95 of each step, without the model's own time."""


class Watch:
    """Notes when things happen, from whatever thread sees them, and lets one thread wait."""

    def __init__(self) -> None:
        self._times: dict[str, float] = {}
        self._changed = threading.Condition()

    def note(self, what: str) -> None:
        """Keep the first time that ``what`` happened, in seconds of the monotonic clock."""
        with self._changed:
            self._times.setdefault(what, time.monotonic())
            self._changed.notify_all()

    def when(self, what: str) -> float:
        """Wait until ``what`` happened, and return the time."""
        with self._changed:
            if not self._changed.wait_for(lambda: what in self._times, WAIT_S):
                raise TimeoutError(f"{what} did not happen within {WAIT_S:.0f} seconds")
            return self._times[what]


class WatchedOllama(ScriptedOllama):
    """A model server that notes when each chat request reached it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.watch = Watch()

    def note(self, path: str, body: dict[str, Any]) -> None:
        """Keep the request, and when it came."""
        if path.endswith("/chat"):
            self.watch.note(f"asked {len(self.chat_requests)}")
        super().note(path, body)


def texts(count: int) -> Iterator[str]:
    """Plain sentences of invented people, none of them twice in a row."""
    for number in range(count):
        name = NAMES[(number // len(SENTENCES)) % len(NAMES)]
        yield SENTENCES[number % len(SENTENCES)].format(name=name)


def measure(folder: Path, count: int) -> tuple[list[Figure], Figure]:
    """Send ``count`` messages to a fresh backend; returns the figures and the floor."""
    acknowledged: list[float] = []
    requested: list[float] = []
    remembered: list[float] = []
    parsed: list[float] = []
    language = load_language()
    model = WatchedOllama()
    with model, _backend(folder, model) as client:
        watch = Watch()
        reader = threading.Thread(target=_read_events, args=(client, watch), name="events")
        reader.start()
        created = client.request_as(ConversationCreated, CreateConversation())
        conversation_id = created.conversation.conversation_id
        for number, text in enumerate(texts(WARM_UP + count)):
            asked_before = len(model.chat_requests)
            wish = SendMessage(
                conversation_id=conversation_id, text=text, client_key=uuid.uuid4().hex
            )
            sent = time.monotonic()
            turn_id = client.request_as(Acknowledged, wish).turn_id
            kept = time.monotonic()
            asked = model.watch.when(f"asked {asked_before}")
            replied = watch.when(f"answered {turn_id}")
            done = watch.when(f"remembered {turn_id}")
            # The parse alone, on the same machine in the same minute: what no memory can undercut.
            parse_began = time.monotonic()
            language(text)
            parse_ended = time.monotonic()
            if number >= WARM_UP:
                acknowledged.append((kept - sent) * 1000)
                requested.append((asked - sent) * 1000)
                remembered.append((done - replied) * 1000)
                parsed.append((parse_ended - parse_began) * 1000)
        client.request(Shutdown())
        client.close()
        reader.join()
    figures = [
        Figure("message to acknowledged", acknowledged, ACKNOWLEDGE_BUDGET_MS),
        Figure("message to model request", requested, REQUEST_BUDGET_MS),
        Figure("answer to memory ready", remembered, MEMORY_BUDGET_MS),
    ]
    return figures, Figure("floor: the parse alone", parsed)


def _read_events(client: BackendClient, watch: Watch) -> None:
    for event in client.events():
        _note_event(event, watch)


def _note_event(event: Event | EventsMissed, watch: Watch) -> None:
    if isinstance(event, AnswerFinished):
        watch.note(f"answered {event.turn_id}")
    elif isinstance(event, TurnState) and event.state in ("done", "nothing"):
        watch.note(f"remembered {event.turn_id}")


@contextmanager
def _backend(folder: Path, model: ScriptedOllama) -> Iterator[BackendClient]:
    """A backend of its own, which has found the model and loaded what it loads at first use."""
    os.environ["OLLAMA_HOST"] = model.url
    with attach_or_start(HomePaths(folder / "aico"), "benchmark", wants_events=True) as client:
        ends = time.monotonic() + WAIT_S
        while not _answers_through_ollama(client):
            if time.monotonic() > ends:
                raise TimeoutError("the backend does not find the scripted model")
            time.sleep(0.2)
        yield client


def _answers_through_ollama(client: BackendClient) -> bool:
    engines = client.request_as(EnginesReply, Engines()).engines
    return any(e.engine == "ollama" and e.available and e.selected for e in engines)
