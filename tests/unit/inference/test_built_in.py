"""The real built-in model: its words, its speed of stopping, and its cached prompt."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from backend.inference.built_in import BuiltInChat, first_sentences
from backend.inference.chat import ChatMessage, ChatModelError, ChatOptions, ChatPiece
from backend.inference.tokens import estimate_tokens
from tests.helpers.built_in_file import built_in_file

READING_SECONDS = 5.0
"""A prompt of a thousand tokens takes longer than this on any two cores."""

SYSTEM = ChatMessage("system", "You are AICO, a warm companion. Answer in one short sentence.")


@pytest.fixture(scope="module")
def model() -> Iterator[BuiltInChat]:
    chat = BuiltInChat(built_in_file())
    yield chat
    chat.close()


def _ask(model: BuiltInChat, text: str, options: ChatOptions | None = None) -> list[ChatPiece]:
    prompt = (SYSTEM, ChatMessage("user", text))
    return list(model.stream(prompt, options or model.default_options, threading.Event()))


def test_that_the_built_in_model_talks(model: BuiltInChat) -> None:
    assert model.problem() is None
    pieces = _ask(model, "Hello, how are you today?")
    text = "".join(piece.text for piece in pieces)
    assert len(text.split()) >= 3
    assert pieces[-1].done
    assert model.is_loaded()


def test_that_its_prompts_fixed_part_is_read_only_once(model: BuiltInChat) -> None:
    long_system = ChatMessage("system", SYSTEM.content * 12)
    one = ChatOptions(reply_tokens=1)
    seconds = []
    for text in ("Hi there", "Good day"):
        begun = time.process_time()
        list(model.stream((long_system, ChatMessage("user", text)), one, threading.Event()))
        seconds.append(time.process_time() - begun)
    assert seconds[1] < seconds[0] / 2  # the work of the same run, not a wall time


def test_that_a_stop_while_it_reads_the_prompt_frees_the_reader_at_once(
    model: BuiltInChat,
) -> None:
    cancelled = threading.Event()
    ended: list[float] = []
    prompt = (SYSTEM, ChatMessage("user", "soup word " * 500))

    def read() -> None:
        list(model.stream(prompt, model.default_options, cancelled))
        ended.append(time.monotonic())

    reader = threading.Thread(target=read)
    reader.start()
    reader.join(0.5)  # it is reading the prompt now, which takes several seconds
    stopped_at = time.monotonic()
    cancelled.set()
    reader.join(10)
    assert ended
    assert ended[0] - stopped_at < READING_SECONDS / 4
    asked_at = time.monotonic()
    _ask(model, "Hi", ChatOptions(reply_tokens=1))
    assert time.monotonic() - asked_at < READING_SECONDS  # it does not read on to the end


def test_that_a_prompt_beyond_its_context_is_refused_as_such(model: BuiltInChat) -> None:
    with pytest.raises(ChatModelError) as caught:
        _ask(model, "soup " * 3000)
    assert caught.value.code == "context_full"


def test_that_it_goes_on_from_a_partial_answer(model: BuiltInChat) -> None:
    prompt = (
        SYSTEM,
        ChatMessage("user", "Where?"),
        ChatMessage("assistant", "The capital of France is"),
    )
    pieces = list(model.stream(prompt, ChatOptions(reply_tokens=4), threading.Event()))
    assert "".join(piece.text for piece in pieces).startswith(" Paris")


@pytest.mark.parametrize(
    "text",
    [
        "Hello, my name is Mara and I live in Dresden with my sister.",
        "On 12.03.2026 at 14:35 I paid 1,234.56 € for it!!!",
        "Übermut tut selten gut, sagte Käthe.",
        "日本語のテキスト",
        "def f(x):\n    return x ** 2  # squares\n",
        "Antidisestablishmentarianism, incomprehensibilities and counterrevolutionaries",
        "😀 👩‍👩‍👧 ok",
    ],
)
def test_that_the_token_estimate_is_never_far_below_the_models_own_count(
    model: BuiltInChat, text: str
) -> None:
    pieces = list(
        model.stream(
            (ChatMessage("user", text * 4),), ChatOptions(reply_tokens=1), threading.Event()
        )
    )
    stats = pieces[-1].stats
    assert stats is not None
    assert stats.prompt_tokens is not None
    own = stats.prompt_tokens - 27  # the template and its default system prompt
    assert estimate_tokens(text * 4) >= own * 0.9
    assert estimate_tokens(text * 4) <= own * 2.5


def test_that_a_reply_ends_after_two_sentences_wherever_it_is_cut() -> None:
    whole = "It is 3.5 km, Dr. No! How nice… really? I think so. More"
    for size in (1, 2, 5, 100):
        parts = [whole[i : i + size] for i in range(0, len(whole), size)]
        pieces = list(first_sentences(iter([ChatPiece(text=part) for part in parts]), 3))
        assert "".join(piece.text for piece in pieces) == "It is 3.5 km, Dr. No! How nice…"
        assert pieces[-1].done


def test_that_a_reply_ends_with_its_first_paragraph() -> None:
    pieces = [ChatPiece(text="\n\nHello"), ChatPiece(text=" you\n"), ChatPiece(text="\nand I")]
    assert "".join(p.text for p in first_sentences(iter(pieces), 2)) == "\n\nHello you"
