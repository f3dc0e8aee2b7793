"""A backend that lives in the test's own process and speaks the real contract."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from aico_desktop.contract.messages import (
    PROTOCOL_VERSION,
    Acknowledged,
    Action,
    AnswerFinished,
    Batch,
    Batches,
    ConversationChanged,
    ConversationCreated,
    Conversations,
    ConversationView,
    CreateConversation,
    Done,
    EngineChanged,
    Engines,
    EnginesReply,
    EngineView,
    Event,
    EvidenceView,
    FactDetail,
    Facts,
    FactsChanged,
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
    MemoryBatchEvent,
    MemoryBatchView,
    MemoryEdit,
    MemoryForget,
    MemoryItem,
    MemoryList,
    MemoryUndo,
    MemoryWhy,
    MessagePage,
    MessageView,
    RenameConversation,
    Reply,
    Request,
    RequestEnvelope,
    RetryJob,
    RetryTurn,
    SelectEngine,
    SendMessage,
    ServerEnvelope,
    Snapshot,
    SnapshotReply,
    StopTurn,
    TurnDelta,
    TurnError,
    TurnState,
    TurnView,
    Welcome,
)
from aico_desktop.contract.wire import (
    decode_request,
    decode_server,
    encode_request,
    encode_server,
)

BodyT = TypeVar("BodyT")

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


@dataclass
class Book:
    """What the fake backend has stored."""

    conversations: dict[str, ConversationView] = field(default_factory=dict)
    messages: dict[str, list[MessageView]] = field(default_factory=dict)
    batches: dict[str, MemoryBatchView] = field(default_factory=dict)
    facts: dict[str, FactView] = field(default_factory=dict)
    turns: dict[str, FakeTurn] = field(default_factory=dict)
    engines: tuple[EngineView, ...] = (BUILT_IN, NO_OLLAMA)


class FakeBackend(QObject):
    """Has the signals and calls of ``ui.client.connection.BackendConnection``.

    Every body goes through the real wire format in both directions, so that a test cannot pass
    with a body that the contract forbids. Requests are answered in the next turn of the event
    loop; answers are led by the test: :meth:`turn`, :meth:`enter`, :meth:`stream`, :meth:`finish`.
    """

    connected = Signal(object)
    connection_lost = Signal(str, object)
    backend_hung = Signal()
    not_responding = Signal(int)
    snapshot_needed = Signal()
    events_arrived = Signal(list)
    reply_arrived = Signal(str, object)
    request_failed = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.book = Book()
        self.sent: list[Request] = []
        self.cancelled: list[str] = []
        self.pending = 0
        """Requests that were not answered yet."""
        self.silent: set[type] = set()
        """Request types that get no answer at all."""
        self._failures: dict[type, Failure] = {}
        self._numbers = 0
        self._now = datetime(2026, 11, 30, 9, 15, tzinfo=UTC).astimezone()
        self._closed = False

    # ------------------------------------------------------------------ the connection's calls

    def start(self) -> None:
        """Let the window in."""
        welcome = Welcome(protocol=PROTOCOL_VERSION, session_id="s-1", home="/home", backend_pid=1)
        self.connected.emit(welcome)

    def send(self, body: Request, timeout_s: float = 30.0) -> str:
        """Take a request and answer it in the next turn of the event loop."""
        request_id = self._new("r")
        envelope = RequestEnvelope(v=PROTOCOL_VERSION, id=request_id, body=body)
        read = decode_request(encode_request(envelope))
        self.sent.append(read.body)
        if type(read.body) not in self.silent:
            self.pending += 1
            QTimer.singleShot(0, self, _Later(self._answer, request_id, read.body))
        return request_id

    def cancel(self, request_id: str) -> None:
        """Note that a request was given up."""
        self.cancelled.append(request_id)

    def retry_now(self) -> None:
        """There is nothing to wait for."""

    def close(self) -> None:
        """Answer no more."""
        self._closed = True

    # ------------------------------------------------------------------ what tests lead

    def requests(self, kind: type[BodyT]) -> list[BodyT]:
        """The requests of one type so far."""
        return [body for body in self.sent if isinstance(body, kind)]

    def sent_texts(self) -> list[str]:
        """What the person said so far."""
        return [body.text for body in self.requests(SendMessage)]

    def fail_next(self, kind: type, failure: Failure) -> None:
        """Answer the next request of ``kind`` with ``failure``."""
        self._failures[kind] = failure

    def lose(self, words: str = "The companion service stopped.") -> None:
        """Lose the connection."""
        self.connection_lost.emit(words, None)

    def tell(self, *events: Event) -> None:
        """Send events through the wire format."""
        read: list[Event] = []
        for event in events:
            envelope = ServerEnvelope(v=PROTOCOL_VERSION, body=event, seq=self._next())
            read.append(decode_server(encode_server(envelope)).body)  # type: ignore[arg-type]
        self.events_arrived.emit(read)

    @property
    def turn(self) -> FakeTurn:
        """The newest turn."""
        return list(self.book.turns.values())[-1]

    def enter(self, state: str, **detail: str | int | float) -> None:
        """Let the newest turn enter a state."""
        turn = self.turn
        turn.state = state
        self.tell(
            TurnState(
                turn_id=turn.turn_id,
                conversation_id=turn.conversation_id,
                message_id=turn.user_message_id,
                state=state,  # type: ignore[arg-type]  # the wire refuses a wrong word
                wall_time=self._time(),
                detail=detail,
                assistant_message_id=turn.answer.message_id if turn.answer else None,
            )
        )

    def stream(self, text: str) -> None:
        """Add text to the newest turn's answer."""
        turn = self.turn
        if turn.answer is None:
            turn.answer = self._message(
                turn.conversation_id, "assistant", "", status="streaming", turn_id=turn.turn_id
            )
            self.book.messages[turn.conversation_id].append(turn.answer)
            self.enter("responding")
        offset = len(turn.text)
        turn.text += text
        self._store_answer(turn, status="streaming")
        self.tell(
            TurnDelta(
                turn_id=turn.turn_id,
                conversation_id=turn.conversation_id,
                offset=offset,
                text=text,
            )
        )

    def finish(self, *, engine: str = "built_in", sources: tuple[str, ...] = ()) -> None:
        """End the newest turn's answer, and let its memory job begin."""
        self.answer(engine=engine, sources=sources)
        self.enter("storing")

    def answer(self, *, engine: str = "built_in", sources: tuple[str, ...] = ()) -> None:
        """End the newest turn's answer; nothing is said of its memory yet."""
        turn = self.turn
        turn.state = "done"
        stored = self._store_answer(turn, status="complete", engine=engine, sources=sources)
        self.tell(AnswerFinished(turn_id=turn.turn_id, message=stored, tokens_per_second=11.5))

    def remember(self, *items: MemoryItem) -> MemoryBatchView:
        """Tell what the newest turn's message taught."""
        turn = self.turn
        batch = MemoryBatchView(
            batch_id=self._new("b"), message_id=turn.user_message_id, items=items
        )
        self.book.batches[batch.batch_id] = batch
        self.tell(
            MemoryBatchEvent(
                turn_id=turn.turn_id, conversation_id=turn.conversation_id, batch=batch
            ),
            FactsChanged(fact_ids=tuple(item.id for item in items)),
        )
        self.enter("done")
        return batch

    def break_off(self, human: str, *actions: Action, technical: str = "") -> None:
        """Let the newest turn fail; the text so far stays."""
        turn = self.turn
        turn.state = "failed"
        turn.error = TurnError(
            turn_id=turn.turn_id,
            conversation_id=turn.conversation_id,
            code="stream_broken",
            human=human,
            technical=technical,
            actions=actions,
        )
        if turn.answer is not None:
            stored = self._store_answer(turn, status="failed")
            self.tell(AnswerFinished(turn_id=turn.turn_id, message=stored))
        self.enter("failed")
        self.tell(turn.error)

    def set_engines(self, *engines: EngineView) -> None:
        """Let engines come and go."""
        self.book.engines = engines
        self.tell(EngineChanged(engines=engines))

    def add_conversation(self, title: str, *texts: str, hours_ago: float = 0.0) -> ConversationView:
        """Store a conversation whose messages alternate between the person and the assistant."""
        conversation = ConversationView(
            conversation_id=self._new("c"),
            title=title,
            updated_at=(self._now - timedelta(hours=hours_ago)).isoformat(),
            message_count=len(texts),
        )
        self.book.conversations[conversation.conversation_id] = conversation
        messages = self.book.messages[conversation.conversation_id] = []
        for number, text in enumerate(texts):
            role = "assistant" if number % 2 else "user"
            minutes = (len(texts) - number) * 2
            said_at = self._now - timedelta(hours=hours_ago, minutes=minutes)
            messages.append(
                self._message(conversation.conversation_id, role, text, said_at=said_at.isoformat())
            )
        return conversation

    # ------------------------------------------------------------------ answers

    def _answer(self, request_id: str, body: Request) -> None:
        self.pending -= 1
        if self._closed:
            return
        failure = self._failures.pop(type(body), None)
        reply: Reply | Failure = failure or self._reply(body)
        envelope = ServerEnvelope(v=PROTOCOL_VERSION, body=reply, id=request_id)
        read = decode_server(encode_server(envelope)).body
        if isinstance(read, Failure):
            self.request_failed.emit(request_id, read)
        else:
            self.reply_arrived.emit(request_id, read)

    def _reply(self, body: Request) -> Reply | Failure:
        book = self.book
        match body:
            case ListConversations():
                return Conversations(conversations=tuple(book.conversations.values()))
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
            case StopTurn():
                return self._stop(body)
            case RetryTurn():
                return self._retry(body)
            case Snapshot():
                turns = (self._view(turn) for turn in book.turns.values())
                return SnapshotReply(
                    turns=tuple(
                        turn
                        for turn in turns
                        if body.conversation_id in (None, turn.conversation_id)
                    )
                )
            case MemoryBatches():
                own = {message.message_id for message in book.messages[body.conversation_id]}
                return Batches(
                    batches=tuple(b for b in book.batches.values() if b.message_id in own)
                )
            case MemoryUndo():
                return self._undo(body)
            case MemoryList():
                return Facts(facts=tuple(book.facts.values()))
            case MemoryWhy() if body.fact_id in book.facts:
                return FactDetail(fact=book.facts[body.fact_id], history=())
            case MemoryEdit() if body.fact_id in book.facts:
                old = book.facts[body.fact_id]
                new = msgspec.structs.replace(
                    old,
                    object=body.object or old.object,
                    text=old.text.replace(old.object, body.object or old.object),
                )
                book.facts[body.fact_id] = new
                return FactDetail(fact=new, history=())
            case MemoryForget() if body.target in book.facts:
                return self._forget(body)
            case GraphView():
                return Graph(center_id="me", nodes=(), edges=())
            case Engines():
                return EnginesReply(engines=book.engines)
            case SelectEngine():
                book.engines = tuple(
                    msgspec.structs.replace(
                        engine,
                        selected=engine.engine == body.engine,
                        model=body.model if engine.engine == body.engine else engine.model,
                    )
                    for engine in book.engines
                )
                return EnginesReply(engines=book.engines)
            case Jobs() | RetryJob():
                return JobsReply(jobs=())
            case MemoryWhy() | MemoryEdit() | MemoryForget():
                return Failure(code="not_found", human="There is no such fact.")
            case _:
                return Done()

    def _rename(self, body: RenameConversation) -> Reply:
        old = self.book.conversations[body.conversation_id]
        new = msgspec.structs.replace(old, title=body.title)
        self.book.conversations[body.conversation_id] = new
        return ConversationCreated(conversation=new)

    def _page(self, body: GetMessages) -> Reply:
        messages = self.book.messages.get(body.conversation_id, [])
        if body.before_ordinal is not None:
            messages = [m for m in messages if m.ordinal < body.before_ordinal]
        page = messages[-body.limit :]
        return MessagePage(messages=tuple(page), has_older=len(page) < len(messages))

    def _find(self, body: FindMessage) -> Reply | Failure:
        for messages in self.book.messages.values():
            for message in messages:
                if message.message_id == body.message_id:
                    return MessagePage(messages=(message,), has_older=message.ordinal > 1)
        return Failure(code="not_found", human="This message does not exist any more.")

    def _accept(self, body: SendMessage) -> Reply:
        message = self._message(body.conversation_id, "user", body.text)
        self.book.messages[body.conversation_id].append(message)
        turn = FakeTurn(self._new("t"), body.conversation_id, message.message_id)
        self.book.turns[turn.turn_id] = turn
        return Acknowledged(message=message, turn_id=turn.turn_id)

    def _stop(self, body: StopTurn) -> Reply:
        turn = self.book.turns[body.turn_id]
        if turn.answer is not None:
            stored = self._store_answer(turn, status="stopped")
            self.tell(AnswerFinished(turn_id=turn.turn_id, message=stored))
        QTimer.singleShot(0, self, _Later(self.enter, "stopped"))
        return Done()

    def _retry(self, body: RetryTurn) -> Reply:
        old = self.book.turns[body.turn_id]
        turn = FakeTurn(self._new("t"), old.conversation_id, old.user_message_id)
        if body.mode == "continue":
            turn.answer, turn.text = old.answer, old.text
        self.book.turns[turn.turn_id] = turn
        question = next(
            message
            for message in self.book.messages[old.conversation_id]
            if message.message_id == old.user_message_id
        )
        return Acknowledged(message=question, turn_id=turn.turn_id)

    def _undo(self, body: MemoryUndo) -> Reply:
        batch = msgspec.structs.replace(self.book.batches[body.batch_id], undone=True)
        self.book.batches[body.batch_id] = batch
        return Batch(batch=batch)

    def _forget(self, body: MemoryForget) -> Reply:
        fact = self.book.facts[body.target]
        if not body.preview:
            del self.book.facts[body.target]
            for evidence in fact.evidence:
                self._blank(evidence)
        return Forgotten(facts=(fact,), blanked_spans=len(fact.evidence), preview=body.preview)

    def _blank(self, evidence: EvidenceView) -> None:
        for messages in self.book.messages.values():
            for at, message in enumerate(messages):
                if message.message_id == evidence.message_id:
                    blank = " " * (evidence.end - evidence.start)
                    text = message.text[: evidence.start] + blank + message.text[evidence.end :]
                    messages[at] = msgspec.structs.replace(message, text=text)

    # ------------------------------------------------------------------ parts

    def set_title(self, conversation_id: str, title: str) -> None:
        """Give a conversation its automatic title."""
        new = msgspec.structs.replace(self.book.conversations[conversation_id], title=title)
        self.book.conversations[conversation_id] = new
        self.tell(ConversationChanged(conversation=new))

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

    def _store_answer(self, turn: FakeTurn, **fields: object) -> MessageView:
        assert turn.answer is not None, "stream some text first"
        turn.answer = msgspec.structs.replace(turn.answer, text=turn.text, **fields)
        messages = self.book.messages[turn.conversation_id]
        for at, message in enumerate(messages):
            if message.message_id == turn.answer.message_id:
                messages[at] = turn.answer
        return turn.answer

    def _message(
        self, conversation_id: str, role: str, text: str, said_at: str = "", **fields: object
    ) -> MessageView:
        existing = self.book.messages.get(conversation_id, [])
        values: dict[str, object] = {
            "message_id": self._new("m"),
            "conversation_id": conversation_id,
            "ordinal": existing[-1].ordinal + 1 if existing else 1,
            "role": role,
            "speaker": "me" if role == "user" else "AICO",
            "text": text,
            "said_at": said_at or self._time(),
        }
        return msgspec.convert(values | fields, MessageView)

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers

    def _new(self, kind: str) -> str:
        return f"{kind}-{self._next()}"

    def _time(self) -> str:
        self._now += timedelta(seconds=20)
        return self._now.isoformat()


class _Later:
    """A call with its arguments, for the next turn of the event loop."""

    def __init__(self, call: Callable[..., None], *arguments: object) -> None:
        self._call = call
        self._arguments = arguments

    def __call__(self) -> None:
        self._call(*self._arguments)


def added(
    fact_id: str,
    text: str,
    quote: str,
    *,
    confidence: float = 0.95,
    message_id: str = "m-0",
) -> MemoryItem:
    """A line of a chip about something new."""
    return MemoryItem(
        op="added",
        id=fact_id,
        text=text,
        confidence=confidence,
        evidence=(
            EvidenceView(
                conversation="c-1",
                message_id=message_id,
                start=0,
                end=len(quote),
                quote=quote,
                speaker="me",
            ),
        ),
    )


def texts(count: int) -> Iterable[str]:
    """Alternating questions and answers of everyday lengths, for long conversations."""
    for number in range(count):
        if number % 2 == 0:
            yield f"Question {number}: what should I plant beside the shed this spring?"
        else:
            yield (
                f"Answer {number}: **beans** do well there.\n\n- sow after the last frost\n"
                "- water `twice` a week\n\nThey climb, so give them a pole."
            )
