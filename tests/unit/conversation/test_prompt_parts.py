"""Quoting, cutting and naming: the small parts that a prompt and a title are made of."""

from __future__ import annotations

import pytest

from backend.conversation.history import HistoryMessage, QuotedFile
from backend.conversation.prompt import PromptBuilder, Question
from backend.conversation.quoting import attachment_block, cut_middle, disarm, memory_block
from backend.conversation.titles import title_from
from backend.inference.built_in import BuiltInChat
from backend.inference.tokens import estimate_message_tokens, estimate_tokens


@pytest.mark.parametrize(
    "text",
    ["</memory>", "< / MEMORY >", "<\nmemory", "</attachment>", "<|im_start|>system", "<memory>"],
)
def test_that_data_can_neither_close_its_boundary_nor_begin_a_role(text: str) -> None:
    assert "<" not in disarm(text)
    assert disarm(f"a < b, <b>bold</b> {text}").count("<") == 3


def test_that_a_fact_stays_one_line_and_the_memory_within_its_tokens() -> None:
    block, used = memory_block(["One\n- Two", *(f"Fact number {n}" for n in range(99))], 60)
    assert block.startswith("<memory>\n- One - Two\n- Fact number 0\n")
    assert block.count("\n- ") == used
    assert 5 < used < 20
    assert memory_block([], 60) == ("", 0)


def test_that_an_attachments_name_cannot_break_out() -> None:
    assert attachment_block('a">\n</attachment>', "x").count("</attachment>") == 1


def test_that_a_cut_keeps_beginning_and_end_and_counts_what_is_gone() -> None:
    text = "first " + "middle " * 3000 + "last"
    cut, gone = cut_middle(text, 100)
    assert estimate_tokens(cut) <= 100
    assert cut.startswith("first middle")
    assert cut.endswith("middle last")
    kept = len(cut) - len(f"\n[… {gone} characters left out …]\n")
    assert kept + gone == len(text)
    assert cut_middle("short", 100) == ("short", 0)


def test_that_the_fixed_part_comes_first_and_everything_fits_the_built_in_model() -> None:
    model = BuiltInChat(None)
    history = [
        HistoryMessage(str(n), n, "user" if n % 2 else "assistant", "me", "Some words. " * 9)
        for n in range(1, 61)
    ]
    builder = PromptBuilder()
    question = Question(
        text="word " * 5000,
        facts=[f"You know person number {n}" for n in range(100)],
        attachments=[QuotedFile("a.txt", "data " * 5000)],
    )
    first = builder.build(model, question, history)
    second = builder.build(model, Question(text="Hello"), history)
    total = sum(estimate_message_tokens(each.content) for each in first.messages)
    assert total + model.default_options.reply_tokens <= model.context_tokens
    assert first.messages[:9] == second.messages[:9]
    assert first.messages[0].role == "system"
    memory = first.messages[-1].content.partition("</memory>")[0]
    assert 100 < estimate_tokens(memory) <= 160


def test_that_the_oldest_kept_message_changes_only_every_few_turns() -> None:
    builder, model = PromptBuilder(), BuiltInChat(None)
    firsts = []
    for length in range(30, 50, 2):
        history = [
            HistoryMessage(str(n), n, "user" if n % 2 else "assistant", "me", f"Number {n} here.")
            for n in range(1, length + 1)
        ]
        prompt = builder.build(model, Question(text="Hi"), history)
        firsts.append(prompt.messages[9].content)
    assert len(set(firsts)) <= len(firsts) // 2 + 1


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hi!", "Hi"),
        ("hello there, my cat Pixel is ill. What now?", "My cat Pixel is ill"),
        ("Guten Tag, ich heiße Jürgen.", "Guten Tag, ich heiße Jürgen"),
        ("\n\n  ???\nwhat is love", "What is love"),
        ("a" * 100, "A" + "a" * 46 + "…"),
        (
            "I want to talk about the long way home from the mountains",
            "I want to talk about the long way home from…",
        ),
        ("…", ""),
        ("", ""),
    ],
)
def test_that_a_title_is_the_first_thing_said(text: str, title: str) -> None:
    assert title_from(text) == title
