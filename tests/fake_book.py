"""What the fake backend has stored, and how it answers each request."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import msgspec

from aico_desktop.contract.messages import (
    Acknowledged,
    Batch,
    Batches,
    ConversationCreated,
    Conversations,
    ConversationView,
    CreateConversation,
    Done,
    Engines,
    EnginesReply,
    EngineView,
    EvidenceView,
    FactDetail,
    Facts,
    FactView,
    Failure,
    FindMessage,
    Forgotten,
    GetMessages,
    Graph,
    GraphView,
    Jobs,
    JobsReply,
    ListConversations,
    MemoryBatches,
    MemoryBatchView,
    MemoryEdit,
    MemoryForget,
    MemoryList,
    MemoryUndo,
    MemoryWhy,
    MessagePage,
    MessageView,
    RenameConversation,
    Reply,
    Request,
    RetryJob,
    RetryTurn,
    SelectEngine,
    SendMessage,
    Snapshot,
    SnapshotReply,
    TurnError,
    TurnView,
)

BUILT_IN = EngineView(
    engine="built_in",
    available=True,
    selected=True,
    model="SmolLM2-135M",
    models=("SmolLM2-135M",),
    detail="answers on this computer",
)
NO_OLLAMA = EngineView(
    engine="ollama",
    available=False,
    selected=False,
    model=None,
    address="127.0.0.1:11434",
    detail="Ollama is not running at 127.0.0.1:11434",
)


@dataclass
class FakeTurn:
    """A turn that the test leads by hand through its states."""

    turn_id: str
    conversation_id: str
    user_message_id: str
    state: str = "listening"
    text: str = ""
    answer: MessageView | None = None
    error: TurnError | None = None


class FakeBook:
    """Conversations, turns, facts and chips in plain containers, and a reply to each request."""

    def __init__(self) -> None:
        self.conversations: dict[str, ConversationView] = {}
        self.messages: dict[str, list[MessageView]] = {}
        self.batches: dict[str, MemoryBatchView] = {}
        self.facts: dict[str, FactView] = {}
        self.details: dict[str, FactDetail] = {}
        self.graph = Graph(center_id="me", nodes=(), edges=())
        self.turns: dict[str, FakeTurn] = {}
        self.engines: tuple[EngineView, ...] = (BUILT_IN, NO_OLLAMA)
        self._numbers = 0
        self._now = datetime(2026, 11, 30, 9, 15, tzinfo=UTC).astimezone()

    def add_conversation(self, title: str, *texts: str, hours_ago: float = 0.0) -> ConversationView:
        """Store a conversation whose messages alternate between the person and the assistant."""
        conversation = ConversationView(
            conversation_id=self.new("c"),
            title=title,
            updated_at=(self._now - timedelta(hours=hours_ago)).isoformat(),
            message_count=len(texts),
        )
        self.conversations[conversation.conversation_id] = conversation
        messages = self.messages[conversation.conversation_id] = []
        for number, text in enumerate(texts):
            role = "assistant" if number % 2 else "user"
            minutes = (len(texts) - number) * 2
            said_at = self._now - timedelta(hours=hours_ago, minutes=minutes)
            messages.append(
                self.message(conversation.conversation_id, role, text, said_at=said_at.isoformat())
            )
        return conversation

    def reply(self, body: Request) -> Reply | Failure:
        match body:
            case ListConversations():
                return Conversations(conversations=tuple(self.conversations.values()))
            case CreateConversation():
                return ConversationCreated(conversation=self.add_conversation(body.title or ""))
            case RenameConversation():
                return self._rename(body)
            case GetMessages():
                return self._page(body)
            case FindMessage():
                return self._find(body)
            case SendMessage():
                return self._accept(body)
            case RetryTurn():
                return self._retry(body)
            case Snapshot():
                turns = (self._view(turn) for turn in self.turns.values())
                return SnapshotReply(
                    turns=tuple(
                        turn
                        for turn in turns
                        if body.conversation_id in (None, turn.conversation_id)
                    )
                )
            case MemoryBatches():
                own = {message.message_id for message in self.messages[body.conversation_id]}
                return Batches(
                    batches=tuple(b for b in self.batches.values() if b.message_id in own)
                )
            case MemoryUndo():
                return self._undo(body)
            case MemoryList():
                return Facts(facts=tuple(self.facts.values()))
            case MemoryWhy() if body.fact_id in self.details:
                return self.details[body.fact_id]
            case MemoryWhy() if body.fact_id in self.facts:
                return FactDetail(fact=self.facts[body.fact_id], history=())
            case MemoryEdit() if body.fact_id in self.facts:
                old = self.facts[body.fact_id]
                new = msgspec.structs.replace(
                    old,
                    object=body.object or old.object,
                    text=old.text.replace(old.object, body.object or old.object),
                )
                self.facts[body.fact_id] = new
                return FactDetail(fact=new, history=())
            case MemoryForget() if body.target in self.facts:
                return self._forget(body)
            case GraphView():
                return self.graph
            case Engines():
                return EnginesReply(engines=self.engines)
            case SelectEngine():
                self.engines = tuple(
                    msgspec.structs.replace(
                        engine,
                        selected=engine.engine == body.engine,
                        model=body.model if engine.engine == body.engine else engine.model,
                    )
                    for engine in self.engines
                )
                return EnginesReply(engines=self.engines)
            case Jobs() | RetryJob():
                return JobsReply(jobs=())
            case MemoryWhy() | MemoryEdit() | MemoryForget():
                return Failure(code="not_found", human="There is no such fact.")
            case _:
                return Done()

    def _rename(self, body: RenameConversation) -> Reply:
        old = self.conversations[body.conversation_id]
        new = msgspec.structs.replace(old, title=body.title)
        self.conversations[body.conversation_id] = new
        return ConversationCreated(conversation=new)

    def _page(self, body: GetMessages) -> Reply:
        messages = self.messages.get(body.conversation_id, [])
        if body.before_ordinal is not None:
            messages = [m for m in messages if m.ordinal < body.before_ordinal]
        page = messages[-body.limit :]
        return MessagePage(messages=tuple(page), has_older=len(page) < len(messages))

    def _find(self, body: FindMessage) -> Reply | Failure:
        for messages in self.messages.values():
            for message in messages:
                if message.message_id == body.message_id:
                    return MessagePage(messages=(message,), has_older=message.ordinal > 1)
        return Failure(code="not_found", human="This message does not exist any more.")

    def _accept(self, body: SendMessage) -> Reply:
        message = self.message(body.conversation_id, "user", body.text)
        self.messages[body.conversation_id].append(message)
        turn = FakeTurn(self.new("t"), body.conversation_id, message.message_id)
        self.turns[turn.turn_id] = turn
        return Acknowledged(message=message, turn_id=turn.turn_id)

    def _retry(self, body: RetryTurn) -> Reply:
        old = self.turns[body.turn_id]
        turn = FakeTurn(self.new("t"), old.conversation_id, old.user_message_id)
        if body.mode == "continue":
            turn.answer, turn.text = old.answer, old.text
        self.turns[turn.turn_id] = turn
        question = next(
            message
            for message in self.messages[old.conversation_id]
            if message.message_id == old.user_message_id
        )
        return Acknowledged(message=question, turn_id=turn.turn_id)

    def _undo(self, body: MemoryUndo) -> Reply:
        batch = msgspec.structs.replace(self.batches[body.batch_id], undone=True)
        self.batches[body.batch_id] = batch
        return Batch(batch=batch)

    def _forget(self, body: MemoryForget) -> Reply:
        fact = self.facts[body.target]
        if not body.preview:
            del self.facts[body.target]
            for evidence in fact.evidence:
                self._blank(evidence)
        return Forgotten(facts=(fact,), blanked_spans=len(fact.evidence), preview=body.preview)

    def _blank(self, evidence: EvidenceView) -> None:
        for messages in self.messages.values():
            for at, message in enumerate(messages):
                if message.message_id == evidence.message_id:
                    blank = " " * (evidence.end - evidence.start)
                    text = message.text[: evidence.start] + blank + message.text[evidence.end :]
                    messages[at] = msgspec.structs.replace(message, text=text)

    def _view(self, turn: FakeTurn) -> TurnView:
        return TurnView(
            turn_id=turn.turn_id,
            conversation_id=turn.conversation_id,
            user_message_id=turn.user_message_id,
            assistant_message_id=turn.answer.message_id if turn.answer else None,
            state=turn.state,
            text=turn.text,
            error=turn.error,
        )

    def store_answer(self, turn: FakeTurn, **fields: object) -> MessageView:
        assert turn.answer is not None, "stream some text first"
        turn.answer = msgspec.structs.replace(turn.answer, text=turn.text, **fields)
        messages = self.messages[turn.conversation_id]
        for at, message in enumerate(messages):
            if message.message_id == turn.answer.message_id:
                messages[at] = turn.answer
        return turn.answer

    def message(
        self, conversation_id: str, role: str, text: str, said_at: str = "", **fields: object
    ) -> MessageView:
        existing = self.messages.get(conversation_id, [])
        values: dict[str, object] = {
            "message_id": self.new("m"),
            "conversation_id": conversation_id,
            "ordinal": existing[-1].ordinal + 1 if existing else 1,
            "role": role,
            "speaker": "me" if role == "user" else "AICO",
            "text": text,
            "said_at": said_at or self.time(),
        }
        return msgspec.convert(values | fields, MessageView)

    def next_number(self) -> int:
        self._numbers += 1
        return self._numbers

    def new(self, kind: str) -> str:
        return f"{kind}-{self.next_number()}"

    def time(self) -> str:
        self._now += timedelta(seconds=20)
        return self._now.isoformat()
