"""Stored rows of the conversation as the contract shows them to clients."""

from __future__ import annotations

from typing import Literal

import msgspec

from aico_desktop.contract.messages import (
    Action,
    ConversationView,
    MessageView,
    TurnError,
    TurnView,
)
from backend.inference.chat import ChatErrorCode, EngineName
from backend.storage.conversations import ConversationRecord
from backend.storage.messages import MessageRecord
from backend.storage.turns import TurnRecord

ANSWERED = "answered"
"""State of a stored turn whose answer is finished while its memory job has not ended. Clients
see it as ``done`` until the job really runs: a state is shown only while its work does."""

ActionVerb = Literal[
    "ask_again", "continue", "use_built_in", "choose_model", "retry_memory", "show_log", "restart"
]
_LABELS: dict[ActionVerb, str] = {
    "ask_again": "Ask again",
    "continue": "Continue",
    "use_built_in": "Use the built-in model",
    "choose_model": "Choose another model",
    "show_log": "Show the log",
    "retry_memory": "Try to remember it again",
    "restart": "Restart",
}


def conversation_view(record: ConversationRecord) -> ConversationView:
    """Return one row of the conversation list."""
    return ConversationView(
        conversation_id=record.conversation_id,
        title=record.title,
        updated_at=record.updated_at,
        message_count=record.message_count,
    )


def message_view(record: MessageRecord) -> MessageView:
    """Return one message of a transcript."""
    return MessageView(
        message_id=record.message_id,
        conversation_id=record.conversation_id,
        ordinal=record.ordinal,
        role=record.role,
        speaker=record.speaker,
        text=record.text,
        said_at=record.said_at,
        status=record.status,
        turn_id=record.turn_id,
        engine=record.engine,
        sources=record.sources,
    )


def stored_turn_view(record: TurnRecord, answer: MessageRecord | None) -> TurnView:
    """Return a turn that does not run now."""
    return TurnView(
        turn_id=record.turn_id,
        conversation_id=record.conversation_id,
        user_message_id=record.user_message_id,
        assistant_message_id=record.assistant_message_id,
        state="done" if record.state == ANSWERED else record.state,
        text=answer.text if answer is not None else "",
        error=(
            msgspec.json.decode(record.error_json, type=TurnError) if record.error_json else None
        ),
    )


def actions(*verbs: ActionVerb) -> tuple[Action, ...]:
    """Return next steps with their labels."""
    return tuple(Action(verb=verb, label=_LABELS[verb]) for verb in verbs)


def verbs_after(
    code: ChatErrorCode, engine: EngineName | None, has_text: bool
) -> tuple[ActionVerb, ...]:
    """Return the next steps that help after a failed answer, the best first (reference/ux §4.4)."""
    verbs: list[ActionVerb] = ["continue"] if has_text else []
    if code == "model_missing":
        verbs.append("choose_model")
    verbs.append("ask_again")
    if engine != "built_in":
        verbs.append("use_built_in")
    if code == "refused":
        verbs.append("show_log")
    return tuple(verbs)
