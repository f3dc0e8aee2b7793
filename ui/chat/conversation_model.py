"""One conversation as the window holds it: messages, running turns and chips, without any Qt."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from aico_desktop.contract.messages import (
    MemoryBatchView,
    MessageView,
    TurnDelta,
    TurnError,
    TurnState,
    TurnView,
)
from ui.chat.items import Change, Item
from ui.chat.turn import Turn
from ui.chat.turn_book import TurnBook


class ConversationModel:
    """A contiguous run of one conversation's messages, with its turns and memory chips.

    Listeners are called after each change with what changed. Every event may arrive before the
    message it belongs to; it is kept and found again when the message comes.

    Params: ``conversation_id`` None for a chat that is not stored before its first message;
    ``clock`` monotonic seconds.
    """

    def __init__(
        self, conversation_id: str | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.conversation_id = conversation_id
        self.items: list[Item] = []
        self.has_older = False
        self.loaded = conversation_id is None
        self._clock = clock
        self._listeners: list[Callable[[Change], None]] = []
        self._turns = TurnBook()
        self._batches: dict[str, MemoryBatchView] = {}

    # ------------------------------------------------------------------ listening

    def subscribe(self, listener: Callable[[Change], None]) -> None:
        """Call ``listener`` after each change."""
        self._listeners.append(listener)

    def unsubscribe(self, listener: Callable[[Change], None]) -> None:
        """Stop calling ``listener``."""
        self._listeners.remove(listener)

    def _tell(self, change: Change) -> None:
        for listener in list(self._listeners):
            listener(change)

    # ------------------------------------------------------------------ looking

    def index_of(self, message_id: str) -> int:
        """Place of a message, or -1; looks from the end, where the life is."""
        for index in range(len(self.items) - 1, -1, -1):
            if self.items[index].message.message_id == message_id:
                return index
        return -1

    def index_of_key(self, client_key: str) -> int:
        """Place of a message of our own by the key it was sent with, or -1."""
        for index in range(len(self.items) - 1, -1, -1):
            if client_key and self.items[index].client_key == client_key:
                return index
        return -1

    def turn_of(self, message_id: str) -> Turn | None:
        """The newest turn that a message began or ended in."""
        return self._turns.of_message(message_id)

    def is_superseded(self, turn: Turn) -> bool:
        """Whether the same message was answered again later."""
        newest = self.turn_of(turn.user_message_id)
        return newest is not None and newest is not turn

    @property
    def recent_turns(self) -> list[Turn]:
        """The last turns, oldest first; anything that still moves is among them."""
        return self._turns.recent()

    @property
    def running_turn(self) -> Turn | None:
        """The turn whose answer is awaited or streams, if there is one."""
        return self._turns.running()

    @property
    def answering(self) -> bool:
        """Whether a new message has to wait for the end of an answer."""
        return self.running_turn is not None or any(
            item.delivery == "sending" for item in self.items[-3:]
        )

    @property
    def first_ordinal(self) -> int:
        """Ordinal of the oldest loaded message; 0 when there is none."""
        return self.items[0].message.ordinal if self.items else 0

    @property
    def last_answer(self) -> str:
        """Text of the newest answer, or nothing."""
        for item in reversed(self.items):
            if item.message.role == "assistant":
                return item.message.text
        return ""

    # ------------------------------------------------------------------ pages

    def show_page(self, messages: Sequence[MessageView], *, has_older: bool) -> None:
        """Replace everything by the newest page; unsent messages of our own stay at the end."""
        known = {message.message_id for message in messages}
        own = [
            item
            for item in self.items
            if item.delivery != "sent" and item.message.message_id not in known
        ]
        self.items = [self._item(message) for message in messages] + own
        self.has_older = has_older
        self.loaded = True
        self._tell(Change("reset", count=len(self.items)))

    def merge_page(self, messages: Sequence[MessageView], *, has_older: bool) -> None:
        """Take over the newest page after missed events, and leave the reader where they are."""
        if not any(self.index_of(message.message_id) >= 0 for message in messages):
            self.show_page(messages, has_older=has_older)
            return
        for message in messages:
            if self.index_of(message.message_id) >= 0:
                self.replace_message(message)
            else:
                self._append(self._item(message))

    def add_older(self, messages: Sequence[MessageView], *, has_older: bool) -> None:
        """Put a page before the oldest loaded message."""
        known = {item.message.message_id for item in self.items}
        fresh = [self._item(message) for message in messages if message.message_id not in known]
        self.items[:0] = fresh
        self.has_older = has_older
        self._tell(Change("older", count=len(fresh)))

    def _append(self, item: Item) -> None:
        self.items.append(item)
        self._tell(Change("appended", index=len(self.items) - 1, count=1))

    def _item(self, message: MessageView) -> Item:
        return Item(message=message, batch=self._batches.get(message.message_id))

    # ------------------------------------------------------------------ own messages

    def add_own(
        self, message: MessageView, client_key: str, attachments: tuple[str, ...] = ()
    ) -> None:
        """Show a message of the person before the backend has it (≤ 50 ms, reference/ux §4.2)."""
        self._append(
            Item(
                message=message,
                delivery="sending",
                client_key=client_key,
                attachments=attachments,
                sent_at=self._clock(),
            )
        )

    def acknowledge(self, client_key: str, message: MessageView, notice: str | None) -> None:
        """The backend committed a message: from now on it has its real id."""
        index = self.index_of_key(client_key)
        if index < 0:
            return
        twin = self.index_of(message.message_id)
        if twin >= 0 and twin != index:
            del self.items[index]
            self._tell(Change("removed", index=index))
            return
        item = self.items[index]
        item.message = message
        item.delivery = "sent"
        item.failure = ""
        item.notice = notice or ""
        item.batch = self._batches.get(message.message_id)
        self._tell(Change("message", index=index))

    def fail_own(self, client_key: str, reason: str) -> None:
        """A message could not be stored; it stays visible with ``reason``."""
        self._set_delivery(client_key, "failed", reason)

    def resend_own(self, client_key: str) -> None:
        """A failed message is on its way again."""
        self._set_delivery(client_key, "sending", "")

    def remove_own(self, client_key: str) -> None:
        """Take an unsent message away, because its text went back to the composer."""
        index = self.index_of_key(client_key)
        if index >= 0 and self.items[index].delivery != "sent":
            del self.items[index]
            self._tell(Change("removed", index=index))

    def _set_delivery(
        self, client_key: str, delivery: Literal["sending", "failed"], reason: str
    ) -> None:
        index = self.index_of_key(client_key)
        if index < 0 or self.items[index].delivery == "sent":
            return
        self.items[index].delivery = delivery
        self.items[index].failure = reason
        self.items[index].sent_at = self._clock()
        self._tell(Change("message", index=index))

    # ------------------------------------------------------------------ events

    def begin_turn(self, turn_id: str, message_id: str) -> None:
        """A committed message is being answered, although no event has said so yet."""
        if self._turns.get(turn_id) is None:
            self._tell_turn(self._turns.put(Turn(turn_id, message_id, "listening", self._clock())))

    def enter_state(self, event: TurnState) -> None:
        """A turn entered a state; an answer that was seen to end does not start again by itself."""
        now = self._clock()
        turn = self._turns.get(event.turn_id)
        if turn is None:
            turn = self._turns.put(Turn(event.turn_id, event.message_id, event.state, now))
        elif turn.state != event.state:
            turn.state = event.state
            turn.since = now
        turn.detail = dict(event.detail)
        if event.state == "responding":
            turn.last_text = now
        if turn.answering:
            turn.error = None
        if event.assistant_message_id is not None:
            self._name_answer(turn, event.assistant_message_id)
        if event.state in ("stopped", "interrupted", "failed"):
            self._set_status(turn, "streaming", event.state)
        elif turn.answering:
            # The answer is taken up again: what was said about its end no longer holds.
            for ended in ("stopped", "interrupted", "failed"):
                self._set_status(turn, ended, "streaming")
        self._tell_turn(turn)

    def add_delta(self, event: TurnDelta) -> bool:
        """Add answer text; False when text before it is missing and a snapshot is needed."""
        turn = self._turns.get(event.turn_id)
        if turn is None:
            return False
        index = self._answer_index(turn)
        message = self.items[index].message
        if event.offset > len(message.text):
            return False
        text = message.text[: event.offset] + event.text
        self.items[index].message = msgspec.structs.replace(message, text=text, status="streaming")
        turn.last_text = self._clock()
        self._tell(Change("text", index=index))
        return True

    def finish_answer(
        self, turn_id: str, message: MessageView, tokens_per_second: float | None
    ) -> None:
        """The stored answer replaces what was streamed."""
        turn = self._turns.get(turn_id)
        index = self.index_of(message.message_id)
        if turn is not None:
            turn.tokens_per_second = tokens_per_second
            if index < 0:
                index = self._answer_index(turn)
            turn.assistant_message_id = message.message_id
            if turn.answering:
                # Input is free from here on; the memory tells of its own work later, if any.
                turn.state = "done" if message.status == "complete" else message.status
                turn.since = self._clock()
        if index < 0:
            self._append(self._item(message))
            return
        self.items[index].message = message
        self._tell(Change("message", index=index))
        if turn is not None:
            self._tell_turn(turn)

    def fail_turn(self, event: TurnError) -> None:
        """Say under the text why a turn failed; the text stays (reference/ux §2a, rule 7)."""
        turn = self._turns.get(event.turn_id)
        if turn is None:
            return
        turn.error = event
        if turn.answering:
            turn.state = "failed"
            turn.since = self._clock()
        self._set_status(turn, "streaming", "failed")
        self._tell_turn(turn)

    def restore_turn(self, view: TurnView) -> None:
        """Take over a turn's present state after a reconnect or when a chat is opened."""
        turn = self._turns.get(view.turn_id)
        if turn is None or turn.state != view.state:
            now = self._clock()
            turn = Turn(view.turn_id, view.user_message_id, view.state, now, last_text=now)
            self._turns.put(turn)
        turn.error = view.error
        if view.assistant_message_id is not None:
            self._name_answer(turn, view.assistant_message_id)
        if view.text and turn.answering:
            index = self._answer_index(turn)
            message = self.items[index].message
            self.items[index].message = msgspec.structs.replace(
                message, text=view.text, status="streaming"
            )
            self._tell(Change("message", index=index))
        self._tell_turn(turn)

    def settle_turns(self, known: Iterable[str]) -> None:
        """End turns that the backend does not know any more, so that the composer is free again."""
        for turn in self._turns.forgotten(known):
            turn.state = "interrupted"
            self._set_status(turn, "streaming", "interrupted")
            self._tell_turn(turn)

    def set_batches(self, batches: Iterable[MemoryBatchView]) -> None:
        """Put chips under the messages that caused them."""
        for batch in batches:
            self._batches[batch.message_id] = batch
            index = self.index_of(batch.message_id)
            if index >= 0:
                self.items[index].batch = batch
                self._tell(Change("turn", index=index))

    def replace_batches(self, batches: Iterable[MemoryBatchView]) -> None:
        """Show these chips alone: what is not among them any more was forgotten."""
        shown = {batch.message_id: batch for batch in batches}
        gone = self._batches.keys() - shown.keys()
        for message_id in gone:
            del self._batches[message_id]
            index = self.index_of(message_id)
            if index >= 0:
                self.items[index].batch = None
                self._tell(Change("turn", index=index))
        self.set_batches(shown.values())

    def replace_message(self, message: MessageView) -> None:
        """Show a message anew, for example after words in it were forgotten."""
        index = self.index_of(message.message_id)
        if index >= 0 and self.items[index].message != message:
            self.items[index].message = message
            self._tell(Change("message", index=index))

    # ------------------------------------------------------------------ answers

    def _answer_index(self, turn: Turn) -> int:
        """Place of the turn's answer; an empty one is made when its first text arrives."""
        known = turn.assistant_message_id or f"answer-of-{turn.turn_id}"
        index = self.index_of(known)
        if index >= 0:
            return index
        ordinal = self.items[-1].message.ordinal + 1 if self.items else 0
        message = MessageView(
            message_id=known,
            conversation_id=self.conversation_id or "",
            ordinal=ordinal,
            role="assistant",
            speaker="AICO",
            text="",
            said_at=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            status="streaming",
            turn_id=turn.turn_id,
        )
        turn.assistant_message_id = known
        self._append(Item(message=message))
        return len(self.items) - 1

    def _name_answer(self, turn: Turn, message_id: str) -> None:
        """Give a streamed answer its stored id, once that is known."""
        old = turn.assistant_message_id
        turn.assistant_message_id = message_id
        if old is None or old == message_id or self.index_of(message_id) >= 0:
            return
        index = self.index_of(old)
        if index >= 0 and old.startswith("answer-of-"):
            message = self.items[index].message
            self.items[index].message = msgspec.structs.replace(message, message_id=message_id)

    def _set_status(self, turn: Turn, old: str, status: str) -> None:
        """Give the turn's answer another status, if it has the status ``old``."""
        index = self.index_of(turn.assistant_message_id) if turn.assistant_message_id else -1
        if index >= 0 and self.items[index].message.status == old:
            message = self.items[index].message
            self.items[index].message = msgspec.structs.replace(message, status=status)
            self._tell(Change("message", index=index))

    def _tell_turn(self, turn: Turn) -> None:
        # Older answers to the same question are told too: they have no next step any more.
        question = turn.user_message_id
        for message_id in (question, *self._turns.answers_to(question)):
            index = self.index_of(message_id)
            if index >= 0:
                self._tell(Change("turn", index=index))
        if not self.items:
            self._tell(Change("turn"))
