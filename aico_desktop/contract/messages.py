"""Every message that a client and the backend exchange, typed and tagged; shared by both sides."""

from __future__ import annotations

from typing import Literal

import msgspec

PROTOCOL_VERSION = 1
"""Raised by one whenever a message changes in a way that an older peer would misread."""


class Message(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True
):
    """Base of all bodies: immutable, tagged by ``type``, unknown fields refused."""


# ---------------------------------------------------------------- records shown to people


class ConversationView(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the conversation list. Times are ISO 8601 with offset."""

    conversation_id: str
    title: str
    updated_at: str
    message_count: int


class MessageView(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a transcript; ``status`` is ``complete`` for everything but answers."""

    message_id: str
    conversation_id: str
    ordinal: int
    role: Literal["user", "assistant", "other"]
    speaker: str
    text: str
    said_at: str
    status: Literal["complete", "streaming", "stopped", "interrupted", "failed"] = "complete"
    turn_id: str | None = None
    engine: str | None = None
    sources: tuple[str, ...] = ()


class EvidenceView(msgspec.Struct, frozen=True, kw_only=True):
    """The words a fact came from; ``start``/``end`` are half-open code points in the message.

    ``conversation`` is the name that an import gave it, else its id; ``external_id`` is the id
    that an import file gave the message.
    """

    conversation: str
    message_id: str
    start: int
    end: int
    quote: str
    said_at: str = ""
    speaker: str = ""
    method: str = ""
    external_id: str = ""


class HistoryView(msgspec.Struct, frozen=True, kw_only=True):
    """One change of a fact: when, what, and why."""

    changed_at: str
    change: str
    reason: str
    old: str | None = None
    new: str | None = None


class FactView(msgspec.Struct, frozen=True, kw_only=True):
    """One proposition as people read it; the user is ``me``."""

    id: str
    subject: str
    predicate: str
    object: str
    text: str
    polarity: str
    modality: str
    status: str
    confidence: float
    valid_from: str | None
    valid_until: str | None
    valid_precision: str | None
    recorded_at: str
    evidence: tuple[EvidenceView, ...]
    subject_id: str = ""
    object_id: str | None = None
    subject_label: str = ""
    object_label: str | None = None
    topic: str = ""
    speaker: str = "me"
    pinned: bool = False
    sensitive: bool = False


class MemoryItem(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the memory chip; ``op`` is the verb of reference/ux §4.3."""

    op: Literal["added", "changed", "confirmed", "ended", "question"]
    id: str
    text: str
    old: str | None = None
    confidence: float = 1.0
    evidence: tuple[EvidenceView, ...] = ()


class MemoryBatchView(msgspec.Struct, frozen=True, kw_only=True):
    """What one message taught; ``undone`` once the person took it back."""

    batch_id: str
    message_id: str
    items: tuple[MemoryItem, ...]
    undone: bool = False


class TurnView(msgspec.Struct, frozen=True, kw_only=True):
    """The present state of one turn, enough to redraw it after a reconnect."""

    turn_id: str
    conversation_id: str
    user_message_id: str
    assistant_message_id: str | None
    state: str
    text: str
    error: TurnError | None = None


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """A next step offered to the person: ``verb`` for the program, ``label`` for the button."""

    verb: Literal[
        "ask_again",
        "continue",
        "use_built_in",
        "choose_model",
        "retry_memory",
        "show_log",
        "restart",
    ]
    label: str


class EngineView(msgspec.Struct, frozen=True, kw_only=True):
    """A chat engine: whether it can be used now, and in words why not."""

    engine: Literal["built_in", "ollama", "openai_compatible"]
    available: bool
    selected: bool
    model: str | None
    models: tuple[str, ...] = ()
    address: str | None = None
    detail: str = ""


class JobView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory job that waits, runs or failed, for the panel and ``aico stats``."""

    job_id: str
    message_id: str
    state: Literal["pending", "running", "failed", "done"]
    attempts: int
    reason: str = ""


class GraphNodeView(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn node; ``x``/``y`` come from the backend's seeded layout, roughly in -1…1."""

    id: str
    name: str
    label: str
    importance: float
    x: float
    y: float


class GraphEdgeView(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn edge with the facts it stands for."""

    id: str
    source_id: str
    target_id: str
    predicate: str
    text: str
    fact_ids: tuple[str, ...]


class AttachmentInput(msgspec.Struct, frozen=True, kw_only=True):
    """Text pasted or dropped beside a message; it is read as data and teaches nothing."""

    name: str
    text: str


class IngestRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of an import file, already checked by the client; ``line`` names it in reports."""

    line: int
    conversation: str
    role: Literal["user", "assistant", "other"]
    speaker: str
    time: str
    text: str
    id: str | None = None
    image_caption: str | None = None


class RowProblem(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be told of a row of an import, by line number, in words."""

    line: int
    reason: str


class DoctorCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One line of ``aico doctor``."""

    name: str
    ok: bool
    detail: str


# ---------------------------------------------------------------- requests


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """First message of every client; the token is read from the home's 0600 token file."""

    protocol: int
    client: str
    token: str
    wants_events: bool = False


class Ping(Message, frozen=True, kw_only=True, tag="ping"):
    """Heartbeat; answered by :class:`Pong`."""


class Cancel(Message, frozen=True, kw_only=True, tag="cancel"):
    """Give up an earlier request by its id."""

    request_id: str


class Credit(Message, frozen=True, kw_only=True, tag="credit"):
    """Allow the backend to send ``count`` further events; gets no reply.

    A session starts with ``Welcome.event_credit``. Without credit, events wait in the backend.
    """

    count: int


class Goodbye(Message, frozen=True, kw_only=True, tag="goodbye"):
    """The client leaves; gets no reply. Saves the backend from waiting for missed heartbeats."""


class Shutdown(Message, frozen=True, kw_only=True, tag="shutdown"):
    """End the backend in order."""


class ListConversations(Message, frozen=True, kw_only=True, tag="list_conversations"):
    """Newest first."""


class CreateConversation(Message, frozen=True, kw_only=True, tag="create_conversation"):
    """Start an empty conversation."""

    title: str | None = None


class RenameConversation(Message, frozen=True, kw_only=True, tag="rename_conversation"):
    """A title given by hand is never replaced by an automatic one."""

    conversation_id: str
    title: str


class GetMessages(Message, frozen=True, kw_only=True, tag="get_messages"):
    """A page of a transcript that ends before ``before_ordinal`` (or at its end)."""

    conversation_id: str
    before_ordinal: int | None = None
    limit: int = 60


class FindMessage(Message, frozen=True, kw_only=True, tag="find_message"):
    """A page of a transcript that ends at one message, whichever conversation it is in."""

    message_id: str
    limit: int = 1


class SendMessage(Message, frozen=True, kw_only=True, tag="send_message"):
    """Say something; ``client_key`` makes a resend after a lost reply harmless."""

    conversation_id: str
    text: str
    client_key: str
    attachments: tuple[AttachmentInput, ...] = ()


class StopTurn(Message, frozen=True, kw_only=True, tag="stop_turn"):
    """Stop the running answer and keep its partial text."""

    turn_id: str


class RetryTurn(Message, frozen=True, kw_only=True, tag="retry_turn"):
    """Answer a message again, or go on from the partial text, perhaps with the built-in model."""

    turn_id: str
    mode: Literal["again", "continue"]
    use_built_in: bool = False


class Snapshot(Message, frozen=True, kw_only=True, tag="snapshot"):
    """The state of one conversation's turns (or of all running ones) after missed events."""

    conversation_id: str | None = None


class MemoryList(Message, frozen=True, kw_only=True, tag="memory_list"):
    """ACTIVE facts, all or about one name, or matching words: a page that begins at ``offset``.

    A page keeps the reply far below the limit of a message, also at 100,000 facts.
    """

    about: str | None = None
    query: str | None = None
    offset: int = 0
    limit: int = 5000


class MemoryWhy(Message, frozen=True, kw_only=True, tag="memory_why"):
    """A fact with its evidence and history."""

    fact_id: str


class MemoryForget(Message, frozen=True, kw_only=True, tag="memory_forget"):
    """Forget a fact by id, or what is known by a name; ``preview`` only says what would go."""

    target: str
    preview: bool = False


class MemoryEdit(Message, frozen=True, kw_only=True, tag="memory_edit"):
    """Correct a fact's object or dates; None leaves a field as it is."""

    fact_id: str
    object: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None


class MemoryUndo(Message, frozen=True, kw_only=True, tag="memory_undo"):
    """Take back everything that one batch changed, at any later time."""

    batch_id: str


class MemoryBatches(Message, frozen=True, kw_only=True, tag="memory_batches"):
    """The chips of a conversation, to be redrawn when it is opened."""

    conversation_id: str


class ResolveEntity(Message, frozen=True, kw_only=True, tag="resolve_entity"):
    """Entities that a name may mean, for clients that must ask."""

    name: str


class GraphView(Message, frozen=True, kw_only=True, tag="graph_view"):
    """The neighbourhood of an entity (``me`` when None), laid out and capped."""

    center_id: str | None = None
    depth: int = 2
    limit: int = 150


class Ask(Message, frozen=True, kw_only=True, tag="ask"):
    """A question to the memory alone."""

    question: str


class Ingest(Message, frozen=True, kw_only=True, tag="ingest"):
    """A batch of import rows, stored with their memory jobs; the reply waits only for the store."""

    source: str
    rows: tuple[IngestRow, ...]


class IngestStatus(Message, frozen=True, kw_only=True, tag="ingest_status"):
    """How far the memory of an import is."""

    import_id: str


class Stats(Message, frozen=True, kw_only=True, tag="stats"):
    """Counts of everything stored."""


class Doctor(Message, frozen=True, kw_only=True, tag="doctor"):
    """Check every store, model and file; change nothing."""


class Engines(Message, frozen=True, kw_only=True, tag="engines"):
    """Which chat engines there are."""


class SelectEngine(Message, frozen=True, kw_only=True, tag="select_engine"):
    """Choose the engine (and model) of the next answers."""

    engine: Literal["built_in", "ollama", "openai_compatible"]
    model: str | None = None


class Jobs(Message, frozen=True, kw_only=True, tag="jobs"):
    """Memory jobs that are not done."""


class RetryJob(Message, frozen=True, kw_only=True, tag="retry_job"):
    """Try a failed memory job again now."""

    job_id: str


Request = (
    Hello
    | Ping
    | Cancel
    | Credit
    | Goodbye
    | Shutdown
    | ListConversations
    | CreateConversation
    | RenameConversation
    | GetMessages
    | FindMessage
    | SendMessage
    | StopTurn
    | RetryTurn
    | Snapshot
    | MemoryList
    | MemoryWhy
    | MemoryForget
    | MemoryEdit
    | MemoryUndo
    | MemoryBatches
    | ResolveEntity
    | GraphView
    | Ask
    | Ingest
    | IngestStatus
    | Stats
    | Doctor
    | Engines
    | SelectEngine
    | Jobs
    | RetryJob
)

# ---------------------------------------------------------------- replies


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The backend accepted the client.

    ``event_credit`` events may come before the first :class:`Credit`. A client that sends nothing
    for ``session_timeout_s`` seconds is forgotten; a :class:`Ping` each second keeps it.
    """

    protocol: int
    session_id: str
    home: str
    backend_pid: int
    event_credit: int = 512
    session_timeout_s: float = 10.0


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """Answer to a heartbeat."""


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """The wish was carried out and there is nothing more to tell."""


class Conversations(Message, frozen=True, kw_only=True, tag="conversations"):
    """Answer to :class:`ListConversations`."""

    conversations: tuple[ConversationView, ...]


class ConversationCreated(Message, frozen=True, kw_only=True, tag="conversation_created"):
    """Answer to :class:`CreateConversation` and :class:`RenameConversation`."""

    conversation: ConversationView


class MessagePage(Message, frozen=True, kw_only=True, tag="message_page"):
    """Messages in reading order, and whether there are older ones."""

    messages: tuple[MessageView, ...]
    has_older: bool


class Acknowledged(Message, frozen=True, kw_only=True, tag="acknowledged"):
    """The message is committed; the turn has begun. ``notice`` says what was repaired in it."""

    message: MessageView
    turn_id: str
    notice: str | None = None


class SnapshotReply(Message, frozen=True, kw_only=True, tag="snapshot_reply"):
    """Answer to :class:`Snapshot`."""

    turns: tuple[TurnView, ...]


class Facts(Message, frozen=True, kw_only=True, tag="facts"):
    """Answer to :class:`MemoryList`; ``total`` counts the facts of all pages."""

    facts: tuple[FactView, ...]
    total: int = 0


class FactDetail(Message, frozen=True, kw_only=True, tag="fact_detail"):
    """Answer to :class:`MemoryWhy` and :class:`MemoryEdit`."""

    fact: FactView
    history: tuple[HistoryView, ...]
    premises: tuple[FactView, ...] = ()


class Forgotten(Message, frozen=True, kw_only=True, tag="forgotten"):
    """What went (or, as a preview, would go)."""

    facts: tuple[FactView, ...]
    blanked_spans: int
    preview: bool
    vectors_pending: bool = False


class Batch(Message, frozen=True, kw_only=True, tag="batch"):
    """Answer to :class:`MemoryUndo`."""

    batch: MemoryBatchView


class Batches(Message, frozen=True, kw_only=True, tag="batches"):
    """Answer to :class:`MemoryBatches`."""

    batches: tuple[MemoryBatchView, ...]


class EntityCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """One entity that a name may mean, told apart by words."""

    entity_id: str
    name: str
    label: str
    description: str
    fact_count: int


class EntityCandidates(Message, frozen=True, kw_only=True, tag="entity_candidates"):
    """Answer to :class:`ResolveEntity`."""

    candidates: tuple[EntityCandidate, ...]


class Graph(Message, frozen=True, kw_only=True, tag="graph"):
    """Answer to :class:`GraphView`; ``hidden`` nodes did not fit the limit."""

    center_id: str
    nodes: tuple[GraphNodeView, ...]
    edges: tuple[GraphEdgeView, ...]
    hidden: int = 0


class Answer(Message, frozen=True, kw_only=True, tag="answer"):
    """Answer to :class:`Ask`; ``abstained`` when the memory does not hold it."""

    answer: str
    facts: tuple[str, ...]
    sources: tuple[str, ...]
    abstained: bool


class Ingested(Message, frozen=True, kw_only=True, tag="ingested"):
    """Rows stored by one :class:`Ingest`; ``import_id`` is shared by all batches of one source.

    ``notes`` concern rows that were not skipped, but of which there is something to tell.
    """

    import_id: str
    stored: int
    already_known: int
    problems: tuple[RowProblem, ...]
    notes: tuple[RowProblem, ...] = ()


class IngestProgress(Message, frozen=True, kw_only=True, tag="ingest_progress"):
    """Counts over the jobs of one import so far.

    ``problem`` says in words why the memory stands still for now; empty while it goes on.
    """

    pending: int
    messages: int
    facts_added: int
    facts_confirmed: int
    facts_changed: int
    failed: int
    problem: str = ""


class StatsReply(Message, frozen=True, kw_only=True, tag="stats_reply"):
    """Counts by name."""

    counts: dict[str, int]
    jobs: tuple[JobView, ...] = ()


class DoctorReply(Message, frozen=True, kw_only=True, tag="doctor_reply"):
    """Answer to :class:`Doctor`."""

    checks: tuple[DoctorCheck, ...]
    rejected: dict[str, int] = {}


class EnginesReply(Message, frozen=True, kw_only=True, tag="engines_reply"):
    """Answer to :class:`Engines` and :class:`SelectEngine`."""

    engines: tuple[EngineView, ...]


class JobsReply(Message, frozen=True, kw_only=True, tag="jobs_reply"):
    """Answer to :class:`Jobs` and :class:`RetryJob`."""

    jobs: tuple[JobView, ...]


Reply = (
    Welcome
    | Pong
    | Done
    | Conversations
    | ConversationCreated
    | MessagePage
    | Acknowledged
    | SnapshotReply
    | Facts
    | FactDetail
    | Forgotten
    | Batch
    | Batches
    | EntityCandidates
    | Graph
    | Answer
    | Ingested
    | IngestProgress
    | StatsReply
    | DoctorReply
    | EnginesReply
    | JobsReply
)


class Failure(Message, frozen=True, kw_only=True, tag="failure"):
    """A request that could not be carried out: in words, and technically.

    Codes: ``wrong_protocol``, ``not_authenticated``, ``malformed``, ``unknown_type``,
    ``too_large``, ``busy``, ``not_found``, ``ambiguous``, ``invalid``, ``deadline``, ``cancelled``,
    ``read_only``, ``disk_full``, ``internal``; and ``unreachable``, which the client itself gives
    to requests that were under way when the connection was lost.
    """

    code: str
    human: str
    technical: str = ""
    candidates: tuple[EntityCandidate, ...] = ()


# ---------------------------------------------------------------- events


class TurnState(Message, frozen=True, kw_only=True, tag="turn_state"):
    """A turn entered a state of DESIGN §3; ``detail`` holds real numbers only."""

    turn_id: str
    conversation_id: str
    message_id: str
    state: Literal[
        "listening",
        "waiting",
        "loading",
        "understanding",
        "thinking",
        "responding",
        "storing",
        "done",
        "stopped",
        "failed",
        "interrupted",
        "nothing",
        "paused",
    ]
    wall_time: str
    detail: dict[str, str | int | float] = {}
    assistant_message_id: str | None = None


class TurnDelta(Message, frozen=True, kw_only=True, tag="turn_delta"):
    """Further answer text that starts at code point ``offset`` of the answer."""

    turn_id: str
    conversation_id: str
    offset: int
    text: str


class TurnError(Message, frozen=True, kw_only=True, tag="turn_error"):
    """Why a turn failed, in plain words, with the next steps."""

    turn_id: str
    conversation_id: str
    code: str
    human: str
    technical: str = ""
    actions: tuple[Action, ...] = ()


class AnswerFinished(Message, frozen=True, kw_only=True, tag="answer_finished"):
    """The stored answer, for clients that want it whole."""

    turn_id: str
    message: MessageView
    tokens_per_second: float | None = None


class MemoryBatchEvent(Message, frozen=True, kw_only=True, tag="memory_batch"):
    """A memory job committed: the chip of its message."""

    turn_id: str | None
    conversation_id: str
    batch: MemoryBatchView


class ConversationChanged(Message, frozen=True, kw_only=True, tag="conversation_changed"):
    """A conversation is new or has another title or date."""

    conversation: ConversationView


class FactsChanged(Message, frozen=True, kw_only=True, tag="facts_changed"):
    """Facts appeared, changed or went; panels that show them ask again."""

    fact_ids: tuple[str, ...]


class EngineChanged(Message, frozen=True, kw_only=True, tag="engine_changed"):
    """An engine came or went, or another one was chosen."""

    engines: tuple[EngineView, ...]


class JobChanged(Message, frozen=True, kw_only=True, tag="job_changed"):
    """A memory job failed for good or was taken up again."""

    job: JobView


Event = (
    TurnState
    | TurnDelta
    | TurnError
    | AnswerFinished
    | MemoryBatchEvent
    | ConversationChanged
    | FactsChanged
    | EngineChanged
    | JobChanged
)

# ---------------------------------------------------------------- envelopes


class RequestEnvelope(msgspec.Struct, frozen=True, kw_only=True):
    """What a client puts on the wire; ``deadline_ms`` counts from its arrival."""

    v: int
    id: str
    body: Request
    deadline_ms: int = 30_000


class ServerEnvelope(msgspec.Struct, frozen=True, kw_only=True):
    """What the backend puts on the wire: a reply (with ``id``) or an event (with ``seq``).

    ``seq`` rises by one per event of a session, so that a client sees a gap and asks for a
    snapshot.
    """

    v: int
    body: Reply | Failure | Event
    id: str | None = None
    seq: int | None = None
