"""What took place: events attended, trips, lessons begun, works made, books read and films seen."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from backend.understanding.clauses import Clause, Tense, objects_of
from backend.understanding.lexicon import ENGLISH_STOP_WORDS
from backend.understanding.naming import is_name_word
from backend.understanding.noun_phrases import phrase_bounds
from backend.understanding.scene import Scene
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    Modality,
    Statement,
)
from backend.understanding.word_sets import word_set

_EVENTS = word_set(
    """concert conference festival wedding funeral workshop seminar meetup marathon exhibition
    exhibit parade convention retreat fair fundraiser gala hackathon webinar reunion competition
    tournament match race rally protest graduation ceremony opera musical carnival camp picnic
    party barbecue bbq trip hike cruise safari performance recital show game"""
)
_VAGUE_EVENTS = word_set("show game trip party match race")
_SIGHTS = word_set(
    """museum beach park zoo castle aquarium gallery lake waterfall mountain cathedral temple
    island vineyard brewery theater theatre library spa"""
)
_MAKING = word_set(
    "make cook paint bake write build knit sew draw sculpt compose publish carve crochet"
)
_WRITINGS = word_set(
    "book novel song poem story play screenplay thesis article album blog memoir script"
)
_GROUPS = word_set(
    "club group team band choir gym league class church orchestra community society association"
)
_COURSES = word_set("class course lesson lessons classes workshop bootcamp program")
_WORKS = word_set("book novel movie film series show album song game")


def events(scene: Scene) -> Iterator[Statement]:
    """Everything that a clause tells of a thing that took place."""
    yield from _own_groups(scene)
    for clause in scene.told_clauses():
        if clause.modality not in (Modality.ASSERTED, Modality.REPORTED) or clause.controlled:
            continue
        if clause.negated or clause.ability:
            continue
        for subject in scene.subjects(clause):
            if subject.label != "PERSON":
                continue
            yield from _works(scene, clause, subject)
            yield from _member(scene, clause, subject)
            if clause.tense in (Tense.PAST, Tense.PERFECT):
                yield from _attended(scene, clause, subject)
                yield from _joined(scene, clause, subject)
                yield from _outings(scene, clause, subject)
                yield from _made(scene, clause, subject)
                yield from _achieved(scene, clause, subject)


def _is_new(token: Token) -> bool:
    """Brought in by "a": something not talked about before, so that its words alone name it."""
    if token.ent_type_ == "EVENT":
        return True
    return any(c.dep_ == "det" and c.lower_ in ("a", "an") for c in token.children)


def _attended(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.change is not Change.HOLDS:
        return
    hosting = clause.verb in ("host", "organize", "organise", "lead")
    tokens: list[Token] = []
    if hosting or clause.verb == "attend":
        tokens = clause.objects()
    elif clause.verb in ("go", "be"):
        tokens = clause.prepositional("to", "on")
    elif clause.verb in ("participate", "compete"):
        tokens = clause.prepositional("in")
    elif clause.verb in ("have", "take"):
        dated = _dated(scene, clause)
        tokens = [t for t in clause.objects() if dated or t.lower_ == "trip"]
        tokens += [t for t in _under_a_good_time(clause) if dated or t.lower_ not in _VAGUE_EVENTS]
    for token in tokens:
        kinds = _EVENTS | _COURSES | {"session", "talk"} if hosting else _EVENTS
        compound = any(c.dep_ in ("compound", "amod") for c in token.children)
        if token.lower_ not in kinds or token.tag_ != "NN" or not (_is_new(token) or compound):
            continue
        if any(c.lower_ in ("this", "that", "your") for c in token.children):
            continue
        target = scene.reader.thing(scene.sentence, token, "EVENT", allow_definite=True)
        told_more = target is not None and (" " in target.name or _dated(scene, clause))
        if target is not None and (told_more or token.lower_ not in _VAGUE_EVENTS):
            outing = token.lower_ in ("trip", "hike", "cruise", "safari", "picnic")
            predicate = "HOSTED" if hosting else "WENT_ON" if outing else "ATTENDED"
            yield scene.state(clause, subject, predicate, target, "events.attended", lasting=False)


def _under_a_good_time(clause: Clause) -> list[Token]:
    """The event of "had a great time at the music festival"."""
    good = [t for t in clause.objects() if t.lower_ in ("time", "blast", "fun")]
    holders = [clause.head, *good] if good else []
    return [t for h in holders for p in h.children if p.lower_ == "at" for t in objects_of(p)]


def _dated(scene: Scene, clause: Clause) -> bool:
    return scene.time.interval_for(clause, Change.HOLDS) is not None


def _joined(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I joined a choir", "she signed up for a pottery class"."""
    tokens: list[Token] = []
    if clause.verb in ("join", "start", "take"):
        tokens = clause.objects()
    elif clause.verb in ("sign", "enrol", "enroll", "register"):
        tokens = [*clause.prepositional("for", "in"), *_under_particle(clause, "for")]
    for token in tokens:
        new = _is_new(token) or token.tag_ == "NNS"
        named_kind = any(c.dep_ in ("compound", "amod") for c in token.children)
        if token.lower_ in _COURSES and new and named_kind:
            target = scene.reader.thing(scene.sentence, token, "ACTIVITY", allow_definite=True)
            predicate = "TAKES_CLASS"
        elif token.lower_ in _GROUPS and clause.verb == "join" and new and token.tag_ == "NN":
            target = scene.reader.thing(scene.sentence, token, "ORGANIZATION", allow_definite=True)
            predicate = "MEMBER_OF"
            if (
                target is not None
                and " " not in target.name
                and token.lower_ in ("group", "team", "class", "community")
            ):
                continue
        else:
            continue
        if target is not None:
            yield scene.state(
                clause,
                subject,
                predicate,
                target,
                "events.joined",
                lasting=False,
                change=Change.STARTS,
            )


def _own_groups(scene: Scene) -> Iterator[Statement]:
    """Such as "My book club …", "our band …": a group that one belongs to is taken for granted."""
    for token in scene.sentence.tokens:
        owner = next((c for c in token.children if c.dep_ == "poss"), None)
        if owner is None or owner.lower_ not in ("my", "our") or token.tag_ != "NN":
            continue
        kinds = [c for c in token.children if c.dep_ == "compound" and c.pos_ == "NOUN"]
        if any(c.lower_ in ("favorite", "favourite", "old", "former") for c in token.children):
            continue
        if token.lower_ not in ("club", "band", "choir", "team", "group", "league", "orchestra"):
            continue
        if not kinds and token.lower_ not in ("band", "choir", "orchestra"):
            continue
        target = scene.reader.thing(scene.sentence, token, "ORGANIZATION", allow_definite=True)
        if target is not None:
            evidence = scene.sentence.span(owner, token)
            speaker = scene.reader.speaker()
            yield scene.presupposed(speaker, "MEMBER_OF", target, "events.own_group", evidence)


def _member(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I'm a member of a choir", "Ana is part of the chess club", "I'm in a band"."""
    if clause.verb != "be":
        return
    tokens = [
        noun
        for word in clause.complements()
        if word.lower_ in ("member", "part")
        for prep in word.children
        if prep.dep_ == "prep" and prep.lower_ == "of"
        for noun in prep.children
        if noun.dep_ == "pobj"
    ]
    tokens += [t for t in clause.prepositional("in", "on") if t.lower_ in ("band", "choir", "team")]
    for token in tokens:
        if token.lower_ not in _GROUPS and token.ent_type_ != "ORG":
            continue
        pointing = any(c.lower_ in ("this", "that", "your", "their") for c in token.children)
        named_kind = any(c.dep_ in ("compound", "amod") for c in token.children)
        the = any(c.lower_ in ("the", "our", "my") for c in token.children)
        if pointing or (the and not named_kind and token.ent_type_ != "ORG"):
            continue
        target = scene.reader.thing(scene.sentence, token, "ORGANIZATION", allow_definite=True)
        if target is not None:
            yield scene.state(clause, subject, "MEMBER_OF", target, "events.member")


def _under_particle(clause: Clause, preposition: str) -> list[Token]:
    """The noun of "signed up for a class", where "for" hangs on "up"."""
    return [
        noun
        for child in clause.head.children
        if child.dep_ in ("prt", "advmod")
        for prep in child.children
        if prep.lower_ == preposition
        for noun in prep.children
        if noun.dep_ == "pobj"
    ]


def _achieved(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "I won my first tournament", "Ana passed her driving test", "I got a promotion"."""
    kinds = _ACHIEVEMENTS.get(clause.verb)
    if kinds is None or clause.particle() or clause.change is not Change.HOLDS:
        return
    for token in clause.objects():
        pointing = any(
            c.lower_ in ("the", "this", "that", "any", "no", "his", "her") for c in token.children
        )
        if token.lower_ not in kinds or token.tag_ != "NN" or pointing:
            continue
        first, _ = phrase_bounds(token)
        if first.lower_ in ("another", "other"):
            first = scene.sentence.tokens[first.i + 1]
        phrase = scene.sentence.doc[first.i : token.i + 1].text
        name = f"{_DONE[clause.verb]} {phrase}"
        if scene.reader.accepts(name, token.lower_):
            span = scene.sentence.span(clause.head, token)
            named = EntityArgument(ArgumentKind.DESCRIBED, name, "EVENT", span)
            yield scene.state(clause, subject, "ACHIEVED", named, "events.achieved", lasting=False)


_PRIZES = word_set(
    """tournament competition award prize contest championship medal trophy scholarship match
    election lottery grant race bet"""
)
_ACHIEVEMENTS = {
    "win": _PRIZES,
    "pass": word_set("exam test bar"),
    "get": word_set(
        "promotion raise scholarship degree certificate certification license licence award"
    ),
    "earn": word_set(
        "promotion scholarship degree certificate certification license award diploma"
    ),
    "receive": word_set("promotion raise scholarship degree certificate award medal grant"),
    "finish": word_set("screenplay novel marathon degree thesis course internship book"),
    "complete": word_set("screenplay novel marathon degree thesis course internship"),
    "run": word_set("marathon half-marathon 5k 10k"),
}
_DONE = {
    "win": "won",
    "pass": "passed",
    "get": "got",
    "earn": "earned",
    "receive": "received",
    "finish": "finished",
    "complete": "completed",
    "run": "ran",
}


_STROLLS = {"hike": "hiking", "swim": "swimming", "jog": "jogging", "run": "running"}


def _outings(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "We went camping last week", "I visited an art museum"."""
    vocabulary = scene.reader.vocabulary
    if clause.verb == "go" and clause.tense is Tense.PAST:
        for token in clause.prepositional("for", "on"):
            name = _STROLLS.get(token.lower_)
            if name is not None and _is_new(token):
                span = scene.sentence.span(token, token)
                stroll = EntityArgument(ArgumentKind.DESCRIBED, name, "ACTIVITY", span)
                yield scene.state(clause, subject, "WENT", stroll, "events.went", lasting=False)
        for child in clause.head.children:
            if (
                child.tag_ == "VBG"
                and child.lower_ in vocabulary["activities"]
                and child.i > clause.head.i
            ):
                span = clause.sentence.span(child, child)
                target = EntityArgument(ArgumentKind.DESCRIBED, child.lower_, "ACTIVITY", span)
                yield scene.state(clause, subject, "WENT", target, "events.went", lasting=False)
    tokens = clause.objects() if clause.verb == "visit" else []
    if clause.verb == "go":
        tokens = clause.prepositional("to")
    for token in tokens:
        if token.lower_ not in _SIGHTS or token.tag_ != "NN":
            continue
        known = any(c.dep_ == "det" and c.lower_ == "the" for c in token.children) and _dated(
            scene, clause
        )
        if _is_new(token) or known:
            sight = scene.reader.thing(scene.sentence, token, "PLACE", allow_definite=known)
            if sight is not None:
                yield scene.state(
                    clause, subject, "VISITED", sight, "events.visited", lasting=False
                )


def _made(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.verb not in _MAKING or clause.tense is not Tense.PAST or clause.particle():
        return
    for token in clause.objects():
        food = token.lower_ in scene.reader.vocabulary["foods"] and not list(token.lefts)
        if token.pos_ != "NOUN" or token.tag_ != "NN" or not (_is_new(token) or food):
            continue
        writing = clause.verb in ("write", "publish", "compose")
        if writing and token.lower_ not in _WRITINGS:
            continue
        if clause.verb in ("make", "cook") and token.lower_ not in scene.reader.vocabulary["foods"]:
            continue
        target = scene.reader.thing(scene.sentence, token, "CREATIVE_WORK" if writing else "OBJECT")
        if target is not None:
            yield scene.state(clause, subject, "MADE", target, "events.made", lasting=False)


def _works(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    r"""Such as "I'm reading Dune", 'I just finished "The Hobbit"', "she loves \"Frozen\""."""
    predicate = _work_predicate(clause)
    if predicate is None:
        return
    for title in _titles(scene, clause):
        yield scene.state(clause, subject, predicate, title, "events.work", lasting=False)


def _work_predicate(clause: Clause) -> str | None:
    past = clause.tense in (Tense.PAST, Tense.PERFECT)
    progressive = clause.head.tag_ == "VBG"
    if clause.verb == "read" and (past or progressive):
        return "READ"
    if clause.verb in ("watch", "see") and past:
        return "WATCHED"
    if clause.verb in ("love", "like", "enjoy") and not past:
        return "LIKES"
    return None


def _titles(scene: Scene, clause: Clause) -> Iterator[EntityArgument]:
    """Quoted titles right after the verb, and objects that the parser takes for works."""
    text_start = scene.sentence.start
    for start, end in scene.sentence.source.quoted:
        first = next((t for t in scene.sentence.tokens if text_start + t.idx > start), None)
        last = [t for t in scene.sentence.tokens if text_start + t.idx + len(t) < end]
        if first is None or not last or not first.text[:1].isupper():
            continue
        if first == last[-1] and first.lower_ in ENGLISH_STOP_WORDS:
            continue
        between = scene.sentence.tokens[clause.head.i + 1 : first.i - 1]
        plain = all(
            t.lower_ in _WORKS or t.dep_ in ("det", "amod", "compound", "poss") for t in between
        )
        if first.i > clause.head.i and plain and last[-1].i - first.i < 8:
            name = scene.sentence.doc[first.i : last[-1].i + 1].text
            yield EntityArgument(
                ArgumentKind.NAMED, name, "CREATIVE_WORK", scene.sentence.span(first, last[-1])
            )
    for token in clause.objects():
        if (
            token.ent_type_ == "WORK_OF_ART"
            and is_name_word(token)
            and not scene.sentence.source.quoted
        ):
            argument = scene.reader.named(scene.sentence, token, ("CREATIVE_WORK",))
            if argument is not None:
                yield argument
