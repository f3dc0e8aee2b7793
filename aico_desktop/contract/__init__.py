"""What UI, terminal and backend share: messages, their bytes, and the client."""
