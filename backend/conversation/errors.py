"""What a client is told when a wish about a conversation cannot be carried out."""

from __future__ import annotations

from typing import Literal


class ConversationError(Exception):
    """A refused request; ``code`` is one of the contract's Failure codes, ``human`` a sentence."""

    def __init__(self, code: Literal["not_found", "invalid"], human: str) -> None:
        super().__init__(human)
        self.code: Literal["not_found", "invalid"] = code
        self.human = human
