"""A backend that lives in the test's own process and speaks the real contract."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from aico_desktop.contract.messages import (
    PROTOCOL_VERSION,
    Action,
    AnswerFinished,
    ConversationChanged,
    ConversationView,
    EngineChanged,
    EngineView,
    Event,
    EvidenceView,
    FactsChanged,
    Failure,
    MemoryBatchEvent,
    MemoryBatchView,
    MemoryItem,
    Reply,
    Request,
    RequestEnvelope,
    SendMessage,
    ServerEnvelope,
    StopTurn,
    TurnDelta,
    TurnError,
    TurnState,
    Welcome,
)
from aico_desktop.contract.wire import (
    decode_request,
    decode_server,
    encode_request,
    encode_server,
)
from tests.fake_book import FakeBook, FakeTurn

BodyT = TypeVar("BodyT")


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
        self.book = FakeBook()
        self.sent: list[Request] = []
        self.cancelled: list[str] = []
        self.pending = 0
        """Requests that were not answered yet."""
        self.silent: set[type] = set()
        """Request types that get no answer at all."""
        self._failures: dict[type, Failure] = {}
        self._closed = False

    # ------------------------------------------------------------------ the connection's calls

    def start(self) -> None:
        """Let the window in."""
        welcome = Welcome(protocol=PROTOCOL_VERSION, session_id="s-1", home="/home", backend_pid=1)
        self.connected.emit(welcome)

    def send(self, body: Request, timeout_s: float = 30.0) -> str:
        """Take a request and answer it in the next turn of the event loop."""
        request_id = self.book.new("r")
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
            envelope = ServerEnvelope(v=PROTOCOL_VERSION, body=event, seq=self.book.next_number())
            read.append(decode_server(encode_server(envelope)).body)  # type: ignore[arg-type]  # the wire refuses what does not fit
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
                wall_time=self.book.time(),
                detail=detail,
                assistant_message_id=turn.answer.message_id if turn.answer else None,
            )
        )

    def stream(self, text: str) -> None:
        """Add text to the newest turn's answer."""
        turn = self.turn
        if turn.answer is None:
            turn.answer = self.book.message(
                turn.conversation_id, "assistant", "", status="streaming", turn_id=turn.turn_id
            )
            self.book.messages[turn.conversation_id].append(turn.answer)
            self.enter("responding")
        offset = len(turn.text)
        turn.text += text
        self.book.store_answer(turn, status="streaming")
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
        stored = self.book.store_answer(turn, status="complete", engine=engine, sources=sources)
        self.tell(AnswerFinished(turn_id=turn.turn_id, message=stored, tokens_per_second=11.5))

    def remember(self, *items: MemoryItem) -> MemoryBatchView:
        """Tell what the newest turn's message taught."""
        turn = self.turn
        batch = MemoryBatchView(
            batch_id=self.book.new("b"), message_id=turn.user_message_id, items=items
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
            stored = self.book.store_answer(turn, status="failed")
            self.tell(AnswerFinished(turn_id=turn.turn_id, message=stored))
        self.enter("failed")
        self.tell(turn.error)

    def set_engines(self, *engines: EngineView) -> None:
        """Let engines come and go."""
        self.book.engines = engines
        self.tell(EngineChanged(engines=engines))

    def add_conversation(self, title: str, *texts: str, hours_ago: float = 0.0) -> ConversationView:
        """Store a conversation whose messages alternate between the person and the assistant."""
        return self.book.add_conversation(title, *texts, hours_ago=hours_ago)

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
        if isinstance(body, StopTurn):
            self._stop(body)
        return self.book.reply(body)

    def _stop(self, body: StopTurn) -> None:
        """Keep the partial text, as the real backend does, and say so after the reply."""
        turn = self.book.turns[body.turn_id]
        if turn.answer is not None:
            stored = self.book.store_answer(turn, status="stopped")
            self.tell(AnswerFinished(turn_id=turn.turn_id, message=stored))
        QTimer.singleShot(0, self, _Later(self.enter, "stopped"))

    def set_title(self, conversation_id: str, title: str) -> None:
        """Give a conversation its automatic title."""
        new = msgspec.structs.replace(self.book.conversations[conversation_id], title=title)
        self.book.conversations[conversation_id] = new
        self.tell(ConversationChanged(conversation=new))


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
