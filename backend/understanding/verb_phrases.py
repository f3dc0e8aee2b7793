"""Words an action as the name of a goal ("learn the piano") or activity ("painting")."""

from __future__ import annotations

from spacy.tokens import Token

from backend.understanding.clauses import own_words
from backend.understanding.language import Sentence
from backend.understanding.statements import Span
from backend.understanding.word_sets import word_set

MAXIMUM_WORDS = 8
"""A longer phrase is a whole story; its first words alone would say something else."""

_POINTING = word_set(
    """it this that these those them him her you your yours there here something anything someone
    everything things stuff one so us what which who more i me we our same"""
)
_EMPTY_VERBS = word_set(
    """be do get know say tell hear ask let see think thank share talk chat check try help make
    sure keep find give show feel seem happen mention add wish believe understand agree hope
    like love want need go have put use stay catch come bring call follow look remember forget
    imagine wait stop start become set pass send capture express lend affect impact reach
    achieve relax escape continue mean focus end turn figure push inspire encourage support
    connect work"""
)
_FULL_WITH_OBJECT = word_set(
    """get see find make give have use become start go work call continue try do help inspire
    support show share express bring set focus capture feel hear stop"""
)
_BARE = word_set(
    """retire graduate travel dance sing swim cook bake paint draw read write run hike jog ski surf
    sail climb fish hunt knit sew garden camp box skate meditate volunteer blog golf bowl
    exercise emigrate"""
)
"""Actions that need no object to be something in particular."""
_TRAILING = word_set(
    """together first too also as well though lol haha either instead again someday soon one day
    really just now recently lately afterward afterwards sometime sometimes then anyway"""
)


def action_words(
    sentence: Sentence, verb: Token, *, cut: tuple[int, int] | None = None
) -> list[Token]:
    """The tokens of the action from the verb on, without subject, later clauses and time words.

    Empty if the action is too vague, points at the talk, or is too long to be a name. ``cut`` is
    the range of a time expression (offsets in the sentence) to leave out at the end.
    """
    allowed = {t.i for t in own_words(verb) if t.i >= verb.i}
    words: list[Token] = []
    for token in sentence.tokens[verb.i :]:
        if (
            token.i not in allowed
            or token.is_space
            or token.text in (",", ";", ":", "(", "-", "–", "—", '"')
        ):
            if token.text == "-" and token.i in allowed:
                words.append(token)
                continue
            break
        if cut is not None and cut[0] <= token.idx < cut[1]:
            break
        words.append(token)
    while words and (
        words[-1].is_punct or words[-1].lower_ in _TRAILING or words[-1].dep_ in ("cc", "mark")
    ):
        words.pop()
    while words and words[-1].pos_ in ("ADP", "PART", "CCONJ", "DET") and words[-1].dep_ != "prt":
        words.pop()
    return words if _is_telling(verb, words) else []


def _is_telling(verb: Token, words: list[Token]) -> bool:
    if not words or len(words) > MAXIMUM_WORDS:
        return False
    lowered = {t.lower_ for t in words}
    if lowered & _POINTING or any(t.pos_ == "PRON" and t.tag_ != "PRP$" for t in words):
        return False
    if any(t.dep_ in ("neg",) for t in words):
        return False
    lemma = verb.lemma_.lower()
    if (len(words) == 1 and lemma not in _BARE) or (
        len(words) == 2 and words[1].dep_ in ("prt", "advmod")
    ):
        return False
    if any(c.dep_ in ("ccomp", "xcomp") and c.i > words[-1].i for c in verb.children):
        return False
    if any(c.dep_ in ("relcl", "acl") and c.i > words[-1].i for t in words for c in t.children):
        return False
    closing = words[-1].doc[words[-1].i + 1] if words[-1].i + 1 < len(words[-1].doc) else None
    if closing is not None and closing.text in ('"', "("):
        return False
    if any(t.dep_ == "dobj" and _is_definite(t) for t in words):
        return False
    if lemma == "get":
        gained = [t for t in words if t.dep_ == "dobj"]
        fresh = any(c.dep_ in ("det", "poss") for t in gained for c in t.children)
        return fresh or {"married", "engaged"} & lowered != set()
    if lemma == "spend" and "time" in lowered and any(t.dep_ == "pobj" for t in words):
        return True
    vague = [
        t
        for t in words
        if t.dep_ == "dobj"
        and t.lower_ in _VAGUE_OBJECTS
        and not any(c.dep_ in ("compound", "amod") for c in t.children)
    ]
    if vague:
        return False
    if lemma == "stay" and any(t.pos_ == "PROPN" for t in words):
        return True
    if lemma in _EMPTY_VERBS:
        objects = [
            t for t in words if t.dep_ in ("dobj", "pobj", "attr") and t.pos_ in ("NOUN", "PROPN")
        ]
        if lemma not in _FULL_WITH_OBJECT or not objects:
            return False
        if lemma == "work" and not any(
            t.dep_ == "prep" and t.lower_ in ("at", "as", "for", "with") for t in words
        ):
            return False
        return any(t.pos_ == "PROPN" or _is_specific(t) for t in objects)
    return True


def _is_definite(noun: Token) -> bool:
    """Whether "the" points at something that only the talk knows ("the plan"), not "the piano"."""
    if noun.pos_ != "NOUN" or noun.lower_ in _UNIQUE:
        return False
    pointed = any(c.dep_ == "det" and c.lower_ == "the" for c in noun.children)
    return pointed and not any(c.dep_ in ("compound", "prep") for c in noun.children)


_UNIQUE = word_set(
    """world piano guitar violin cello drums flute saxophone trumpet harp bass clarinet ukulele
    banjo accordion harmonica community environment news beach ocean sea outdoors countryside
    mountains dentist doctor vet garage landlord bank"""
)


def _is_specific(noun: Token) -> bool:
    return noun.lower_ not in _VAGUE_OBJECTS


_VAGUE_OBJECTS = word_set(
    """time fun difference sense look chance way lot bit love help support break rest place home
    idea people person thing stuff word voice story stories courage hope confidence change
    impact best most positive joy experience experiences part side world life day days friend
    friends kids family memory memories moment moments work job bed chat talk view opportunity
    feeling feelings emotions emotion things others someone touch awareness hand mind"""
)


def text_of(words: list[Token]) -> str:
    """The words as written, with single spaces."""
    return " ".join(words[0].doc[words[0].i : words[-1].i + 1].text.split())


def span_of(sentence: Sentence, words: list[Token]) -> Span:
    """Where the words stand in the message."""
    return sentence.span(words[0], words[-1])


def as_activity(words: list[Token]) -> str:
    """The action as a gerund phrase, so that "to swim" and "swimming" become one name."""
    verb, rest = words[0], words[1:]
    head = verb.lower_ if verb.tag_ == "VBG" else gerund(verb.lemma_.lower())
    return f"{head} {text_of(rest)}" if rest else head


def as_goal(words: list[Token]) -> str:
    """The action in its base form: "visiting Japan" → "visit Japan"."""
    verb, rest = words[0], words[1:]
    head = verb.lemma_.lower()
    return f"{head} {text_of(rest)}" if rest else head


def gerund(verb: str) -> str:
    """The -ing form of a regular English verb."""
    vowels = "aeiou"
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return verb[:-1] + "ing"
    short = len(verb) >= 3 and sum(c in vowels for c in verb) == 1
    if short and verb[-1] not in "wxy" + vowels and verb[-2] in vowels and verb[-3] not in vowels:
        return verb + verb[-1] + "ing"
    return verb + "ing"
