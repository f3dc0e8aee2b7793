"""`aico memory`: the exact fields for programs, words for people, and careful forgetting."""

from __future__ import annotations

import msgspec
import pytest

from aico_desktop.contract.messages import (
    EntityCandidate,
    FactDetail,
    Facts,
    FactView,
    Failure,
    Forgotten,
    HistoryView,
    MemoryForget,
    MemoryList,
    MemoryWhy,
)
from tests.unit.aico_desktop.terminal.conftest import Run, Serve


def test_that_list_prints_the_promised_fields_and_no_others(
    run: Run, serve: Serve, fact: FactView
) -> None:
    serve({MemoryList: lambda wish: Facts(facts=(fact,))})
    ran = run("memory", "list", "--json")
    assert ran.code == 0
    assert ran.data == [
        {
            "id": "fact-1",
            "subject": "me",
            "predicate": "HAS_SISTER",
            "object": "Oda",
            "text": "Oda is your sister",
            "polarity": "affirmed",
            "modality": "asserted",
            "status": "ACTIVE",
            "confidence": 0.95,
            "valid_from": "2025-03-01T00:00:00+00:00",
            "valid_until": None,
            "valid_precision": "month",
            "recorded_at": "2025-04-01T10:00:00+00:00",
            "evidence": [
                {
                    "conversation": "tea",
                    "message_id": "m1",
                    "start": 0,
                    "end": 16,
                    "quote": "My sister is Oda",
                }
            ],
        }
    ]


def test_that_a_message_goes_by_the_id_that_its_file_gave_it(
    run: Run, serve: Serve, fact: FactView
) -> None:
    imported = msgspec.structs.replace(fact.evidence[0], message_id="9f", external_id="D1:3")
    known = msgspec.structs.replace(fact, evidence=(imported,))
    serve(
        {
            MemoryList: lambda wish: Facts(facts=(known,)),
            MemoryWhy: lambda wish: FactDetail(fact=known, history=()),
        }
    )
    assert run("memory", "list", "--json").data[0]["evidence"][0]["message_id"] == "D1:3"
    assert run("memory", "why", "fact-1", "--json").data["evidence"][0]["message_id"] == "D1:3"
    assert "[D1:3]" in run("memory", "why", "fact-1").out


def test_that_list_asks_about_the_name(run: Run, serve: Serve, fact: FactView) -> None:
    backend = serve({MemoryList: lambda wish: Facts(facts=(fact,))})
    run("memory", "list", "--about", "Oda")
    assert backend.requests(MemoryList) == [MemoryList(about="Oda")]


def test_that_list_shows_people_text_time_and_certainty(
    run: Run, serve: Serve, fact: FactView
) -> None:
    serve({MemoryList: lambda wish: Facts(facts=(fact,))})
    ran = run("memory", "list")
    line = ran.out.splitlines()[1]
    assert "fact-1" in line
    assert "Oda is your sister" in line
    assert "since 2025-03" in line
    assert line.rstrip().endswith("sure")


def test_that_an_empty_memory_is_said_in_words_and_as_an_empty_list(run: Run, serve: Serve) -> None:
    serve({MemoryList: lambda wish: Facts(facts=())})
    assert run("memory", "list").out == "Nothing is known yet.\n"
    assert run("memory", "list", "--json").data == []


def test_that_names_cannot_steer_the_terminal_or_act_as_markup(
    run: Run, serve: Serve, fact: FactView
) -> None:
    odd = msgspec.structs.replace(fact, text="[red]Oda[/red] \x1b[2J is your sister")
    serve({MemoryList: lambda wish: Facts(facts=(odd,))})
    ran = run("memory", "list")
    assert "[red]Oda[/red]" in ran.out
    assert "\x1b" not in ran.out


def test_that_why_shows_the_quoted_words_and_the_history(
    run: Run, serve: Serve, fact: FactView
) -> None:
    change = HistoryView(changed_at="2025-04-02T08:00:00", change="confirmed", reason="said again")
    serve({MemoryWhy: lambda wish: FactDetail(fact=fact, history=(change,))})
    ran = run("memory", "why", "fact-1")
    assert "“My sister is Oda”" in ran.out
    assert "2025-04-02T08:00  confirmed" in ran.out
    data = run("memory", "why", "fact-1", "--json").data
    assert data["evidence"][0]["method"] == "rule"
    assert data["history"][0]["reason"] == "said again"


def test_that_an_unknown_fact_ends_with_one_and_words(run: Run, serve: Serve) -> None:
    serve({MemoryWhy: lambda wish: Failure(code="not_found", human="There is no fact f9.")})
    ran = run("memory", "why", "f9")
    assert (ran.code, ran.err) == (1, "There is no fact f9.\n")


def test_that_forget_with_yes_says_what_went(run: Run, serve: Serve, fact: FactView) -> None:
    backend = serve(
        {MemoryForget: lambda wish: Forgotten(facts=(fact,), blanked_spans=2, preview=wish.preview)}
    )
    ran = run("memory", "forget", "fact-1", "--yes")
    assert ran.code == 0
    assert "Forgotten: Oda is your sister" in ran.out
    assert "2 passages" in ran.out
    assert backend.requests(MemoryForget) == [MemoryForget(target="fact-1")]
    data = run("memory", "forget", "fact-1", "--yes", "--json").data
    assert data["forgotten"] == [{"id": "fact-1", "text": "Oda is your sister"}]


def test_that_forget_without_yes_and_without_a_terminal_changes_nothing(
    run: Run, serve: Serve, fact: FactView
) -> None:
    backend = serve({MemoryForget: lambda wish: Forgotten(facts=(), blanked_spans=0, preview=True)})
    ran = run("memory", "forget", "fact-1")
    assert ran.code == 2
    assert "--yes" in ran.err
    assert run("memory", "forget", "fact-1", "--json").data["error"]["code"] == "wrong_use"
    assert backend.requests(MemoryForget) == []


@pytest.mark.parametrize(("typed", "code", "wishes"), [("y\n", 0, 2), ("n\n", 1, 1)])
def test_that_forget_shows_a_person_what_would_go_and_asks(
    run: Run,
    serve: Serve,
    fact: FactView,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    code: int,
    wishes: int,
) -> None:
    backend = serve(
        {MemoryForget: lambda wish: Forgotten(facts=(fact,), blanked_spans=1, preview=wish.preview)}
    )
    monkeypatch.setattr("aico_desktop.terminal.memory_commands.is_interactive", lambda: True)
    ran = run("memory", "forget", "fact-1", typed=typed)
    assert ran.code == code
    assert "Forget 1 fact and blank 1 passage" in ran.out
    assert [wish.preview for wish in backend.requests(MemoryForget)] == [True, False][:wishes]


def test_that_an_ambiguous_name_is_refused_with_the_candidates(run: Run, serve: Serve) -> None:
    candidates = (
        EntityCandidate(
            entity_id="e1", name="Oda", label="PERSON", description="your sister", fact_count=3
        ),
        EntityCandidate(
            entity_id="e2", name="Oda", label="PERSON", description="a colleague", fact_count=1
        ),
    )
    failure = Failure(code="ambiguous", human="Which Oda?", candidates=candidates)
    serve({MemoryForget: lambda wish: failure})
    ran = run("memory", "forget", "Oda", "--yes", "--json")
    assert ran.code == 1
    assert "e1  Oda, your sister (3 known)" in ran.err
    assert [one["entity_id"] for one in ran.data["error"]["candidates"]] == ["e1", "e2"]
