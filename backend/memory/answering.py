"""Answers questions from the graph alone, with their sources, or says that it does not know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from backend.memory.quoting import MessageQuotes
from backend.memory.results import MemoryAnswer
from backend.memory.sources import FactSources
from backend.memory.walk import GraphWalk, Step
from backend.memory.wording import AnswerWording
from backend.storage.proposition_rows import PropositionRecord
from backend.storage.scope import Scope
from backend.understanding.statements import (
    ArgumentKind,
    DialogueContext,
    EntityArgument,
    LiteralArgument,
    QuestionKind,
    QuestionPattern,
)

_MOST_DESCRIBED = 12
"""Facts told at once about someone; the panel shows the rest."""


class QuestionReader(Protocol):
    """Turns a question into a walk over the graph."""

    def parse_question(self, text: str, context: DialogueContext) -> QuestionPattern | None:
        """The pattern of a question, or None for anything else."""


class MemoryAnswerer:
    """Settles a question by facts, else by the person's own words, else by abstaining (DESIGN §5).

    Only ACTIVE facts count. Every answer names the messages it rests on. ``context_of`` gives the
    dialogue context of a question that stands outside of any conversation.
    """

    def __init__(
        self,
        reader: QuestionReader,
        walk: GraphWalk,
        sources: FactSources,
        quotes: MessageQuotes,
        wording: AnswerWording,
        context_of: Callable[[Scope], DialogueContext],
    ) -> None:
        self._reader = reader
        self._walk = walk
        self._sources = sources
        self._quotes = quotes
        self._wording = wording
        self._context_of = context_of

    def answer(
        self,
        scope: Scope,
        question: str,
        context: DialogueContext | None = None,
        before: str | None = None,
    ) -> MemoryAnswer | None:
        """The answer to ``question``; None when it is not a question about the person's world.

        ``before`` is the id of the message that asks, which is no evidence for its own answer.
        """
        pattern = self._reader.parse_question(question, context or self._context_of(scope))
        if pattern is None:
            return None
        answer = self._from_graph(scope, pattern)
        if answer is not None:
            return answer
        if not pattern.personal and not self._walk.entities_for(scope, pattern.anchor):
            return None
        return self._from_words(scope, question, before) or MemoryAnswer(
            self._wording.unknown(pattern), (), (), abstained=True
        )

    def _from_words(self, scope: Scope, question: str, before: str | None) -> MemoryAnswer | None:
        """What the person wrote about it, where no fact was understood from the words."""
        message = self._quotes.about(scope, question, before)
        if message is None:
            return None
        return MemoryAnswer(self._wording.quotation(message), (), (message.message_id,))

    # ------------------------------------------------------------ the graph

    def _from_graph(self, scope: Scope, pattern: QuestionPattern) -> MemoryAnswer | None:
        match pattern.kind:
            case QuestionKind.SUBJECT_OF:
                return self._subjects(scope, pattern)
            case QuestionKind.NAME_OF:
                return self._name(scope, pattern)
            case QuestionKind.YES_NO:
                return self._yes_or_no(scope, pattern)
            case QuestionKind.DESCRIBE:
                return self._description(scope, pattern)
            case QuestionKind.HOW_MANY:
                return self._count(scope, pattern)
            case _:
                return self._objects(scope, pattern)

    def _start(self, scope: Scope, pattern: QuestionPattern) -> tuple[str, ...]:
        """The subjects of the asked fact: from the anchor along the path."""
        entity_ids = self._walk.entities_for(scope, pattern.anchor)
        for predicate in pattern.path:
            entity_ids = self._walk.follow(scope, entity_ids, predicate)
        return entity_ids

    def _steps(self, scope: Scope, pattern: QuestionPattern) -> list[Step]:
        if not pattern.predicates:
            return []
        return [
            step
            for entity_id in self._start(scope, pattern)
            for step in self._walk.steps(scope, entity_id, pattern.predicates)
        ]

    def _objects(self, scope: Scope, pattern: QuestionPattern) -> MemoryAnswer | None:
        steps = self._steps(scope, pattern)
        if pattern.interval is not None:
            steps = [step for step in steps if _overlaps(step.fact, pattern)]
            return self._told(scope, [step.fact for step in steps if _affirmed(step.fact)])
        current = [step.fact for step in steps if self._walk.holds_now(step.fact)]
        if pattern.past:
            former = [step.fact for step in steps if _affirmed(step.fact)]
            current = [fact for fact in former if fact not in current] or current
        if current:
            return self._told(scope, current)
        # Nothing now: what once was, or was denied, is still an answer, and its text says so.
        return self._told(scope, [step.fact for step in steps if step.fact.modality == "asserted"])

    def _subjects(self, scope: Scope, pattern: QuestionPattern) -> MemoryAnswer | None:
        if not isinstance(pattern.object, EntityArgument):
            return None
        found = [
            fact
            for object_id in self._walk.entities_for(scope, pattern.object)
            for fact in self._walk.facts_towards(scope, object_id, pattern.predicates)
            if self._walk.holds_now(fact)
        ]
        return self._told(scope, found)

    def _name(self, scope: Scope, pattern: QuestionPattern) -> MemoryAnswer | None:
        if not pattern.path:
            return self._objects(scope, pattern)
        holders = self._walk.entities_for(scope, pattern.anchor)
        for predicate in pattern.path[:-1]:
            holders = self._walk.follow(scope, holders, predicate)
        targets = self._start(scope, pattern)
        gone = self._dead_pets(scope, pattern, targets)
        facts = [
            step.fact
            for holder in holders
            for step in self._walk.steps(scope, holder, (pattern.path[-1],))
            if step.other_id and self._walk.holds_now(step.fact) and (step.other_id not in gone)
        ]
        if not facts:
            return None
        targets = tuple(one for one in targets if one not in gone)
        named = [r.name for r in self._walk.names(scope, targets).values() if r.named]
        if not named:
            answer = self._told(scope, facts)
            unnamed = self._wording.unnamed(pattern)
            return answer and MemoryAnswer(
                f"{answer.text} {unnamed}", answer.fact_ids, answer.source_message_ids, True
            )
        return self._cited(scope, self._wording.names(pattern, named), facts)

    def _dead_pets(
        self, scope: Scope, pattern: QuestionPattern, targets: Sequence[str]
    ) -> frozenset[str]:
        """Pets that died, unless no other is left: "my cat" means the one that lives."""
        if pattern.path[-1] != "HAS_PET":
            return frozenset()
        dead = frozenset(
            one
            for one in targets
            if any(_affirmed(s.fact) for s in self._walk.steps(scope, one, ("DIED",)))
        )
        return dead if len(dead) < len(set(targets)) else frozenset()

    def _yes_or_no(self, scope: Scope, pattern: QuestionPattern) -> MemoryAnswer | None:
        wanted = self._wording.with_opposites(pattern.predicates)
        opposites = self._wording.opposites_of(pattern.predicates[:1])
        matching: list[PropositionRecord] = []
        for entity_id in self._start(scope, pattern):
            for step in self._walk.steps(scope, entity_id, wanted):
                if step.fact.modality == "asserted" and self._is_about(scope, step, pattern):
                    matching.append(step.fact)
        if not matching:
            return None
        current = [fact for fact in matching if self._walk.holds_now(fact)]
        if "DIED" in pattern.predicates:
            current = [fact for fact in matching if _affirmed(fact)]  # A death is never over.
        affirmed = [fact for fact in current if fact.predicate not in opposites]
        shown = affirmed or current or matching
        text = self._wording.verdict(bool(affirmed) is not pattern.negated, shown[:3])
        return self._cited(scope, text, shown[:3])

    def _is_about(self, scope: Scope, step: Step, pattern: QuestionPattern) -> bool:
        match pattern.object:
            case None:
                return True
            case LiteralArgument(value=value):
                return step.fact.literal.casefold() == value.casefold()
            case EntityArgument() as argument:
                if step.other_id:
                    return step.other_id in self._walk.entities_for(scope, argument) or (
                        argument.kind is ArgumentKind.DESCRIBED
                        and self._walk.is_kind(scope, step.other_id, argument.name)
                    )
                return step.fact.literal.casefold() == argument.name.casefold()

    def _count(self, scope: Scope, pattern: QuestionPattern) -> MemoryAnswer | None:
        facts = [step.fact for step in self._steps(scope, pattern)]
        current = [fact for fact in facts if self._walk.holds_now(fact)]
        if not current:
            return None
        stated = [fact for fact in current if fact.predicate.startswith("HAS_COUNT_OF_")]
        listed = [fact for fact in current if fact not in stated]
        records = self._walk.names(scope, [fact.object_id for fact in listed if fact.object_id])
        groups = [
            fact
            for fact in listed
            if fact.object_id in records
            and not records[fact.object_id].named
            and records[fact.object_id].name.endswith(("s", "children"))
        ]
        # "Your children" beside Ella and Noah are no third child.
        listed = [fact for fact in listed if fact not in groups] or listed
        if stated:
            # What the person counted themselves is the answer; who was named goes along with it.
            return self._told(scope, [*stated[:1], *listed])
        return self._cited(scope, self._wording.count(listed), listed)

    def _description(self, scope: Scope, pattern: QuestionPattern) -> MemoryAnswer | None:
        facts: dict[str, PropositionRecord] = {}
        for entity_id in self._start(scope, pattern):
            for step in self._walk.steps(scope, entity_id, ()):
                if step.fact.status == "ACTIVE":
                    facts[step.fact.proposition_id] = step.fact
        if not facts:
            return None
        ranked = sorted(
            facts.values(),
            key=lambda fact: (
                not self._walk.holds_now(fact),  # What is over is told after what is so.
                -fact.importance,
                -fact.confidence,
                fact.recorded_at,
            ),
        )
        return self._told(scope, ranked[:_MOST_DESCRIBED], hidden=len(ranked) - _MOST_DESCRIBED)

    # ------------------------------------------------------------ telling

    def _told(
        self, scope: Scope, facts: Sequence[PropositionRecord], hidden: int = 0
    ) -> MemoryAnswer | None:
        """The facts' own sentences as the answer; None when there are none."""
        unique = list({fact.proposition_id: fact for fact in facts}.values())
        if not unique:
            return None
        return self._cited(scope, self._wording.sentences(unique, hidden), unique)

    def _cited(self, scope: Scope, text: str, facts: Sequence[PropositionRecord]) -> MemoryAnswer:
        fact_ids = tuple(fact.proposition_id for fact in facts)
        by_fact = self._sources.of(scope, fact_ids)
        sources = [source for fact_id in fact_ids for source in by_fact.get(fact_id, ())]
        message_ids = tuple(dict.fromkeys(source.message.message_id for source in sources))
        if len(facts) == 1 and sources:
            text = f"{text} {self._wording.source(sources[-1])}"
        return MemoryAnswer(text, fact_ids, message_ids)


def _affirmed(fact: PropositionRecord) -> bool:
    return fact.polarity == "affirmed" and fact.modality == "asserted"


def _overlaps(fact: PropositionRecord, pattern: QuestionPattern) -> bool:
    """Whether a fact may have held at some time in the asked interval; open ends are open."""
    interval = pattern.interval
    if interval is None:
        return True
    begins_in_time = (
        interval.end is None or fact.valid_from is None or (fact.valid_from < interval.end)
    )
    ends_late_enough = (
        interval.start is None or fact.valid_until is None or (fact.valid_until > interval.start)
    )
    return begins_in_time and ends_late_enough
