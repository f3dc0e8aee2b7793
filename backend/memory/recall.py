"""Finds the facts that matter for a message: by words, by meaning, and by who is spoken of."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from backend.identity.names import normalise
from backend.identity.owner import owner_id
from backend.memory.results import RecalledFact
from backend.memory.sources import FactSources, spoken_date
from backend.storage.entity_rows import EntityRows
from backend.storage.proposition_rows import PropositionRecord, PropositionRows
from backend.storage.scope import Scope
from backend.storage.search import FullTextSearch, search_words

logger = logging.getLogger(__name__)

_FUSION_CONSTANT = 60
"""Reciprocal rank fusion's k (Cormack, Clarke and Büttcher 2009): 60 as in the paper."""

_PROBED = 30
"""Hits taken from each probe before they are fused."""

_LONGEST_NAME_WORDS = 4
_LEAST_SIMILARITY_SHARE = 0.6
"""Vector hits below this share of the embedder's own threshold for "the same fact" are noise."""


class VectorProbe(Protocol):
    """Meaning search over facts; unavailable while its model still loads."""

    def similar_facts(self, scope: Scope, text: str, limit: int) -> Sequence[tuple[str, float]]:
        """Ids of facts with their cosine, best first; empty when it is not ready."""

    @property
    def similarity_threshold(self) -> float:
        """The cosine from which two texts say the same, for this embedder."""


class FactRecall:
    """Recall v1 (issue A of the design): three probes, fused by reciprocal rank."""

    def __init__(
        self,
        facts: PropositionRows,
        entities: EntityRows,
        search: FullTextSearch,
        sources: FactSources,
        vectors: VectorProbe,
    ) -> None:
        self._facts = facts
        self._entities = entities
        self._search = search
        self._sources = sources
        self._vectors = vectors

    def recall(self, scope: Scope, text: str, limit: int = 10) -> tuple[RecalledFact, ...]:
        """Up to ``limit`` ACTIVE facts, best first."""
        probes: tuple[tuple[str, Callable[[], Sequence[str]]], ...] = (
            ("entities", lambda: self._by_entities(scope, text)),
            ("words", lambda: self._by_words(scope, text)),
            ("vectors", lambda: self._by_vectors(scope, text)),
        )
        scores: dict[str, float] = {}
        found_by: dict[str, list[str]] = {}
        for name, probe in probes:
            for rank, fact_id in enumerate(probe()[:_PROBED]):
                scores[fact_id] = scores.get(fact_id, 0.0) + 1 / (_FUSION_CONSTANT + rank + 1)
                found_by.setdefault(fact_id, []).append(name)
        best = sorted(scores, key=lambda fact_id: (-scores[fact_id], fact_id))
        records = {
            record.proposition_id: record
            for record in self._facts.get_many(scope, best[: limit * 2])
            if record.status == "ACTIVE"
        }
        chosen = [fact_id for fact_id in best if fact_id in records][:limit]
        sources = self._sources.of(scope, chosen)
        return tuple(
            RecalledFact(
                fact_id,
                _line(records[fact_id], sources[fact_id][0].message.said_at)
                if sources[fact_id]
                else records[fact_id].text,
                scores[fact_id],
                tuple(found_by[fact_id]),
                tuple(dict.fromkeys(source.message.message_id for source in sources[fact_id])),
            )
            for fact_id in chosen
        )

    # ------------------------------------------------------------ probes

    def _by_words(self, scope: Scope, text: str) -> list[str]:
        hits = self._search.facts(scope, search_words(text), _PROBED, statuses=("ACTIVE",))
        return [fact_id for fact_id, _ in hits]

    def _by_vectors(self, scope: Scope, text: str) -> list[str]:
        least = self._vectors.similarity_threshold * _LEAST_SIMILARITY_SHARE
        hits = self._vectors.similar_facts(scope, text, _PROBED)
        return [fact_id for fact_id, similarity in hits if similarity >= least]

    def _by_entities(self, scope: Scope, text: str) -> list[str]:
        """Facts about whoever the message names, the most important first."""
        found: dict[str, PropositionRecord] = {}
        for entity_id in self._entities_named(scope, text):
            for record in self._facts.about(scope, (entity_id,)):
                found[record.proposition_id] = record
        ranked = sorted(found.values(), key=lambda record: (-record.importance, -record.confidence))
        return [record.proposition_id for record in ranked]

    def _entities_named(self, scope: Scope, text: str) -> list[str]:
        """Entities whose whole name, alias or first name stands in the text; not the owner."""
        words = [word for word in normalise_words(text) if word]
        found: dict[str, None] = {}
        for phrase in phrases(words, _LONGEST_NAME_WORDS):
            for record in self._entities.by_name(scope, phrase):
                if record.entity_id != owner_id(scope):
                    found[record.entity_id] = None
        for word in search_words(text):
            for record in self._entities.by_first_word(scope, word):
                found[record.entity_id] = None
        return list(found)


def normalise_words(text: str) -> list[str]:
    """Each word in the form in which names are compared, possessive endings off."""
    return [normalise(word) for word in text.split()[:200]]


def phrases(words: Sequence[str], longest: int) -> Iterable[str]:
    """Every run of up to ``longest`` words, longest first, so that "Ana Lopez" precedes "Ana"."""
    for length in range(min(longest, len(words)), 0, -1):
        for begin in range(len(words) - length + 1):
            yield " ".join(words[begin : begin + length])


def _line(record: PropositionRecord, said_at: str) -> str:
    """A fact for the prompt: dated, and marked where it is uncertain."""
    doubt = " (not certain)" if record.confidence < 0.6 else ""
    return f"{record.text}{doubt} [said {spoken_date(said_at)}]"
