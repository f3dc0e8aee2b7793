"""Who "she", "he" or "they" is: the people and pets of the talk so far, and nothing by guess."""

from __future__ import annotations

from dataclasses import dataclass

from backend.understanding import lexicon
from backend.understanding.statements import ArgumentKind, EntityArgument

SENTENCE_WINDOW = 3
"""How many sentences back a pronoun may point; further off, too many others could be meant."""


def identity_key(argument: EntityArgument) -> tuple[object, ...]:
    """What makes two arguments of one message the same entity."""
    if argument.kind is ArgumentKind.ME:
        return ("me",)
    if argument.kind is ArgumentKind.DESCRIBED and argument.description_anchor is not None:
        anchor = identity_key(argument.description_anchor)
        return ("described", anchor, argument.description_predicate, argument.name)
    return ("named", argument.name.casefold())


def someone_unknown(gender: str) -> EntityArgument:
    """A person who was spoken of but cannot be told from others ("a man at the bar")."""
    return EntityArgument(ArgumentKind.DESCRIBED, "", "PERSON", gender=gender)


@dataclass(frozen=True)
class _Referent:
    argument: EntityArgument
    sentence: int
    place: int
    subject: bool


class Discourse:
    """The entities mentioned so far, in order, and the names learnt for described ones."""

    def __init__(self, speaker: EntityArgument) -> None:
        self.speaker = speaker
        self._referents: list[_Referent] = []
        self._names: dict[tuple[object, ...], EntityArgument] = {}

    def note(self, argument: EntityArgument, sentence: int, place: int, *, subject: bool) -> None:
        """Remember that an entity was mentioned at token ``place`` of a sentence."""
        if identity_key(argument) != identity_key(self.speaker):
            self._referents.append(_Referent(argument, sentence, place, subject))

    def learn_name(self, described: EntityArgument, named: EntityArgument) -> None:
        """From now on, the described one is the named one within this message."""
        self._names[identity_key(described)] = named

    def named(self, argument: EntityArgument) -> EntityArgument:
        """The argument under its name, if the message gave one."""
        return self._names.get(identity_key(argument), argument)

    def resolve(self, pronoun: str, sentence: int, place: int) -> EntityArgument | None:
        """The one entity a third-person pronoun can mean, or None when it is not sure.

        The nearest sentence that holds a fitting entity decides. Two fitting ones leave it open,
        except that the subject of an earlier sentence outranks what else that sentence names.
        """
        fitting = [r for r in self._referents if _fits(pronoun, r.argument)]
        earlier = [
            r
            for r in fitting
            if (r.sentence, r.place) < (sentence, place)
            and sentence - r.sentence <= SENTENCE_WINDOW
        ]
        if not earlier:
            return None
        nearest = max(r.sentence for r in earlier)
        candidates = [r for r in earlier if r.sentence == nearest]
        if len({identity_key(self.named(r.argument)) for r in candidates}) > 1:
            subjects = [r for r in candidates if r.subject]
            if (
                len({identity_key(self.named(r.argument)) for r in subjects}) != 1
                or nearest == sentence
            ):
                return None
            candidates = subjects
        found = self.named(candidates[-1].argument)
        return found if found.name else None  # Somebody unknown: no one else is meant.


def _fits(pronoun: str, argument: EntityArgument) -> bool:
    plural = argument.kind is ArgumentKind.GROUP
    if pronoun in lexicon.PLURAL_PRONOUNS:
        return plural
    if plural or argument.label not in ("PERSON", "PET"):
        return False
    if pronoun in lexicon.FEMALE_PRONOUNS:
        return argument.gender in ("female", "")
    if pronoun in lexicon.MALE_PRONOUNS:
        return argument.gender in ("male", "")
    return pronoun in ("it", "its") and argument.label == "PET"
