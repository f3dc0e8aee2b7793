"""From mentions to entities: who is meant by a name."""
