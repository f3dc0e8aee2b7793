"""Requests about conversations, messages and turns."""

from __future__ import annotations

from aico_desktop.contract.messages import (
    Acknowledged,
    ConversationChanged,
    ConversationCreated,
    Conversations,
    CreateConversation,
    Done,
    FindMessage,
    GetMessages,
    ListConversations,
    Message,
    MessagePage,
    RenameConversation,
    RetryTurn,
    SendMessage,
    Snapshot,
    SnapshotReply,
    StopTurn,
)
from backend.conversation.ports import EventSink
from backend.conversation.turns import TurnRunner
from backend.conversation.views import conversation_view, message_view
from backend.server.requests import Handler, Refused, RequestContext
from backend.storage.conversations import ConversationRecord, ConversationRepository
from backend.storage.messages import MessageRepository
from backend.storage.scope import Scope
from backend.storage.text_boundary import repair_text

_MOST_MESSAGES = 500
_LONGEST_TITLE = 200


class ConversationHandlers:
    """Lists, opens and names conversations, and hands turns to the TurnRunner."""

    def __init__(
        self,
        scope: Scope,
        turns: TurnRunner,
        conversations: ConversationRepository,
        messages: MessageRepository,
        sink: EventSink,
    ) -> None:
        self._scope = scope
        self._turns = turns
        self._conversations = conversations
        self._messages = messages
        self._sink = sink

    def handlers(self) -> dict[type[Message], Handler]:
        """The requests that this class answers."""
        return {
            ListConversations: self._list,
            CreateConversation: self._create,
            RenameConversation: self._rename,
            GetMessages: self._page,
            FindMessage: self._find,
            SendMessage: self._send,
            StopTurn: self._stop,
            RetryTurn: self._retry,
            Snapshot: self._snapshot,
        }

    def _list(self, request: ListConversations, context: RequestContext) -> Conversations:
        del request, context
        newest = self._conversations.newest(self._scope)
        return Conversations(conversations=tuple(conversation_view(record) for record in newest))

    def _create(self, request: CreateConversation, context: RequestContext) -> ConversationCreated:
        del context
        title = _clean_title(request.title or "")
        return self._announce(self._conversations.create(self._scope, title))

    def _rename(self, request: RenameConversation, context: RequestContext) -> ConversationCreated:
        del context
        title = _clean_title(request.title)
        if not title:
            raise Refused("invalid", "A conversation needs a name of at least one character.")
        self._existing(request.conversation_id)
        self._conversations.rename(self._scope, request.conversation_id, title)
        return self._announce(self._existing(request.conversation_id))

    def _page(self, request: GetMessages, context: RequestContext) -> MessagePage:
        del context
        self._existing(request.conversation_id)
        limit = max(1, min(request.limit, _MOST_MESSAGES))
        # One more than asked for tells whether there are older ones.
        found = self._messages.recent(
            self._scope, request.conversation_id, request.before_ordinal, limit + 1
        )
        return MessagePage(
            messages=tuple(message_view(record) for record in found[-limit:]),
            has_older=len(found) > limit,
        )

    def _find(self, request: FindMessage, context: RequestContext) -> MessagePage:
        message = self._messages.get(self._scope, request.message_id)
        if message is None:
            raise Refused("not_found", "This message does not exist any more.")
        page = GetMessages(
            conversation_id=message.conversation_id,
            before_ordinal=message.ordinal + 1,
            limit=request.limit,
        )
        return self._page(page, context)

    def _send(self, request: SendMessage, context: RequestContext) -> Acknowledged:
        del context
        return self._turns.send(self._scope, request)

    def _stop(self, request: StopTurn, context: RequestContext) -> Done:
        del context
        self._turns.stop(self._scope, request.turn_id)
        return Done()

    def _retry(self, request: RetryTurn, context: RequestContext) -> Acknowledged:
        del context
        return self._turns.retry(self._scope, request.turn_id, request.mode, request.use_built_in)

    def _snapshot(self, request: Snapshot, context: RequestContext) -> SnapshotReply:
        del context
        return SnapshotReply(turns=self._turns.snapshot(self._scope, request.conversation_id))

    def _existing(self, conversation_id: str) -> ConversationRecord:
        record = self._conversations.get(self._scope, conversation_id)
        if record is None:
            raise Refused("not_found", "This conversation does not exist any more.")
        return record

    def _announce(self, record: ConversationRecord) -> ConversationCreated:
        view = conversation_view(record)
        self._sink.emit(ConversationChanged(conversation=view))
        return ConversationCreated(conversation=view)


def _clean_title(title: str) -> str:
    """One line without what cannot be stored."""
    return " ".join(repair_text(title)[0].split())[:_LONGEST_TITLE]
