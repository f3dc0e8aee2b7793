"""The projected graph: what makes nodes and edges, neighbourhoods, and the picture of them."""

from __future__ import annotations

import json

from backend.knowledge_graph.layout import arrange
from backend.knowledge_graph.query import GraphQuery
from backend.understanding.statements import Change, Modality
from tests.helpers.story import ME, Story, claim, literal, named, thing


def _circle(story: Story) -> None:
    ana = named("Ana", role="HAS_SISTER")
    story.say("My sister Ana.", claim(ME, "HAS_SISTER", ana))
    story.say("Ana works at Acme.", claim(named("Ana"), "WORKS_AT", named("Acme", "ORGANIZATION")))
    story.say(
        "Acme is in Ulm.", claim(named("Acme", "ORGANIZATION"), "LOCATED_IN", named("Ulm", "PLACE"))
    )


def test_that_only_what_is_affirmed_and_asserted_becomes_an_edge(story: Story) -> None:
    _circle(story)
    story.say("I don't like tea.", claim(ME, "LIKES", thing("tea", "FOOD"), negated=True))
    story.say(
        "I may visit Bern.",
        claim(ME, "VISITED", named("Bern", "PLACE"), modality=Modality.POSSIBLE),
    )
    assert story.graph_edges() == {
        ("me", "HAS_SISTER", "Ana", 1),
        ("Ana", "WORKS_AT", "Acme", 1),
        ("Acme", "LOCATED_IN", "Ulm", 1),
    }


def test_that_an_edge_names_its_facts_and_follows_them(story: Story) -> None:
    _circle(story)
    fact = story.fact("Ana works at Acme")
    rows = story.database.execute(
        "SELECT proposition_ids_json FROM kg_edges WHERE relation_type = 'WORKS_AT'"
    )
    assert [json.loads(row[0]) for row in rows] == [[fact.id]]
    story.say(
        "Ana left Acme.",
        claim(named("Ana"), "WORKS_AT", named("Acme", "ORGANIZATION"), change=Change.ENDS),
    )
    assert ("Ana", "WORKS_AT", "Acme", 0) in story.graph_edges()
    history = story.database.execute("SELECT version, change_reason FROM kg_edge_history")
    assert history == [(1, "new_information")]
    story.service.forget_fact(story.scope, story.fact("Ana used to work at Acme").id)
    assert not [edge for edge in story.graph_edges() if edge[1] == "WORKS_AT"]
    assert story.database.execute("SELECT count(*) FROM kg_edge_history") == [(0,)]


def test_that_a_node_goes_with_its_last_fact(story: Story) -> None:
    batch = story.say("I like tea.", claim(ME, "LIKES", thing("tea", "FOOD"))).batch_id
    assert batch is not None
    story.service.undo(story.scope, batch)
    assert story.database.execute("SELECT id FROM kg_nodes") == [("me",)]


def test_that_vectors_are_told_of_every_change(story: Story) -> None:
    story.say("I like tea.", claim(ME, "LIKES", thing("tea", "FOOD")))
    outbox = story.database.execute("SELECT collection, operation FROM vector_outbox")
    assert ("kg_nodes", "upsert") in outbox
    assert ("kg_edges", "upsert") in outbox
    story.database.execute("DELETE FROM vector_outbox")
    story.service.forget_fact(story.scope, story.fact("You like tea").id)
    outbox = story.database.execute("SELECT collection, operation FROM vector_outbox")
    assert {("kg_edges", "delete"), ("kg_nodes", "delete")} <= set(outbox)


def test_that_a_neighbourhood_is_cut_by_depth_and_number(story: Story) -> None:
    _circle(story)
    query = GraphQuery(story.database)
    near = query.neighbourhood(story.scope, "me", depth=1)
    assert [node.name for node in near.nodes] == ["me", "Ana"]
    far = query.neighbourhood(story.scope, "me", depth=3)
    assert [node.name for node in far.nodes] == ["me", "Ana", "Acme", "Ulm"]
    assert [edge.text for edge in far.edges] != []
    cut = query.neighbourhood(story.scope, "me", depth=3, limit=3)
    assert [node.name for node in cut.nodes] == ["me", "Ana", "Acme"]
    assert cut.hidden == 1
    assert {edge.predicate for edge in cut.edges} == {"HAS_SISTER", "WORKS_AT"}
    assert query.neighbourhood(story.scope, "nobody").nodes == ()


def test_that_properties_of_a_node_can_be_found_by_value(story: Story) -> None:
    story.say("Rex is a dog.", claim(named("Rex", "PET"), "HAS_SPECIES", literal("dog", "species")))
    rows = story.database.execute(
        "SELECT n.label FROM kg_node_properties p JOIN kg_nodes n ON n.id = p.node_id "
        "WHERE p.key = 'has_species' AND p.value = 'dog'"
    )
    assert rows == [("PET",)]


def test_that_the_picture_is_the_same_every_time() -> None:
    ids = [f"n{number}" for number in range(40)]
    edges = [("n0", identifier) for identifier in ids[1:]] + [("n1", "n2"), ("n3", "gone")]
    first, second = arrange(ids, edges), arrange(ids, edges)
    assert first == second
    assert first["n0"] == (0.0, 0.0)
    assert all(-1 <= value <= 1 for place in first.values() for value in place)
    assert len(set(first.values())) == len(ids)


def test_that_a_picture_that_grows_stays_recognisable() -> None:
    ids = [f"n{number}" for number in range(30)]
    edges = [(ids[number // 2], ids[number]) for number in range(1, 30)]
    before = arrange(ids, edges)
    after = arrange([*ids, "new"], [*edges, ("n7", "new")], before)
    fresh = arrange([*ids, "new"], [*edges, ("n7", "new")])

    def moved(places: dict[str, tuple[float, float]]) -> float:
        return sum(abs(places[one][0] - before[one][0]) for one in ids)

    assert moved(after) < moved(fresh)


def test_that_one_node_and_none_can_be_arranged() -> None:
    assert arrange([], []) == {}
    assert arrange(["only"], []) == {"only": (0.0, 0.0)}
