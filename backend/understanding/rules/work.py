"""Jobs and employers: "works at Acme as a nurse", "quit her job at Acme", "is a teacher"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spacy.tokens import Token

from backend.understanding.clauses import Clause, Tense, objects_of, own_words
from backend.understanding.noun_phrases import phrase_bounds
from backend.understanding.scene import Scene
from backend.understanding.statements import Change, EntityArgument, Modality, Span, Statement
from backend.understanding.word_sets import word_set

_JOB_NOUNS = frozenset({"job", "position", "role", "internship", "gig"})
_GETTING_JOB = frozenset({"start", "get", "take", "land", "accept", "begin", "find"})
_LOSING_JOB = frozenset({"quit", "leave", "lose", "resign"})
_WORKPLACES = word_set(
    """hospital bank school library restaurant store shop office factory warehouse bakery cafe café
    hotel clinic university college museum gym salon bar pub supermarket mall startup company
    firm zoo farm garage lab laboratory airport church shelter nursery kindergarten call-center
    daycare diner studio agency theater theatre cinema pharmacy bookstore coffee law tech"""
)
_NO_FIELD = word_set(
    """home office day night morning evening team group shift shifts people progress past future
    general fact field area industry sector department way place city town building environment"""
)


def work(scene: Scene) -> Iterator[Statement]:
    """Everything that a clause says about work."""
    yield from _in_apposition(scene)
    for clause in scene.told_clauses():
        if clause.controlled or clause.modality is Modality.PLANNED or clause.ability:
            continue
        for subject in scene.subjects(clause):
            if subject.label != "PERSON":
                continue
            yield from _working(scene, clause, subject)
            yield from _occupation(scene, clause, subject)
            yield from _job_changes(scene, clause, subject)
            yield from _status(scene, clause, subject)


def _in_apposition(scene: Scene) -> Iterator[Statement]:
    """Such as "My sister Sarah, a doctor, …"."""
    for token in scene.sentence.tokens:
        if token.dep_ != "appos" or not is_occupation(scene, token):
            continue
        if not any(c.dep_ == "det" and c.lower_ in ("a", "an") for c in token.children):
            continue
        verb = token.head.head
        own = token.head.dep_ == "attr" and any(
            c.dep_ == "nsubj" and c.lower_ == "i" for c in verb.children
        )
        if own:
            continue
        people = scene.reader.people(scene.sentence, token.head)
        if len(people) == 1 and people[0].label == "PERSON" and people[0].span is not None:
            first, _ = phrase_bounds(token)
            value = scene.sentence.doc[first.i : token.i + 1].text.lower()
            literal = scene.literal("occupation", value, first, token)
            start, end = people[0].span.start, scene.sentence.span(first, token).end
            yield scene.presupposed(
                people[0], "HAS_OCCUPATION", literal, "work.apposition", Span(min(start, end), end)
            )


def organizations(scene: Scene, tokens: list[Token]) -> list[EntityArgument]:
    """The named organisations among the tokens."""
    found = []
    for token in tokens:
        if token.ent_type_ in ("DATE", "TIME", "CARDINAL", "NORP") or scene.reader.is_fixed(
            scene.sentence, token
        ):
            continue
        argument = scene.reader.named(scene.sentence, token, ("ORGANIZATION",))
        if argument is not None:
            found.append(argument)
    return found


def _working(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    employed = (
        clause.verb in ("employ", "hire")
        and clause.head.tag_ == "VBN"
        and any(c.dep_ == "auxpass" for c in clause.head.children)
    )
    if clause.verb != "work" and not employed:
        return
    change = Change.STARTS if clause.verb == "hire" and clause.tense is Tense.PAST else None
    tokens = clause.prepositional("at", "for", "by")
    capacity = [
        t
        for w in own_words(clause.head)
        if w.dep_ == "prep" and w.lower_ == "as"
        for t in objects_of(w)
    ]
    for token in capacity:
        tokens += [t for p in token.children if p.lower_ in ("at", "for") for t in objects_of(p)]
    for organization in organizations(scene, tokens):
        yield scene.state(clause, subject, "WORKS_AT", organization, "work.at", change=change)
    for token in clause.prepositional("at", "in", "for"):
        yield from _workplace(scene, clause, subject, token)
    for token in capacity:
        yield from _as_occupation(scene, clause, subject, token, "work.as")
    for token in clause.prepositional("in"):
        yield from _field(scene, clause, subject, token)


def _workplace(
    scene: Scene, clause: Clause, subject: EntityArgument, token: Token
) -> Iterator[Statement]:
    if token.pos_ != "NOUN" or not any(
        c.dep_ == "det" and c.lower_ in ("a", "an", "the") for c in token.children
    ):
        return
    if token.lower_ not in _WORKPLACES:
        return
    first, last = phrase_bounds(token)
    literal = scene.literal(
        "workplace", scene.sentence.doc[first.i : last.i + 1].text.lower(), first, last
    )
    yield scene.state(clause, subject, "HAS_WORKPLACE", literal, "work.place")


def _field(
    scene: Scene, clause: Clause, subject: EntityArgument, token: Token
) -> Iterator[Statement]:
    if token.pos_ != "NOUN" or token.tag_ == "NNS" or token.lower_ in _NO_FIELD | _WORKPLACES:
        return
    if any(c.dep_ in ("det", "poss", "nummod") for c in token.children):
        return
    field = scene.reader.thing(scene.sentence, token, "FIELD")
    if field is not None:
        yield scene.state(clause, subject, "WORKS_IN_FIELD", field, "work.field")


def is_occupation(scene: Scene, token: Token) -> bool:
    """Whether the noun names a job."""
    return (
        token.pos_ in ("NOUN", "PROPN")
        and token.tag_ != "NNS"
        and (token.lower_ in scene.reader.vocabulary["occupations"])
    )


def _as_occupation(
    scene: Scene, clause: Clause, subject: EntityArgument, token: Token, method: str
) -> Iterator[Statement]:
    if not is_occupation(scene, token) or any(c.dep_ == "poss" for c in token.children):
        return
    first, last = phrase_bounds(token)
    while first.i < last.i and first.lower_ in _LOOSE_ADJECTIVES:
        first = scene.sentence.tokens[first.i + 1]
    last = token
    literal = scene.literal(
        "occupation", scene.sentence.doc[first.i : last.i + 1].text.lower(), first, last
    )
    if method == "work.is" and any(
        t.lower_ in ("like", "such", "quite", "kind") for t in token.children
    ):
        return
    yield scene.state(clause, subject, "HAS_OCCUPATION", literal, method)


_LOOSE_ADJECTIVES = word_set(
    """great good new bad terrible proud huge real big amazing former busy young old full time
    professional full-time part-time part - certified licensed retired lifelong aspiring fellow"""
)


def _occupation(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "Ana is a nurse at Acme", "I became a teacher"."""
    if clause.verb not in ("be", "become"):
        return
    for token in clause.complements():
        if not is_occupation(scene, token):
            continue
        if not any(c.dep_ == "det" and c.lower_ in ("a", "an", "the") for c in token.children):
            continue
        modifiers = {c.lower_ for c in token.children if c.dep_ in ("amod", "compound")}
        if modifiers & {
            "aspiring",
            "future",
            "great",
            "good",
            "terrible",
            "bad",
            "real",
            "total",
            "better",
            "best",
            "amazing",
            "awesome",
            "wonderful",
            "excellent",
            "decent",
            "natural",
            "big",
            "huge",
            "talented",
        }:
            continue
        change = Change.STARTS if clause.verb == "become" else None
        if modifiers & {"retired", "former", "ex"}:
            change = Change.ENDS
        moved = replace(clause, change=change) if change and not clause.negated else clause
        student = token.lower_ in ("student", "undergraduate")
        predicate = "STUDIES_AT" if student else "WORKS_AT"
        yield from _as_occupation(scene, moved, subject, token, "work.is")
        tokens = [
            t
            for p in token.children
            if p.dep_ == "prep" and p.lower_ in ("at", "for", "with")
            for t in p.children
            if t.dep_ == "pobj"
        ]
        tokens += clause.prepositional("at", "for")
        if not clause.negated:
            for organization in organizations(scene, tokens):
                yield scene.state(moved, subject, predicate, organization, "work.is_at")


def _job_changes(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    happened = clause.tense in (Tense.PAST, Tense.PERFECT) or clause.verb == "have"
    if clause.negated or not happened:
        return
    jobs = [t for t in clause.objects() if t.lower_ in _JOB_NOUNS]
    change = None
    if clause.verb in _GETTING_JOB:
        change = Change.STARTS
    elif clause.verb in _LOSING_JOB:
        change = Change.ENDS
    elif clause.verb != "have":
        yield from _joining(scene, clause, subject)
        return
    for job in jobs:
        holders = [p for p in (*job.children, *clause.head.children) if p.dep_ == "prep"]
        at = [
            t
            for p in holders
            if p.lower_ in ("at", "with", "for")
            for t in p.children
            if t.dep_ == "pobj"
        ]
        for organization in organizations(scene, at):
            yield scene.state(clause, subject, "WORKS_AT", organization, "work.job", change=change)
        for token in [
            t for p in holders if p.lower_ == "as" for t in p.children if t.dep_ == "pobj"
        ]:
            moved = replace(clause, change=change) if change else clause
            yield from _as_occupation(scene, moved, subject, token, "work.job")
    if not jobs and clause.verb in _LOSING_JOB:
        tokens = [
            t
            for t in clause.objects()
            if scene.reader.is_known(scene.sentence, t, "ORGANIZATION") or _left(scene, clause, t)
        ]
        tokens += clause.prepositional("from") if clause.verb == "resign" else []
        for organization in organizations(scene, [t for t in tokens if not _schoolish(t)]):
            yield scene.state(
                clause, subject, "WORKS_AT", organization, "work.left", change=Change.ENDS
            )
    if not jobs and clause.verb == "start":
        for organization in organizations(scene, clause.prepositional("at")):
            yield scene.state(
                clause, subject, "WORKS_AT", organization, "work.started", change=Change.STARTS
            )


def _left(scene: Scene, clause: Clause, token: Token) -> bool:
    """Whether a dated leaving of an unknown name is the leaving of an employer."""
    vocabulary = scene.reader.vocabulary
    if clause.verb != "leave" or token.pos_ != "PROPN" or token.ent_type_ in ("GPE", "LOC", "FAC"):
        return False
    if token.lower_ in vocabulary["female_names"] | vocabulary["male_names"]:
        return False
    if any(scene.reader.is_known(scene.sentence, token, label) for label in ("PLACE", "PET")):
        return False
    return scene.time.interval_for(clause, Change.ENDS) is not None


def _joining(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.verb == "join":
        tokens = [
            t
            for t in clause.objects()
            if scene.reader.is_known(scene.sentence, t, "ORGANIZATION")
            and not any(c.dep_ == "det" for c in t.children)
        ]
        for organization in organizations(scene, tokens):
            yield scene.state(
                clause,
                subject,
                "WORKS_AT",
                organization,
                "work.joined",
                change=Change.STARTS,
                confidence=0.75,
            )
    if clause.verb in ("fire", "lay", "dismiss") and any(
        c.dep_ == "auxpass" for c in clause.head.children
    ):
        for organization in organizations(scene, clause.prepositional("from", "by")):
            yield scene.state(
                clause, subject, "WORKS_AT", organization, "work.dismissed", change=Change.ENDS
            )
    if clause.verb in ("found", "establish", "launch"):
        for organization in organizations(
            scene, [t for t in clause.objects() if t.ent_type_ == "ORG"]
        ):
            yield scene.state(
                clause, subject, "OWNS_BUSINESS", organization, "work.founded", lasting=False
            )


def _schoolish(token: Token) -> bool:
    return any(w in token.sent.text.lower() for w in ("university", "college", "school"))


def _status(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    passive = any(c.dep_ == "auxpass" for c in clause.head.children)
    if clause.verb == "retire" and passive and not clause.negated:
        literal = scene.literal("employment_status", "retired", clause.head, clause.head)
        yield scene.state(clause, subject, "HAS_EMPLOYMENT_STATUS", literal, "work.status")
    elif (
        clause.verb == "retire"
        and clause.tense in (Tense.PAST, Tense.PERFECT)
        and not clause.negated
    ):
        literal = scene.literal("employment_status", "retired", clause.head, clause.head)
        yield scene.state(
            clause, subject, "HAS_EMPLOYMENT_STATUS", literal, "work.status", change=Change.STARTS
        )
    if clause.verb == "be":
        for token in clause.complements():
            if token.lower_ in scene.reader.vocabulary["employment_status"]:
                literal = scene.literal("employment_status", token.lower_, token, token)
                yield scene.state(clause, subject, "HAS_EMPLOYMENT_STATUS", literal, "work.status")
