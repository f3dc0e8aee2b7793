"""Recognises what the person had forgotten, by keyed hashes, whatever words say it again."""

from __future__ import annotations

from collections.abc import Iterable

from backend.identity.names import fold as fold_text
from backend.identity.names import normalise
from backend.identity.owner import owner_id
from backend.identity.places import arguments_of
from backend.identity.profile import is_name
from backend.ontology.ontology import Ontology
from backend.storage.entity_rows import EntityRecord, EntityRows
from backend.storage.home_secret import HomeSecret
from backend.storage.proposition_rows import PropositionRecord
from backend.storage.scope import Scope
from backend.storage.tombstones import (
    FORGOTTEN_ENTITY,
    FORGOTTEN_FACT,
    UNDONE_MESSAGE,
    TombstoneRows,
)
from backend.understanding.statements import ArgumentKind, EntityArgument, Statement

_OWNER = "owner"


class ForgottenThings:
    """Sets tombstones and asks them. A fact is known again by any name of its entities."""

    def __init__(
        self,
        tombstones: TombstoneRows,
        entities: EntityRows,
        ontology: Ontology,
        secret: HomeSecret,
    ) -> None:
        self._tombstones = tombstones
        self._entities = entities
        self._ontology = ontology
        self._secret = secret

    # ------------------------------------------------------------ setting

    def forget_fact(self, scope: Scope, record: PropositionRecord, now: str) -> None:
        subjects = self._entity_marks(scope, record.subject_id)
        if record.object_id:
            objects = self._entity_marks(scope, record.object_id)
        else:
            objects = {_literal_mark(record.literal)}
        hashes = {
            self._fact_hash(record.predicate, subject, target)
            for subject in subjects
            for target in objects
        }
        self._tombstones.add(scope, hashes, FORGOTTEN_FACT, now)

    def forget_entity(self, scope: Scope, entity_id: str, now: str) -> None:
        """Marks that another entity shares are left out: only the facts themselves stay away."""
        marks = {
            mark
            for mark in self._entity_marks(scope, entity_id)
            if not self._is_shared(scope, entity_id, mark)
        }
        hashes = {self._secret.hash(FORGOTTEN_ENTITY, mark) for mark in marks}
        self._tombstones.add(scope, hashes, FORGOTTEN_ENTITY, now)

    def undo_message(self, scope: Scope, message_id: str, now: str) -> None:
        """Nothing is learnt from the message again."""
        self._tombstones.add(scope, [self._message_hash(message_id)], UNDONE_MESSAGE, now)

    # ------------------------------------------------------------ asking

    def is_undone(self, scope: Scope, message_id: str) -> bool:
        return self._tombstones.latest(scope, [self._message_hash(message_id)]) is not None

    def is_forgotten(self, scope: Scope, statement: Statement, said_at: str) -> bool:
        """Whether it was forgotten after it was said; what is said later is learnt."""
        if not self._tombstones.any_stands(scope):
            return False
        target = statement.object
        if isinstance(target, EntityArgument):
            objects = self._argument_marks(target)
        else:
            objects = {_literal_mark(fold_text(target.value))}
        hashes = {
            self._fact_hash(statement.predicate, subject, mark)
            for subject in self._argument_marks(statement.subject)
            for mark in objects
        }
        for _, argument in arguments_of(statement):
            for mark in self._argument_marks(argument):
                hashes.add(self._secret.hash(FORGOTTEN_ENTITY, mark))
        forgotten_at = self._tombstones.latest(scope, hashes)
        return forgotten_at is not None and said_at <= forgotten_at

    # ------------------------------------------------------------ marks

    def _fact_hash(self, predicate: str, subject: str, target: str) -> str:
        name = self._ontology.canonical_predicate(predicate) or predicate
        known = self._ontology.predicates.get(name)
        ends = (subject, target)
        if known is not None and (known.symmetric or known.inverse):
            # Either direction says it: the pair is hashed in one order, the names with it.
            name = min(name, known.inverse or name)
            ends = (min(ends), max(ends))
        return self._secret.hash(FORGOTTEN_FACT, name, *ends)

    def _message_hash(self, message_id: str) -> str:
        return self._secret.hash(UNDONE_MESSAGE, message_id)

    def _entity_marks(self, scope: Scope, entity_id: str) -> set[str]:
        if entity_id == owner_id(scope):
            return {_OWNER}
        row = self._entities.get(scope, entity_id)
        if row is None:
            return set()
        marks = {f"name {alias.normalised}" for alias in self._entities.aliases(scope, entity_id)}
        if row.named or row.anchor_id is None:
            marks.add(f"name {row.normalised}")
        return marks | self._role_marks(scope, row)

    def _role_marks(self, scope: Scope, row: EntityRecord) -> set[str]:
        if row.anchor_id is None or row.anchor_predicate is None:
            return set()
        anchors = self._entity_marks(scope, row.anchor_id) if row.anchor_id != row.entity_id else ()
        return {f"role {row.anchor_predicate} of {anchor}" for anchor in anchors}

    def _argument_marks(self, argument: EntityArgument) -> set[str]:
        if argument.kind is ArgumentKind.ME:
            return {_OWNER}
        names = (argument.name, *argument.aliases) if is_name(argument) else argument.aliases
        marks = {f"name {normalise(name)}" for name in names}
        if argument.description_anchor is not None and argument.description_predicate:
            for anchor in self._argument_marks(argument.description_anchor):
                marks.add(f"role {argument.description_predicate} of {anchor}")
        return marks or {f"name {normalise(argument.name)}"}

    def _is_shared(self, scope: Scope, entity_id: str, mark: str) -> bool:
        kind, _, name = mark.partition(" ")
        if kind != "name":
            row = self._entities.get(scope, entity_id)
            if row is None or row.anchor_id is None or row.anchor_predicate is None:
                return False
            return self._others(
                entity_id,
                [
                    *self._entities.by_anchor(scope, row.anchor_id, row.anchor_predicate),
                    *self._entities.objects_of(scope, row.anchor_id, row.anchor_predicate),
                ],
            )
        return self._others(entity_id, self._entities.by_name(scope, name))

    @staticmethod
    def _others(entity_id: str, found: Iterable[EntityRecord]) -> bool:
        return any(entry.entity_id != entity_id for entry in found)


def _literal_mark(literal: str) -> str:
    return f"literal {literal}"
