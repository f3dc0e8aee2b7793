"""A real backend process whose one answer is a flood of events, to load the window with."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Mapping

from aico_desktop.contract.messages import (
    Acknowledged,
    AnswerFinished,
    Batches,
    ConversationCreated,
    Conversations,
    ConversationView,
    CreateConversation,
    Engines,
    EnginesReply,
    EngineView,
    Facts,
    Failure,
    GetMessages,
    Graph,
    GraphView,
    Jobs,
    JobsReply,
    ListConversations,
    MemoryBatches,
    MemoryList,
    Message,
    MessagePage,
    MessageView,
    SendMessage,
    Snapshot,
    SnapshotReply,
    TurnDelta,
    TurnState,
)
from backend.process import ProcessParts, parse_arguments, run_backend
from backend.server.requests import Handler, RequestContext

EVENTS_PER_SECOND = 2000
SECONDS = 10.0
STEP_S = 0.005
CONVERSATION = "flood"
PARAGRAPH = "Some **bold** words, `code`, and more.\n\n- one item\n- another item\n\n"
PIECE_CHARACTERS = 2
"""Makes about 40,000 characters in all: as long as an answer gets before a model's context ends."""


class FloodService:
    """Answers a message with :data:`EVENTS_PER_SECOND` pieces of text a second."""

    def __init__(self, parts: ProcessParts) -> None:
        self._publisher = parts.publisher
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def handlers(self) -> Mapping[type[Message], Handler]:
        """What the window asks for, as good as empty."""
        engine = EngineView(engine="built_in", available=True, selected=True, model="flood")
        created = ConversationCreated(conversation=_conversation())
        return {
            ListConversations: lambda wish, context: Conversations(conversations=()),
            CreateConversation: lambda wish, context: created,
            GetMessages: lambda wish, context: MessagePage(messages=(), has_older=False),
            MemoryBatches: lambda wish, context: Batches(batches=()),
            MemoryList: lambda wish, context: Facts(facts=()),
            GraphView: lambda wish, context: Graph(center_id="me", nodes=(), edges=()),
            Engines: lambda wish, context: EnginesReply(engines=(engine,)),
            Jobs: lambda wish, context: JobsReply(jobs=()),
            Snapshot: lambda wish, context: SnapshotReply(turns=()),
            SendMessage: self._send,
        }

    def explain(self, error: Exception) -> Failure | None:
        """No error has words of its own."""
        del error
        return None

    def start(self) -> None:
        """Nothing runs before the first message."""

    def busy(self) -> bool:
        """The process need not stay for anybody."""
        return False

    def close(self) -> None:
        """End the flood."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _send(self, wish: SendMessage, context: RequestContext) -> Acknowledged:
        del context
        self._thread = threading.Thread(target=self._flood, name="flood")
        self._thread.start()
        return Acknowledged(message=_message("user", wish.text), turn_id="t")

    def _flood(self) -> None:
        """Emit in steps, as many as are due by the clock."""
        self._publisher.emit(_state("responding"))
        began = time.monotonic()
        sent, text = 0, ""
        while not self._stop.wait(STEP_S) and time.monotonic() - began < SECONDS:
            due = round((time.monotonic() - began) * EVENTS_PER_SECOND)
            for number in range(sent, due):
                at = number * PIECE_CHARACTERS % len(PARAGRAPH)
                piece = PARAGRAPH[at : at + PIECE_CHARACTERS]
                self._publisher.emit(
                    TurnDelta(
                        turn_id="t", conversation_id=CONVERSATION, offset=len(text), text=piece
                    )
                )
                text += piece
            sent = due
        self._publisher.emit(AnswerFinished(turn_id="t", message=_message("assistant", text)))
        self._publisher.emit(_state("nothing"))


def _conversation() -> ConversationView:
    return ConversationView(
        conversation_id=CONVERSATION,
        title="Flood",
        updated_at="2025-03-01T10:00:00+00:00",
        message_count=1,
    )


def _message(role: str, text: str) -> MessageView:
    return MessageView(
        message_id=role,
        conversation_id=CONVERSATION,
        ordinal=1 if role == "user" else 2,
        role=role,  # type: ignore[arg-type]  # one of two literals above
        speaker=role,
        text=text,
        said_at="2025-03-01T10:00:00+00:00",
        turn_id="t",
    )


def _state(state: str) -> TurnState:
    return TurnState(
        turn_id="t",
        conversation_id=CONVERSATION,
        message_id="user",
        state=state,  # type: ignore[arg-type]  # one of two literals above
        wall_time="2025-03-01T10:00:00+00:00",
        assistant_message_id="assistant",
    )


if __name__ == "__main__":
    exit_code = run_backend(parse_arguments(sys.argv[1:]), FloodService)
    logging.shutdown()
    os._exit(exit_code)
