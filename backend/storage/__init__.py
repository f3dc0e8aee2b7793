"""Everything kept on disk: the libSQL file, vectors, working memory, and their forgetting."""
