"""What the server itself says no with, in words."""

from __future__ import annotations

from aico_desktop.contract.messages import Failure

NOT_AUTHENTICATED = Failure(
    code="not_authenticated",
    human="This program is not allowed to talk to this AICO backend.",
    technical="no Hello with this home's token came before",
)
NOT_ONE_FRAME = Failure(
    code="malformed",
    human="AICO received a message that it cannot read.",
    technical="a message is one frame",
)

CANCELLED = Failure(code="cancelled", human="This was cancelled.")
DEADLINE = Failure(
    code="deadline",
    human="This took too long, so AICO stopped waiting. It may still be carried out.",
)
ENDING = Failure(code="busy", human="AICO is ending. Try again when it has started anew.")
TOO_MANY = Failure(
    code="busy", human="Too many requests are waiting. Wait for some answers before asking more."
)
