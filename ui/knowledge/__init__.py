"""The panel "What I know about you": facts by person and topic, their sources, and the graph."""
