"""One turn of a conversation: its states, prompt, streaming and history."""
