"""What understanding may look at besides the message: earlier turns and known names."""

from __future__ import annotations

from datetime import datetime

from backend.identity.owner import owner_id
from backend.propositions.learning_step import moment_of
from backend.storage.entity_rows import EntityRecord, EntityRows
from backend.storage.messages import MessageRecord, MessageRepository
from backend.storage.scope import Scope
from backend.understanding.statements import DialogueContext, KnownName, Turn

EARLIER_MESSAGES = 6
"""Enough for a pronoun or a fragment that refers to the last exchange or two."""

MOST_NAMES = 300
"""Names handed over; the last ones met, since those are spoken of again."""

_LABELS = ("PERSON", "PET", "PLACE", "ORGANIZATION")


class ContextBuilder:
    """Builds the DialogueContext of a message from what is stored."""

    def __init__(self, messages: MessageRepository, entities: EntityRows) -> None:
        self._messages = messages
        self._entities = entities

    def context_of(self, scope: Scope, message: MessageRecord) -> DialogueContext:
        """The context as it was when the message was said; later messages have no part in it."""
        earlier = self._messages.recent(
            scope, message.conversation_id, message.ordinal, EARLIER_MESSAGES
        )
        return DialogueContext(
            role=message.role,
            speaker=message.speaker,
            said_at=moment_of(message),
            turns=tuple(Turn(one.role, one.speaker, one.text) for one in earlier),
            known_names=self._known_names(scope),
        )

    def of_question(self, scope: Scope, asked_at: datetime) -> DialogueContext:
        """The context of a question that the owner asks outside of any conversation."""
        return DialogueContext(
            role="user", speaker="", said_at=asked_at, known_names=self._known_names(scope)
        )

    def _known_names(self, scope: Scope) -> tuple[KnownName, ...]:
        names = self._entities.newest_named(scope, _LABELS, MOST_NAMES)
        return tuple(_known(scope, row) for row in names if row.entity_id != owner_id(scope))


def _known(scope: Scope, row: EntityRecord) -> KnownName:
    related = row.anchor_id == owner_id(scope)
    return KnownName(
        row.name, row.label, row.gender, (row.anchor_predicate or "") if related else ""
    )
