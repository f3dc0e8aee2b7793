"""Builds the prompt of one answer: fixed part first, own token budget, nothing cut in silence."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from backend.conversation.citations import without_citations
from backend.conversation.history import HistoryMessage, QuotedFile
from backend.conversation.quoting import attachment_block, cut_middle, disarm, memory_block
from backend.inference.chat import ChatMessage, ChatModel, ChatRole
from backend.inference.tokens import estimate_message_tokens, estimate_tokens

MEMORY_ENGINE = "memory"
"""The engine of answers that the memory gave by itself."""
PROMPTS_FOLDER = Path(__file__).resolve().parents[2] / "resources" / "prompts"
_MARGIN_TOKENS = 48
"""For what templates add around the whole prompt."""
_MEMORY_TOKENS = 600
_SMALL_MEMORY_TOKENS = 150
"""DESIGN §5: at most 150 tokens of recalled memory for the built-in model."""
_SMALL_HISTORY_TOKENS = 400
"""The built-in model reads 130 tokens a second and follows no longer story anyway."""
_DROP_STEP = 4
"""Messages leave the prompt by fours: each departure makes the engine read all the rest again."""


@dataclass(frozen=True)
class PromptTexts:
    """The fixed texts for one kind of model, from resources/prompts."""

    system: str
    continue_request: str
    examples: tuple[tuple[str, str], ...]

    @classmethod
    def load(cls, path: Path) -> PromptTexts:
        """Read one file. Raises OSError, KeyError or tomllib.TOMLDecodeError."""
        table = tomllib.loads(path.read_text("utf-8"))
        examples = tuple((each["person"], each["companion"]) for each in table.get("examples", ()))
        return cls(table["system"].strip(), table["continue_request"].strip(), examples)

    def fixed_part(self) -> list[ChatMessage]:
        """Return what stands at the front of every prompt."""
        messages = [ChatMessage("system", self.system)]
        for person, companion in self.examples:
            messages += [ChatMessage("user", person), ChatMessage("assistant", companion)]
        return messages


@dataclass(frozen=True)
class Prompt:
    """The messages, and what had to be left out of them."""

    messages: tuple[ChatMessage, ...]
    facts_used: int
    history_used: int
    history_left_out: int
    characters_left_out: int


@dataclass(frozen=True)
class Question:
    """What is to be answered; ``partial`` is an answer to go on from."""

    text: str
    facts: Sequence[str] = ()
    attachments: Sequence[QuotedFile] = ()
    partial: str = ""


class PromptBuilder:
    """Makes prompts for full and for small models.

    :param folder: where the fixed texts lie.
    """

    def __init__(self, folder: Path = PROMPTS_FOLDER) -> None:
        self._full = PromptTexts.load(folder / "companion.toml")
        self._small = PromptTexts.load(folder / "companion_small.toml")

    def build(
        self,
        model: ChatModel,
        question: Question,
        history: Sequence[HistoryMessage],
        room_share: float = 1.0,
    ) -> Prompt:
        """Return the prompt; ``room_share`` below 1 leaves out more than the estimate demands."""
        texts = self._small if model.is_small else self._full
        fixed = texts.fixed_part()
        room = model.context_tokens - model.default_options.reply_tokens - _MARGIN_TOKENS
        room = int(room * room_share) - sum(estimate_message_tokens(m.content) for m in fixed)
        ending, facts_used, left_out = _ending(model, texts, question, room)
        room -= sum(estimate_message_tokens(each.content) for each in ending)
        if model.is_small:
            room = min(room, _SMALL_HISTORY_TOKENS)
        readable = _readable(history, model.is_small)
        kept, history_left_out = _fitting(readable, room)
        return Prompt(
            (*fixed, *kept, *ending),
            facts_used,
            len(kept),
            len(readable) - len(kept),
            left_out + history_left_out,
        )


def _ending(
    model: ChatModel, texts: PromptTexts, question: Question, room: int
) -> tuple[list[ChatMessage], int, int]:
    """Return the last messages, the number of facts in them, and the characters left out."""
    most_memory = _SMALL_MEMORY_TOKENS if model.is_small else _MEMORY_TOKENS
    memory, facts_used = memory_block(question.facts, min(most_memory, room // 4))
    room = room * 4 // 5 - estimate_tokens(memory)
    partial, _ = cut_middle(question.partial, room // 3)
    room -= estimate_tokens(partial)
    text, left_out = cut_middle(disarm(question.text), room)
    room -= estimate_tokens(text)
    blocks, quoted_left_out = _quoted(question.attachments, room)
    parts = [memory, *blocks, text]
    ending = [ChatMessage("user", "\n\n".join(part for part in parts if part))]
    if partial:
        ending.append(ChatMessage("assistant", partial))
        if not model.continues_partial:
            ending.append(ChatMessage("user", texts.continue_request))
    return ending, facts_used, left_out + quoted_left_out


def _quoted(attachments: Sequence[QuotedFile], room: int) -> tuple[list[str], int]:
    """Return as much of each attachment as fits, sharing the room equally."""
    blocks: list[str] = []
    left_out = 0
    for index, attachment in enumerate(attachments):
        share = room // (len(attachments) - index) - 20  # the tags
        if share < 20:
            left_out += len(attachment.text)
            continue
        text, missing = cut_middle(attachment.text, share)
        left_out += missing
        blocks.append(attachment_block(attachment.name, text))
        room -= estimate_tokens(blocks[-1])
    return blocks, left_out


def _readable(history: Sequence[HistoryMessage], is_small: bool) -> list[HistoryMessage]:
    """Return the history without citations, which a model would imitate with invented ones.

    A small model imitates the memory's answers even without them: for it they and their questions
    are left out, as are answers of which nothing but a quotation remains.
    """
    readable: list[HistoryMessage] = []
    for message in history:
        if message.role != "assistant":
            readable.append(message)
            continue
        text = without_citations(message.text)
        if text and not (is_small and message.engine == MEMORY_ENGINE):
            readable.append(msgspec.structs.replace(message, text=text))
        elif readable and readable[-1].role == "user":
            readable.pop()
    return readable


def _fitting(history: Sequence[HistoryMessage], room: int) -> tuple[list[ChatMessage], int]:
    """Return the newest messages that fit, oldest first, and the characters cut out of them.

    The first of them changes only every few messages, so that the engine's cache holds.
    """
    most_for_one = max(room // 2, 0)
    newest_first: list[ChatMessage] = []
    cuts: list[int] = []
    for message in reversed(history):
        content, cut = cut_middle(_content(message), most_for_one)
        room -= estimate_message_tokens(content)
        if room < 0:
            break
        role: ChatRole = "assistant" if message.role == "assistant" else "user"
        newest_first.append(ChatMessage(role, content))
        cuts.append(cut)
    start = len(history) - len(newest_first)
    stepped = start
    while 0 < stepped < len(history) and history[stepped].ordinal % _DROP_STEP != 1:
        stepped += 1
    kept = len(history) - (stepped if stepped < len(history) else start)
    return newest_first[:kept][::-1], sum(cuts[:kept])


def _content(message: HistoryMessage) -> str:
    text = disarm(message.text)
    if message.role == "other":  # models know two speakers only
        text = f"{message.speaker}: {text}"
    blocks = [attachment_block(each.name, each.text) for each in message.attachments]
    return "\n\n".join([*blocks, text])
