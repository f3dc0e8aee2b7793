"""The terminal commands against the real backend: what was told is known, shown, and forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.terminal import Terminal

TOLD = [
    ("m1", "user", "Mirabel", "My sister is called Oda and she lives in Leipzig."),
    ("m2", "assistant", "AICO", "Your brother Falk lives in Rome."),
    ("m3", "user", "Mirabel", "I work at the Brindle Bakery."),
    ("m4", "user", "Mirabel", "I have a cat named Pippin."),
]


def row(name: str, role: str, speaker: str, text: str, minute: int) -> str:
    return json.dumps(
        {
            "id": name,
            "conversation": "tea",
            "role": role,
            "speaker": speaker,
            "time": f"2025-03-01T10:{minute:02}",
            "text": text,
        }
    )


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a short conversation and two bad lines."""
    file = tmp_path_factory.mktemp("file") / "tea.jsonl"
    rows = [row(*message, minute) for minute, message in enumerate(TOLD)]
    file.write_text("\n".join([*rows[:2], "nonsense", *rows[2:], "{}"]), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory, told: Path) -> Iterator[Terminal]:
    """A home in which that conversation was read."""
    terminal = Terminal(tmp_path_factory.mktemp("home"))
    try:
        ended = terminal.aico("ingest", told)
        assert ended.code == 0, ended.err
        assert "line 3: not JSON" in ended.err
        assert "line 6: missing: conversation" in ended.err
        assert ended.data["messages"] == 4
        assert ended.data["failed"] == 2
        assert ended.data["facts_added"] >= 4
        yield terminal
    finally:
        terminal.close()


def test_that_every_fact_quotes_a_message_of_the_person(terminal: Terminal) -> None:
    texts = {name: text for name, role, _, text in TOLD if role == "user"}
    facts = terminal.aico("memory", "list", "--json").data
    assert len(facts) >= 4
    for fact in facts:
        for part in fact["evidence"]:
            quoted = texts[part["message_id"]][part["start"] : part["end"]]
            assert part["quote"] == quoted != ""


def test_that_what_the_assistant_said_taught_nothing(terminal: Terminal) -> None:
    assert "Falk" not in terminal.aico("memory", "list", "--json").out


def test_that_a_question_is_answered_from_the_memory_with_its_source(terminal: Terminal) -> None:
    answer = terminal.aico("ask", "What is my sister's name?", "--json").data
    assert "Oda" in answer["answer"]
    assert answer["sources"] == ["m1"]
    assert answer["abstained"] is False
    why = terminal.aico("memory", "why", answer["facts"][0])
    assert why.code == 0
    assert "My sister is called Oda" in why.out


def test_that_what_was_never_told_is_not_answered(terminal: Terminal) -> None:
    answer = terminal.aico("ask", "What is my brother's name?", "--json").data
    assert answer["abstained"] is True
    assert answer["facts"] == []


def test_that_reading_the_file_again_changes_nothing(terminal: Terminal, told: Path) -> None:
    before = terminal.aico("memory", "list", "--json").data
    ended = terminal.aico("ingest", told)
    assert (ended.code, ended.data["messages"], ended.data["facts_added"]) == (0, 0, 0)
    assert terminal.aico("memory", "list", "--json").data == before


def test_that_stats_doctor_and_db_init_are_well(terminal: Terminal) -> None:
    assert terminal.aico("stats", "--json").code == 0
    doctor = terminal.aico("doctor", "--json")
    assert doctor.code == 0, doctor.out
    assert terminal.aico("db", "init", "--json").data["created"] is False
    assert terminal.aico("db", "init").code == 0


def test_that_chatting_once_answers_and_remembers(terminal: Terminal) -> None:
    ended = terminal.aico("chat", "--once", "My friend Quill plays the oboe.", "--json")
    assert ended.code == 0, ended.err
    assert ended.data["answer"].strip()
    assert "Quill" in terminal.aico("memory", "list", "--about", "Quill", "--json").out


def test_that_a_forgotten_fact_is_gone_from_every_answer(terminal: Terminal) -> None:
    (cat,) = [
        fact
        for fact in terminal.aico("memory", "list", "--about", "Pippin", "--json").data
        if "Pippin" in (fact["subject"], fact["object"]) and fact["subject"] == "me"
    ]
    refused = terminal.aico("memory", "forget", cat["id"])
    assert refused.code == 2
    gone = terminal.aico("memory", "forget", cat["id"], "--yes", "--json")
    assert gone.code == 0, gone.err
    assert cat["id"] in {fact["id"] for fact in gone.data["forgotten"]}
    assert terminal.aico("memory", "why", cat["id"]).code == 1
    listed = terminal.aico("memory", "list", "--json").data
    assert cat["id"] not in {fact["id"] for fact in listed}


def test_that_without_a_display_aico_chats_in_the_terminal(terminal: Terminal) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        terminal.environment.pop(variable, None)
    ended = terminal.aico()
    assert ended.code == 0
    assert ended.err == "There is no display here. AICO opens in the terminal instead.\n"
