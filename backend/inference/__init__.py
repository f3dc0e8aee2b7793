"""Models behind small protocols: chat now, embeddings beside it; which of them can be used."""
