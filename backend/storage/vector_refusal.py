"""The embedding function given to Chroma: it refuses, so that no text and no download gets in."""

from __future__ import annotations

from typing import Any

from chromadb import Documents, EmbeddingFunction, Embeddings


class RefusingEmbedder(EmbeddingFunction[Documents]):
    """Raises whenever Chroma would embed a text by itself (reference/storage §2.2)."""

    def __init__(self) -> None:
        """Needed by Chroma, which warns about embedders without a constructor."""

    def __call__(self, input: Documents) -> Embeddings:
        raise RuntimeError("texts must not be given to the vector store")

    @staticmethod
    def name() -> str:
        """Under this name Chroma keeps the configuration."""
        return "aico-refusing"

    def get_config(self) -> dict[str, Any]:
        """Nothing to configure."""
        return {}

    @staticmethod
    def build_from_config(config: dict[str, Any]) -> RefusingEmbedder:
        """Made by Chroma when it opens a collection by itself."""
        return RefusingEmbedder()
