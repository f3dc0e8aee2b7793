"""Which chat is shown, and what the backend tells about all of them put into their models."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from aico_desktop.contract.messages import (
    AnswerFinished,
    ConversationChanged,
    ConversationCreated,
    Conversations,
    ConversationView,
    Event,
    Failure,
    FindMessage,
    ListConversations,
    MemoryBatchEvent,
    MemoryBatchView,
    MessagePage,
    RenameConversation,
    TurnDelta,
    TurnError,
    TurnState,
)
from ui.chat.composer import Draft
from ui.chat.conversation_model import ConversationModel
from ui.chat.conversation_rows import UNTITLED, ConversationRows
from ui.chat.items import Change
from ui.chat.outbox import Outbox
from ui.chat.page_loader import PageLoader
from ui.chat.wording import chip_title
from ui.client.requests import BackendRequests

_LONGEST_SPOKEN = 600
"""Characters of an answer that are read out; the rest is a key away in the transcript."""

_KEPT_MODELS = 5


class ChatController(QObject):
    """Owns the open conversations and the one that is shown.

    An answer belongs to the backend: switching to another chat does not touch it, and what
    happened meanwhile is there when the chat is opened again (reference/ux §2a, rules 5 and 6).
    """

    model_changed = Signal(object)
    #: arg 0: ConversationModel that is shown from now on.
    answering_changed = Signal(bool)
    #: arg 0: whether the shown conversation is being answered.
    draft_changed = Signal(object)
    #: arg 0: Draft to put into the composer.
    title_changed = Signal(str)
    #: arg 0: title of the shown conversation.
    current_changed = Signal(object)
    #: arg 0: id of the shown conversation, or None while it is not stored.
    message_found = Signal(str)
    #: arg 0: id of a message that the shown chat has, or will have when it is loaded.
    announced = Signal(str)
    #: arg 0: what a screen reader should say.
    failed = Signal(str)
    #: arg 0: words for the person about a wish that could not be carried out.

    def __init__(
        self,
        requests: BackendRequests,
        rows: ConversationRows,
        outbox: Outbox,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._requests = requests
        self._rows = rows
        self._outbox = outbox
        self._loader = PageLoader(requests, self._on_failure)
        self._models: dict[str, ConversationModel] = {}
        self._drafts: dict[str | None, Draft] = {}
        self._shown_sources: dict[str, int] = {}
        self._answering = False
        self._model = ConversationModel(None)
        self._model.subscribe(self._on_model_changed)
        rows.rename_requested.connect(self.rename)
        outbox.conversation_created.connect(self._on_conversation_created)
        outbox.send_failed.connect(self._on_send_failed)

    @property
    def model(self) -> ConversationModel:
        """The conversation that is shown."""
        return self._model

    # ------------------------------------------------------------------ which chat

    def start(self) -> None:
        """Show an empty chat; nothing is stored before its first message."""
        self._show(ConversationModel(None))

    def refresh(self) -> None:
        """Take everything that is shown from the backend again, after a (re)connection."""
        self._requests.ask(
            ListConversations(), Conversations, self._on_conversations, self._on_failure
        )
        for name, model in list(self._models.items()):
            if model is not self._model and not self._outbox.holds(model):
                del self._models[name]
        self._loader.load(self._model)
        self._outbox.send_lost_again()

    def new_conversation(self) -> None:
        """Show an empty chat, unless the shown one is empty already."""
        if self._model.conversation_id is not None or self._model.items:
            self._show(ConversationModel(None))

    def open_conversation(self, conversation_id: str) -> None:
        """Show a stored chat, from its end."""
        self._switch_to(conversation_id)
        if not self._model.loaded:
            self._loader.load(self._model)

    def _switch_to(self, conversation_id: str) -> None:
        if conversation_id != self._current_id:
            model = self._models.get(conversation_id) or ConversationModel(conversation_id)
            self._keep(conversation_id, model)
            self._show(model)

    def find_message(self, message_id: str) -> None:
        """Show the chat that a message belongs to, at that message."""
        if self._model.index_of(message_id) >= 0:
            self.message_found.emit(message_id)
            return

        def found(page: MessagePage) -> None:
            if page.messages:
                self.message_found.emit(message_id)
                self._open_at(page.messages[-1].conversation_id, message_id)

        self._requests.ask(FindMessage(message_id=message_id), MessagePage, found, self._on_failure)

    def show_source_of(self, answer_id: str) -> None:
        """Show the message that an answer rests on; asked again, the next one if there are more."""
        index = self._model.index_of(answer_id)
        sources = self._model.items[index].message.sources if index >= 0 else ()
        if sources:
            turn = self._shown_sources.get(answer_id, 0)
            self._shown_sources[answer_id] = turn + 1
            self.find_message(sources[turn % len(sources)])

    def _open_at(self, conversation_id: str, message_id: str) -> None:
        """Show a chat and load it back to one of its messages."""
        self._switch_to(conversation_id)
        model = self._model

        def reached() -> bool:
            return model.index_of(message_id) >= 0 or model is not self._model

        def load_on() -> None:
            if not reached():
                self._loader.load_until(model, reached)

        if model.loaded:
            load_on()
        else:
            self._loader.load(model, load_on)

    def rename(self, conversation_id: str, title: str) -> None:
        """Wish for another title."""
        self._requests.ask(
            RenameConversation(conversation_id=conversation_id, title=title),
            ConversationCreated,
            self._on_renamed,
            self._on_failure,
        )

    def keep_draft(self, draft: Draft) -> None:
        """Remember what stands in the composer of the shown chat."""
        self._drafts[self._current_id] = draft

    @property
    def _current_id(self) -> str | None:
        return self._model.conversation_id

    def _keep(self, conversation_id: str, model: ConversationModel) -> None:
        self._models[conversation_id] = model
        idle = [
            name
            for name, other in self._models.items()
            if other not in (model, self._model)
            and not other.answering
            and not self._outbox.holds(other)
        ]
        for name in idle[: max(0, len(self._models) - _KEPT_MODELS)]:
            del self._models[name]

    def _show(self, model: ConversationModel) -> None:
        self._model.unsubscribe(self._on_model_changed)
        self._model = model
        model.subscribe(self._on_model_changed)
        self.model_changed.emit(model)
        self._tell_current()
        self.draft_changed.emit(self._drafts.pop(model.conversation_id, Draft()))
        self._tell_answering()

    def _tell_current(self) -> None:
        self.current_changed.emit(self._current_id)
        row = self._rows.row_of(self._current_id) if self._current_id else -1
        conversation = self._rows.conversation(row)
        self.title_changed.emit((conversation.title if conversation else "") or UNTITLED)

    def _tell_answering(self) -> None:
        answering = self._model.answering
        if answering != self._answering:
            self._answering = answering
            self.answering_changed.emit(answering)

    def _on_model_changed(self, change: Change) -> None:
        self._tell_answering()

    # ------------------------------------------------------------------ wishes of the transcript

    def send(self, draft: Draft) -> None:
        """Say something in the shown chat."""
        self._outbox.send(self._model, draft)

    def resend(self, message_id: str) -> None:
        """Try again to store a message."""
        self._outbox.resend(self._key_of(message_id))

    def give_back(self, message_id: str) -> None:
        """Put the text of an unsent message into the composer again."""
        draft = self._outbox.take_back(self._key_of(message_id))
        if draft is not None:
            self.draft_changed.emit(draft)

    def _key_of(self, message_id: str) -> str:
        index = self._model.index_of(message_id)
        return self._model.items[index].client_key if index >= 0 else ""

    def load_older(self) -> None:
        """Fetch the page before the oldest loaded message of the shown chat."""
        self._loader.load_older(self._model)

    def load_oldest(self) -> None:
        """Fetch page after page of the shown chat up to its first message."""
        model = self._model
        self._loader.load_until(model, lambda: model is not self._model)

    def reload_words(self) -> None:
        """Words were forgotten: no chat may go on showing them from what it loaded before."""
        for model in {id(model): model for model in (self._model, *self._models.values())}.values():
            self._loader.reload_words(model)

    # ------------------------------------------------------------------ events

    def on_events(self, events: Sequence[Event]) -> None:
        """Put events into the models of their conversations."""
        for event in events:
            if isinstance(event, ConversationChanged):
                self._put_row(event.conversation)
            elif isinstance(event, AnswerFinished):
                self._put(event, self._models.get(event.message.conversation_id))
            elif isinstance(event, TurnState | TurnDelta | TurnError | MemoryBatchEvent):
                self._put(event, self._models.get(event.conversation_id))

    def _put(
        self,
        event: TurnState | TurnDelta | TurnError | MemoryBatchEvent | AnswerFinished,
        model: ConversationModel | None,
    ) -> None:
        if model is None:
            return
        spoken = ""
        match event:
            case TurnState():
                model.enter_state(event)
            case TurnDelta():
                if not model.add_delta(event):
                    self._loader.take_snapshot(model)
            case TurnError():
                model.fail_turn(event)
                spoken = event.human
            case AnswerFinished():
                model.finish_answer(event.turn_id, event.message, event.tokens_per_second)
                spoken = f"AICO: {event.message.text[:_LONGEST_SPOKEN]}"
            case MemoryBatchEvent():
                model.set_batches([event.batch])
                title = chip_title(event.batch)
                spoken = f"{title}. Press Ctrl+M to review." if title else ""
        if spoken and model is self._model:
            self.announced.emit(spoken)

    def put_batch(self, batch: MemoryBatchView) -> None:
        """Show a batch that answered a wish, for example one that was taken back."""
        for model in {id(model): model for model in (self._model, *self._models.values())}.values():
            model.set_batches([batch])

    # ------------------------------------------------------------------ replies

    def _put_row(self, conversation: ConversationView) -> None:
        self._rows.put(conversation)
        if conversation.conversation_id == self._current_id:
            self._tell_current()

    def _on_conversations(self, reply: Conversations) -> None:
        self._rows.replace(reply.conversations)
        self._tell_current()

    def _on_renamed(self, reply: ConversationCreated) -> None:
        self._put_row(reply.conversation)

    def _on_conversation_created(
        self, model: ConversationModel, conversation: ConversationView
    ) -> None:
        self._keep(conversation.conversation_id, model)
        self._rows.put(conversation)
        if model is self._model:
            self._tell_current()

    def _on_send_failed(self, human: str) -> None:
        self.announced.emit(f"Not sent: {human}")

    def _on_failure(self, failure: Failure) -> None:
        # A lost connection has its own banner; saying it for each request would only be noise.
        if failure.code not in ("unreachable", "cancelled"):
            self.failed.emit(failure.human)
