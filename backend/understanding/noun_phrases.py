"""How far a noun phrase reaches, and whether it names a kind or points at something of the talk."""

from __future__ import annotations

from spacy.tokens import Token

from backend.understanding.word_sets import word_set

_POINTERS = word_set("this that these those every each any no another such either what")
_MODIFIERS = word_set("compound amod nmod nummod quantmod advmod punct npadvmod")
_QUANTITY_NOUNS = word_set(
    """kind kinds type types sort sorts lot lots bit bunch ton tons piece cup glass bottle slice
    pair couple variety plenty genre genres forms form all most some"""
)
_UNIQUE_AFTER_THE = word_set(
    """beach ocean sea mountains outdoors gym piano guitar violin cello drums flute saxophone
    trumpet harp bass clarinet ukulele accordion harmonica banjo countryside woods forest
    theater theatre snow sun heat cold dark water nature"""
)


def past_quantity(token: Token) -> Token:
    """From "all kinds of music" to "music"."""
    if token.lower_ in _QUANTITY_NOUNS:
        for child in token.children:
            if child.dep_ == "prep" and child.lower_ == "of":
                for noun in child.children:
                    if noun.dep_ == "pobj":
                        return noun
    return token


def points_at_something(token: Token) -> bool:
    """Whether the phrase refers to something of the talk ("the film", "my idea", "that")."""
    if any(
        c.dep_ in ("relcl", "acl") or (c.dep_ == "prep" and not _names_a_kind(c))
        for c in token.children
    ):
        return True
    following = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    if following is not None and following.lower_ in _ADDING and following.head != token:
        return True
    if token.dep_ == "conj" and not any(c.dep_ in ("det", "poss") for c in token.children):
        first = token.head
        if (
            any(c.dep_ in ("det", "poss") and c.lower_ not in ("a", "an") for c in first.children)
            and first.pos_ == "NOUN"
        ):
            return points_at_something(first)
    for child in token.children:
        if child.dep_ == "poss" or (child.dep_ == "case" and child.tag_ == "POS"):
            return True
        if child.dep_ in ("det", "predet") and child.lower_ in _POINTERS:
            return True
        if child.dep_ == "det" and child.lower_ == "the" and token.pos_ != "PROPN":
            narrowed = any(c.dep_ == "prep" and c.lower_ == "of" for c in token.children)
            return token.lower_ not in _UNIQUE_AFTER_THE and not narrowed
    return False


def phrase_bounds(token: Token) -> tuple[Token, Token]:
    """First and last token of the noun phrase without determiner, possessor and clauses."""
    doc = token.doc
    first = token
    while first.i > 0 and _belongs_left(doc[first.i - 1], token):
        first = doc[first.i - 1]
    while first.i < token.i and (
        first.is_punct or (first.dep_ == "advmod" and first.head == token)
    ):
        first = doc[first.i + 1]
    last = token
    for child in token.children:
        if child.dep_ == "prep" and child.i == last.i + 1 and _names_a_kind(child):
            last = doc[max(t.i for t in child.subtree)]
    return first, last


_ADDING = frozenset({"with", "without", "that", "which", "who", "whose"})


def _names_a_kind(preposition: Token) -> bool:
    """Whether the phrase only narrows the noun down ("books about history", "a cup of tea")."""
    if preposition.lower_ not in ("of", "about", "with", "without", "from"):
        return False
    inside = list(preposition.subtree)
    simple = not any(
        t.dep_ in ("relcl", "acl", "punct", "conj", "cc", "poss")
        or t.pos_ in ("PRON", "VERB", "DET")
        for t in inside
    )
    return simple and len(inside) <= 4


def _belongs_left(before: Token, head: Token) -> bool:
    if before.dep_ not in _MODIFIERS or before.text in (",", ".", ";", ":", '"', "(", ")"):
        return False
    above = before
    for _ in range(4):
        above = above.head
        if above == head:
            return True
    return False
