"""Blanks forgotten words in messages and titles: same length, so that other spans still fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from backend.identity.names import normalise
from backend.propositions.truth import Truth
from backend.storage.scope import Scope
from backend.storage.statement_rows import StatementRecord
from backend.storage.word_forms import blanked_in, forms_of, name_of

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
    return _occurrences(texts, _patterns(names, name_of))


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
    or "nurse" may well stand in an answer about something else, if another fact tells of it.
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
    near_patterns = _patterns(words, forms_of)
    return _occurrences(near, near_patterns) + _occurrences(far, _patterns(names, forms_of))


def blank(truth: Truth, scope: Scope, spans: Sequence[BlankedSpan]) -> None:
    """Replace the spans by spaces; the ledger takes the messages as read with their new text."""
    changed: dict[str, str] = {}
    for span in spans:
        changed[span.message_id] = truth.messages.blank_span(
            scope, span.message_id, span.start, span.end
        )
    for message_id, text in changed.items():
        truth.ledger.text_blanked(scope, message_id, text)


def told_elsewhere(truth: Truth, scope: Scope, word: str, going: set[str]) -> bool:
    """Whether a fact that stays (not one of the ids ``going``) holds the word in any form."""
    pattern = forms_of(word)
    return any(
        identifier not in going and pattern.search(text)
        for identifier, text in truth.spoken.facts_with(scope, word)
    )


def drop_titles(truth: Truth, scope: Scope, words: Sequence[str]) -> None:
    """Take back automatic titles that hold forgotten words; they are made anew later."""
    patterns = _patterns(words, forms_of)
    for conversation_id, title in truth.spoken.titles(scope, automatic=True):
        if any(pattern.search(title) for pattern in patterns):
            truth.spoken.drop_title(scope, conversation_id)


def blank_names_beside(truth: Truth, scope: Scope, names: Sequence[str]) -> None:
    """Blank names in all that stands beside messages: captions, attachments, titles, files."""
    change = _changing(_patterns(names, name_of))
    truth.spoken.blank_titles(scope, change)
    truth.spoken.blank_import_names(scope, change)
    truth.spoken.blank_beside(scope, change, None)


def blank_words_beside(
    truth: Truth, scope: Scope, words: Sequence[str], spans: Sequence[BlankedSpan]
) -> None:
    """Blank words in captions and attachments of the conversations that the spans are from."""
    sources = sorted({span.message_id for span in spans})
    near = _conversations_of(truth, scope, sources)
    truth.spoken.blank_beside(scope, _changing(_patterns(words, forms_of)), near)


def _changing(patterns: Sequence[re.Pattern[str]]) -> Callable[[str], str]:
    def change(text: str) -> str:
        for pattern in patterns:
            text = blanked_in(text, pattern)
        return text

    return change


def _patterns(
    words: Iterable[str], make: Callable[[str], re.Pattern[str]]
) -> list[re.Pattern[str]]:
    return [make(word) for word in _long_enough(words)]


def _conversations_of(truth: Truth, scope: Scope, message_ids: Sequence[str]) -> list[str]:
    messages = truth.messages.get_many(scope, message_ids)
    return sorted({message.conversation_id for message in messages.values()})


def _long_enough(words: Iterable[str]) -> list[str]:
    """The longest first, so that a full name goes before its parts."""
    long = {word for word in words if len(normalise(word)) >= _SHORTEST_WORD}
    return sorted(long, key=lambda word: (-len(word), word))


def _occurrences(
    texts: Mapping[str, str], patterns: Sequence[re.Pattern[str]]
) -> list[BlankedSpan]:
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
