"""The conversation: list, transcript, composer, and the memory chip under a message."""
