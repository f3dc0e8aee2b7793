"""Answers one turn: recall, prompt, model stream, and what happens when the model fails."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from aico_desktop.redaction import error_places
from backend.conversation.citations import CitationGuard
from backend.conversation.history import ConversationHistory
from backend.conversation.ports import Engines, Recall, Recalled
from backend.conversation.prompt import MEMORY_ENGINE, Prompt, PromptBuilder, Question
from backend.conversation.running_turn import Detail, RunningTurn
from backend.conversation.stream_pump import Silence, StreamPump
from backend.conversation.views import verbs_after
from backend.inference.chat import ChatModel, ChatModelError, ChatStats
from backend.storage.errors import StorageError

SAVE_SECONDS = 1.0
"""DESIGN §3: partial text saved each second."""
_ROOM_SHARES = (1.0, 0.5, 0.25)
"""How much of the context is filled, and refilled when an engine counts more tokens than we."""

NOTHING_LEFT = "I am not sure about that."
"""Said instead of an answer that was nothing but an invented citation."""

_log = logging.getLogger(__name__)


class Replier:
    """Runs turns one at a time, in the thread that calls :meth:`run`."""

    def __init__(
        self,
        recall: Recall,
        engines: Engines,
        prompts: PromptBuilder,
        history: ConversationHistory,
    ) -> None:
        self._recall = recall
        self._engines = engines
        self._prompts = prompts
        self._history = history
        self._pumps: list[StreamPump] = []

    def run(self, turn: RunningTurn) -> None:
        """Answer the turn, and end it; returns at once when somebody else has ended it."""
        try:
            turn.enter("understanding")
            self._answer(turn)
        except StorageError as failure:
            turn.end(
                "failed",
                turn.error(
                    "not_saved", f"The answer could not be saved. {failure}", verbs=("ask_again",)
                ),
            )
        except Exception as error:
            # The worker must live on, and the person must not wait for ever.
            _log.error("a turn failed unexpectedly: %s", error_places(error))
            turn.end(
                "failed",
                turn.error(
                    "internal",
                    "Something went wrong inside the companion service.",
                    type(error).__name__,
                    verbs=("ask_again", "show_log"),
                ),
            )

    def wait_for_streams(self) -> None:
        """Wait until the streams of ended turns are closed."""
        for pump in self._pumps:
            pump.join()
        self._pumps.clear()

    # ------------------------------------------------------------ steps

    def _answer(self, turn: RunningTurn) -> None:
        recalled = self._recall_for(turn)
        if turn.has_ended:
            return
        if recalled is not None and recalled.direct_answer and turn.partial is None:
            turn.add_text(recalled.direct_answer, MEMORY_ENGINE)
            turn.end("answered", sources=recalled.source_message_ids)
            return
        facts = tuple(recalled.facts_text) if recalled is not None else ()
        model: ChatModel | None = None
        try:
            model = self._engines.built_in() if turn.use_built_in else self._engines.current()
            self._ask_model(turn, model, facts)
        except ChatModelError as error:
            self._fail(turn, error, model)

    def _recall_for(self, turn: RunningTurn) -> Recalled | None:
        question = turn.question
        try:
            return self._recall.for_message(
                turn.scope, question.conversation_id, question.message_id, question.text
            )
        except StorageError:
            raise
        except Exception as error:
            # Talking without the memory is better than not talking.
            _log.error("recall failed: %s", error_places(error))
            return None

    def _ask_model(self, turn: RunningTurn, model: ChatModel, facts: Sequence[str]) -> None:
        earlier = self._history.before(turn.scope, turn.question)
        question = Question(
            text=turn.question.text,
            facts=facts,
            attachments=self._history.attachments_of(turn.scope, turn.question.message_id),
            partial=turn.partial.text if turn.partial is not None else "",
        )
        for share in _ROOM_SHARES:
            prompt = self._prompts.build(model, question, earlier, share)
            turn.enter("understanding", _prompt_detail(prompt))
            if not model.is_loaded():
                turn.enter("loading", _loading_detail(model))
            try:
                self._stream(turn, model, prompt)
                return
            except ChatModelError as error:
                too_long = error.code == "context_full" and not turn.has_new_text
                if not too_long or share == _ROOM_SHARES[-1]:
                    raise

    def _stream(self, turn: RunningTurn, model: ChatModel, prompt: Prompt) -> None:
        pump = StreamPump(
            lambda: model.stream(prompt.messages, model.default_options, turn.cancelled)
        )
        self._pumps = [*(each for each in self._pumps if each.is_open), pump]
        turn.when_ended(pump.wake)
        pump.start()
        stats = _read(turn, pump, model)
        if turn.has_ended:
            return
        if not turn.has_new_text and turn.partial is None:
            raise ChatModelError("stream_ended_early", "The model gave an empty answer.")
        turn.end("answered", tokens_per_second=stats.tokens_per_second if stats else None)

    def _fail(self, turn: RunningTurn, error: ChatModelError, model: ChatModel | None) -> None:
        has_text = turn.has_new_text or turn.partial is not None
        human = f"{error.human} Your text is safe." if has_text else error.human
        engine = model.engine if model is not None else None
        _log.info("a turn failed: %s", error.code)
        turn.end(
            "failed",
            turn.error(
                error.code,
                human,
                error.technical,
                verbs=verbs_after(error.code, engine, has_text),
            ),
        )


def _read(turn: RunningTurn, pump: StreamPump, model: ChatModel) -> ChatStats | None:
    """Pass the stream on to the turn, saving it each second. Raises ChatModelError."""
    guard = CitationGuard()
    try:
        stats = _read_guarded(turn, pump, model, guard)
    except ChatModelError:
        _show(guard.finish(), turn, model)  # what was held back counts as received
        raise
    _show(guard.finish(), turn, model)
    if guard.has_cut:
        _log.info("an invented citation was cut out of an answer")
        if not turn.has_new_text:
            _show(NOTHING_LEFT, turn, model)
    return stats


def _read_guarded(
    turn: RunningTurn, pump: StreamPump, model: ChatModel, guard: CitationGuard
) -> ChatStats | None:
    stats: ChatStats | None = None
    is_thinking = False
    save_at = time.monotonic() + SAVE_SECONDS
    while not turn.has_ended:
        item = pump.next(save_at - time.monotonic())
        if time.monotonic() >= save_at:
            turn.save_partial()
            save_at = time.monotonic() + SAVE_SECONDS
        if item is Silence.ENDED:
            break
        if item is Silence.STILL_OPEN:
            continue
        if isinstance(item, ChatModelError):
            raise item
        stats = item.stats or stats
        if item.thinking and not is_thinking and not turn.has_new_text:
            is_thinking = True
            turn.enter("thinking")
        _show(guard.feed(item.text), turn, model)
    return stats


def _show(text: str, turn: RunningTurn, model: ChatModel) -> None:
    """Add what may be shown to the answer, if anything."""
    shown = text if turn.has_new_text else _first_text(text, turn, model)
    if shown:
        turn.add_text(shown, model.engine)


def _first_text(text: str, turn: RunningTurn, model: ChatModel) -> str:
    """Return the beginning of an answer, or of its continuation, without stray white space."""
    if turn.partial is None:
        return text.lstrip()  # models begin with blank lines after thinking or a role line
    if model.continues_partial:
        return text
    stripped = text.lstrip()
    glued = bool(stripped) and not turn.partial.text[-1:].isspace()
    return f" {stripped}" if glued else stripped


def _prompt_detail(prompt: Prompt) -> Detail:
    """Say in numbers and words what the prompt was made of."""
    detail: Detail = {"facts": prompt.facts_used}
    notes: list[str] = []
    if prompt.history_left_out:
        detail["messages_used"] = prompt.history_used
        detail["messages_left_out"] = prompt.history_left_out
        notes.append(f"used the last {prompt.history_used} messages")
    if prompt.characters_left_out:
        detail["characters_left_out"] = prompt.characters_left_out
        notes.append(f"left out {prompt.characters_left_out:,} characters of a long text")
    if notes:
        detail["note"] = "; ".join(notes)
    return detail


def _loading_detail(model: ChatModel) -> Detail:
    detail: Detail = {"model": model.model}
    if model.size_bytes is not None:
        detail["size_bytes"] = model.size_bytes
    return detail
