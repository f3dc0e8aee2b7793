"""Reads proper names out of a sentence: how far a name reaches, and which noun it is given to."""

from __future__ import annotations

from dataclasses import dataclass

from spacy.tokens import Token

from backend.understanding.language import Sentence
from backend.understanding.lexicon import ENGLISH_STOP_WORDS
from backend.understanding.word_sets import word_set

_NOT_NAMES = word_set(
    """hi hello hey thanks thank wow congrats congratulations yeah yes no yep nope sure sorry okay
    ok oh ah lol haha great good nice cool awesome amazing sounds glad god lord monday tuesday
    wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter halloween thanksgiving mr mrs ms dr mom
    dad mum grandma grandpa tv ai pc dj ceo hmm gotcha totally absolutely definitely exactly bye
    good-bye morning evening night english internet asap btw omg idk imo it its that this not
    just also still only very really currently from in at on and but"""
)
_MONTH_LIKE = frozenset({"jan.", "mar.", "jun.", "aug."})
_NAMING_VERBS = frozenset({"name", "call", "nickname"})
_INNER_WORDS = word_set("of the de da di van von der den la le el al del du bin & ' - .")


@dataclass(frozen=True)
class NameRun:
    """A proper name as a run of tokens."""

    sentence: Sentence
    first: Token
    last: Token

    @property
    def text(self) -> str:
        """The name as it was written, without a possessive ending."""
        text = self.sentence.doc[self.first.i : self.last.i + 1].text
        # "Jan." at the end is one token, taken for a month.
        return text.removesuffix(".") if self.last.lower_ in _MONTH_LIKE else text

    @property
    def parts(self) -> list[Token]:
        """Its tokens."""
        return list(self.sentence.doc[self.first.i : self.last.i + 1])


def is_name_word(token: Token) -> bool:
    """Whether the token can stand in a proper name: tagged as one, and not a capitalised filler."""
    if token.lower_ in _NOT_NAMES or not any(c.isalpha() for c in token.text):
        return False
    if token.pos_ == "PROPN":
        return True
    # Names in other scripts and rare names are often tagged as common nouns.
    return (
        token.text[:1].isupper()
        and token.i > 0
        and token.pos_ in ("NOUN", "X", "ADJ", "VERB")
        and token.tag_ not in ("VBD", "VBZ", "VBP")
        and token.lower_ not in ENGLISH_STOP_WORDS
    )


def name_around(sentence: Sentence, token: Token) -> NameRun | None:
    """The whole name that ``token`` is part of, or None if it is no name."""
    if not is_name_word(token):
        return None
    capital = token.text[:1].isupper()
    first = token
    while (before := sentence.token_after(first, -1)) is not None and _joins(
        sentence, before, capital
    ):
        first = before
    last = token
    while (after := sentence.token_after(last)) is not None and _joins(sentence, after, capital):
        last = after
    last = _over_inner_words(sentence, last)
    return NameRun(sentence, first, last)


def _joins(sentence: Sentence, token: Token, capital: bool) -> bool:
    return (
        is_name_word(token)
        and token.text[:1].isupper() == capital
        and token.ent_type_ not in ("DATE", "TIME")
    )


def _over_inner_words(sentence: Sentence, last: Token) -> Token:
    """Carry "University of Leipzig" and "Leonardo da Vinci" over their small words."""
    place = last
    crossed = 0
    while (
        (after := sentence.token_after(place)) is not None
        and after.lower_ in _INNER_WORDS
        and crossed < 2
    ):
        if after.lower_ in ("'", "-", ".") and after.whitespace_:
            return last
        crossed += 1
        place = after
    following = sentence.token_after(place)
    if (
        crossed
        and following is not None
        and is_name_word(following)
        and following.text[:1].isupper()
    ) and last.text[:1].isupper():
        end = following
        while (more := sentence.token_after(end)) is not None and _joins(sentence, more, True):
            end = more
        return end
    return last


def names_beside(sentence: Sentence, noun: Token, *, plural: bool) -> list[NameRun]:
    """Names in apposition to a noun: "my sister Ana", "two brothers, Tom and Ben", …."""
    following = sentence.token_after(noun)
    if following is not None and _right_hand_name(following):
        return _name_list(sentence, following, plural=plural)
    if following is not None and following.text in (",", "-", "–", "—", ":", "("):
        start = sentence.token_after(following)
        if start is not None and _right_hand_name(start):
            names = _name_list(sentence, start, plural=plural)
            if names and _closes(sentence, names[-1], noun):
                return names
    return _name_before(sentence, noun)


def _right_hand_name(token: Token) -> bool:
    return is_name_word(token) and token.text[:1].isupper() and token.pos_ in ("PROPN", "NOUN", "X")


def _name_list(sentence: Sentence, start: Token, *, plural: bool) -> list[NameRun]:
    run = name_around(sentence, start)
    if run is None:
        return []
    owner = sentence.token_after(run.last)
    if owner is not None and owner.tag_ == "POS" and plural:
        return []
    names = [run]
    place = run.last
    while plural:
        joint = sentence.token_after(place)
        if joint is None or joint.lower_ not in (",", "and", "&"):
            break
        following = sentence.token_after(joint)
        if following is not None and following.lower_ in ("and", "&"):
            following = sentence.token_after(following)
        more = name_around(sentence, following) if following is not None else None
        if more is None or following is None or not following.text[:1].isupper():
            break
        names.append(more)
        place = more.last
    return names


def _closes(sentence: Sentence, name: NameRun, noun: Token) -> bool:
    """Whether a name set off by a comma ends there, so that it is no new clause ("…, Tom said")."""
    after = sentence.token_after(name.last)
    if after is None or after.is_punct:
        return True
    return name.last.dep_ == "appos" and name.last.head == noun


def _name_before(sentence: Sentence, noun: Token) -> list[NameRun]:
    first = min([noun, *noun.children], key=lambda t: t.i)
    comma = sentence.token_after(first, -1)
    after = sentence.token_after(noun)
    if comma is None or comma.text != "," or (after is not None and not after.is_punct):
        return []
    token = sentence.token_after(comma, -1)
    if token is None or token.pos_ != "PROPN" or not token.text[:1].isupper():
        return []
    before = name_around(sentence, token)
    if before is None:
        return []
    # In a list ("I met Ana, my sister, and Tom" is left alone; "Tom, Ana, my sister" too).
    previous = sentence.token_after(before.first, -1)
    if previous is not None and previous.lower_ in (",", "and"):
        return []
    return [before]


def names_given(sentence: Sentence, noun: Token, *, plural: bool) -> list[NameRun]:
    """Names that a naming phrase gives: "a dog called Rex", "whose name is Rex"."""
    for child in noun.children:
        if child.dep_ in ("acl", "relcl") and child.lemma_ in _NAMING_VERBS:
            return _after_naming_verb(sentence, child, plural)
        if child.dep_ == "relcl" and child.lemma_ == "be":
            subject = next(
                (c for c in child.children if c.dep_ == "nsubj" and c.lemma_ == "name"), None
            )
            if subject is not None and any(c.tag_ == "WP$" for c in subject.children):
                return _complement_names(sentence, child, plural)
    head = noun.head
    if noun.dep_ in ("nsubjpass", "nsubj") and head.lemma_ in _NAMING_VERBS and head.tag_ == "VBN":
        return _after_naming_verb(sentence, head, plural)
    if noun.dep_ == "poss" and head.lower_ in ("name", "names") and not sentence.is_question:
        negated = any(t.lower_ in ("not", "n't") for t in sentence.tokens[head.i : head.i + 4])
        return [] if negated else names_after_name(sentence, head, plural=plural)
    return []


def _after_naming_verb(sentence: Sentence, verb: Token, plural: bool) -> list[NameRun]:
    if sentence.is_question and verb.dep_ == "ROOT":
        return []
    start = sentence.token_after(verb)
    if start is None or start.lower_ in (
        "after",
        "by",
        "for",
        "in",
        "to",
        "the",
        "a",
        "me",
        "him",
        "her",
        "it",
    ):
        return []
    return _list_any_case(sentence, start, plural)


def _complement_names(sentence: Sentence, verb: Token, plural: bool) -> list[NameRun]:
    start = sentence.token_after(verb)
    while start is not None and start.lower_ in ("actually", "also", "called"):
        start = sentence.token_after(start)
    return _list_any_case(sentence, start, plural) if start is not None else []


def _list_any_case(sentence: Sentence, start: Token, plural: bool) -> list[NameRun]:
    """After a naming phrase, one lower-case word is a name as well ("my dog is called rex")."""
    if start.text[:1] == '"':
        following = sentence.token_after(start)
        if following is None:
            return []
        start = following
    if start.text[:1].isupper():
        return _name_list(sentence, start, plural=bool(plural))
    if not sentence.lower_cased or start.lower_ in ENGLISH_STOP_WORDS or not start.is_alpha:
        return []
    if start.lower_ in _NOT_NAMES or start.pos_ in ("DET", "PRON", "ADP", "ADV", "AUX"):
        return []
    last = start
    names = [NameRun(sentence, start, last)]
    joint = sentence.token_after(last)
    if plural and joint is not None and joint.lower_ == "and":
        second = sentence.token_after(joint)
        if second is not None and second.is_alpha and second.lower_ not in ENGLISH_STOP_WORDS:
            names.append(NameRun(sentence, second, second))
    return names


def names_after_name(sentence: Sentence, token: Token, *, plural: bool = False) -> list[NameRun]:
    """The names that follow "name is" or "name's"; ``token`` is "name"."""
    copula = sentence.token_after(token)
    if copula is None or copula.lower_ not in ("is", "'s", "are", "was", "were", "s"):
        return []
    return _complement_names(sentence, copula, plural)


def names_said_of(sentence: Sentence, noun: Token, *, plural: bool) -> list[NameRun]:
    """The names of "My brothers are Ben and Felix", "my boss is Ingrid"; capitals are needed."""
    copula = sentence.token_after(noun)
    start = sentence.token_after(noun, 2)
    if copula is None or start is None or sentence.is_question or noun.dep_ != "nsubj":
        return []
    if copula.lower_ not in ("is", "'s", "are", "was", "were") or not _right_hand_name(start):
        return []
    if not start.tag_.startswith("NN") or start.ent_type_ in ("NORP", "LANGUAGE", "DATE"):
        return []
    names = _name_list(sentence, start, plural=plural)
    closing = sentence.token_after(names[-1].last) if names else None
    return names if closing is None or closing.is_punct or closing.lower_ == "and" else []
