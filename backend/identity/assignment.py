"""Gives every mention in the statements of one message its entity, as recorded decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.identity.guards import RoleGuard
from backend.identity.keeper import EntityKeeper, role_in, speaker_argument
from backend.identity.names import fold
from backend.identity.owner import new_entity_id, owner_id
from backend.identity.places import SPEAKER, SUBJECT, arguments_of, member_of
from backend.identity.profile import Profile, absorb, absorb_naming
from backend.identity.resolver import EntityResolver, Resolution, Surroundings
from backend.storage.decision_rows import IdentityDecision, IdentityDecisionRows
from backend.storage.entity_rows import KIND_PREDICATES
from backend.storage.identifiers import new_id
from backend.storage.messages import MessageRecord
from backend.storage.scope import Scope
from backend.understanding.statements import (
    ArgumentKind,
    EntityArgument,
    LiteralArgument,
    Polarity,
    Statement,
)

NEARBY_MESSAGES = 6
"""How many messages back "just spoken of" reaches: a few turns, as people use bare names."""

_PIPELINE = "pipeline"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A mention that may mean several entities and was therefore kept apart."""

    statement_id: str
    entity_id: str
    name: str
    candidates: tuple[str, ...]


class MessageAssignment:
    """Assigns entities within one message; the same mention always means the same entity."""

    def __init__(
        self,
        scope: Scope,
        message: MessageRecord,
        statements: Sequence[Statement],
        recorded_at: str,
        resolver: EntityResolver,
        keeper: EntityKeeper,
        decisions: IdentityDecisionRows,
        guard: RoleGuard,
    ) -> None:
        self._scope = scope
        self._message = message
        self._recorded_at = recorded_at
        self._resolver = resolver
        self._keeper = keeper
        self._decisions = decisions
        self._guard = guard
        self._kinds = _kinds_said(statements)
        self._by_mention: dict[tuple[object, ...], str] = {}
        self._here: list[str] = []
        self._recent = decisions.recent_entities(
            scope, message.conversation_id, message.ordinal, NEARBY_MESSAGES
        )
        self._sequence = decisions.next_sequence(scope)
        self.doubts: list[Doubt] = []
        self.renamed: set[str] = set()
        """Entities whose row changed: what is worded with their name must be worded anew."""

    def speaker(self) -> tuple[str, Resolution | None]:
        """The speaker's entity; the resolution is None for the owner, who needs no decision."""
        if self._message.role == "user":
            return owner_id(self._scope), None
        argument = speaker_argument(self._message.speaker)
        resolution = self._resolver.resolve(self._scope, argument)
        entity_id = resolution.entity_id or new_entity_id(self._sequence)
        self._learn(entity_id, absorb(self._keeper.profile(self._scope, entity_id), argument))
        self._here.append(entity_id)  # of two namesakes, "I" is the one who speaks
        return entity_id, resolution

    def record_speaker(self, statement_id: str, entity_id: str, resolution: Resolution) -> None:
        """Note the decision for one statement; it needs the statement's row."""
        self._record(statement_id, SPEAKER, entity_id, resolution.reason)

    def assign(self, statement_id: str, statement: Statement) -> dict[str, str]:
        """Resolve all places of a statement, whose row is there; returns place → entity."""
        ids: dict[str, str] = {}
        for place, argument in arguments_of(statement):
            members = tuple(ids[member_of(place, i)] for i in range(len(argument.members)))
            role = role_in(statement, place, argument, ids, self._guard)
            mention = _mention_key(argument)
            known = self._by_mention.get(mention) if mention else None
            if known is not None:
                resolution = Resolution(known, "same mention")
            else:
                around = Surroundings(
                    (*reversed(self._here), *self._recent),
                    self._message.role == "user",
                    self._kinds.get(mention, frozenset()) if mention else frozenset(),
                )
                resolution = self._resolver.resolve(self._scope, argument, role, members, around)
            entity_id = resolution.entity_id or new_entity_id(self._sequence)
            ids[place] = entity_id
            if mention:
                self._by_mention[mention] = entity_id
            if resolution.doubtful:
                self.doubts.append(
                    Doubt(statement_id, entity_id, argument.name, resolution.doubtful)
                )
            profile = absorb(self._keeper.profile(self._scope, entity_id), argument, role, members)
            if place == SUBJECT:
                profile = absorb_naming(profile, statement)
            self._learn(entity_id, profile)
            self._record(statement_id, place, entity_id, resolution.reason)
            if argument.kind is not ArgumentKind.ME:
                self._here.append(entity_id)
        return ids

    def _learn(self, entity_id: str, profile: Profile) -> None:
        if self._keeper.learn(self._scope, entity_id, profile, self._recorded_at):
            self.renamed.add(entity_id)

    def _record(self, statement_id: str, place: str, entity_id: str, reason: str) -> None:
        self._decisions.add(
            IdentityDecision(
                decision_id=new_id(),
                user_id=self._scope.user_id,
                context_id=self._scope.context_id,
                sequence=self._sequence,
                kind="resolved",
                statement_id=statement_id,
                argument=place,
                entity_id=entity_id,
                other_entity_id=None,
                decided_by=_PIPELINE,
                reason=reason,
                recorded_at=self._recorded_at,
            )
        )
        self._sequence += 1


def _kinds_said(statements: Sequence[Statement]) -> dict[tuple[object, ...], frozenset[str]]:
    """What the statements say their subjects are, by mention."""
    found: dict[tuple[object, ...], frozenset[str]] = {}
    for statement in statements:
        mention = _mention_key(statement.subject)
        target = statement.object
        if (
            mention
            and statement.predicate in KIND_PREDICATES
            and isinstance(target, LiteralArgument)
            and statement.polarity is Polarity.AFFIRMED
        ):
            found[mention] = found.get(mention, frozenset()) | {fold(target.value)}
    return found


def _mention_key(argument: EntityArgument) -> tuple[object, ...] | None:
    """What makes two arguments of one message the same mention: the characters they stand on."""
    if argument.span is None or argument.kind is ArgumentKind.ME:
        return None
    return (argument.span, argument.kind, argument.label)
