"""What the memory gives back to a conversation or a question."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemoryAnswer:
    """An answer that the memory alone gives, in the words shown to the person.

    ``abstained`` is true when the question is about the person's own world and the memory does
    not hold the answer. ``source_message_ids`` are the messages that the answer rests on.
    """

    text: str
    fact_ids: tuple[str, ...]
    source_message_ids: tuple[str, ...]
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class RecalledFact:
    """A fact that matters for a message, and which probes found it, best first."""

    fact_id: str
    text: str
    score: float
    probes: tuple[str, ...]
    source_message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recalled:
    """Everything that the memory has to say to one message.

    ``facts_text`` are the lines for the prompt, within its token budget; ``direct_answer`` is set
    when the memory answers the message by itself.
    """

    facts_text: tuple[str, ...] = ()
    fact_ids: tuple[str, ...] = ()
    source_message_ids: tuple[str, ...] = ()
    direct_answer: str | None = None
