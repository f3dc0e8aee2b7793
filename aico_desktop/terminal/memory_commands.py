"""`aico memory …`: what AICO knows, why it knows it, and forgetting it."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from aico_desktop.contract.client import BackendClient
from aico_desktop.contract.messages import (
    EvidenceView,
    FactDetail,
    FactView,
    Forgotten,
    MemoryForget,
    MemoryWhy,
)
from aico_desktop.terminal.fact_ids import all_facts, short_ids, whole_id
from aico_desktop.terminal.options import (
    EXIT_REFUSED,
    HomeOption,
    JsonOption,
    chosen_home,
    help_without_command,
)
from aico_desktop.terminal.output import print_json, print_table, say
from aico_desktop.terminal.session import connected, wrong_use

memory_app = typer.Typer(
    help="What AICO knows, and why.",
    invoke_without_command=True,
    callback=help_without_command,
    add_completion=False,
)

LISTED_FIELDS = (
    *("id", "subject", "predicate", "object", "text", "polarity", "modality", "status"),
    *("confidence", "valid_from", "valid_until", "valid_precision", "recorded_at"),
)
EVIDENCE_FIELDS = ("conversation", "message_id", "start", "end", "quote")
MORE_EVIDENCE_FIELDS = ("said_at", "speaker", "method")
SURE = 0.85
LIKELY = 0.6


@memory_app.command("list")
def list_facts(
    context: typer.Context,
    about: Annotated[
        str | None, typer.Option("--about", metavar="NAME", help="Only what concerns NAME.")
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what AICO knows at present."""
    with connected(chosen_home(context, home), as_json) as client:
        facts = all_facts(client, about)
    if as_json:
        print_json([listed(fact) for fact in facts])
    elif not facts:
        say(f"Nothing is known about {about}." if about else "Nothing is known yet.")
    else:
        ids = short_ids([fact.id for fact in facts])
        rows = [(ids[fact.id], fact.text, when(fact), certainty(fact)) for fact in facts]
        print_table(("ID", "FACT", "WHEN", "CERTAINTY"), rows)


@memory_app.command("why")
def why(
    context: typer.Context,
    fact_id: Annotated[str, typer.Argument(metavar="ID", help="As `aico memory list` shows it.")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the words that a fact came from, and its history."""
    with connected(chosen_home(context, home), as_json) as client:
        detail = client.request_as(FactDetail, MemoryWhy(fact_id=whole_id(client, fact_id)))
    if as_json:
        print_json(
            {
                **listed(detail.fact, whole_evidence=True),
                "history": detail.history,
                "premises": [listed(fact) for fact in detail.premises],
            }
        )
    else:
        _tell_why(detail)


@memory_app.command("forget")
def forget(
    context: typer.Context,
    target: Annotated[str, typer.Argument(metavar="ID|NAME", help="A fact, or whom it is about.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Forget for good: the fact, and the words in the messages that it came from."""
    if not yes and not is_interactive():
        wrong_use("Forgetting cannot be undone. Add --yes to say that you mean it.", as_json)
    with connected(chosen_home(context, home), as_json) as client:
        target = whole_id(client, target)
        if not yes:
            _make_sure(client, target)
        gone = client.request_as(Forgotten, MemoryForget(target=target), timeout_s=120.0)
    if as_json:
        print_json(
            {
                "forgotten": [{"id": fact.id, "text": fact.text} for fact in gone.facts],
                "blanked_spans": gone.blanked_spans,
                "vectors_pending": gone.vectors_pending,
            }
        )
    else:
        for fact in gone.facts:
            say(f"Forgotten: {fact.text}")
        say(f"{counted(gone.blanked_spans, 'passage')} in your messages blanked.")
        if gone.vectors_pending:
            say("The search index is being rewritten in the background.")


def is_interactive() -> bool:
    """Whether a person is there to be asked."""
    return sys.stdin.isatty()


def listed(fact: FactView, *, whole_evidence: bool = False) -> dict[str, Any]:
    """The fields of a fact that programs may rely on."""
    names = EVIDENCE_FIELDS + (MORE_EVIDENCE_FIELDS if whole_evidence else ())
    evidence = [
        {**{name: getattr(part, name) for name in names}, "message_id": message_name(part)}
        for part in fact.evidence
    ]
    return {**{name: getattr(fact, name) for name in LISTED_FIELDS}, "evidence": evidence}


def message_name(part: EvidenceView) -> str:
    """The id that an import file gave the message, by which its owner knows it; else our own."""
    return part.external_id or part.message_id


def when(fact: FactView) -> str:
    """The time in which a fact holds, as short as its precision allows."""
    since, until = _short(fact.valid_from, fact), _short(fact.valid_until, fact)
    if since and until:
        return f"{since} to {until}"
    return f"since {since}" if since else f"until {until}" if until else ""


def certainty(fact: FactView) -> str:
    """How sure a fact is, in the words that the window uses too."""
    if fact.modality not in ("asserted", "inferred"):
        return fact.modality
    words = "sure" if fact.confidence >= SURE else "likely"
    if fact.confidence < LIKELY:
        words = "I think"
    return f"{words}, inferred" if fact.modality == "inferred" else words


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 passage", "2 passages"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _short(moment: str | None, fact: FactView) -> str:
    """Cut an ISO time to what is known of it."""
    length = {"year": 4, "month": 7}.get(fact.valid_precision or "", 10)
    return (moment or "")[:length]


def _tell_why(detail: FactDetail) -> None:
    fact = detail.fact
    say(f"{fact.text}  ({', '.join(part for part in (certainty(fact), when(fact)) if part)})")
    say("\nBecause:")
    for part in fact.evidence:
        say(f"  {_origin(part)}: “{part.quote}”")
    for premise in detail.premises:
        say(f"  follows from {premise.id}: {premise.text}")
    if detail.history:
        say("\nHistory:")
    for change in detail.history:
        values = " → ".join(value for value in (change.old, change.new) if value)
        say(f"  {change.changed_at[:16]}  {change.change}  {values}  {change.reason}".rstrip())


def _origin(part: EvidenceView) -> str:
    """Where a quotation stands, as far as it is known."""
    said = [part.said_at[:16], part.speaker if part.speaker != "me" else "you", part.conversation]
    return ", ".join(word for word in said if word) + f" [{message_name(part)}]"


def _make_sure(client: BackendClient, target: str) -> None:
    """Show what would go, and leave unless the person agrees."""
    preview = client.request_as(Forgotten, MemoryForget(target=target, preview=True))
    for fact in preview.facts:
        say(f"  {fact.text}")
    question = f"Forget {counted(len(preview.facts), 'fact')} and blank "
    question += f"{counted(preview.blanked_spans, 'passage')} in your messages?"
    if not typer.confirm(question):
        say("Nothing was forgotten.")
        raise typer.Exit(EXIT_REFUSED)
