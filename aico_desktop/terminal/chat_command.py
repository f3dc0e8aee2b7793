"""`aico chat`: talk with AICO in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from aico_desktop.contract.client import BackendClient
from aico_desktop.contract.messages import ConversationCreated, CreateConversation
from aico_desktop.paths import HomePaths
from aico_desktop.terminal.chat_follower import ChatFollower, FollowedTurn
from aico_desktop.terminal.chat_session import ChatSession
from aico_desktop.terminal.chat_view import ChatView
from aico_desktop.terminal.options import (
    EXIT_REFUSED,
    HomeOption,
    JsonOption,
    chosen_home,
)
from aico_desktop.terminal.output import print_json
from aico_desktop.terminal.session import connect, connected, wrong_use

PROMPT = "you: "
GREETING = "AICO listens. /help lists commands, Ctrl+D leaves."


def chat(
    context: typer.Context,
    once: Annotated[
        str | None, typer.Option("--once", metavar="TEXT", help="Say TEXT, show the answer, leave.")
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Talk with AICO here, without the window."""
    paths = chosen_home(context, home)
    if once is None:
        if as_json:
            wrong_use("--json goes together with --once.", as_json)
        talk(paths)
        return
    if not once.strip():
        wrong_use("There is nothing to say.", as_json)
    _say_once(paths, once, as_json)


def talk(home: HomePaths) -> None:
    """Chat until the person leaves, or until the end of what is piped in."""
    live = sys.stdin.isatty() and sys.stdout.isatty()
    typed_so_far = _edit_lines() if live else str
    view = ChatView(sys.stdout, live, PROMPT if live else "", typed_so_far)
    with connected(home, as_json=False, wants_events=True) as client:
        follower, session = _begin(client, home, view, patient=not live)
        if live:
            view.say(GREETING)
        try:
            while (line := _next_line(view, live)) is not None and line.strip() != "/quit":
                if line.strip() and not session.carry_out(line):
                    session.say(line)
        finally:
            client.close()
            follower.join()


def _say_once(home: HomePaths, text: str, as_json: bool) -> None:
    # Where the answer goes to a program, the view's words go to the other stream.
    view = ChatView(sys.stderr if as_json else sys.stdout, live=False)
    with connected(home, as_json, wants_events=True) as client:
        follower, session = _begin(client, home, view, patient=True)
        try:
            turn = session.say(text)
        finally:
            client.close()
            follower.join()
    if turn is None:
        raise typer.Exit(EXIT_REFUSED)
    if as_json:
        print_json(_as_data(turn))
    if turn.error is not None:
        raise typer.Exit(EXIT_REFUSED)


def _begin(
    client: BackendClient, home: HomePaths, view: ChatView, *, patient: bool
) -> tuple[ChatFollower, ChatSession]:
    """A new conversation, followed from its first event on."""
    created = client.request_as(ConversationCreated, CreateConversation())
    conversation_id = created.conversation.conversation_id

    def revive() -> None:
        connect(home).close()

    follower = ChatFollower(client, conversation_id, view, revive)
    follower.start()
    return follower, ChatSession(client, conversation_id, follower, view, patient=patient)


def _as_data(turn: FollowedTurn) -> dict[str, Any]:
    answer = turn.answer
    return {
        "answer": answer.text if answer else turn.text,
        "engine": answer.engine if answer else None,
        "sources": answer.sources if answer else (),
        "state": turn.state,
        "error": turn.error.human if turn.error else None,
        "memory": [item for batch in turn.batches for item in batch.items],
    }


def _next_line(view: ChatView, live: bool) -> str | None:
    """The next line of the person; None at the end. Ctrl+C at the prompt only clears the line."""
    if not live:
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None
    while True:
        view.typing_began()
        try:
            line = input(PROMPT)
        except KeyboardInterrupt:
            view.typing_ended()
            view.say("\n(Ctrl+D leaves)")
        except EOFError:
            view.typing_ended()
            view.say("")
            return None
        else:
            view.typing_ended()
            return line


def _edit_lines() -> Callable[[], str]:
    """Give `input` arrow keys and history; returns what reads the line typed so far."""
    try:
        import readline
    except ImportError:  # Windows: its consoles edit lines by themselves
        return str
    return readline.get_line_buffer
