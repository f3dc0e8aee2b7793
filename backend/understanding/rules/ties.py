"""Finds the nouns that tie someone to someone in a sentence, their owners and their names."""

from __future__ import annotations

from dataclasses import dataclass

from spacy.tokens import Token

from backend.understanding import lexicon
from backend.understanding.naming import NameRun
from backend.understanding.relation_nouns import RelationNoun
from backend.understanding.scene import Scene
from backend.understanding.statements import ArgumentKind, EntityArgument, Span


@dataclass(frozen=True)
class Tie:
    """A relation noun in its sentence."""

    noun: Token
    last: Token
    meaning: RelationNoun
    words: str
    ended: bool


def tie_at(scene: Scene, token: Token) -> Tie | None:
    """The tie that ``token`` names in its sentence, or None."""
    following = scene.sentence.doc.text[token.idx + len(token) : token.idx + len(token) + 7].lower()
    in_law = following.startswith(("-in-law", " in law"))
    meaning = scene.reader.nouns.at(token, in_law)
    if meaning is None or _is_inside_a_compound(token):
        return None
    last = token
    if in_law:
        while last.lower_ != "law":
            step = scene.sentence.token_after(last)
            if step is None:
                return None
            last = step
    words, ended = meaning.words, False
    for child in token.children:
        if child.dep_ not in ("amod", "compound", "nmod", "punct") or child.i > token.i:
            continue
        word = child.lower_
        if word == "ex":
            ended = True
        elif word in (
            "god",
            "step",
            "foster",
            "host",
            "grand",
            "great-",
            "half",
            "dog",
            "cat",
            "birth",
            "plant",
        ):
            return None
        elif word in lexicon.AGE_WORDS and meaning.family and meaning.label == "PERSON":
            words = f"{lexicon.AGE_WORDS[word]} {words}"
        elif child.dep_ == "compound" and meaning.label == "PERSON" and child.pos_ != "PROPN":
            return None  # "business partner", "soccer coach": another kind of tie.
        elif child.dep_ == "amod" and word in (
            "imaginary",
            "future",
            "potential",
            "virtual",
            "stuffed",
            "toy",
            "hot",
        ):
            return None
    before = scene.sentence.token_after(token, -1)
    prefix = scene.sentence.token_after(token, -2)
    if before is not None and before.text == "-" and prefix is not None:
        if prefix.lower_ != "ex":
            return None
        ended = True
    return Tie(token, last, meaning, f"ex-{words}" if ended else words, ended)


def _is_inside_a_compound(token: Token) -> bool:
    """Whether the noun only modifies another common noun ("mother tongue", "dog food")."""
    if token.dep_ not in ("compound", "nmod", "amod") or token.head.i < token.i:
        return False
    return token.head.pos_ != "PROPN" or any(
        t.pos_ == "NOUN" for t in token.doc[token.i + 1 : token.head.i]
    )


def possessor_tokens(tie: Tie) -> list[Token]:
    """The possessive word or name that the tie's noun has, if any."""
    holders = [tie.noun]
    if tie.noun.dep_ in ("compound", "nmod", "npadvmod") and tie.noun.head.pos_ == "PROPN":
        holders.append(tie.noun.head)
    for holder in holders:
        for child in holder.children:
            if child.dep_ == "poss" and child.i < tie.noun.i:
                return [child]
    return []


def owners_of(scene: Scene, tie: Tie) -> list[EntityArgument]:
    """Whose tie it is: one entity, or none if that is not sure."""
    for token in possessor_tokens(tie):
        if token.lower_ in lexicon.FIRST_PERSON:
            return [scene.reader.speaker(scene.sentence, token)]
        people = scene.reader.people(scene.sentence, token)
        if token.pos_ == "PROPN" and not scene.reader.is_fixed(scene.sentence, token):
            people = tuple(p for p in people if p.label == "PERSON")
        return list(people) if len(people) == 1 else []
    # "a brother of Ana", "the husband of my sister"
    for child in tie.noun.children:
        if child.dep_ == "prep" and child.lower_ == "of":
            for owner in child.children:
                if owner.dep_ == "pobj" and (
                    owner.pos_ == "PROPN" or scene.reader.is_fixed(scene.sentence, owner)
                ):
                    return list(scene.reader.people(scene.sentence, owner))[:1]
                if owner.dep_ == "pobj" and owner.lower_ == "mine":
                    return [scene.reader.speaker(scene.sentence, owner)]
    return []


def first_conjunct(token: Token) -> Token:
    """The first noun of a list, which carries the grammar of all."""
    while token.dep_ == "conj":
        token = token.head
    if token.dep_ in ("compound", "nmod") and token.head.pos_ == "PROPN":
        return token.head
    return token


def determined(noun: Token) -> bool:
    """Whether an article, number or possessor stands before the noun."""
    holders = [noun, noun.head] if noun.dep_ in ("compound", "nmod") else [noun]
    return any(c.dep_ in ("det", "nummod", "poss") for h in holders for c in h.children)


def is_said_of_subject(tie: Tie) -> bool:
    """Whether the noun is what a copula says of someone ("Ana is my sister")."""
    head = first_conjunct(tie.noun)
    if (
        head != tie.noun
        or head.dep_ not in ("attr", "oprd")
        or head.head.lemma_ not in ("be", "become")
    ):
        return False
    verb = head.head
    while verb.dep_ == "xcomp":
        verb = verb.head
    subjects = [c for v in (head.head, verb) for c in v.children if c.dep_ == "nsubj"]
    return bool(subjects) and subjects[0].lower_ not in (
        "this",
        "that",
        "it",
        "these",
        "there",
        "here",
    )


def described_side(scene: Scene, tie: Tie, owner: EntityArgument) -> EntityArgument:
    """The other side of the tie by its description alone."""
    return EntityArgument(
        ArgumentKind.DESCRIBED,
        tie.words,
        tie.meaning.label,
        scene.sentence.span(start_of(tie), tie.last),
        tie.meaning.predicate,
        owner,
        gender=tie.meaning.gender,
    )


_PLURALS = {
    "child": "children",
    "wife": "wives",
    "fish": "fish",
    "mouse": "mice",
    "grandchild": "grandchildren",
}


def as_group(described: EntityArgument) -> EntityArgument:
    """Several who are described alike."""
    plural = _PLURALS.get(described.name, f"{described.name}s")
    return EntityArgument(
        ArgumentKind.GROUP,
        plural,
        described.label,
        described.span,
        described.description_predicate,
        described.description_anchor,
    )


def named_by(scene: Scene, tie: Tie, owner: EntityArgument, run: NameRun) -> EntityArgument:
    """The other side of the tie under the name that the text gives it."""
    argument = scene.reader.from_run(run, (tie.meaning.label,), gender=tie.meaning.gender)
    return EntityArgument(
        ArgumentKind.NAMED,
        argument.name,
        tie.meaning.label,
        argument.span,
        tie.meaning.predicate,
        owner,
        gender=argument.gender,
    )


def with_gender(argument: EntityArgument, gender: str) -> EntityArgument:
    """The argument with the gender that the noun says; the owner's is never guessed."""
    if argument.kind is ArgumentKind.ME or not gender:
        return argument
    return EntityArgument(
        argument.kind,
        argument.name,
        argument.label,
        argument.span,
        argument.description_predicate,
        argument.description_anchor,
        argument.members,
        argument.aliases,
        gender,
    )


def start_of(tie: Tie) -> Token:
    """The first word of the phrase."""
    possessor = possessor_tokens(tie)
    inside = [
        t for t in (*possessor, *(t for p in possessor for t in p.subtree)) if t.i < tie.noun.i
    ]
    return min([*inside, tie.noun], key=lambda t: t.i)


def evidence_of(scene: Scene, tie: Tie, target: EntityArgument) -> Span:
    """The stretch from the possessor to the noun and its name."""
    start = scene.sentence.span(start_of(tie), tie.last)
    name = target.span
    if name is None or name.start < scene.sentence.start or name.end > scene.source_end:
        return start
    return Span(min(start.start, name.start), max(start.end, name.end))


def has_no(noun: Token) -> bool:
    """Whether the noun is denied by its article ("no siblings")."""
    return any(c.dep_ == "det" and c.lower_ in ("no", "neither") for c in noun.children)
