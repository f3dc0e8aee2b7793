"""Labels, predicates and property conventions: pure, the lowest room."""
