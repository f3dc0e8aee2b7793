"""Which entity a mention means: cheapest search first, and only when exactly one fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from backend.identity.guards import RoleGuard, genders_agree, labels_agree, names_agree
from backend.identity.names import Name, take_apart
from backend.identity.owner import owner_id
from backend.identity.profile import GROUP, Role, group_key, is_name
from backend.ontology.ontology import Ontology
from backend.storage.entity_rows import EntityRecord, EntityRows
from backend.storage.scope import Scope
from backend.understanding.statements import ArgumentKind, EntityArgument

_PEOPLE = frozenset({"PERSON", "PET"})


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What helps to tell same-named entities apart.

    ``nearby`` are entities meant in this and the last few messages of the conversation, latest
    first. ``by_owner`` says that the owner of the memory speaks. ``kinds`` is what the message
    says the mention is ("our cat Minka": a cat).
    """

    nearby: tuple[str, ...] = ()
    by_owner: bool = True
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Resolution:
    """The outcome: an entity, or None for a new one; ``doubtful`` are those it may also be."""

    entity_id: str | None
    reason: str
    doubtful: tuple[str, ...] = ()


class EntityResolver:
    """The chain of DESIGN §4, first part: exact, alias, described, partial.

    Every search counts only when exactly one entity passes the guards; unsure means new.
    """

    def __init__(self, entities: EntityRows, ontology: Ontology) -> None:
        self._entities = entities
        self._ontology = ontology
        self._roles = RoleGuard(ontology)

    def resolve(
        self,
        scope: Scope,
        argument: EntityArgument,
        role: Role | None = None,
        member_ids: tuple[str, ...] = (),
        surroundings: Surroundings = Surroundings(),
    ) -> Resolution:
        """Find the entity that ``argument`` means; ``role`` is who it is said to be."""
        if argument.kind is ArgumentKind.ME:
            return Resolution(owner_id(scope), "speaker")
        if argument.kind is ArgumentKind.GROUP:
            return self._group(scope, argument, role, member_ids, surroundings)
        if argument.kind is ArgumentKind.NAMED:
            return self._named(scope, argument, role, surroundings)
        if argument.description_predicate is not None and role is not None:
            return self._described(scope, argument, role, surroundings)
        return self._thing(scope, argument, surroundings)

    def _named(
        self, scope: Scope, argument: EntityArgument, role: Role | None, around: Surroundings
    ) -> Resolution:
        name = take_apart(argument.name)
        fits = self._fitting(scope, argument, name, role, around)
        found = [entry for entry in self._by_names(scope, argument, name) if fits(entry)]
        if found:
            return self._choose(scope, found, role, around, "exact")
        if role is not None:
            adopted = self._adopted(scope, argument, name, role, fits, around)
            if adopted is not None:
                return adopted
        if argument.label == "PERSON" and len(name.words) == 1:
            partial = [
                entry
                for entry in self._entities.by_first_word(scope, name.normalised)
                if entry.label == "PERSON" and fits(entry)
            ]
            if len(partial) == 1:
                return Resolution(partial[0].entity_id, "partial")
            if partial:
                return self._choose(scope, partial, role, around, "partial")
        return Resolution(None, "new")

    def _by_names(self, scope: Scope, argument: EntityArgument, name: Name) -> list[EntityRecord]:
        found = self._entities.by_name(scope, name.normalised)
        if not found:
            for alias in argument.aliases:
                found = found or self._entities.by_name(scope, take_apart(alias).normalised)
        return [entry for entry in found if entry.named or entry.label not in _PEOPLE]

    def _adopted(
        self,
        scope: Scope,
        argument: EntityArgument,
        name: Name,
        role: Role,
        fits: Callable[[EntityRecord], bool],
        around: Surroundings,
    ) -> Resolution | None:
        """The only known sister, so far without a name, when "my sister Ana" follows."""
        known = self._standing_in(scope, role, argument)
        if not self._roles.words_are_synonyms(role.predicate):
            kinds = around.kinds
            known = [
                entry for entry in known if kinds and self._kinds_agree(scope, role, kinds, entry)
            ]
        if len(known) != 1:
            return None
        only = known[0]
        if not only.named:
            return Resolution(only.entity_id, "described")
        other = take_apart(only.name)
        longer = f"{name.normalised} ".startswith(f"{other.normalised} ")
        shorter = f"{other.normalised} ".startswith(f"{name.normalised} ")
        if (longer or shorter) and fits(only):
            return Resolution(only.entity_id, "partial")
        return None

    def _described(
        self, scope: Scope, argument: EntityArgument, role: Role, around: Surroundings
    ) -> Resolution:
        known = [
            entry
            for entry in self._standing_in(scope, role, argument)
            if self._described_alike(scope, role, argument, entry)
        ]
        if not known:
            return Resolution(None, "new")
        if len(known) == 1:
            return Resolution(known[0].entity_id, "described")
        unnamed = [entry for entry in known if not entry.named]
        return self._nearest(known, unnamed, around, "described")

    def _group(
        self,
        scope: Scope,
        argument: EntityArgument,
        role: Role | None,
        member_ids: tuple[str, ...],
        around: Surroundings,
    ) -> Resolution:
        """Known by its members, else by who it is described by ("my parents")."""
        if member_ids:
            found = self._entities.by_name(scope, group_key(member_ids))
        elif role is not None:
            found = [
                entry
                for entry in self._entities.by_anchor(scope, role.anchor_id, role.predicate)
                if self._described_alike(scope, role, argument, entry)
            ]
        else:
            named = self._entities.by_name(scope, take_apart(argument.name).normalised)
            found = [entry for entry in named if entry.entity_id in around.nearby]
        groups = [entry for entry in found if entry.label == GROUP]
        return Resolution(groups[0].entity_id if len(groups) == 1 else None, "group")

    def _thing(self, scope: Scope, argument: EntityArgument, around: Surroundings) -> Resolution:
        name = take_apart(argument.name)
        found = [
            entry
            for entry in self._entities.by_name(scope, name.normalised)
            if labels_agree(entry.label, argument.label)
            and names_agree(take_apart(entry.name), name)
        ]
        if not is_name(argument):
            # "The doctor" of another day is another doctor, unless just spoken of.
            found = [entry for entry in found if entry.entity_id in around.nearby]
        if len(found) == 1:
            return Resolution(found[0].entity_id, "exact")
        same = [entry for entry in found if entry.label == argument.label]
        if len(same) == 1:
            return Resolution(same[0].entity_id, "exact")
        return Resolution(None, "new")

    # ------------------------------------------------------------ candidates

    def _standing_in(
        self, scope: Scope, role: Role, argument: EntityArgument
    ) -> list[EntityRecord]:
        """Who is known to stand in the role (a son is a child, too), oldest first."""
        found: dict[str, EntityRecord] = {}
        for predicate in self._narrower(role.predicate):
            entries = [
                *self._entities.by_anchor(scope, role.anchor_id, predicate),
                *self._entities.objects_of(scope, role.anchor_id, predicate),
            ]
            for entry in entries:
                if labels_agree(entry.label, argument.label) and genders_agree(
                    entry.gender, argument.gender
                ):
                    found[entry.entity_id] = entry
        return sorted(found.values(), key=lambda entry: (entry.created_at, entry.entity_id))

    def _narrower(self, predicate: str) -> tuple[str, ...]:
        if self._ontology.canonical_predicate(predicate) is None:
            return (predicate,)
        return self._ontology.narrower(predicate)

    def _fitting(
        self,
        scope: Scope,
        argument: EntityArgument,
        name: Name,
        role: Role | None,
        around: Surroundings,
    ) -> Callable[[EntityRecord], bool]:
        gender = argument.gender or name.gender

        def fits(entry: EntityRecord) -> bool:
            if entry.entity_id == owner_id(scope) and (around.by_owner or role is not None):
                return False
            if not labels_agree(entry.label, argument.label):
                return False
            if not genders_agree(entry.gender, gender):
                return False
            if not names_agree(take_apart(entry.name), name):
                return False
            return role is None or self._role_allows(scope, entry, role)

        return fits

    def _role_allows(self, scope: Scope, entry: EntityRecord, role: Role) -> bool:
        known = self._entities.roles_between(scope, role.anchor_id, entry.entity_id)
        return all(
            self._roles.roles_agree(role.predicate, other)
            for other in known
            if self._roles.is_role(other)
        )

    def _described_alike(
        self, scope: Scope, role: Role, argument: EntityArgument, entry: EntityRecord
    ) -> bool:
        """Whether the words may mean the same one: a cat is no dog, but mum is mother."""
        if self._roles.words_are_synonyms(role.predicate):
            return True
        words = take_apart(argument.name).normalised
        return self._kinds_agree(scope, role, frozenset({words}), entry)

    def _kinds_agree(
        self, scope: Scope, role: Role, kinds: frozenset[str], entry: EntityRecord
    ) -> bool:
        general = {word for word in kinds if self._roles.is_general_word(role.predicate, word)}
        known = self._entities.kinds_of(scope, entry.entity_id)
        if not entry.named:
            known = known | {entry.normalised}
        return bool(kinds & known) or bool(general) or not (kinds and known)

    # ------------------------------------------------------------ choices

    def _choose(
        self,
        scope: Scope,
        found: Sequence[EntityRecord],
        role: Role | None,
        around: Surroundings,
        reason: str,
    ) -> Resolution:
        if len(found) == 1:
            return Resolution(found[0].entity_id, reason)
        if role is not None:
            same = [entry for entry in found if self._stands_in(scope, entry, role)]
            if len(same) == 1:
                return Resolution(same[0].entity_id, "described")
        bare = [entry for entry in found if entry.anchor_id is None]
        return self._nearest(found, bare, around, reason)

    def _stands_in(self, scope: Scope, entry: EntityRecord, role: Role) -> bool:
        known = self._entities.roles_between(scope, role.anchor_id, entry.entity_id)
        return bool(known & set(self._narrower(role.predicate)))

    def _nearest(
        self,
        found: Sequence[EntityRecord],
        plain: Sequence[EntityRecord],
        around: Surroundings,
        reason: str,
    ) -> Resolution:
        """Of several: the one just spoken of, else the one set apart for doubt, else a new one."""
        ids = [entry.entity_id for entry in found]
        for entity_id in around.nearby:
            if entity_id in ids:
                return Resolution(entity_id, f"{reason}, just spoken of")
        if len(plain) == 1:
            return Resolution(plain[0].entity_id, reason)
        return Resolution(None, "unsure", doubtful=tuple(ids))
