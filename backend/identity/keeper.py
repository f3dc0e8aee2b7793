"""Keeps the entity rows equal to the fold of the mentions that identity decisions give them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from backend.identity.codec import decode_said, decode_statement
from backend.identity.guards import RoleGuard
from backend.identity.owner import owner_id
from backend.identity.places import OBJECT, SPEAKER, SUBJECT, anchor_of, arguments_of, member_of
from backend.identity.profile import Profile, Role, absorb, absorb_naming, owner_profile
from backend.storage.decision_rows import IdentityDecisionRows, PersonDecisionRows
from backend.storage.entity_rows import EntityRecord, EntityRows
from backend.storage.scope import Scope
from backend.storage.statement_rows import StatementRecord, StatementRows
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    Modality,
    Polarity,
    Statement,
)


def speaker_argument(name: str) -> EntityArgument:
    """How a named human speaker is meant."""
    return EntityArgument(ArgumentKind.NAMED, name, "PERSON")


def role_in(
    statement: Statement,
    place: str,
    argument: EntityArgument,
    ids: dict[str, str],
    guard: RoleGuard,
) -> Role | None:
    """Who the argument is said to be: by its description, or by what the statement itself says.

    ``ids`` are the entities of the places before this one.
    """
    anchor = ids.get(anchor_of(place))
    if argument.description_predicate is not None and anchor is not None:
        return Role(anchor, argument.description_predicate)
    says_so = (
        place == OBJECT
        and guard.is_role(statement.predicate)
        and statement.polarity is Polarity.AFFIRMED
        and statement.modality is Modality.ASSERTED
        and statement.change is not Change.NEVER_HELD
    )
    return Role(ids[SUBJECT], statement.predicate) if says_so and SUBJECT in ids else None


class EntityKeeper:
    """Adds mentions one by one as messages are read, or folds all of them anew.

    Both give the same rows, so that undo and rebuild restore exactly what was there.
    """

    def __init__(
        self,
        entities: EntityRows,
        statements: StatementRows,
        decisions: IdentityDecisionRows,
        person_decisions: PersonDecisionRows,
        guard: RoleGuard,
    ) -> None:
        self._entities = entities
        self._statements = statements
        self._decisions = decisions
        self._person_decisions = person_decisions
        self._guard = guard

    def ensure_owner(self, scope: Scope, created_at: str) -> None:
        """Create the owner's entity if the scope has none."""
        if self._entities.get(scope, owner_id(scope)) is None:
            self._put(scope, owner_id(scope), owner_profile(), created_at)

    def profile(self, scope: Scope, entity_id: str) -> Profile | None:
        """The entity as it stands in its row."""
        row = self._entities.get(scope, entity_id)
        if row is None:
            return None
        return Profile(
            row.label,
            row.name,
            row.normalised,
            row.gender,
            bool(row.named),
            row.anchor_id,
            row.anchor_predicate,
            tuple(self._entities.aliases(scope, entity_id)),
        )

    def learn(self, scope: Scope, entity_id: str, after: Profile, created_at: str) -> bool:
        """Write the profile if it says more than the row; returns whether it did."""
        before = self.profile(scope, entity_id)
        if before == after:
            return False
        row = self._entities.get(scope, entity_id)
        self._put(scope, entity_id, after, row.created_at if row else created_at)
        return True

    def rebuild(self, scope: Scope, entity_ids: Iterable[str]) -> set[str]:
        """Fold the entities anew from their mentions; returns those whose row changed or went."""
        edited = self._edited_arguments(scope)
        changed: set[str] = set()
        for entity_id in sorted(entity_ids):
            profile, created_at = self._fold(scope, entity_id, edited.get(entity_id, []))
            if profile is None:
                if self._entities.get(scope, entity_id) is not None:
                    self._entities.delete(scope, entity_id)
                    changed.add(entity_id)
            elif profile != self.profile(scope, entity_id):
                self._put(scope, entity_id, profile, created_at)
                changed.add(entity_id)
        return changed

    def rebuild_all(self, scope: Scope) -> None:
        """Drop and fold every entity of the scope."""
        owner = self._entities.get(scope, owner_id(scope))
        known = {decision.entity_id for decision in self._decisions.all_in_order(scope)}
        known |= set(self._edited_arguments(scope))
        self._entities.delete_all(scope)
        if owner is not None:
            self._put(scope, owner.entity_id, owner_profile(), owner.created_at)
            known.add(owner.entity_id)
        self.rebuild(scope, known)

    def _fold(
        self, scope: Scope, entity_id: str, edited: list[tuple[EntityArgument, str]]
    ) -> tuple[Profile | None, str]:
        mentions = self._decisions.mentions_of(scope, entity_id)
        statement_ids = list(dict.fromkeys(statement_id for statement_id, _ in mentions))
        rows = {row.statement_id: row for row in self._statements.get(scope, statement_ids)}
        ids = self._decisions.of_statements(scope, statement_ids)
        is_owner = entity_id == owner_id(scope)
        profile = owner_profile() if is_owner else None
        owner = self._entities.get(scope, entity_id) if is_owner else None
        created_at = owner.created_at if owner else ""
        for statement_id, place in mentions:
            row = rows[statement_id]
            created_at = created_at or row.recorded_at
            profile = self.with_mention(row, place, ids[statement_id], profile)
        for argument, recorded_at in edited:
            created_at = created_at or recorded_at
            profile = absorb(profile, argument)
        return profile, created_at

    def with_mention(
        self, row: StatementRecord, place: str, ids: dict[str, str], profile: Profile | None
    ) -> Profile | None:
        """The profile after the mention at ``place`` of a stored statement."""
        statement = decode_statement(row.body_json)
        if place == SPEAKER:
            speaker = decode_said(row.body_json).speaker_name
            return absorb(profile, speaker_argument(speaker))
        arguments = dict(arguments_of(statement))
        argument = arguments[place]
        members = tuple(ids[member_of(place, i)] for i in range(len(argument.members)))
        role = role_in(statement, place, argument, ids, self._guard)
        profile = absorb(profile, argument, role, members)
        return absorb_naming(profile, statement) if place == SUBJECT else profile

    def _edited_arguments(self, scope: Scope) -> dict[str, list[tuple[EntityArgument, str]]]:
        found: dict[str, list[tuple[EntityArgument, str]]] = {}
        for decision in self._person_decisions.edits(scope):
            body = json.loads(decision.body_json)
            if body.get("object_id"):
                argument = EntityArgument(
                    ArgumentKind.NAMED, body["object_name"], body["object_label"]
                )
                found.setdefault(body["object_id"], []).append((argument, decision.recorded_at))
        return found

    def _put(self, scope: Scope, entity_id: str, profile: Profile, created_at: str) -> None:
        self._entities.put(
            EntityRecord(
                entity_id=entity_id,
                user_id=scope.user_id,
                context_id=scope.context_id,
                label=profile.label,
                name=profile.name,
                normalised=profile.normalised,
                gender=profile.gender,
                named=int(profile.named),
                anchor_id=profile.anchor_id,
                anchor_predicate=profile.anchor_predicate,
                merged_into=None,
                created_at=created_at,
            ),
            profile.aliases,
        )
