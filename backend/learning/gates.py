"""Which messages may teach anything at all (DESIGN §1.5): people's own words, and nothing else."""

from __future__ import annotations

from backend.storage.messages import MessageRecord

LONGEST_MESSAGE = 20_000
"""Code points; nobody types this much at once, so it was pasted and is read as data."""

_TEACHERS = frozenset({"user", "other"})


def reason_to_learn_nothing(message: MessageRecord) -> str | None:
    """A fixed word for the counts of what was turned away, or None for a message that teaches.

    Code, quotations and pasted passages inside a message are left out by understanding, which
    sees them in the text; attachments are not part of it.
    """
    if message.role not in _TEACHERS:
        return "assistant_role"
    if message.status != "complete":
        return "incomplete"
    if not message.text.strip():
        return "empty"
    if len(message.text) > LONGEST_MESSAGE:
        return "pasted_text"
    return None
