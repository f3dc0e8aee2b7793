"""How the panel says confidence, meaning, origin and kind of a fact in words; no Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from aico_desktop.contract.messages import EvidenceView, FactView
from ui.knowledge.dates import day_of, interval_in_words, is_one_day, is_past, moment_in_words

SURE_FROM = 0.8
THINK_FROM = 0.5
"""Lowest confidence that is called *sure*, and *I think* (the words of reference/ux §1b, 36)."""

_MODALITIES = {
    "planned": ("Planned", "a plan"),
    "wished": ("Wish", "a wish"),
    "possible": ("Maybe", "only possible"),
    "hypothetical": ("What if", "only imagined"),
    "joking": ("Joke", "said as a joke"),
    "quoted": ("Quote", "a quotation"),
    "reported": ("Hearsay", "heard from someone else"),
    "fictional": ("Story", "from a story"),
    "inferred": ("Inferred", "inferred, nobody said it"),
}
_STATUSES = {
    "PROPOSED": ("To review", "waiting for your review"),
    "CONTRADICTED": ("In question", "contradicted by something else you said"),
    "SUPERSEDED": ("Replaced", "replaced by a newer fact"),
    "RETRACTED": ("Taken back", "taken back"),
    "STALE": ("Old", "not mentioned for a long time"),
}
_LABELS = {
    "PERSON": ("person", "people"),
    "GROUP": ("group of people", "groups of people"),
    "PET": ("pet", "pets"),
    "PLACE": ("place", "places"),
    "ORGANIZATION": ("organisation", "organisations"),
    "EVENT": ("event", "events"),
    "PROJECT": ("project", "projects"),
    "GOAL": ("goal", "goals"),
    "TASK": ("task", "tasks"),
    "ACTIVITY": ("activity", "activities"),
    "INTEREST": ("interest", "interests"),
    "PRIORITY": ("priority", "priorities"),
    "OBJECT": ("thing", "things"),
    "FOOD": ("food or drink", "food and drink"),
    "CREATIVE_WORK": ("work of art", "works of art"),
    "LANGUAGE": ("language", "languages"),
    "INSTRUMENT": ("instrument", "instruments"),
    "CONDITION": ("condition", "conditions"),
    "FIELD": ("field", "fields"),
}
_FIRST_WORD = re.compile(r"[._:]")
_CHANGES = {
    "added": "Learnt",
    "created": "Learnt",
    "changed": "Changed",
    "superseded": "Replaced",
    "refined": "Made more exact",
    "confirmed": "Heard again",
    "ended": "Ended",
    "edited": "Corrected by you",
    "corrected": "Corrected by you",
    "reopened": "So again",
    "retracted": "Taken back",
    "undone": "Undone",
    "contradicted": "Put in question",
}
_REASONS = {
    "user_correction": "You corrected it",
    "conflict_resolution": "It did not fit something else that you said",
    "new_information": "You told me something new",
}


@dataclass(frozen=True, slots=True)
class Confidence:
    """A confidence in words; ``filled`` of three dots are drawn beside them."""

    words: str
    filled: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A short word on a fact, and what it means for a screen reader or tool tip."""

    word: str
    meaning: str


def confidence_in_words(confidence: float) -> Confidence:
    """Sure, I think or a guess (reference/ux §1b, row 36)."""
    if confidence >= SURE_FROM:
        return Confidence("sure", 3)
    if confidence >= THINK_FROM:
        return Confidence("I think", 2)
    return Confidence("a guess", 1)


def marks_of(fact: FactView, today: date) -> tuple[Mark, ...]:
    """All that makes a fact other than plainly so now, as words."""
    marks: list[Mark] = []
    # What happened on one day is not "no longer so": it stays true that one was born.
    if is_past(fact.valid_until, today) and not is_one_day(fact.valid_from, fact.valid_until):
        marks.append(Mark("Past", "no longer so"))
    else:
        start = day_of(fact.valid_from) if fact.valid_from else None
        if start is not None and start > today and fact.modality != "planned":
            marks.append(Mark("Later", "not yet so"))
    if fact.polarity == "negated":
        marks.append(Mark("Not", "this is not so"))
    if fact.modality in _MODALITIES:
        marks.append(Mark(*_MODALITIES[fact.modality]))
    if fact.status in _STATUSES:
        marks.append(Mark(*_STATUSES[fact.status]))
    if fact.speaker not in ("", "me"):
        marks.append(Mark(f"{fact.speaker} said", f"said by {fact.speaker}"))
    if fact.sensitive:
        marks.append(Mark("Private", "a sensitive topic"))
    return tuple(marks)


def dates_in_words(fact: FactView, today: date) -> str:
    """When the fact holds, starting with a capital; empty if nothing is known."""
    words = interval_in_words(fact.valid_from, fact.valid_until, fact.valid_precision, today)
    return words[:1].upper() + words[1:]


def spoken_fact(fact: FactView, today: date) -> str:
    """One sentence that says all that a row shows, for screen readers."""
    parts = [fact.text, confidence_in_words(fact.confidence).words]
    parts += [mark.meaning for mark in marks_of(fact, today)]
    if dates := dates_in_words(fact, today):
        parts.append(dates)
    return ", ".join(parts)


def method_in_words(method: str) -> str:
    """How a piece of evidence was learnt."""
    kind = method.casefold()
    # The whole word: the rules "personal.name" and "person_edit" are not the same hand.
    if _FIRST_WORD.split(kind, maxsplit=1)[0] in ("person", "edit", "edited", "manual"):
        return "You wrote this yourself."
    if kind.startswith(("import", "ingest")):
        return "Read in an imported conversation."
    if kind.startswith(("infer", "logic", "premise")):
        return "Inferred from other facts; nobody said it."
    if kind.startswith(("model", "llm", "gliner", "gleaning", "relation")):
        return "Read in these words by a language model."
    return "Read in these words."


def origin_of(evidence: EvidenceView) -> str:
    """Who said it and when, for the line under a quote."""
    speaker = "You" if evidence.speaker in ("", "me") else evidence.speaker
    return f"{speaker}, {moment_in_words(evidence.said_at)}" if evidence.said_at else speaker


def change_in_words(change: str) -> str:
    """The verb of a history entry."""
    return _CHANGES.get(change.casefold(), change.replace("_", " ").capitalize())


def reason_in_words(reason: str) -> str:
    """Why a fact changed; a reason that is no code is words already."""
    return _REASONS.get(reason, reason)


def label_in_words(label: str | None, *, plural: bool = False) -> str:
    """What kind of thing an entity is."""
    known = _LABELS.get((label or "OBJECT").upper())
    if known is not None:
        return known[1] if plural else known[0]
    return (label or "").replace("_", " ").casefold()


def entity_name(entity_id: str, name: str) -> str:
    """The name shown for an entity; the owner of the memory is "You"."""
    return "You" if "me" in (entity_id, name) else name


def passages(count: int) -> str:
    """``count`` blanked places in words."""
    return "1 passage" if count == 1 else f"{count} passages"


def facts(count: int) -> str:
    """``count`` facts in words."""
    return "1 fact" if count == 1 else f"{count} facts"
