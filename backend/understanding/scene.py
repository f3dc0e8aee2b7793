"""What every rule gets: one sentence with its clauses, and the means to state something from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spacy.tokens import Token

from backend.ontology.ontology import Ontology
from backend.understanding.clauses import Clause, Tense
from backend.understanding.entities import EntityReader
from backend.understanding.language import Sentence
from backend.understanding.reference import Discourse
from backend.understanding.statements import (
    Change,
    EntityArgument,
    LiteralArgument,
    Modality,
    Polarity,
    Span,
    Statement,
    TimeInterval,
)
from backend.understanding.time_expressions import TimeReader


@dataclass(frozen=True)
class Scene:
    """One sentence of the message on its stage."""

    sentence: Sentence
    clauses: tuple[Clause, ...]
    reader: EntityReader
    discourse: Discourse
    ontology: Ontology
    time: TimeReader

    @property
    def source_end(self) -> int:
        """Where the sentence ends in the message."""
        return self.sentence.source.end

    def told_clauses(self) -> Iterator[Clause]:
        """The clauses that state something."""
        return (clause for clause in self.clauses if not clause.silent)

    def clause_of(self, head: Token) -> Clause | None:
        """The clause whose verb is ``head``."""
        return next((clause for clause in self.clauses if clause.head == head), None)

    def subjects(self, clause: Clause) -> list[EntityArgument]:
        """The people (or pets, groups) that the clause is about; empty if one is unsure."""
        if clause.elided:
            return [self.reader.speaker()]
        found: list[EntityArgument] = []
        for token in clause.subjects:
            people = self.reader.people(self.sentence, token)
            if not people:
                return []
            found.extend(people)
        return found

    def literal(self, kind: str, value: str, first: Token, last: Token) -> LiteralArgument:
        """A value with the words from ``first`` to ``last``."""
        text = " ".join(self.sentence.doc[first.i : last.i + 1].text.split())
        return LiteralArgument(kind, value, text, self.sentence.span(first, last))

    def state(
        self,
        clause: Clause,
        subject: EntityArgument,
        predicate: str,
        target: EntityArgument | LiteralArgument,
        method: str,
        *,
        lasting: bool = True,
        change: Change | None = None,
        polarity: Polarity | None = None,
        confidence: float = 0.9,
        qualifiers: tuple[tuple[str, str], ...] = (),
    ) -> Statement:
        """The statement of one clause.

        ``lasting`` marks a state ("lives in"), whose past tense means that it is over, in contrast
        to an event ("visited"). ``change`` overrides what tense and governing verbs say.
        """
        chosen = change or clause.change
        valid = self.time.interval_for(clause, chosen)
        ended = lasting and clause.tense is Tense.PAST and clause.polarity is Polarity.AFFIRMED
        if ended and chosen is Change.HOLDS and valid is None:
            chosen = Change.ENDS
        reporter = None
        if clause.reporter is not None:
            people = self.reader.people(self.sentence, clause.reporter)
            reporter = people[0] if len(people) == 1 else None
        return Statement(
            subject=subject,
            predicate=predicate,
            object=target,
            evidence=clause.evidence(),
            method=method,
            confidence=confidence if clause.modality is Modality.ASSERTED else min(confidence, 0.6),
            polarity=polarity or clause.polarity,
            modality=clause.modality,
            change=chosen,
            valid=valid,
            qualifiers=tuple(sorted(qualifiers)),
            reporter=reporter,
        )

    def presupposed(
        self,
        subject: EntityArgument,
        predicate: str,
        target: EntityArgument | LiteralArgument,
        method: str,
        evidence: Span,
        *,
        change: Change = Change.HOLDS,
        qualifiers: tuple[tuple[str, str], ...] = (),
        valid: TimeInterval | None = None,
    ) -> Statement:
        """What a noun phrase takes for granted ("my sister Ana"), whatever its clause does."""
        return Statement(
            subject=subject,
            predicate=predicate,
            object=target,
            evidence=evidence,
            method=method,
            confidence=0.95,
            change=change,
            valid=valid,
            qualifiers=tuple(sorted(qualifiers)),
        )
