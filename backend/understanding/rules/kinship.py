"""Who is whose sister, boss or dog: possessives, "have", "is my …", with names and directions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from spacy.tokens import Token

from backend.understanding import lexicon
from backend.understanding.clauses import Clause, Tense
from backend.understanding.naming import (
    NameRun,
    names_after_name,
    names_beside,
    names_given,
)
from backend.understanding.relation_nouns import RelationNoun
from backend.understanding.scene import Scene
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    LiteralArgument,
    Polarity,
    Span,
    Statement,
)
from backend.understanding.word_sets import word_set

_COUNTS = {
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "one": "1",
}
_COUNT_PREDICATES = {
    "HAS_SISTER": "HAS_COUNT_OF_SISTERS",
    "HAS_BROTHER": "HAS_COUNT_OF_BROTHERS",
    "HAS_SIBLING": "HAS_COUNT_OF_SIBLINGS",
    "HAS_CHILD": "HAS_COUNT_OF_CHILDREN",
}
_PLAIN_ADJECTIVES = word_set(
    """best good old new close dear beloved lovely beautiful sweet wonderful amazing own adorable
    cute great favorite favourite first rescue late poor dearest fluffy crazy only second
    newborn teenage adult grown year"""
)
_GETTING = frozenset({"have", "get", "adopt", "own", "raise", "'ve", "ve", "buy", "rescue"})


@dataclass(frozen=True)
class _Tie:
    """A relation noun in its sentence."""

    noun: Token
    last: Token
    meaning: RelationNoun
    words: str
    ended: bool


def kinship(scene: Scene) -> Iterator[Statement]:
    """All ties of the sentence; also fixes what their nouns and names stand for."""
    ties = [tie for token in scene.sentence.tokens if (tie := _tie_at(scene, token))]
    # A possessor must be known before what it possesses: "my sister's husband" reads from the left.
    for tie in ties:
        yield from _possessed(scene, tie)
        yield from _had(scene, tie)
        yield from _predicated(scene, tie)
    yield from _titles(scene)
    yield from _named_later(scene)


def _tie_at(scene: Scene, token: Token) -> _Tie | None:
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
    return _Tie(token, last, meaning, f"ex-{words}" if ended else words, ended)


def _is_inside_a_compound(token: Token) -> bool:
    """Whether the noun only modifies another common noun ("mother tongue", "dog food")."""
    if token.dep_ not in ("compound", "nmod", "amod") or token.head.i < token.i:
        return False
    return token.head.pos_ != "PROPN" or any(
        t.pos_ == "NOUN" for t in token.doc[token.i + 1 : token.head.i]
    )


def _possessor_tokens(tie: _Tie) -> list[Token]:
    holders = [tie.noun]
    if tie.noun.dep_ in ("compound", "nmod", "npadvmod") and tie.noun.head.pos_ == "PROPN":
        holders.append(tie.noun.head)
    for holder in holders:
        for child in holder.children:
            if child.dep_ == "poss" and child.i < tie.noun.i:
                return [child]
    return []


def _possessors(scene: Scene, tie: _Tie) -> list[EntityArgument]:
    for token in _possessor_tokens(tie):
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


def _possessed(scene: Scene, tie: _Tie) -> Iterator[Statement]:
    """ "My sister Ana …", "my sister's husband Tom …", "Ana, my sister, …"."""
    possessors = _possessors(scene, tie)
    if len(possessors) != 1 or _is_said_of_subject(tie):
        return
    if tie.meaning.label == "PET" and scene.reader.nouns.is_ambiguous_animal(tie.noun):
        if not names_beside(scene.sentence, tie.noun, plural=tie.meaning.plural):
            return
    yield from _tied(scene, tie, possessors[0], None)


def _had(scene: Scene, tie: _Tie) -> Iterator[Statement]:
    """ "I have a sister", "we adopted a dog called Rex", "Ana has two brothers, Tom and Ben"."""
    head = _first_conjunct(tie.noun)
    clause = scene.clause_of(head.head)
    if (
        clause is None
        or head.dep_ not in ("dobj", "attr")
        or clause.verb not in _GETTING
        or clause.silent
    ):
        return
    if _possessor_tokens(tie) or clause.controlled or clause.ability:
        return
    possessing = clause.verb in ("have", "'ve") or _has_got(clause)
    if not possessing and tie.meaning.label != "PET":
        return
    if tie.meaning.label == "PET" and (tie.noun.tag_ == "NN" and not _determined(tie.noun)):
        return
    if any(
        c.dep_ == "prep" and c.lower_ == "for" for h in (tie.noun, clause.head) for c in h.children
    ):
        return
    owners = scene.subjects(clause)
    for owner in owners:
        if owner.label in ("PERSON",):
            yield from _tied(scene, tie, owner, clause)


def _has_got(clause: Clause) -> bool:
    """ "I've got a brother" means having."""
    return clause.head.lower_ == "got" and clause.tense is Tense.PERFECT


def _first_conjunct(token: Token) -> Token:
    while token.dep_ == "conj":
        token = token.head
    if token.dep_ in ("compound", "nmod") and token.head.pos_ == "PROPN":
        return token.head
    return token


def _determined(noun: Token) -> bool:
    holders = [noun, noun.head] if noun.dep_ in ("compound", "nmod") else [noun]
    return any(c.dep_ in ("det", "nummod", "poss") for h in holders for c in h.children)


def _is_said_of_subject(tie: _Tie) -> bool:
    """Whether the noun is what a copula says of someone ("Ana is my sister")."""
    head = _first_conjunct(tie.noun)
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


def _predicated(scene: Scene, tie: _Tie) -> Iterator[Statement]:
    """ "Ana is my sister", "Tom was the boss of my sister", "I am Ana's brother"."""
    clause = scene.clause_of(tie.noun.head)
    if (
        clause is None
        or clause.silent
        or not _is_said_of_subject(tie)
        or tie.meaning.label != "PERSON"
    ):
        return
    possessors = _possessors(scene, tie)
    if len(possessors) != 1 or tie.meaning.plural:
        return
    subjects = scene.subjects(clause)
    for subject in subjects:
        if subject.kind not in (ArgumentKind.NAMED, ArgumentKind.ME) or subject.label != "PERSON":
            continue
        change = Change.STARTS if clause.verb == "become" and not clause.negated else None
        target = _with_gender(subject, tie.meaning.gender)
        yield scene.state(
            clause, possessors[0], tie.meaning.predicate, target, "kinship.predicate", change=change
        )


def _tied(
    scene: Scene, tie: _Tie, owner: EntityArgument, clause: Clause | None
) -> Iterator[Statement]:
    meaning = tie.meaning
    runs = names_beside(scene.sentence, tie.last, plural=meaning.plural)
    runs = runs or names_given(scene.sentence, tie.noun, plural=meaning.plural)
    if clause is not None and clause.negated:
        runs = []
    described = _described(scene, tie, owner)
    negated = clause is not None and (clause.negated or _has_no(tie.noun))
    targets = [_named(scene, tie, owner, run) for run in runs] if not negated else []
    if targets and meaning.plural and len(targets) == 1:
        targets = []
        runs = []
    for run, target in zip(runs, targets, strict=True):
        for token in run.parts:
            scene.reader.fix(scene.sentence, token, [target])
        scene.reader.note(scene.sentence, tie.noun, target)
        if not meaning.plural:
            scene.discourse.learn_name(described, target)
    known = scene.discourse.named(described)
    standing = targets or ([known] if not meaning.plural else [_group(described)])
    if not negated:
        scene.reader.fix(scene.sentence, tie.noun, standing)
        if not targets:
            scene.reader.note(scene.sentence, tie.noun, standing[0])
    yield from _tie_statements(
        scene, tie, owner, clause, targets or standing, named=bool(targets), negated=negated
    )


def _tie_statements(
    scene: Scene,
    tie: _Tie,
    owner: EntityArgument,
    clause: Clause | None,
    targets: list[EntityArgument],
    *,
    named: bool,
    negated: bool,
) -> Iterator[Statement]:
    meaning = tie.meaning
    if meaning.plural and not named and not negated:
        yield from _counted(scene, tie, owner, clause)
        return
    if meaning.needs_name and not any(t.kind is ArgumentKind.NAMED for t in targets):
        return
    if negated and clause is not None:
        plain = _described(scene, tie, owner)
        yield scene.state(
            clause, owner, meaning.predicate, plain, "kinship.have", polarity=Polarity.NEGATED
        )
        return
    change = Change.ENDS if tie.ended or _is_parted_from(tie.noun) else None
    for target in targets:
        if clause is None:
            yield scene.presupposed(
                owner,
                meaning.predicate,
                target,
                "kinship.possessive",
                _evidence(scene, tie, target),
                change=change or Change.HOLDS,
            )
        else:
            getting = clause.verb in ("get", "adopt", "buy", "rescue") and not _has_got(clause)
            if getting and clause.tense is Tense.PRESENT:
                continue
            chosen = change or (Change.STARTS if getting else None)
            yield scene.state(
                clause, owner, meaning.predicate, target, "kinship.have", change=chosen
            )
        yield from _species(scene, tie, target)


def _is_parted_from(noun: Token) -> bool:
    """Whether the sentence itself ends the tie ("broke up with my boyfriend")."""
    verb = noun.head.head if noun.dep_ == "pobj" else noun.head
    parting = {"break": "with", "split": "with", "separate": "from"}
    if noun.dep_ == "pobj" and verb.lemma_ in parting:
        return noun.head.lower_ in (parting[verb.lemma_], "from")
    return (
        noun.dep_ == "dobj" and verb.lemma_ in ("divorce", "leave", "dump") and verb.tag_ == "VBD"
    )


def _species(scene: Scene, tie: _Tie, pet: EntityArgument) -> Iterator[Statement]:
    meaning = tie.meaning
    evidence = _evidence(scene, tie, pet)
    for predicate, kind, value in (
        ("HAS_SPECIES", "species", meaning.species),
        ("HAS_BREED", "breed", meaning.breed),
    ):
        if value and pet.kind is ArgumentKind.NAMED:
            literal = scene.literal(kind, value, tie.noun, tie.noun)
            yield scene.presupposed(pet, predicate, literal, "pets.species", evidence)


_TELLING_PLURALS = frozenset(
    {
        "HAS_CHILD",
        "HAS_SON",
        "HAS_DAUGHTER",
        "HAS_SISTER",
        "HAS_BROTHER",
        "HAS_PET",
        "HAS_GRANDCHILD",
        "HAS_SIBLING",
    }
)


def _several(
    scene: Scene, tie: _Tie, owner: EntityArgument, clause: Clause | None
) -> Iterator[Statement]:
    """ "My kids", "we have cats": that there are some, without their number."""
    if tie.meaning.predicate not in _TELLING_PLURALS or tie.ended:
        return
    group = _group(_described(scene, tie, owner))
    if clause is None:
        evidence = _evidence(scene, tie, group)
        yield scene.presupposed(owner, tie.meaning.predicate, group, "kinship.several", evidence)
    elif clause.verb in ("have", "own", "'ve") and clause.tense is Tense.PRESENT:
        yield scene.state(clause, owner, tie.meaning.predicate, group, "kinship.several")


def _counted(
    scene: Scene, tie: _Tie, owner: EntityArgument, clause: Clause | None
) -> Iterator[Statement]:
    """ "I have two brothers": their number, as nothing tells them apart."""
    number = next((c for c in tie.noun.children if c.dep_ == "nummod"), None)
    if number is None:
        yield from _several(scene, tie, owner, clause)
        return
    value = number.text if number.text.isdigit() else _COUNTS.get(number.lower_, "")
    if not value:
        return
    predicate = _COUNT_PREDICATES.get(tie.meaning.predicate)
    if predicate is not None and tie.words in ("sister", "brother", "sibling", "child"):
        literal: LiteralArgument = scene.literal("count", value, number, number)
        evidence = scene.sentence.span(number, tie.last) if clause is None else clause.evidence()
        if clause is None:
            yield scene.presupposed(owner, predicate, literal, "kinship.count", evidence)
        elif clause.tense is Tense.PRESENT:
            yield scene.state(clause, owner, predicate, literal, "kinship.count")
        return
    if tie.meaning.label == "PET" and clause is None and tie.meaning.words != "pet":
        group = EntityArgument(
            ArgumentKind.GROUP,
            f"{number.text} {tie.noun.text}",
            "PET",
            scene.sentence.span(number, tie.noun),
            "HAS_PET",
            owner,
        )
        yield scene.presupposed(owner, "HAS_PET", group, "pets.count", _evidence(scene, tie, group))
    if tie.meaning.label == "PET" and clause is not None:
        group = EntityArgument(
            ArgumentKind.GROUP,
            f"{number.text} {tie.noun.text}",
            "PET",
            scene.sentence.span(number, tie.noun),
            "HAS_PET",
            owner,
        )
        yield scene.state(clause, owner, "HAS_PET", group, "pets.count")


def _titles(scene: Scene) -> Iterator[Statement]:
    """ "Mum says …": a bare kinship title is the speaker's own."""
    for token in scene.sentence.tokens:
        if token.lower_ not in lexicon.TITLE_NOUNS or token.dep_ not in (
            "nsubj",
            "dobj",
            "pobj",
            "poss",
        ):
            continue
        if scene.reader.is_fixed(scene.sentence, token) or any(
            c.dep_ in ("det", "poss", "amod", "compound") for c in token.children
        ):
            continue
        if scene.sentence.lower_cased or not token.text[:1].isupper():
            continue
        meaning = scene.reader.nouns.at(token)
        following = scene.sentence.token_after(token)
        if meaning is None or (following is not None and following.pos_ == "PROPN"):
            continue
        tie = _Tie(token, token, meaning, meaning.words, False)
        yield from _tied(scene, tie, scene.reader.speaker(), None)


def _named_later(scene: Scene) -> Iterator[Statement]:
    """ "I have a brother. His name is Tom.": the described one of before gets a name."""
    for token in scene.sentence.tokens:
        owner = scene.sentence.token_after(token, -1)
        if token.lower_ != "name" or owner is None or owner.lower_ not in ("his", "her", "its"):
            continue
        people = scene.reader.people(scene.sentence, owner)
        runs = names_after_name(scene.sentence, token)
        if len(people) != 1 or len(runs) != 1 or people[0].kind is not ArgumentKind.DESCRIBED:
            continue
        described = people[0]
        anchor, predicate = described.description_anchor, described.description_predicate
        if anchor is None or predicate is None:
            continue
        named = replace(
            scene.reader.from_run(runs[0], (described.label,), gender=described.gender),
            label=described.label,
            description_predicate=predicate,
            description_anchor=anchor,
        )
        scene.discourse.learn_name(described, named)
        evidence = scene.sentence.span(owner, runs[0].last)
        yield scene.presupposed(anchor, predicate, named, "kinship.named_later", evidence)


def _described(scene: Scene, tie: _Tie, owner: EntityArgument) -> EntityArgument:
    return EntityArgument(
        ArgumentKind.DESCRIBED,
        tie.words,
        tie.meaning.label,
        scene.sentence.span(_start(tie), tie.last),
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


def _group(described: EntityArgument) -> EntityArgument:
    plural = _PLURALS.get(described.name, f"{described.name}s")
    return EntityArgument(
        ArgumentKind.GROUP,
        plural,
        described.label,
        described.span,
        described.description_predicate,
        described.description_anchor,
    )


def _named(scene: Scene, tie: _Tie, owner: EntityArgument, run: NameRun) -> EntityArgument:
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


def _with_gender(argument: EntityArgument, gender: str) -> EntityArgument:
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


def _start(tie: _Tie) -> Token:
    possessor = _possessor_tokens(tie)
    inside = [
        t for t in (*possessor, *(t for p in possessor for t in p.subtree)) if t.i < tie.noun.i
    ]
    return min([*inside, tie.noun], key=lambda t: t.i)


def _evidence(scene: Scene, tie: _Tie, target: EntityArgument) -> Span:
    start = scene.sentence.span(_start(tie), tie.last)
    name = target.span
    if name is None or name.start < scene.sentence.start or name.end > scene.source_end:
        return start
    return Span(min(start.start, name.start), max(start.end, name.end))


def _has_no(noun: Token) -> bool:
    return any(c.dep_ == "det" and c.lower_ in ("no", "neither") for c in noun.children)
