"""Facts, details and graphs about invented people, for the tests and screenshots of the window."""

from __future__ import annotations

import random

import igraph
import msgspec
import numpy as np

from aico_desktop.contract.messages import (
    EvidenceView,
    FactDetail,
    FactView,
    Forgotten,
    Graph,
    GraphEdgeView,
    GraphNodeView,
    HistoryView,
)

ME = ("me", "me", "PERSON")
ANA = ("e-ana", "Ana", "PERSON")
TOMAS = ("e-tomas", "Tomás", "PERSON")
PRIYA = ("e-priya", "Priya Nair", "PERSON")
BISCUIT = ("e-biscuit", "Biscuit", "PET")
MARLOW = ("e-marlow", "Marlow Instruments", "ORGANIZATION")
HALDEN = ("e-halden", "Halden", "PLACE")
PORTO = ("e-porto", "Porto", "PLACE")
GARDEN = ("e-garden", "Garden shed", "PROJECT")
CHORUS = ("e-chorus", "the harbour choir", "ACTIVITY")

Thing = tuple[str, str, str]


def evidence(message_id: str, text: str, quote: str, said_at: str) -> EvidenceView:
    """Evidence whose offsets point at ``quote`` inside the invented message ``text``."""
    start = text.index(quote)
    return EvidenceView(
        conversation="c-1",
        message_id=message_id,
        start=start,
        end=start + len(quote),
        quote=quote,
        said_at=said_at,
        speaker="me",
        method="rule",
    )


def fact(
    fact_id: str,
    subject: Thing,
    predicate: str,
    target: Thing | str,
    text: str,
    topic: str,
    *,
    confidence: float = 0.95,
    polarity: str = "affirmed",
    modality: str = "asserted",
    valid: tuple[str | None, str | None, str | None] = (None, None, None),
    quote: str = "",
    sensitive: bool = False,
    speaker: str = "me",
) -> FactView:
    """One fact about invented people; ``target`` is an entity or the words of a literal."""
    said = quote or f"{text}."
    is_entity = isinstance(target, tuple)
    return FactView(
        id=fact_id,
        subject=subject[1],
        predicate=predicate,
        object=target[1] if isinstance(target, tuple) else target,
        text=text,
        polarity=polarity,
        modality=modality,
        status="ACTIVE",
        confidence=confidence,
        valid_from=valid[0],
        valid_until=valid[1],
        valid_precision=valid[2],
        recorded_at="2026-03-02T18:21:07+01:00",
        evidence=(
            evidence(f"m-{fact_id}", f"Well, {said} Anyway.", said, "2026-03-02T18:21:05+01:00"),
        ),
        subject_id=subject[0],
        object_id=target[0] if isinstance(target, tuple) else None,
        subject_label=subject[2],
        object_label=target[2] if is_entity and isinstance(target, tuple) else None,
        topic=topic,
        speaker=speaker,
        sensitive=sensitive,
    )


def sample_facts() -> tuple[FactView, ...]:
    """About two dozen facts that show every mark the list knows."""
    return (
        fact(
            "f-01",
            ME,
            "HAS_SISTER",
            ANA,
            "Ana is your sister",
            "people",
            quote="my sister Ana is visiting on Friday",
        ),
        fact(
            "f-02",
            ME,
            "LIVES_IN",
            HALDEN,
            "You live in Halden",
            "places",
            valid=("2026-02-01", None, "month"),
            quote="we moved to Halden in February",
        ),
        fact(
            "f-03",
            ME,
            "LIVES_IN",
            PORTO,
            "You lived in Porto",
            "places",
            valid=("2019-01-01", "2026-02-01", "month"),
        ),
        fact(
            "f-04",
            ME,
            "WORKS_AT",
            MARLOW,
            "You work at Marlow Instruments",
            "work",
            valid=("2021-01-01", None, "year"),
            quote="I have been at Marlow Instruments since 2021",
        ),
        fact(
            "f-05",
            ME,
            "DRINKS",
            "coffee",
            "You do not drink coffee",
            "likes",
            polarity="negated",
            quote="I don't drink coffee",
        ),
        fact("f-06", ME, "LIKES", "rhubarb crumble", "You like rhubarb crumble", "likes"),
        fact(
            "f-07",
            ME,
            "HAS_GOAL",
            "learn the piano",
            "You want to learn the piano",
            "plans",
            quote="I want to learn the piano",
        ),
        fact(
            "f-08",
            ME,
            "VISITS",
            PORTO,
            "You are going to visit Porto",
            "plans",
            modality="planned",
            valid=("2027-06-01", "2027-07-01", "month"),
            confidence=0.8,
        ),
        fact(
            "f-09", ME, "HAS_CONDITION", "hay fever", "You have hay fever", "health", sensitive=True
        ),
        fact(
            "f-10",
            ME,
            "HAS_PET",
            BISCUIT,
            "Biscuit is your dog",
            "pets",
            quote="Biscuit, our dog, ate my slipper",
        ),
        fact(
            "f-11",
            ME,
            "WORKING_ON",
            GARDEN,
            "You are building a garden shed with a green roof "
            "behind the house in Halden, together with Tomás",
            "plans",
            confidence=0.7,
        ),
        fact("f-12", ME, "MEMBER_OF", CHORUS, "You sing in the harbour choir", "likes"),
        fact(
            "f-13",
            ANA,
            "WORKS_AS",
            "nurse",
            "Ana works as a nurse",
            "work",
            quote="she works as a nurse on the night shift",
        ),
        fact("f-14", ANA, "LIVES_IN", PORTO, "Ana lives in Porto", "places"),
        fact(
            "f-15",
            ANA,
            "IS_EXPECTING",
            "a child",
            "Ana is expecting a child",
            "health",
            modality="reported",
            confidence=0.6,
            sensitive=True,
            quote="Mum says my sister is expecting",
        ),
        fact("f-16", ANA, "PLAYS", "the cello", "Ana plays the cello", "likes", confidence=0.4),
        fact("f-17", ME, "FRIEND_OF", TOMAS, "Tomás is your friend", "people"),
        fact("f-18", TOMAS, "WORKS_AT", MARLOW, "Tomás works at Marlow Instruments", "work"),
        fact("f-19", TOMAS, "HAS_BIRTHDAY", "12 May", "Tomás has his birthday on 12 May", "dates"),
        fact("f-20", TOMAS, "LIKES", "cycling", "Tomás likes cycling", "likes", confidence=0.7),
        fact("f-21", ME, "COLLEAGUE_OF", PRIYA, "Priya Nair is your colleague", "work"),
        fact(
            "f-22", PRIYA, "LEADS", "the optics group", "Priya Nair leads the optics group", "work"
        ),
        fact("f-23", BISCUIT, "HAS_AGE", "4 years", "Biscuit is four years old", "pets"),
        fact(
            "f-24",
            BISCUIT,
            "AFRAID_OF",
            "thunder",
            "Biscuit is probably afraid of thunder",
            "pets",
            modality="inferred",
            confidence=0.45,
        ),
        fact("f-25", MARLOW, "LOCATED_IN", HALDEN, "Marlow Instruments is in Halden", "work"),
    )


def many_facts(count: int) -> tuple[FactView, ...]:
    """``count`` facts about many invented people, for the quickness tests."""
    topics = ("people", "work", "places", "likes", "health", "plans")
    return tuple(
        fact(
            f"f-{number:05d}",
            (f"e-{number // 8}", f"Person {number // 8}", "PERSON"),
            "LIKES",
            f"thing {number}",
            f"Person {number // 8} likes thing number {number}",
            topics[number % len(topics)],
        )
        for number in range(count)
    )


def sample_detail() -> FactDetail:
    """A fact with two pieces of evidence and a history of one change."""
    first = "We moved to Halden in February, finally by the sea!"
    second = "It rains a lot here, but I live in Halden now and I like it."
    return FactDetail(
        fact=msgspec.structs.replace(
            sample_facts()[1],
            evidence=(
                evidence(
                    "m-17", first, "We moved to Halden in February", "2026-03-02T18:21:05+01:00"
                ),
                evidence("m-41", second, "I live in Halden now", "2026-04-18T09:02:44+02:00"),
            ),
        ),
        history=(
            HistoryView(
                changed_at="2026-03-02T18:21:07+01:00",
                change="changed",
                reason="You said that you moved",
                old="You live in Porto",
                new="You live in Halden",
            ),
            HistoryView(
                changed_at="2026-04-18T09:02:46+02:00",
                change="confirmed",
                reason="You said it again",
            ),
        ),
    )


def inferred_detail() -> FactDetail:
    """A fact that was worked out from another one."""
    facts = {view.id: view for view in sample_facts()}
    return FactDetail(
        fact=msgspec.structs.replace(facts["f-24"], evidence=()),
        history=(
            HistoryView(
                changed_at="2026-03-02T18:21:07+01:00",
                change="added",
                reason="Worked out from what you told me",
            ),
        ),
        premises=(facts["f-10"], facts["f-23"]),
    )


def sample_forgotten(*, preview: bool) -> Forgotten:
    """What goes, or went, with the fact of :func:`sample_detail`."""
    return Forgotten(facts=(sample_detail().fact,), blanked_spans=2, preview=preview)


_NAMED: tuple[Thing, ...] = (
    ANA,
    TOMAS,
    MARLOW,
    HALDEN,
    BISCUIT,
    PORTO,
    GARDEN,
    CHORUS,
    PRIYA,
    ("e-piano", "learn the piano", "GOAL"),
    ("e-regatta", "Midsummer regatta", "EVENT"),
    ("e-sailing", "sailing", "INTEREST"),
    ("e-bakery", "Old Mill bakery", "ORGANIZATION"),
    ("e-edvard", "Uncle Edvard", "PERSON"),
    ("e-kayak", "the green kayak", "OBJECT"),
    ("e-school", "Lindqvist school", "ORGANIZATION"),
)
_LABELS = ("PERSON", "PERSON", "PLACE", "ORGANIZATION", "PROJECT", "EVENT", "INTEREST", "OBJECT")
_FIRST = ("Ida", "Marek", "Noor", "Silvio", "Wanda", "Oskar", "Yuki", "Bram", "Leila", "Ivo")
_LAST = ("Fjordal", "Brandt", "Okafor", "Silvestri", "Novak", "Haraldsen", "Lund", "Moreau")


_FACTS = sample_facts()


def _thing(number: int) -> Thing:
    if number == 0:
        return ME
    if number <= len(_NAMED):
        return _NAMED[number - 1]
    label = _LABELS[number % len(_LABELS)]
    if label == "PERSON":
        name = f"{_FIRST[number % len(_FIRST)]} {_LAST[(number // 10) % len(_LAST)]}"
        return (f"e-{number}", name, label)
    return (f"e-{number}", f"{label.capitalize()} {number}", label)


def _link(number: int, source: Thing, target: Thing) -> GraphEdgeView:
    """The edge between two things: of a sample fact where there is one."""
    verbs = (
        ("KNOWS", "knows"),
        ("WORKS_AT", "works at"),
        ("LIKES", "likes"),
        ("LIVES_IN", "lives in"),
        ("PART_OF", "is part of"),
    )
    predicate, text = verbs[number % len(verbs)]
    facts: tuple[str, ...] = (f"f-{number % 25 + 1:02d}",)
    for view in _FACTS:
        if (view.subject_id, view.object_id) == (source[0], target[0]):
            predicate, facts = view.predicate, (view.id,)
            text = predicate.removeprefix("HAS_").replace("_", " ").lower()
            break
    return GraphEdgeView(
        id=f"edge-{number}",
        source_id=source[0],
        target_id=target[0],
        predicate=predicate,
        text=text,
        fact_ids=facts,
    )


def sample_graph(count: int) -> Graph:
    """A graph of ``count`` nodes around me, laid out as the backend does it (igraph, seeded)."""
    if count == 0:
        return Graph(center_id="me", nodes=(), edges=())
    chance = random.Random(7)
    links = [(0, number) for number in range(1, min(count, 17))]
    for number in range(1, count):
        if number >= 17:
            links.append((chance.randrange(max(1, number // 3)), number))
        if number > 4 and chance.random() < 0.35:
            links.append((number, chance.randrange(1, number)))
    links = sorted({(min(a, b), max(a, b)) for a, b in links if a != b})
    graph = igraph.Graph(n=count, edges=links)
    start = np.random.default_rng(7).normal(size=(count, 2)).tolist()
    rounds = 500 if count <= 500 else 50
    igraph.set_random_number_generator(random.Random(7))
    positions = np.array(
        graph.layout_fruchterman_reingold(niter=rounds, seed=start, grid="nogrid").coords
    ).reshape(count, 2)
    igraph.set_random_number_generator(random)
    positions -= positions[0]
    positions /= max(float(np.abs(positions).max()), 1e-9)
    degrees = graph.degree()
    highest = max(max(degrees), 1)
    things = [_thing(number) for number in range(count)]
    nodes = tuple(
        GraphNodeView(
            id=things[number][0],
            name=things[number][1],
            label=things[number][2],
            importance=degrees[number] / highest,
            x=float(positions[number, 0]),
            y=float(positions[number, 1]),
        )
        for number in range(count)
    )
    edges = tuple(
        _link(number, things[source], things[target])
        for number, (source, target) in enumerate(links)
    )
    return Graph(center_id="me", nodes=nodes, edges=edges, hidden=0 if count < 150 else 37)
