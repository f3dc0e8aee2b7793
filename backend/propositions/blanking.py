"""Blanks forgotten words in messages and titles: same length, so that other spans still fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from backend.identity.names import normalise
from backend.propositions.truth import Truth
from backend.storage.scope import Scope
from backend.storage.statement_rows import StatementRecord

_SHORTEST_WORD = 3
"""Shorter texts ("34", "tea" is just long enough) would tear holes into unrelated answers."""


@dataclass(frozen=True, slots=True)
class BlankedSpan:
    """Code points of a message that were replaced by spaces, with the words that stood there."""

    message_id: str
    start: int
    end: int
    text: str


def evidence_spans(
    truth: Truth, scope: Scope, rows: Iterable[StatementRecord]
) -> list[BlankedSpan]:
    """The quotes of statements, overlapping ones joined, where there is still text."""
    by_message: dict[str, list[tuple[int, int]]] = {}
    for row in rows:
        by_message.setdefault(row.message_id, []).append((row.span_start, row.span_end))
    messages = truth.messages.get_many(scope, sorted(by_message))
    found: list[BlankedSpan] = []
    for message_id, spans in by_message.items():
        if message_id in messages:
            text = messages[message_id].text
            found += [
                BlankedSpan(message_id, start, end, text[start:end])
                for start, end in _joined(spans)
                if text[start:end].strip()
            ]
    return found


def name_spans(truth: Truth, scope: Scope, names: Sequence[str]) -> list[BlankedSpan]:
    """Every whole-word occurrence of the names, whoever said them."""
    texts: dict[str, str] = {}
    for name in _long_enough(names):
        texts.update(truth.spoken.messages_with(scope, name))
    return _occurrences(texts, names)


def echo_spans(
    truth: Truth,
    scope: Scope,
    names: Sequence[str],
    values: Sequence[str],
    sources: Sequence[str],
) -> list[BlankedSpan]:
    """Where the app's own answers repeat what messages said.

    ``names`` that nothing else needs are found in every answer, and so are ``values`` in those of
    the same conversations and in those that rest on one of the ``sources`` (message ids): "green"
    or "nurse" may well stand in an answer about something else.
    """
    words = _long_enough([*names, *values])
    if not words or not sources:
        return []
    near = dict(truth.spoken.answers_in(scope, _conversations_of(truth, scope, sources)))
    for value in _long_enough(values):
        near.update(truth.spoken.answers_with(scope, value, citing=sources))
    far: dict[str, str] = {}
    for name in _long_enough(names):
        far.update(truth.spoken.answers_with(scope, name))
    far = {message_id: text for message_id, text in far.items() if message_id not in near}
    return _occurrences(near, words) + _occurrences(far, names)


def blank(truth: Truth, scope: Scope, spans: Sequence[BlankedSpan]) -> None:
    """Replace the spans by spaces; the ledger takes the messages as read with their new text."""
    changed: dict[str, str] = {}
    for span in spans:
        changed[span.message_id] = truth.messages.blank_span(
            scope, span.message_id, span.start, span.end
        )
    for message_id, text in changed.items():
        truth.ledger.text_blanked(scope, message_id, text)


def drop_titles(truth: Truth, scope: Scope, words: Sequence[str]) -> None:
    """Take back automatic titles that hold forgotten words; they are made anew later."""
    wanted = [normalise(word) for word in _long_enough(words)]
    for conversation_id, title in truth.spoken.automatic_titles(scope):
        plain = f" {normalise(title)} "
        if any(f" {word} " in plain for word in wanted):
            truth.spoken.drop_title(scope, conversation_id)


def _conversations_of(truth: Truth, scope: Scope, message_ids: Sequence[str]) -> list[str]:
    messages = truth.messages.get_many(scope, message_ids)
    return sorted({message.conversation_id for message in messages.values()})


def _long_enough(words: Iterable[str]) -> list[str]:
    """The longest first, so that a full name goes before its parts."""
    long = {word for word in words if len(normalise(word)) >= _SHORTEST_WORD}
    return sorted(long, key=lambda word: (-len(word), word))


def _occurrences(texts: Mapping[str, str], words: Sequence[str]) -> list[BlankedSpan]:
    patterns = [
        re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
        for word in _long_enough(words)
    ]
    found: list[BlankedSpan] = []
    for message_id, text in sorted(texts.items()):
        spans = [match.span() for pattern in patterns for match in pattern.finditer(text)]
        found += [
            BlankedSpan(message_id, start, end, text[start:end]) for start, end in _joined(spans)
        ]
    return found


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
