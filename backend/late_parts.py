"""Stand-ins for parts that still load: each waits, or gives the best answer without them."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from backend.background_loading import BackgroundLoading, LoadingFailed
from backend.inference.embedding import Embedder
from backend.storage.scope import Scope
from backend.storage.vector_folder import VectorStoreBusy, VectorStoreError
from backend.storage.vectors import VectorStore
from backend.understanding.reading import EXTRACTOR_VERSION, never
from backend.understanding.statements import DialogueContext, QuestionPattern, Understanding

logger = logging.getLogger(__name__)
if TYPE_CHECKING:
    # Importing it loads the parser's library, which takes seconds: see service.py.
    from backend.understanding.pipeline import Understander

_LOOKS_LIKE_A_QUESTION = re.compile(
    r"\?|\b(?:who|whom|whose|what|when|where|which|why|how|tell me|remember)\b"
    r"|(?:^|[.!,]\s*)(?:do|does|did|am|is|are|was|were|have|has|had|can)\b",
    re.IGNORECASE,
)
_QUESTION_WAIT_S = 10.0
"""A question asked while the parser loads waits for it: a wrong answer would be worse."""


class LateUnderstander:
    """An Understander that loads in the background."""

    version = EXTRACTOR_VERSION

    def __init__(self, loading: BackgroundLoading[Understander]) -> None:
        self._loading = loading

    def understand(
        self, text: str, context: DialogueContext, cancelled: Callable[[], bool] = never
    ) -> Understanding:
        """As Understander.understand; raises LoadingFailed when there will be none."""
        return self._loading.get().understand(text, context, cancelled)

    def parse_question(self, text: str, context: DialogueContext) -> QuestionPattern | None:
        """As Understander.parse_question; None when the parser cannot be loaded.

        While it loads, only what looks like a question waits for it.
        """
        if not self._loading.ready and not _LOOKS_LIKE_A_QUESTION.search(text):
            return None
        try:
            understander = self._loading.get(_QUESTION_WAIT_S)
        except LoadingFailed:
            return None
        return understander.parse_question(text, context)


class LateVectors:
    """Meaning search over facts once the embedder and the vector store are there."""

    def __init__(self, embedder: Embedder, vectors: VectorStore) -> None:
        self._embedder = embedder
        self._vectors = vectors

    @property
    def similarity_threshold(self) -> float:
        """The embedder's own."""
        return self._embedder.similarity_threshold

    def similar_facts(self, scope: Scope, text: str, limit: int) -> Sequence[tuple[str, float]]:
        """Ids of facts with their cosine; nothing while either part still loads, or is broken."""
        if not (self._embedder.ready and self._vectors.ready):
            return ()
        vector = self._embedder.embed([text])[0]
        try:
            return self._vectors.query(scope.user_id, "kg_edges", vector, limit)
        except VectorStoreBusy:
            return ()
        except VectorStoreError as error:
            # Only a cache of the truth: without it facts are still found by words and names, and
            # an answer must not fail for it.
            logger.error("vectors cannot be searched: %s", type(error).__name__)
            return ()
