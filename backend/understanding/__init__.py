"""From text to statements with spans: pure, without store or network."""
