"""The graph as a pure projection of accepted propositions."""
