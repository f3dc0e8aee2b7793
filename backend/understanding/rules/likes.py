"""What people like, dislike, fear and find interesting, and their favourites."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from backend.understanding import lexicon, verb_phrases
from backend.understanding.clauses import Clause, Tense, conjuncts, joined_by_or, objects_of
from backend.understanding.scene import Scene
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    LiteralArgument,
    Modality,
    Polarity,
    Statement,
)

_LIKING = frozenset({"love", "like", "enjoy", "adore", "prefer"})
_DISLIKING = frozenset({"hate", "dislike", "detest", "despise", "loathe"})
_FEELING_ADJECTIVES = {
    ("fond", "of"): "LIKES",
    ("crazy", "about"): "LIKES",
    ("obsessed", "with"): "LIKES",
    ("passionate", "about"): "INTERESTED_IN",
    ("keen", "on"): "LIKES",
    ("afraid", "of"): "AFRAID_OF",
    ("scared", "of"): "AFRAID_OF",
    ("terrified", "of"): "AFRAID_OF",
    ("frightened", "of"): "AFRAID_OF",
    ("interested", "in"): "INTERESTED_IN",
}


def likes(scene: Scene) -> Iterator[Statement]:
    """Everything that a clause says about tastes."""
    for clause in scene.told_clauses():
        if clause.modality not in (Modality.ASSERTED, Modality.REPORTED):
            continue
        yield from _favourites(scene, clause)
        yield from _one_of_favourites(scene, clause)
        if clause.controlled:
            continue
        for subject in scene.subjects(clause):
            if subject.label in ("PERSON", "PET", "GROUP"):
                yield from _tastes(scene, clause, subject)
                yield from _feelings(scene, clause, subject)


def label_of_liking(scene: Scene, token: Token) -> str:
    """The label that fits what is liked."""
    vocabulary = scene.reader.vocabulary
    word = token.lemma_.lower()
    if word in vocabulary["foods"] or token.lower_ in vocabulary["foods"]:
        return "FOOD"
    if token.lower_ in vocabulary["activities"] or token.lower_ in vocabulary["sports"]:
        return "ACTIVITY"
    return "OBJECT"


def _tastes(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    predicate, polarity = _taste_of(clause)
    if predicate is None:
        return
    steady = clause.tense in (Tense.PRESENT, Tense.PERFECT) or clause.change is Change.ENDS
    if not steady or (clause.head.tag_ == "VBG" and clause.change is Change.HOLDS):
        return
    change = None if clause.change is Change.ENDS else Change.HOLDS
    mistaken = [
        c
        for c in clause.head.children
        if c.dep_ in ("advmod", "acomp") and c.tag_ == "JJ" and c.i == clause.head.i + 1
    ]
    for token in mistaken:
        if token.lower_ in scene.reader.vocabulary["foods"]:
            span = scene.sentence.span(token, token)
            food = EntityArgument(ArgumentKind.DESCRIBED, token.lower_, "FOOD", span)
            yield scene.state(clause, subject, predicate, food, "likes.food", polarity=polarity)
    for token in clause.objects():
        before = scene.sentence.tokens[clause.head.i : token.i]
        if any(t.lower_ in ("than", "then") for t in before):
            continue  # "I like tea more than coffee" says nothing about coffee alone.
        if joined_by_or(token) and polarity is not Polarity.NEGATED:
            continue
        target = liked_thing(scene, token)
        if target is not None:
            yield scene.state(
                clause, subject, predicate, target, "likes.thing", polarity=polarity, change=change
            )
    for verb in clause.governed():
        target = activity(scene, verb)
        if target is not None:
            yield scene.state(
                clause,
                subject,
                predicate,
                target,
                "likes.activity",
                polarity=polarity,
                change=change,
            )


def _taste_of(clause: Clause) -> tuple[str | None, Polarity | None]:
    if clause.verb == "stand" and clause.negated and clause.ability:
        return "DISLIKES", Polarity.AFFIRMED
    if clause.ability:
        return None, None
    if clause.verb in _LIKING:
        return "LIKES", None
    return ("DISLIKES", None) if clause.verb in _DISLIKING else (None, None)


def liked_thing(scene: Scene, token: Token) -> EntityArgument | None:
    """A kind of thing or a named one; people of the speaker's own circle are left out."""
    if scene.reader.is_fixed(scene.sentence, token) or _is_a_date(token):
        return None
    if token.tag_ == "VBG" and token.pos_ == "VERB":
        before = scene.sentence.token_after(token, -1)
        compound = before is not None and before.pos_ == "NOUN" and before.head == token
        return (
            scene.reader.thing(scene.sentence, token, "ACTIVITY")
            if compound
            else activity(scene, token)
        )
    if _is_half_a_compound(token):
        return None
    if token.pos_ not in ("NOUN", "PROPN") or any(
        c.dep_ in ("acl", "relcl", "nsubj") for c in token.children
    ):
        return None
    thing = scene.reader.thing(
        scene.sentence, token, label_of_liking(scene, token), allow_indefinite=False
    )
    return None if thing is None or scene.reader.is_participant(thing) else thing


def _is_a_date(token: Token) -> bool:
    """Whether it is a time; "Mondays" and "winter" are something one can like."""
    liked = token.tag_ in ("NNPS", "NNS") or token.lower_ in (
        "summer",
        "winter",
        "spring",
        "autumn",
    )
    bare = not any(c.dep_ in ("det", "amod", "nummod") for c in token.children)
    return token.ent_type_ in ("DATE", "TIME") and not (liked and bare)


def _is_half_a_compound(token: Token) -> bool:
    """Whether the noun may only be the first half of "fantasy and sci-fi movies"."""
    if token.tag_ != "NN" or token.lower_ in ("pizza", "coffee", "tea"):
        return False
    following = [c for c in token.children if c.dep_ == "conj" and c.tag_ == "NNS"]
    return any(g.dep_ in ("compound", "amod") for c in following for g in c.children)


def activity(scene: Scene, verb: Token) -> EntityArgument | None:
    """A pastime, named by its gerund, or None if it is vague."""
    if any(c.dep_ in ("nsubj", "neg", "aux") and c.lower_ != "to" for c in verb.children):
        return None
    words = verb_phrases.action_words(scene.sentence, verb)
    if not words:
        return None
    name = verb_phrases.as_activity(words)
    if not scene.reader.accepts(name, verb.lower_):
        return None
    return EntityArgument(
        ArgumentKind.DESCRIBED, name, "ACTIVITY", verb_phrases.span_of(scene.sentence, words)
    )


def _feelings(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I'm afraid of spiders", "Ana is into chess", "he is a fan of jazz"."""
    if clause.verb != "be" or (clause.tense is Tense.PAST and clause.change is Change.HOLDS):
        return
    pairs: list[tuple[str, Token]] = []
    for word in clause.complements():
        for preposition in word.children:
            if preposition.dep_ != "prep":
                continue
            predicate = _FEELING_ADJECTIVES.get((word.lower_, preposition.lower_))
            if word.lower_ == "fan" and preposition.lower_ == "of":
                predicate = "LIKES"
            if predicate is not None:
                pairs.extend((predicate, t) for t in objects_of(preposition))
    if not clause.negated:
        pairs.extend(("LIKES", t) for t in clause.prepositional("into"))
    for predicate, token in pairs:
        target = liked_thing(scene, token)
        if target is not None:
            yield scene.state(clause, subject, predicate, target, "likes.feeling")


def _one_of_favourites(scene: Scene, clause: Clause) -> Iterator[Statement]:
    """Such as "Chocolate is one of my favourites", "chess is my favourite"."""
    if clause.verb != "be" or clause.negated:
        return
    tokens = clause.complements()
    for word in clause.complements():
        if word.lower_ == "one":
            tokens += [t for p in word.children if p.lower_ == "of" for t in objects_of(p)]
    for token in tokens:
        if token.lower_ not in (
            "favorite",
            "favourite",
            "favorites",
            "favourites",
            "fave",
            "faves",
        ):
            continue
        owner = _owner(scene, token)
        if owner is None:
            continue
        for subject in clause.subjects:
            target = liked_thing(scene, subject)
            if target is not None:
                yield scene.state(clause, owner, "LIKES", target, "likes.one_of_favourites")


def _favourites(scene: Scene, clause: Clause) -> Iterator[Statement]:
    """Such as "My favourite colour is blue", "Dune is Ana's favourite book"."""
    if clause.verb != "be" or clause.negated:
        return
    own = [t for t in clause.head.children if t.dep_ in ("nsubj", "attr")]
    kinds = [
        t
        for t in own
        if t.pos_ in ("NOUN", "PROPN")
        and any(
            c.lower_ in ("favorite", "favourite", "fave", "fav")
            for c in t.children
            if c.dep_ in ("amod", "compound", "nmod")
        )
    ]
    if len(kinds) != 1:
        return
    kind = kinds[0]
    owner = _owner(scene, kind)
    if owner is None:
        return
    if kind.dep_ == "nsubj":
        values = clause.complements()
        following = scene.sentence.token_after(clause.head)
        if not values and following is not None and following.lower_ != "to":
            values = [t for t in clause.governed() if t.tag_ == "VBG"]
    else:
        values = [t for subject in own if subject.dep_ == "nsubj" for t in conjuncts(subject)]
    for token in values:
        yield from _favourite(scene, clause, owner, kind, token)


def _owner(scene: Scene, kind: Token) -> EntityArgument | None:
    for child in kind.children:
        if child.dep_ != "poss":
            continue
        people = scene.reader.people(scene.sentence, child)
        return people[0] if len(people) == 1 and people[0].label == "PERSON" else None
    return None


def _favourite(
    scene: Scene, clause: Clause, owner: EntityArgument, kind: Token, token: Token
) -> Iterator[Statement]:
    word = kind.lemma_.lower()
    modifiers = [
        c.lower_
        for c in kind.children
        if c.dep_ == "compound" and c.lower_ not in ("favorite", "favourite", "fave", "fav")
    ]
    phrase = " ".join([*modifiers, word])
    predicate = next(
        (
            p.name
            for p in scene.ontology.predicates.values()
            if p.name.startswith("FAVORITE_") and (phrase in p.nouns or word in p.nouns)
        ),
        "FAVORITE_THING",
    )
    if token.pos_ in ("PRON", "DET") or token.lower_ in lexicon.THING_PRONOUNS:
        return
    qualifiers = (
        () if phrase in scene.ontology.predicates[predicate].nouns[:1] else (("kind", phrase),)
    )
    target: EntityArgument | LiteralArgument | None
    if predicate == "FAVORITE_COLOR":
        if token.lower_ not in scene.reader.vocabulary["colors"]:
            return
        target = scene.literal("color", token.lower_, token, token)
    elif token.tag_ == "VBG" and token.pos_ == "VERB":
        target = activity(scene, token)
    elif token.lower_ in scene.reader.vocabulary["foods"] and token.pos_ == "ADJ":
        span = scene.sentence.span(token, token)
        target = EntityArgument(ArgumentKind.DESCRIBED, token.lower_, "FOOD", span)
    elif token.pos_ in ("NOUN", "PROPN"):
        if any(c.dep_ in ("relcl", "acl", "nsubj", "poss") for c in token.children) or (
            token.ent_type_ in ("DATE", "TIME", "CARDINAL") and predicate != "FAVORITE_SEASON"
        ):
            return
        label = scene.ontology.predicates[predicate].range[0]
        target = scene.reader.thing(
            scene.sentence, token, label, allow_definite=token.pos_ == "PROPN"
        )
    else:
        return
    if target is not None:
        yield scene.state(
            clause, owner, predicate, target, "likes.favourite", qualifiers=qualifiers
        )
