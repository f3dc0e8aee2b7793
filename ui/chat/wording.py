"""What the chat says about a turn, a time and a memory batch; words only, no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from aico_desktop.contract.messages import MemoryBatchView, MemoryItem, MessageView
from ui.chat.items import Item
from ui.chat.turn import Turn
from ui.widgets.icons import IconName

ELAPSED_FROM_S = 1.0
SLOW_FROM_S = 10.0
SILENT_FROM_S = 20.0
STORING_LONG_FROM_S = 30.0
UNACKNOWLEDGED_FROM_S = 1.0
"""When the state line starts to say more (reference/ux §4.2)."""

ActionLabels = tuple[tuple[str, str], ...]
"""Next steps as (verb, label)."""

_AGAIN: tuple[str, str] = ("ask_again", "Ask again")
_CONTINUE: tuple[str, str] = ("continue", "Continue")
_STOP: tuple[str, str] = ("stop", "Stop")
_SMALLER: tuple[str, str] = ("stop_and_use_built_in", "Use the built-in model")


@dataclass(frozen=True)
class StateWords:
    """One state line: an icon, a sentence, and what can be done about it."""

    icon: IconName
    text: str
    actions: ActionLabels = ()


@dataclass(frozen=True)
class FailureWords:
    """Why an answer is not whole, with the next steps and the technical text for those who ask."""

    text: str
    actions: ActionLabels
    technical: str = ""
    serious: bool = False


def sending_words(item: Item, now: float) -> StateWords | None:
    """The line of a message that the backend has not committed yet."""
    if item.delivery != "sending":
        return None
    if now - item.sent_at < UNACKNOWLEDGED_FROM_S:
        return StateWords("hourglass", "Sending…")
    return StateWords(
        "hourglass", "Waiting for the companion service…", (("resend", "Send again"),)
    )


def state_words(turn: Turn, now: float) -> StateWords | None:
    """The line of a turn's present state, or None when there is nothing to say."""
    elapsed = now - turn.since
    match turn.state:
        case "listening":
            return StateWords("check", "Listening…")
        case "waiting":
            return StateWords("hourglass", _waiting(turn))
        case "loading":
            return _loading(turn, elapsed)
        case "understanding":
            return _understanding(turn, elapsed)
        case "thinking":
            return StateWords("speech", f"Thinking…{_seconds(elapsed)}")
        case "responding":
            if turn.last_text and now - turn.last_text > SILENT_FROM_S:
                return StateWords("alert", "The model has stopped sending.", (_STOP,))
            return StateWords("speech", "Responding…")
        case "storing":
            if elapsed > STORING_LONG_FROM_S:
                return StateWords("memory", "Memory will be finished in the background")
            return StateWords("memory", "Storing in memory…")
        case "paused":
            return StateWords("pause", "Memory is paused and will finish later")
        case _:
            return None


def _waiting(turn: Turn) -> str:
    ahead = turn.detail.get("jobs_ahead", turn.detail.get("ahead", 0))
    reason = turn.detail.get("reason", turn.detail.get("what", ""))
    if reason:
        return f"Waiting for the model ({reason})"
    if isinstance(ahead, int | float) and ahead >= 1:
        jobs = "1 job" if ahead == 1 else f"{ahead:.0f} jobs"
        return f"Waiting for the model ({jobs} ahead)"
    return "Waiting for the model"


def _loading(turn: Turn, elapsed: float) -> StateWords:
    model = str(turn.detail.get("model", "the model"))
    size = turn.detail.get("size_bytes", 0)
    if isinstance(size, int | float) and size > 0:
        model = f"{model} ({size_in_words(size)})"
    percent = turn.detail.get("percent")
    share = f" {percent:.0f} %" if isinstance(percent, int | float) else ""
    text = f"Loading {model}…{share}{_seconds(elapsed)}"
    if elapsed < SLOW_FROM_S:
        return StateWords("hourglass", text)
    return StateWords(
        "hourglass", f"{text}. The first answer takes longer; later ones do not", (_STOP,)
    )


def _understanding(turn: Turn, elapsed: float) -> StateWords:
    facts = turn.detail.get("facts", 0)
    note = turn.detail.get("note", "")
    text = f"Understanding ({note})…" if note else "Understanding…"
    if isinstance(facts, int | float) and facts >= 1:
        text = f"Looking at {_things(round(facts))} I know…"
    actions = (_STOP, _SMALLER) if elapsed >= SLOW_FROM_S else ()
    return StateWords("source", f"{text}{_seconds(elapsed)}", actions)


def _seconds(elapsed: float) -> str:
    return f" {elapsed:.0f} s" if elapsed >= ELAPSED_FROM_S else ""


def failure_words(
    message: MessageView, turn: Turn | None, *, superseded: bool = False
) -> FailureWords | None:
    """The line under an answer (or a question) that did not become whole.

    A ``superseded`` one was answered again since, so there is no next step to offer.
    """
    words = _failure_words(message, turn)
    if words is not None and superseded:
        return FailureWords(words.text, (), words.technical)
    return words


def _failure_words(message: MessageView, turn: Turn | None) -> FailureWords | None:
    if turn is not None and turn.error is not None:
        actions = tuple((action.verb, action.label) for action in turn.error.actions)
        return FailureWords(
            turn.error.human, actions or (_AGAIN,), turn.error.technical, serious=True
        )
    state: str = message.status
    if state == "complete" and turn is not None and message.message_id == turn.user_message_id:
        state = turn.state
    partial = message.role == "assistant" and bool(message.text)
    match state:
        case "stopped":
            if partial:
                return FailureWords("Stopped.", (_CONTINUE, _AGAIN))
            return FailureWords("Stopped before answering.", (_AGAIN,))
        case "interrupted":
            if partial:
                return FailureWords("This answer was interrupted.", (_CONTINUE, _AGAIN))
            return FailureWords("Interrupted before answering.", (_AGAIN,))
        case "failed":
            return FailureWords("The answer failed.", (_AGAIN,), serious=True)
        case _:
            return None


def chip_title(batch: MemoryBatchView) -> str:
    """What a closed chip says; empty when nothing is worth saying."""
    remembered = [item for item in batch.items if item.op in ("added", "changed", "ended")]
    questions = [item for item in batch.items if item.op == "question"]
    confirmed = [item for item in batch.items if item.op == "confirmed"]
    if batch.undone:
        # What was corrected before has another source now, so the batch may list nothing.
        taken = remembered or confirmed or questions
        return f"Taken back: {_things(len(taken))}" if taken else "Taken back"
    parts = []
    if remembered:
        parts.append(f"Remembered {_things(len(remembered))}")
    if questions:
        parts.append("1 question" if len(questions) == 1 else f"{len(questions)} questions")
    if not parts and confirmed:
        parts.append(f"Already knew {_things(len(confirmed))}")
    return " · ".join(parts)


VERBS: dict[str, tuple[IconName, str]] = {
    "added": ("plus", "New"),
    "changed": ("refresh", "Changed"),
    "confirmed": ("check", "Confirmed"),
    "ended": ("end", "Ended"),
    "question": ("question", "Question"),
}
"""Icon and spoken word of each verb of the chip (reference/ux §4.3)."""


def shown_items(batch: MemoryBatchView) -> tuple[MemoryItem, ...]:
    """The lines of an open chip: confirmations only when there is nothing else."""
    rest = tuple(item for item in batch.items if item.op != "confirmed")
    return rest or batch.items


def quote_of(item: MemoryItem, longest: int = 80) -> str:
    """The words that a line came from, shortened for one line."""
    if not item.evidence:
        return ""
    quote = " ".join(item.evidence[-1].quote.split())
    return quote if len(quote) <= longest else quote[: longest - 1].rstrip() + "…"


def _things(count: int) -> str:
    return "1 thing" if count == 1 else f"{count} things"


def size_in_words(size: float) -> str:
    """Bytes as people write them."""
    for unit, digits in (("bytes", 0), ("KB", 0), ("MB", 1)):
        if size < 1000:
            return f"{size:.{digits}f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def parsed_time(moment: str) -> datetime | None:
    """An ISO 8601 moment in the zone of this computer, or None if it is not one."""
    try:
        return datetime.fromisoformat(moment).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def clock_words(moment: str) -> str:
    """Hour and minute."""
    time = parsed_time(moment)
    return f"{time:%H:%M}" if time else ""


def day_words(day: date, today: date) -> str:
    """A day as a messenger writes it between messages."""
    if day == today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    if timedelta(0) < today - day < timedelta(days=7):
        return f"{day:%A}"
    if day.year == today.year:
        return f"{day.day} {day:%B}"
    return f"{day.day} {day:%B} {day.year}"


def age_group(day: date, today: date) -> str:
    """Heading under which a conversation stands in the list."""
    age = (today - day).days
    if age <= 0:
        return "Today"
    if age == 1:
        return "Yesterday"
    if age < 7:
        return "This week"
    if age < 31:
        return "This month"
    return f"{day:%B %Y}"


def speaker_name(message: MessageView) -> str:
    """Who says it, as the window shows it."""
    if message.role == "user":
        return "You"
    if message.role == "assistant":
        return "AICO"
    return message.speaker or "Someone"


def spoken_message(message: MessageView, today: date, extras: Sequence[str] = ()) -> str:
    """Speaker, time and words of a message as one text for screen readers."""
    time = parsed_time(message.said_at)
    when = f", {day_words(time.date(), today)} {time:%H:%M}" if time else ""
    tail = "".join(f" {extra}." for extra in extras if extra)
    return f"{speaker_name(message)}{when}: {message.text}{tail}"
