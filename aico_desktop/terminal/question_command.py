"""`aico ask`: a question that the memory alone answers."""

from __future__ import annotations

from typing import Annotated

import typer

from aico_desktop.contract.messages import Answer, Ask
from aico_desktop.terminal.options import HomeOption, JsonOption, chosen_home
from aico_desktop.terminal.output import print_json, say
from aico_desktop.terminal.session import connected, wrong_use


def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="In your own words.")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question from what AICO knows, without any language model."""
    if not question.strip():
        wrong_use("There is no question.", as_json)
    with connected(chosen_home(context, home), as_json) as client:
        reply = client.request_as(Answer, Ask(question=question))
    if as_json:
        print_json(
            {
                "answer": reply.answer,
                "facts": reply.facts,
                "sources": reply.sources,
                "abstained": reply.abstained,
            }
        )
        return
    say(reply.answer)
    if reply.facts:
        say(f"(known from {', '.join(reply.facts)}; `aico memory why ID` shows the words)")
