"""What callers of understanding need before the parser is loaded; imports nothing heavy."""

from __future__ import annotations

EXTRACTOR_VERSION = "rules-1"
"""Changes whenever the same text may be read differently: then messages may be read anew."""


class UnderstandingCancelled(Exception):
    """The caller asked to stop; nothing of the message was given back."""


def never() -> bool:
    """Carry on: the default of ``cancelled``."""
    return False
