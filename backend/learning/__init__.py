"""The background work that turns messages into memory."""
