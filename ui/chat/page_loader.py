"""Fetches what a conversation model lacks: its newest page, older pages, chips and turns."""

from __future__ import annotations

from collections.abc import Callable

from aico_desktop.contract.messages import (
    Batches,
    Failure,
    GetMessages,
    MemoryBatches,
    MessagePage,
    Snapshot,
    SnapshotReply,
)
from ui.chat.conversation_model import ConversationModel
from ui.client.requests import BackendRequests

PAGE = 60
LARGE_PAGE = 500
"""Messages per request: one screenful and more, or on the way to the very first message."""


class PageLoader:
    """Asks for pages and puts them into their models; never asks twice for the same at once.

    Params: ``failed`` hears of each request that could not be carried out.
    """

    def __init__(self, requests: BackendRequests, failed: Callable[[Failure], None]) -> None:
        self._requests = requests
        self._failed = failed
        self._older: set[str] = set()
        self._snapshots: set[str] = set()

    def load(self, model: ConversationModel, then: Callable[[], None] | None = None) -> None:
        """Fetch the newest page, the chips and the running turns of a stored conversation.

        ``then`` is called when the page is there.
        """
        conversation_id = model.conversation_id
        if conversation_id is None:
            return

        def show(page: MessagePage) -> None:
            if model.loaded:
                model.merge_page(page.messages, has_older=page.has_older)
            else:
                model.show_page(page.messages, has_older=page.has_older)
            if then is not None:
                then()

        body = GetMessages(conversation_id=conversation_id, limit=PAGE)
        self._requests.ask(body, MessagePage, show, self._failed)
        self._requests.ask(
            MemoryBatches(conversation_id=conversation_id),
            Batches,
            lambda reply: model.set_batches(reply.batches),
            self._failed,
        )
        self.take_snapshot(model)

    def take_snapshot(self, model: ConversationModel) -> None:
        """Fetch the present state of a conversation's turns, after events were missed."""
        conversation_id = model.conversation_id
        if conversation_id is None or conversation_id in self._snapshots:
            return
        self._snapshots.add(conversation_id)

        def restore(reply: SnapshotReply) -> None:
            self._snapshots.discard(conversation_id)
            for turn in reply.turns:
                if turn.conversation_id == conversation_id:
                    model.restore_turn(turn)
            model.settle_turns(turn.turn_id for turn in reply.turns)

        def fail(failure: Failure) -> None:
            self._snapshots.discard(conversation_id)
            self._failed(failure)

        body = Snapshot(conversation_id=conversation_id)
        self._requests.ask(body, SnapshotReply, restore, fail)

    def load_older(self, model: ConversationModel) -> None:
        """Fetch the page before the oldest loaded message."""
        self._load_older(model, PAGE, lambda: False)

    def load_until(self, model: ConversationModel, reached: Callable[[], bool]) -> None:
        """Fetch page after page until ``reached`` or the first message."""
        self._load_older(model, LARGE_PAGE, lambda: not reached())

    def _load_older(
        self, model: ConversationModel, limit: int, wants_more: Callable[[], bool]
    ) -> None:
        conversation_id = model.conversation_id
        if conversation_id is None or conversation_id in self._older or not model.has_older:
            return
        self._older.add(conversation_id)

        def add(page: MessagePage) -> None:
            self._older.discard(conversation_id)
            model.add_older(page.messages, has_older=page.has_older and bool(page.messages))
            if wants_more():
                self._load_older(model, limit, wants_more)

        def fail(failure: Failure) -> None:
            self._older.discard(conversation_id)
            self._failed(failure)

        body = GetMessages(
            conversation_id=conversation_id, before_ordinal=model.first_ordinal, limit=limit
        )
        self._requests.ask(body, MessagePage, add, fail)

    def reload_words(self, model: ConversationModel) -> None:
        """Fetch all loaded messages and chips again, because words in them were forgotten.

        Which ones is not told: a passage is blanked wherever it stands, also in answers.
        """
        conversation_id = model.conversation_id
        if conversation_id is None or not model.loaded:
            return

        def ask(before: int | None) -> None:
            body = GetMessages(
                conversation_id=conversation_id, before_ordinal=before, limit=LARGE_PAGE
            )
            self._requests.ask(body, MessagePage, replace, self._failed)

        def replace(page: MessagePage) -> None:
            for message in page.messages:
                # An answer that is being written gets its text by events, ahead of what is stored.
                if message.status != "streaming":
                    model.replace_message(message)
            oldest = model.first_ordinal
            if page.messages and page.has_older and page.messages[0].ordinal > oldest:
                ask(page.messages[0].ordinal)

        ask(None)
        self._requests.ask(
            MemoryBatches(conversation_id=conversation_id),
            Batches,
            lambda reply: model.replace_batches(reply.batches),
            self._failed,
        )
