"""Who is whose sister, boss or dog: possessives, "have", "is my …", with names and directions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spacy.tokens import Token

from backend.understanding import lexicon
from backend.understanding.clauses import Clause, Tense
from backend.understanding.naming import (
    names_after_name,
    names_beside,
    names_given,
    names_said_of,
)
from backend.understanding.rules.ties import (
    Tie,
    as_group,
    described_side,
    determined,
    evidence_of,
    first_conjunct,
    has_no,
    is_said_of_subject,
    named_by,
    owners_of,
    possessor_tokens,
    tie_at,
    with_gender,
)
from backend.understanding.scene import Scene
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    LiteralArgument,
    Polarity,
    Statement,
)

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
_GETTING = frozenset({"have", "get", "adopt", "own", "raise", "'ve", "ve", "buy", "rescue"})


def kinship(scene: Scene) -> Iterator[Statement]:
    """All ties of the sentence; also fixes what their nouns and names stand for."""
    ties = [tie for token in scene.sentence.tokens if (tie := tie_at(scene, token))]
    # A possessor must be known before what it possesses: "my sister's husband" reads from the left.
    for tie in ties:
        yield from _possessed(scene, tie)
        yield from _had(scene, tie)
        yield from _predicated(scene, tie)
    yield from _titles(scene)
    yield from _named_later(scene)


def _possessed(scene: Scene, tie: Tie) -> Iterator[Statement]:
    """Such as "My sister Ana …", "my sister's husband Tom …", "Ana, my sister, …"."""
    possessors = owners_of(scene, tie)
    if len(possessors) != 1 or is_said_of_subject(tie):
        return
    ambiguous = tie.meaning.label == "PET" and scene.reader.nouns.is_ambiguous_animal(tie.noun)
    if ambiguous and not names_beside(scene.sentence, tie.noun, plural=tie.meaning.plural):
        return
    yield from _tied(scene, tie, possessors[0], None)


def _had(scene: Scene, tie: Tie) -> Iterator[Statement]:
    """Such as "I have a sister", "we adopted a dog called Rex", "Ana has two brothers"."""
    head = first_conjunct(tie.noun)
    clause = scene.clause_of(head.head)
    if (
        clause is None
        or head.dep_ not in ("dobj", "attr")
        or clause.verb not in _GETTING
        or clause.silent
    ):
        return
    if possessor_tokens(tie) or clause.controlled or clause.ability:
        return
    possessing = clause.verb in ("have", "'ve") or _has_got(clause)
    if not possessing and tie.meaning.label != "PET":
        return
    if tie.meaning.label == "PET" and (tie.noun.tag_ == "NN" and not determined(tie.noun)):
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
    """Such as "I've got a brother" means having."""
    return clause.head.lower_ == "got" and clause.tense is Tense.PERFECT


def _predicated(scene: Scene, tie: Tie) -> Iterator[Statement]:
    """Such as "Ana is my sister", "Tom was the boss of my sister", "I am Ana's brother"."""
    clause = scene.clause_of(tie.noun.head)
    if (
        clause is None
        or clause.silent
        or not is_said_of_subject(tie)
        or tie.meaning.label != "PERSON"
    ):
        return
    possessors = owners_of(scene, tie)
    if len(possessors) != 1 or tie.meaning.plural:
        return
    subjects = scene.subjects(clause)
    for subject in subjects:
        if subject.kind not in (ArgumentKind.NAMED, ArgumentKind.ME) or subject.label != "PERSON":
            continue
        change = Change.STARTS if clause.verb == "become" and not clause.negated else None
        target = with_gender(subject, tie.meaning.gender)
        yield scene.state(
            clause, possessors[0], tie.meaning.predicate, target, "kinship.predicate", change=change
        )


def _tied(
    scene: Scene, tie: Tie, owner: EntityArgument, clause: Clause | None
) -> Iterator[Statement]:
    meaning = tie.meaning
    runs = names_beside(scene.sentence, tie.last, plural=meaning.plural)
    runs = runs or names_given(scene.sentence, tie.noun, plural=meaning.plural)
    if clause is None and not runs:
        runs = names_said_of(scene.sentence, tie.noun, plural=meaning.plural)
    if clause is not None and clause.negated:
        runs = []
    described = described_side(scene, tie, owner)
    negated = clause is not None and (clause.negated or has_no(tie.noun))
    targets = [named_by(scene, tie, owner, run) for run in runs] if not negated else []
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
    standing = targets or ([known] if not meaning.plural else [as_group(described)])
    if not negated:
        scene.reader.fix(scene.sentence, tie.noun, standing)
        if not targets:
            scene.reader.note(scene.sentence, tie.noun, standing[0])
    yield from _tie_statements(
        scene, tie, owner, clause, targets or standing, named=bool(targets), negated=negated
    )


def _tie_statements(
    scene: Scene,
    tie: Tie,
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
    if (
        meaning.needs_name
        and tie.noun.lower_ not in _TELLING
        and not any(t.kind is ArgumentKind.NAMED for t in targets)
    ):
        return
    if negated and clause is not None:
        plain = described_side(scene, tie, owner)
        yield scene.state(
            clause, owner, meaning.predicate, plain, "kinship.have", polarity=Polarity.NEGATED
        )
        return
    partners = meaning.predicate in ("PARTNER_OF", "ENGAGED_TO", "MARRIED_TO")
    ended = tie.ended or (partners and _is_parted_from(tie.noun))
    change = Change.ENDS if ended else None
    for target in targets:
        if clause is None:
            yield scene.presupposed(
                owner,
                meaning.predicate,
                target,
                "kinship.possessive",
                evidence_of(scene, tie, target),
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


_TELLING = frozenset({"coach", "therapist", "tutor", "mentor", "trainer"})
"""Helpers that not everyone has: "my therapist" is a fact even without a name."""


def _is_parted_from(noun: Token) -> bool:
    """Whether the sentence itself ends the tie ("broke up with my boyfriend")."""
    sentence = noun.doc.text.lower()
    if any(f"{verb} up" in sentence for verb in ("broke", "split")):
        return True
    verb = noun.head.head if noun.dep_ == "pobj" else noun.head
    parting = {"break": "with", "split": "with", "separate": "from"}
    if noun.dep_ == "pobj" and verb.lemma_ in parting:
        return noun.head.lower_ in (parting[verb.lemma_], "from")
    return (
        noun.dep_ == "dobj" and verb.lemma_ in ("divorce", "leave", "dump") and verb.tag_ == "VBD"
    )


def _species(scene: Scene, tie: Tie, pet: EntityArgument) -> Iterator[Statement]:
    meaning = tie.meaning
    evidence = evidence_of(scene, tie, pet)
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
    scene: Scene, tie: Tie, owner: EntityArgument, clause: Clause | None
) -> Iterator[Statement]:
    """Such as "My kids", "we have cats": that there are some, without their number."""
    if tie.meaning.predicate not in _TELLING_PLURALS or tie.ended:
        return
    group = as_group(described_side(scene, tie, owner))
    if clause is None:
        evidence = evidence_of(scene, tie, group)
        yield scene.presupposed(owner, tie.meaning.predicate, group, "kinship.several", evidence)
    elif "there" in clause.adverbs() or "here" in clause.adverbs():
        return  # "We have dogs there": where one works, not one's own.
    elif clause.verb in ("have", "own", "'ve") and clause.tense is Tense.PRESENT:
        yield scene.state(clause, owner, tie.meaning.predicate, group, "kinship.several")


def _counted(
    scene: Scene, tie: Tie, owner: EntityArgument, clause: Clause | None
) -> Iterator[Statement]:
    """Such as "I have two brothers": their number, as nothing tells them apart."""
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
        yield scene.presupposed(
            owner, "HAS_PET", group, "pets.count", evidence_of(scene, tie, group)
        )
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
    """Such as "Mum says …": a bare kinship title is the speaker's own."""
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
        tie = Tie(token, token, meaning, meaning.words, False)
        yield from _tied(scene, tie, scene.reader.speaker(), None)


def _named_later(scene: Scene) -> Iterator[Statement]:
    """Such as "I have a brother. His name is Tom.": the described one of before gets a name."""
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
