"""The sentences in which the memory answers a person."""

from __future__ import annotations

from collections.abc import Sequence

from backend.memory.sources import Source, quoted, spoken_date
from backend.ontology.display import possessive
from backend.ontology.ontology import Ontology
from backend.storage.messages import MessageRecord
from backend.storage.proposition_rows import PropositionRecord
from backend.understanding.statements import ArgumentKind, QuestionPattern


class AnswerWording:
    """Words facts, quotations and ignorance; what to say is decided elsewhere."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology

    def sentences(self, facts: Sequence[PropositionRecord], hidden: int = 0) -> str:
        """One sentence a fact; a list from three on."""
        lines = [_sentence(fact.text) for fact in facts]
        if len(lines) < 3:
            return " ".join(lines)
        text = "\n".join(f"- {line}" for line in lines)
        return f"{text}\n- … and {hidden} more." if hidden > 0 else text

    def names(self, pattern: QuestionPattern, names: Sequence[str]) -> str:
        """Who someone is, as in "your sister's name is Ana"."""
        noun = self._noun(pattern.path[-1])
        owner = self._owner(pattern)
        if noun is None or owner is None:
            return f"That is {_listed(names)}."
        if len(names) == 1:
            return _sentence(f"{owner} {_genitive(noun)} name is {names[0]}")
        return _sentence(f"{owner} {_plural(noun)} are {_listed(names)}")

    def unnamed(self, pattern: QuestionPattern) -> str:
        """What is said when someone is known, but not the name."""
        del pattern
        return "You have not told me the name yet."

    def verdict(self, holds: bool, facts: Sequence[PropositionRecord]) -> str:
        """Yes or no, and the facts that say so."""
        return f"{'Yes' if holds else 'No'}: {' '.join(_sentence(fact.text) for fact in facts)}"

    def count(self, facts: Sequence[PropositionRecord]) -> str:
        """How many are known, and which; the person may well have more than they mentioned."""
        number = len({fact.object_id or fact.literal for fact in facts})
        told = "one" if number == 1 else str(number)
        return f"I know of {told}: {' '.join(_sentence(fact.text) for fact in facts)}"

    def source(self, source: Source) -> str:
        """Where a fact comes from: "(You said on 3 May 2026: “my sister Ana …”)"."""
        message = source.message
        speaker = "You" if message.role == "user" else message.speaker or "Someone"
        return f"({speaker} said on {spoken_date(message.said_at)}: {quoted(source.quote)})"

    def quotation(self, message: MessageRecord) -> str:
        """The person's own words, where no fact was understood from them."""
        return f"On {spoken_date(message.said_at)} you wrote: {quoted(message.text)}"

    def unknown(self, pattern: QuestionPattern) -> str:
        """That the memory does not hold it; never a guess."""
        if pattern.anchor.kind is ArgumentKind.NAMED and pattern.anchor.name:
            return f"I don't know that about {pattern.anchor.name}. You have not told me yet."
        return "I don't know that. You have not told me yet."

    def with_opposites(self, predicates: Sequence[str]) -> tuple[str, ...]:
        """The predicates together with those that a negation of them comes close to."""
        return tuple(dict.fromkeys((*predicates, *sorted(self.opposites_of(predicates)))))

    def opposites_of(self, predicates: Sequence[str]) -> frozenset[str]:
        """The opposites of the predicates and of their narrower ones."""
        found: set[str] = set()
        for predicate in predicates:
            canonical = self._ontology.canonical_predicate(predicate)
            for name in self._ontology.narrower(canonical) if canonical else ():
                opposite = self._ontology.predicates[name].opposite
                if opposite:
                    found.update(self._ontology.narrower(opposite))
        return frozenset(found)

    def _noun(self, predicate: str) -> str | None:
        canonical = self._ontology.canonical_predicate(predicate)
        nouns = self._ontology.predicates[canonical].nouns if canonical else ()
        return nouns[0] if nouns else None

    def _owner(self, pattern: QuestionPattern) -> str | None:
        """Whose: "your", "Ana's"; None where the way there is longer than one step."""
        if len(pattern.path) != 1:
            return None
        if pattern.anchor.kind is ArgumentKind.ME:
            return possessive("me")
        return possessive(pattern.anchor.name) if pattern.anchor.name else None


def _genitive(noun: str) -> str:
    """The genitive of a common noun, which takes its own s ("boss's")."""
    return f"{noun}'s"


def _sentence(text: str) -> str:
    """Upper-case first letter and a full stop."""
    text = text.strip()
    begun = text[:1].upper() + text[1:]
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."


def _listed(names: Sequence[str]) -> str:
    """Names with commas and a last "and"."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _plural(noun: str) -> str:
    if noun == "child":
        return "children"
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
