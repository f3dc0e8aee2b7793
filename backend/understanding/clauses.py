"""A clause as rules see it: who does what, in which tense, and how it was meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from spacy.tokens import Token

from backend.understanding.language import Sentence
from backend.understanding.statements import Change, Modality, Polarity, Span


class Tense(StrEnum):
    """When the clause places its verb, as far as grammar says."""

    PRESENT = "present"
    PAST = "past"
    PERFECT = "perfect"
    FUTURE = "future"


@dataclass(frozen=True)
class Clause:
    """One verb with its arguments and the force with which it is said.

    ``silent`` names why nothing may be learnt from the verb itself (question, hypothetical, …) or
    is empty. ``reporter`` is the subject of the verb of saying around it. ``controlled`` tells that
    a governing verb ("want to", "love to") decides what the clause means. ``elided`` marks a diary
    style sentence whose subject is the unspoken speaker ("Moved to Graz last week").
    """

    sentence: Sentence
    head: Token
    subjects: tuple[Token, ...]
    polarity: Polarity
    modality: Modality
    change: Change
    tense: Tense
    silent: str = ""
    reporter: Token | None = None
    controlled: str = ""
    ability: bool = False
    habitual: bool = True
    elided: bool = False

    @property
    def verb(self) -> str:
        """The lemma of the verb, lower case."""
        return self.head.lemma_.lower()

    @property
    def negated(self) -> bool:
        """Whether the clause denies what it says."""
        return self.polarity is Polarity.NEGATED

    def objects(self) -> list[Token]:
        """Direct objects with everything joined to them by "and"."""
        return [t for child in self._children("dobj", "obj") for t in conjuncts(child)]

    def complements(self) -> list[Token]:
        """What a copula says of its subject, with what is joined to it by "and"."""
        return [t for c in self._children("attr", "acomp", "oprd") for t in conjuncts(c)]

    def prepositional(self, *prepositions: str) -> list[Token]:
        """Nouns under the given prepositions of the verb, expanded over "and"."""
        found: list[Token] = []
        for preposition in self.head.children:
            if (
                preposition.dep_ in ("prep", "dative", "agent")
                and preposition.lower_ in prepositions
            ):
                found.extend(objects_of(preposition))
        return found

    def particle(self) -> str:
        """The particle of a phrasal verb ("up", "out"), or nothing."""
        return next((t.lower_ for t in self.head.children if t.dep_ == "prt"), "")

    def adverbs(self) -> set[str]:
        """Lower-case adverbs of the verb."""
        return {t.lower_ for t in self.head.children if t.dep_ in ("advmod", "neg", "npadvmod")}

    def governed(self) -> list[Token]:
        """Verbs in its to-infinitive or gerund complement, with what is joined to them."""
        return [
            t
            for child in self.head.children
            if child.dep_ in ("xcomp", "ccomp", "dobj")
            and child.tag_ in ("VB", "VBG")
            and child.pos_ in ("VERB", "AUX")
            for t in conjuncts(child)
        ]

    def evidence(self) -> Span:
        """The stretch of the clause without the other clauses joined to it."""
        words = list(own_words(self.head))
        words.extend(t for s in self.subjects for t in phrase_words(s))
        inside = [t for t in words if not (t.is_punct and t.dep_ == "punct") and not t.is_space]
        inside.sort(key=lambda t: t.i)
        return self.sentence.span(inside[0], inside[-1])

    def _children(self, *dependencies: str) -> Iterator[Token]:
        return (t for t in self.head.children if t.dep_ in dependencies)

    def silenced(self, reason: str) -> Clause:
        """The same clause, from which nothing is learnt."""
        return replace(self, silent=self.silent or reason)


_OTHER_CLAUSES = frozenset({"conj", "advcl", "parataxis", "ccomp", "relcl"})


def own_words(head: Token) -> list[Token]:
    """The subtree of a verb without coordinated and subordinate finite clauses."""
    found = [head]
    for child in head.children:
        clausal = child.dep_ in _OTHER_CLAUSES and child.pos_ in ("VERB", "AUX")
        if clausal or child.dep_ in ("cc", "intj", "mark"):
            continue
        found.extend(own_words(child))
    return found


def phrase_words(head: Token) -> list[Token]:
    """The subtree of a noun without its relative clauses."""
    found = [head]
    for child in head.children:
        if child.dep_ in ("relcl", "cc", "punct"):
            continue
        found.extend(phrase_words(child))
    return found


def conjuncts(token: Token) -> list[Token]:
    """The token and the nouns (or verbs) of its own kind joined to it by "and" or a comma."""
    found = [token]
    for child in token.children:
        if child.dep_ == "conj" and _alike(token, child):
            found.extend(conjuncts(child))
    return found


def joined_by_or(token: Token) -> bool:
    """Whether the token is an alternative ("tea or coffee"), of which neither is asserted."""
    first = token
    while first.dep_ == "conj":
        first = first.head
    return any(
        c.dep_ == "cc" and c.lower_ in ("or", "nor") for t in conjuncts(first) for c in t.children
    )


def objects_of(preposition: Token) -> list[Token]:
    """The nouns under a preposition, expanded over "and"; "in and around" counts as one."""
    return [
        t
        for child in preposition.children
        if child.dep_ in ("pobj", "pcomp")
        for t in conjuncts(child)
    ]


def _alike(first: Token, second: Token) -> bool:
    verbs = ("VERB", "AUX")
    if (first.pos_ in verbs) != (second.pos_ in verbs):
        return False
    # "I love sushi and my sister hates it": a noun with its own verb is not a second object.
    return not (
        second.pos_ not in verbs
        and any(c.dep_ in ("nsubj", "relcl") and c.i < second.i for c in second.children)
    )
