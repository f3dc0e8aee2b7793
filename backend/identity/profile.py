"""What is known of an entity itself, as a pure fold of the mentions that mean it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from backend.identity.names import normalise, take_apart
from backend.identity.owner import OWNER_NAME, PERSON
from backend.storage.entity_rows import AliasRecord
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    LiteralArgument,
    Modality,
    Polarity,
    Statement,
)

NAMING_PREDICATES = frozenset({"HAS_NAME", "HAS_NICKNAME"})
_CHIEF_NAMING = "HAS_NAME"
_WITHOUT_OWN_NAME = frozenset({PERSON, "PET"})
"""Labels whose noun phrase ("the doctor") is a description and not a name."""

GROUP = "GROUP"
_LOOSE_LABEL = "OBJECT"


@dataclass(frozen=True, slots=True)
class Role:
    """Who a mention is to whom: it stands in ``predicate`` to ``anchor_id``."""

    anchor_id: str
    predicate: str


@dataclass(frozen=True, slots=True)
class Profile:
    """Name, label and aliases of an entity; ``anchor`` is who it is described by."""

    label: str
    name: str
    normalised: str
    gender: str = ""
    named: bool = False
    anchor_id: str | None = None
    anchor_predicate: str | None = None
    aliases: tuple[AliasRecord, ...] = ()


def owner_profile() -> Profile:
    """The owner before anything was said."""
    return Profile(PERSON, OWNER_NAME, OWNER_NAME, named=True)


def group_key(member_ids: tuple[str, ...]) -> str:
    """What groups are compared by: who is in them."""
    return "group " + "+".join(sorted(member_ids))


def absorb(
    profile: Profile | None,
    argument: EntityArgument,
    role: Role | None = None,
    member_ids: tuple[str, ...] = (),
) -> Profile:
    """The profile after one more mention; ``role`` is who it is said to be."""
    if argument.kind is ArgumentKind.ME:
        return profile or owner_profile()
    if argument.kind is ArgumentKind.GROUP:
        return _with_details(profile or _group(argument, member_ids), argument, role)
    names = is_name(argument)
    if profile is None:
        name = take_apart(argument.name)
        gender = argument.gender or name.gender
        profile = Profile(argument.label, argument.name, name.normalised, gender, names)
    elif names:
        profile = _with_name(profile, argument.name)
    for alias in argument.aliases:
        profile = _with_alias(profile, alias)
    return _with_details(profile, argument, role)


def absorb_naming(profile: Profile, statement: Statement) -> Profile:
    """The profile after a statement about it, if that says a name ("her name is Ana")."""
    target = statement.object
    if (
        statement.predicate not in NAMING_PREDICATES
        or not isinstance(target, LiteralArgument)
        or statement.polarity is not Polarity.AFFIRMED
        or statement.modality is not Modality.ASSERTED
        or statement.change in (Change.ENDS, Change.NEVER_HELD)
    ):
        return profile
    if statement.predicate != _CHIEF_NAMING or profile.name == OWNER_NAME:
        return _with_alias(profile, target.text)
    return _with_name(profile, target.text)


def is_name(argument: EntityArgument) -> bool:
    """Whether the argument's words name it, rather than describe it."""
    if argument.kind is ArgumentKind.NAMED:
        return True
    described = argument.description_predicate is not None
    return not described and argument.label not in _WITHOUT_OWN_NAME


def _group(argument: EntityArgument, member_ids: tuple[str, ...]) -> Profile:
    compared = group_key(member_ids) if member_ids else normalise(argument.name)
    return Profile(GROUP, argument.name, compared, argument.gender)


def _with_name(profile: Profile, name: str) -> Profile:
    normalised = normalise(name)
    if not normalised or normalised == profile.normalised:
        return profile
    if not profile.named:
        return replace(profile, name=name, normalised=normalised, named=True)
    if normalised.startswith(f"{profile.normalised} "):
        # "Ana" turned out to be "Ana López": the full name is shown, the short one still finds her.
        short = AliasRecord(profile.name, profile.normalised)
        longer = replace(profile, name=name, normalised=normalised)
        return replace(longer, aliases=_sorted((*_other_aliases(longer), short)))
    return _with_alias(profile, name)


def _with_alias(profile: Profile, alias: str) -> Profile:
    normalised = normalise(alias)
    known = {profile.normalised, *(entry.normalised for entry in profile.aliases)}
    if not normalised or normalised in known:
        return profile
    return replace(profile, aliases=_sorted((*profile.aliases, AliasRecord(alias, normalised))))


def _with_details(profile: Profile, argument: EntityArgument, role: Role | None) -> Profile:
    if profile.label == _LOOSE_LABEL and argument.label:
        profile = replace(profile, label=argument.label)
    if not profile.gender and argument.gender:
        profile = replace(profile, gender=argument.gender)
    if profile.anchor_id is None and role is not None:
        profile = replace(profile, anchor_id=role.anchor_id, anchor_predicate=role.predicate)
    return profile


def _other_aliases(profile: Profile) -> tuple[AliasRecord, ...]:
    return tuple(entry for entry in profile.aliases if entry.normalised != profile.normalised)


def _sorted(aliases: tuple[AliasRecord, ...]) -> tuple[AliasRecord, ...]:
    return tuple(sorted(aliases, key=lambda entry: entry.normalised))
