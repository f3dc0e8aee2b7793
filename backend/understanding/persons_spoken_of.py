"""Notes the people of a sentence for later pronouns, also those that no rule understood."""

from __future__ import annotations

from dataclasses import replace

from spacy.tokens import Token

from backend.understanding import lexicon
from backend.understanding.entities import EntityReader
from backend.understanding.language import Sentence
from backend.understanding.reference import Discourse, someone_unknown
from backend.understanding.statements import ArgumentKind, EntityArgument

_NOUN_PLACES = ("nsubj", "nsubjpass", "dobj", "pobj", "conj", "dative", "attr")
_PERSON_NOUNS = frozenset(
    {"man", "guy", "boy", "gentleman", "dude", "woman", "girl", "lady", "person", "stranger"}
    | {"child", "kid", "baby", "teenager", "someone", "somebody"}
)


def note_people(
    sentence: Sentence, reader: EntityReader, discourse: Discourse, occupations: frozenset[str]
) -> None:
    """Names that no rule used may be meant by a pronoun; so may people who stay unnamed.

    The unnamed are noted so that "he" is never carried past them to somebody of long before.
    """
    for token in sentence.tokens:
        if reader.is_fixed(sentence, token):
            _name_after_copula(sentence, token, reader, discourse)
        elif token.dep_ not in _NOUN_PLACES:
            continue
        elif token.pos_ == "PROPN":
            _named(sentence, token, reader)
        elif _introduces(token, reader, occupations):
            meaning = reader.nouns.at(token)
            gender = meaning.gender if meaning is not None else _gender(token)
            reader.note(sentence, token, someone_unknown(gender))


def recall_people(
    sentence: Sentence, reader: EntityReader, occupations: frozenset[str], speaker: str
) -> None:
    """The people of a sentence of an earlier message, for pronouns of this one."""
    for token in sentence.tokens:
        if token.pos_ == "PROPN":
            argument = reader.named(sentence, token, ("PERSON",)) if _is_person(token) else None
            if (
                argument is not None
                and argument.label == "PERSON"
                and argument.name.casefold() != speaker.casefold()
            ):
                reader.note(sentence, token, replace(argument, span=None))
            continue
        if token.dep_ not in _NOUN_PLACES:
            continue
        meaning = reader.nouns.at(token)
        beside = sentence.token_after(token)
        if beside is not None and beside.pos_ == "PROPN":
            continue  # "my sister Ana": the name is noted.
        own = any(c.dep_ == "poss" and c.lower_ in ("my", "our") for c in token.children)
        if own and meaning is not None and meaning.label == "PERSON" and not meaning.plural:
            described = EntityArgument(
                ArgumentKind.DESCRIBED,
                meaning.words,
                "PERSON",
                None,
                meaning.predicate,
                reader.speaker(),
                gender=meaning.gender,
            )
            reader.note(
                sentence,
                token,
                someone_unknown(meaning.gender) if meaning.needs_name else described,
            )
        elif _introduces(token, reader, occupations):
            reader.note(sentence, token, someone_unknown(_gender(token)))


def _named(sentence: Sentence, token: Token, reader: EntityReader) -> None:
    argument = reader.named(sentence, token, ("PERSON",)) if _is_person(token) else None
    if argument is not None and argument.label == "PERSON":
        reader.note(sentence, token, argument)


def _is_person(name: Token) -> bool:
    """Whether a name is a person's by the parser, or by what it does as a subject."""
    return name.ent_type_ == "PERSON" or (
        name.dep_ in ("nsubj", "nsubjpass") and name.ent_type_ == ""
    )


def _name_after_copula(
    sentence: Sentence, noun: Token, reader: EntityReader, discourse: Discourse
) -> None:
    """Such as "My best friend since school is Ole.": from now on that friend is Ole."""
    people = reader.people(sentence, noun)
    verb = noun.head
    if noun.dep_ != "nsubj" or verb.lemma_ != "be" or len(people) != 1 or sentence.is_question:
        return
    described = people[0]
    if described.kind is not ArgumentKind.DESCRIBED or described.label != "PERSON":
        return
    for token in verb.children:
        if token.dep_ == "attr" and token.pos_ == "PROPN" and token.text[:1].isupper():
            argument = reader.named(sentence, token, ("PERSON",))
            if argument is None or argument.label != "PERSON":
                continue
            named = replace(
                argument,
                gender=described.gender or argument.gender,
                description_predicate=described.description_predicate,
                description_anchor=described.description_anchor,
            )
            discourse.learn_name(described, named)


def _introduces(token: Token, reader: EntityReader, occupations: frozenset[str]) -> bool:
    """Whether a common noun brings one person in ("a man", "the new teacher", "my friend")."""
    if token.tag_ not in ("NN", "PRP") and token.lower_ not in ("someone", "somebody"):
        return False
    if token.dep_ == "attr" and token.head.lemma_ in ("be", "become"):
        return False  # "Tom is a teacher" tells what Tom is.
    if token.lower_ in _PERSON_NOUNS:
        return True
    meaning = reader.nouns.at(token)
    if meaning is not None and meaning.label == "PERSON":
        return True
    determined = any(c.dep_ in ("det", "poss") for c in token.children)
    return determined and token.lower_ in occupations


def _gender(token: Token) -> str:
    word = token.lower_
    if word in lexicon.FEMALE_NOUNS or word in ("woman", "girl", "lady"):
        return "female"
    male = word in lexicon.MALE_NOUNS or word in ("man", "guy", "boy", "gentleman", "dude")
    return "male" if male else ""
