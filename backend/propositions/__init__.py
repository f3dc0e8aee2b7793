"""The system of record: statements folded into propositions."""
