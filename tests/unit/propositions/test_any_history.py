"""Whatever happens in whatever order: the stored truth equals the fold of all that was said."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from backend.ontology.ontology import Ontology
from backend.understanding.statements import Change, Modality, Precision, Statement
from tests.helpers.story import ME, Story, claim, described, literal, named, thing

_STEPS = 30
_PLACES = ("Dresden", "Leipzig", "Ulm")
_PEOPLE = (
    named("Sarah"),
    named("Sarah", role="HAS_SISTER"),
    named("Sarah", role="COLLEAGUE_OF"),
    named("Ana", role="HAS_SISTER"),
    described("sister", "HAS_SISTER"),
    described("cat", "HAS_PET", "PET"),
    named("Minka", "PET", role="HAS_PET"),
    ME,
)


def _anything(rng: random.Random) -> tuple[Statement, str]:
    someone, place = rng.choice(_PEOPLE), named(rng.choice(_PLACES), "PLACE")
    change = rng.choice([Change.HOLDS, Change.HOLDS, Change.STARTS, Change.ENDS, Change.NEVER_HELD])
    denied = change is Change.NEVER_HELD or rng.random() < 0.15
    modality = rng.choice([Modality.ASSERTED] * 4 + [Modality.PLANNED])
    valid = ("2019-01-01", None, Precision.YEAR) if rng.random() < 0.2 else None
    match rng.randrange(6):
        case 0:
            return claim(
                someone, "LIVES_IN", place, negated=denied, modality=modality, change=change,
                valid=valid,
            )  # fmt: skip
        case 1:
            return claim(someone, rng.choice(["LIKES", "DISLIKES"]), thing("tea", "FOOD"))
        case 2:
            return claim(ME, "HAS_SISTER", _PEOPLE[rng.choice([1, 3, 4])])
        case 3:
            return claim(ME, rng.choice(["FRIEND_OF", "HAS_BOSS"]), named("Sarah"))
        case 4:
            return claim(someone, "HAS_AGE", literal(str(rng.randrange(30, 33)), "years"))
        case _:
            return claim(named("Tom"), "MANAGES", rng.choice([ME, named("Ana")]))


def _step(story: Story, rng: random.Random, batches: list[str]) -> None:
    facts = story.facts()
    action = rng.random()
    if action < 0.72 or not facts:
        result = story.say(f"Words number {rng.randrange(8)}.", _anything(rng))
        if result.batch_id is not None:
            batches.append(result.batch_id)
    elif action < 0.82 and batches:
        story.service.undo(story.scope, batches.pop(rng.randrange(len(batches))))
    elif action < 0.92:
        new = {"LIVES_IN": "Bern", "HAS_AGE": "40", "LIKES": "mate"}
        fact = rng.choice(facts)
        story.service.edit(
            story.scope,
            fact.id,
            new_object=new.get(fact.predicate),
            valid_from="2018-03-01" if not fact.valid_until else None,
        )
    else:
        story.service.forget_fact(story.scope, rng.choice(facts).id)


@pytest.mark.parametrize("seed", range(12))
def test_that_rows_and_graph_always_equal_the_fold(
    tmp_path: Path, ontology: Ontology, seed: int
) -> None:
    rng = random.Random(seed)
    story = Story(tmp_path / "home", ontology)
    batches: list[str] = []
    for _ in range(_STEPS):
        _step(story, rng, batches)
        before = story.hash()
        story.service.refold(story.scope)
        assert story.hash() == before
    assert story.database.integrity_check() == []
    for fact in story.facts():
        assert fact.evidence, fact.text
        assert fact.subject, fact.text
        assert fact.object, fact.text
    story.close()
