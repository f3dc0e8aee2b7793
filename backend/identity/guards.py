"""What speaks against two mentions being one entity; asked before every match (DESIGN §4)."""

from __future__ import annotations

from backend.identity.names import Name
from backend.ontology.ontology import Ontology

_THINGS = frozenset(
    {"OBJECT", "FOOD", "ACTIVITY", "INTEREST", "CREATIVE_WORK", "INSTRUMENT", "FIELD", "LANGUAGE"}
    | {"CONDITION", "EVENT", "TASK", "GOAL", "PRIORITY", "PROJECT"}
)
"""Labels between which the wording wavers: chess is an activity here and an interest there."""

_LOOSE = "OBJECT"
_LOOSELY_LABELLED = _THINGS | {"ORGANIZATION"}
_FAMILY = "FAMILY_MEMBER"
_ACQUAINTANCE = "KNOWS"
_DISTINCT_NOUNS = frozenset({"HAS_DOCTOR", "HAS_TEACHER", "TEACHES_PERSON", "MANAGES"})
"""Relations whose nouns name different people: a dentist and a doctor, a coach and a tutor."""


def labels_agree(first: str, second: str) -> bool:
    """Whether one entity may carry both labels; a person is never a place."""
    if first == second or (first in _THINGS and second in _THINGS):
        return True
    pair = {first, second}
    return _LOOSE in pair and pair <= _LOOSELY_LABELLED


def names_agree(first: Name, second: Name) -> bool:
    """Whether digits and suffixes allow both names for one entity (Jr is not Sr)."""
    return first.digits == second.digits and first.suffix == second.suffix


def genders_agree(first: str, second: str) -> bool:
    """Whether two genders, of which either may be unknown, allow one person."""
    return not first or not second or first == second


class RoleGuard:
    """Tells whether one person can stand in two relations to the same other person.

    A sister is not a brother, and a sister is not a colleague: two Sarahs. A friend may be a
    colleague, and a sibling may turn out to be a sister.
    """

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology

    def roles_agree(self, first: str, second: str) -> bool:
        """True unless the two relations exclude each other; unknown relations exclude nothing."""
        if first == second:
            return True
        if self.implies(first, second) or self.implies(second, first):
            return True
        first_line, second_line = self._line(first), self._line(second)
        families = [_FAMILY in line for line in (first_line, second_line)]
        circles = [_ACQUAINTANCE in line for line in (first_line, second_line)]
        if all(families):
            return False
        return not (any(families) and any(circles))

    def words_are_synonyms(self, predicate: str) -> bool:
        """Whether all words for a relation mean the same ("mum", "mother"); "cat", "dog" do not."""
        return self.is_role(predicate) and predicate not in _DISTINCT_NOUNS

    def is_general_word(self, predicate: str, words: str) -> bool:
        """Whether the word fits everybody in the relation ("pet")."""
        canonical = self._ontology.canonical_predicate(predicate)
        if canonical is None:
            return False
        return self._ontology.predicates[canonical].display.get("noun") == words

    def implies(self, narrower: str, wider: str) -> bool:
        """Whether the first relation is the second one, or a kind of it (a son is a child)."""
        return narrower == wider or wider in self._line(narrower)

    def is_role(self, predicate: str) -> bool:
        """Whether the predicate says who a person is to another."""
        return bool({_FAMILY, _ACQUAINTANCE} & self._line(predicate))

    def _line(self, predicate: str) -> set[str]:
        canonical = self._ontology.canonical_predicate(predicate)
        if canonical is None:
            return {predicate}
        return {canonical, *self._ontology.wider(canonical)}
