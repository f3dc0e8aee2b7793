"""Only the memory cites: what models read and write holds no citation in its form."""

from __future__ import annotations

import pytest

from backend.conversation.citations import CitationGuard, without_citations
from backend.conversation.history import HistoryMessage
from backend.conversation.prompt import PromptBuilder, Question
from backend.conversation.replier import NOTHING_LEFT
from backend.inference.built_in import BuiltInChat
from tests.helpers.scripted_ollama import ScriptedOllama, ScriptedReply
from tests.unit.conversation.conftest import Remembered, Room

CITED = "Your sister's name is Ana. (You said on 30 November 2026: “my sister Ana”)"

CUT = (
    (
        "You're allergic to chocolate. (You said on 30 November 2026: “My foods (all)”) Hm?",
        "You're allergic to chocolate. Hm?",
    ),
    ("Nice. (You told me on 3 May: I like it)\nNext.", "Nice.\nNext."),
    ("Fine. (Ana said on 3 May 2026: “I am here”)", "Fine."),
    ('Fine. (As you told me on Monday: "tea") And you?', "Fine. And you?"),
    ("On 30 November 2026 you wrote: “I like it” Great.", "Great."),
    ("Yes. You said on 3 May 2026: “I like it” Great.", "Yes. Great."),
    ("Your cat is ill [said 3 May 2026] now.", "Your cat is ill now."),
    ("Fine. (You said on 3 May 2026: “never closed", "Fine."),
    ("(You said on 3 May 2026: “x”)", ""),
)

KEPT = (
    "On Monday you can rest. You should (really) sleep.",
    "He smiled (she had told me so) and left. [1] (see above)",
    "You said that you like it. You told me a lot.",
    "f(x) = (x + 1) * 2, on 3 May 2026 it rains (",
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(("text", "rest"), CUT)
def test_that_a_citation_is_cut_out_of_a_stream_of_any_pieces(
    text: str, rest: str, size: int
) -> None:
    assert _streamed(text, size).strip() == rest


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("text", KEPT)
def test_that_other_words_and_brackets_stay_as_they_are(text: str, size: int) -> None:
    assert _streamed(text, size) == text


def test_that_plain_text_is_not_held_back() -> None:
    assert CitationGuard().feed("Hello from the script.") == "Hello from the script."
    guard = CitationGuard()
    shown = guard.feed("It is late (and I mean it, as you can see")
    assert shown.endswith("see")


def test_that_an_answers_words_survive_without_its_citation() -> None:
    assert without_citations(CITED) == "Your sister's name is Ana."


def test_that_a_small_model_reads_no_answer_of_the_memory() -> None:
    history = [
        HistoryMessage("1", 1, "user", "me", "Hello"),
        HistoryMessage("2", 2, "assistant", "AICO", "Hi!", engine="built_in"),
        HistoryMessage("3", 3, "user", "me", "Who is my sister?"),
        HistoryMessage("4", 4, "assistant", "AICO", CITED, engine="memory"),
    ]
    prompt = PromptBuilder().build(BuiltInChat(None), Question(text="Nice"), history)
    contents = [each.content for each in prompt.messages]
    assert contents[-3:] == ["Hello", "Hi!", "Nice"]
    assert prompt.history_left_out == 0


def test_that_a_full_model_reads_the_memorys_answer_without_its_citation(
    room: Room, ollama: ScriptedOllama
) -> None:
    room.recall.result = Remembered(direct_answer=CITED)
    room.ask("Who is my sister?")
    room.recall.result = Remembered()
    room.ask("Nice")
    contents = [each["content"] for each in ollama.chat_requests[0]["messages"]]
    assert contents[1:] == ["Who is my sister?", "Your sister's name is Ana.", "Nice"]
    assert room.transcript()[1].text == CITED  # the person goes on seeing where it comes from


def test_that_an_invented_citation_reaches_nobody(room: Room, ollama: ScriptedOllama) -> None:
    pieces = (
        "No nuts",
        ". (",
        "You said",
        " on 30 Nov",
        "ember 2026: “My",
        " nuts”",
        ") And",
        " you?",
    )
    ollama.script(ScriptedReply(pieces=pieces))
    turn_id = room.ask("Hm")
    assert room.sink.text(turn_id) == "No nuts. And you?"
    assert room.answer(turn_id).text == "No nuts. And you?"


def test_that_nothing_but_an_invented_citation_becomes_an_honest_sentence(
    room: Room, ollama: ScriptedOllama
) -> None:
    ollama.script(ScriptedReply(pieces=("(You said on", " 3 May 2026: “I like tea”)")))
    assert room.answer(room.ask("Hm")).text == NOTHING_LEFT


def _streamed(text: str, size: int) -> str:
    guard = CitationGuard()
    pieces = [guard.feed(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join(pieces) + guard.finish()
