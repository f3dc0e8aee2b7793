"""Kills the real backend at seeded moments, and checks that no promise was broken."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from aico_desktop.contract.client import BackendClient
from aico_desktop.contract.messages import (
    Acknowledged,
    AnswerFinished,
    ConversationCreated,
    CreateConversation,
    Ingest,
    Ingested,
    IngestRow,
    Jobs,
    JobsReply,
    SendMessage,
    TurnDelta,
    TurnState,
)
from tests.faults.backend_under_test import BackendUnderTest, home_in
from tests.faults.promises import Promises
from tests.helpers.scripted_ollama import ScriptedOllama, ScriptedReply

SEED = 20261130
ROUNDS_PER_HOME = 10
LEARNING_TIMEOUT_S = 120.0
_STARTS = ("Ka", "Lo", "Mer", "Nor", "Pel", "Ros", "Tan", "Vil", "Wes", "Zar")
_ENDS = ("burg", "dale", "field", "ford", "ham", "mouth", "stad", "ton", "wick", "worth")


class Storyteller:
    """Makes sentences about people who live in towns that no other sentence names."""

    def __init__(self) -> None:
        self._count = 0

    def next(self) -> tuple[str, str]:
        """A sentence, and its town."""
        number = self._count
        self._count += 1
        town = f"{_STARTS[number % 10]}{_ENDS[number // 10 % 10]}"
        if number >= 100:
            town = f"{town[:-1]}{'abcdefghij'[number // 100 % 10]}{'lmnoprstuv'[number // 1000]}"
        return f"My friend {_friend(number)} lives in {town}.", town


def _friend(number: int) -> str:
    """Ten friends who each move often: facts of the same person meet."""
    return ("Ada", "Bruno", "Clara", "Dario", "Edith", "Felix", "Greta", "Hugo", "Ines", "Jonas")[
        number % 10
    ]


class Rounds:
    """Runs rounds in one home: start, do something, kill; promises gather on the way."""

    def __init__(self, folder: Path, ollama: ScriptedOllama, random_source: random.Random) -> None:
        self._home = home_in(folder)
        self._environment = {"OLLAMA_HOST": ollama.url}
        self._random = random_source
        self._stories = Storyteller()
        self.promises = Promises()

    def run(self) -> None:
        """One life of the backend, ended by a kill at a random moment."""
        with BackendUnderTest(self._home, self._environment) as backend:
            client = backend.connect()
            act = self._random.choice((self._during_answer, self._during_memory, self._importing))
            act(client)
            backend.kill()

    def finish(self) -> None:
        """Let a last backend do what is left, end it in order, and check every promise."""
        with BackendUnderTest(self._home, self._environment) as backend:
            _wait_for_memory(backend.connect())
            backend.stop()
        self.promises.check(self._home)

    def _send(self, client: BackendClient) -> str:
        """Say something new; returns the id of the message."""
        created = client.request_as(ConversationCreated, CreateConversation())
        text, town = self._stories.next()
        acknowledged = client.request_as(
            Acknowledged,
            SendMessage(
                conversation_id=created.conversation.conversation_id,
                text=text,
                client_key=f"key-{town}",
            ),
        )
        self.promises.acknowledged[acknowledged.message.message_id] = town
        return acknowledged.message.message_id

    def _during_answer(self, client: BackendClient) -> None:
        """Somewhere between the acknowledgement and the end of the answer."""
        self._send(client)
        pieces = self._random.randrange(0, 12)
        for event in client.events(timeout_s=20):
            if isinstance(event, TurnDelta):
                pieces -= 1
            if pieces <= 0 or isinstance(event, AnswerFinished):
                break
        time.sleep(self._random.uniform(0, 0.05))

    def _during_memory(self, client: BackendClient) -> None:
        """Somewhere in the memory job after an answer."""
        message_id = self._send(client)
        for event in client.events(timeout_s=30):
            # Of this message alone: to kill the same old job again and again would only show that
            # a job which crashes three times is given up.
            if (
                isinstance(event, TurnState)
                and event.message_id == message_id
                and event.state in ("storing", "done", "nothing")
            ):
                break
        time.sleep(self._random.uniform(0, 0.04))

    def _importing(self, client: BackendClient) -> None:
        """Somewhere in the memory jobs of an import, or before its reply."""
        rows = []
        told: dict[str, str] = {}
        for line in range(1, 5):
            text, town = self._stories.next()
            told[f"row-{town}"] = town
            rows.append(
                IngestRow(
                    line=line,
                    conversation="import",
                    role="user",
                    speaker="me",
                    time=f"2026-05-01T10:0{line}:00",
                    text=text,
                    id=f"row-{town}",
                )
            )
        client.request_as(Ingested, Ingest(source=f"file-{rows[0].id}", rows=tuple(rows)))
        self.promises.imported.update(told)
        time.sleep(self._random.uniform(0, 1.0))


def _wait_for_memory(client: BackendClient) -> None:
    ends = time.monotonic() + LEARNING_TIMEOUT_S
    while True:
        jobs = client.request_as(JobsReply, Jobs()).jobs
        if not jobs:
            return
        assert not any(job.state == "failed" for job in jobs), jobs
        assert time.monotonic() < ends, f"{len(jobs)} memory jobs are not done"
        time.sleep(0.1)


@pytest.mark.timeout(7200)
def test_that_no_kill_loses_a_message_or_does_a_job_twice(
    tmp_path: Path, fault_rounds: int
) -> None:
    reply = ScriptedReply(pieces=tuple(f"word {n} " for n in range(12)), delay_seconds=0.03)
    with ScriptedOllama(default_reply=reply) as ollama:
        random_source = random.Random(SEED)
        done = 0
        while done < fault_rounds:
            rounds = Rounds(tmp_path / f"home-{done}", ollama, random_source)
            for _ in range(min(ROUNDS_PER_HOME, fault_rounds - done)):
                rounds.run()
                done += 1
            rounds.finish()
