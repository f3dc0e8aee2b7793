"""Writes docs/predicates.md, the page on labels and predicates, from the loaded ontology."""

from __future__ import annotations

from backend.ontology.model import Predicate
from backend.ontology.ontology import Ontology

_HEAD = """# Labels and predicates

What kinds of things the memory knows and how it links them. Written by `python -m backend.ontology`
from `resources/ontology/`; change it there.

"""


def predicates_page(ontology: Ontology) -> str:
    """The whole Markdown page, ending in a newline."""
    lines = [
        _HEAD,
        "## Labels\n\n| label | meaning | also accepted | properties |\n| --- | --- |"
        " --- | --- |\n",
    ]
    for label in ontology.labels.values():
        properties = ", ".join(label.properties)
        synonyms = ", ".join(label.synonyms)
        lines.append(f"| {label.name} | {label.meaning} | {synonyms} | {properties} |\n")
    topics: dict[str, list[Predicate]] = {}
    for predicate in ontology.predicates.values():
        topics.setdefault(predicate.topic, []).append(predicate)
    for topic, members in topics.items():
        lines.append(f"\n## {topic.capitalize()}\n\n")
        lines.append("| predicate | from → to | shown as | also accepted | notes |\n")
        lines.append("| --- | --- | --- | --- | --- |\n")
        lines.extend(_row(ontology, predicate) for predicate in members)
    return "".join(lines)


def _row(ontology: Ontology, predicate: Predicate) -> str:
    target = predicate.literal or ", ".join(predicate.range)
    shown = ontology.display(predicate.name, "me", "…")
    notes: list[str] = [predicate.knowledge] if predicate.knowledge != "semantic" else []
    if predicate.functional:
        notes.append("one at a time")
    if predicate.symmetric:
        notes.append("both ways")
    if predicate.parent:
        notes.append(f"implies {predicate.parent}")
    if predicate.inverse:
        notes.append(f"other way: {predicate.inverse}")
    if predicate.sensitivity == "sensitive":
        notes.append("sensitive")
    synonyms = ", ".join(predicate.synonyms)
    route = f"{', '.join(predicate.domain)} → {target}"
    return f"| {predicate.name} | {route} | {shown} | {synonyms} | {'; '.join(notes)} |\n"
