"""The `aico` command: opens the window, and everything that can be done in a terminal."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from aico_desktop import __version__
from aico_desktop.terminal.chat_command import chat
from aico_desktop.terminal.import_command import ingest
from aico_desktop.terminal.memory_commands import memory_app
from aico_desktop.terminal.opening import open_window
from aico_desktop.terminal.options import EXIT_REFUSED, HomeOption, chosen_home
from aico_desktop.terminal.output import complain, print_json, use_utf8_everywhere
from aico_desktop.terminal.question_command import ask
from aico_desktop.terminal.report_commands import db_app, doctor, stats
from aico_desktop.terminal.session import file_trouble

# Tracebacks with the values of variables would show what people said.
app = typer.Typer(
    name="aico",
    help="AICO Desktop: a companion that lives on your computer, talks with you, and remembers.",
    pretty_exceptions_enable=False,
)
app.command("chat")(chat)
app.command("ingest")(ingest)
app.add_typer(memory_app, name="memory")
app.command("ask")(ask)
app.command("stats")(stats)
app.command("doctor")(doctor)
app.add_typer(db_app, name="db")


def _print_version(wished: bool) -> None:
    if wished:
        typer.echo(f"AICO Desktop {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def aico(
    context: typer.Context,
    home: HomeOption = None,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print it."),
    ] = False,
) -> None:
    """Open the window; with a command, do that instead."""
    del version
    if context.invoked_subcommand is None:
        raise typer.Exit(open_window(chosen_home(context, home)))


def main() -> None:
    """Run the command line; ends the process with exit code 0, 1 or 2."""
    use_utf8_everywhere()
    try:
        app()
    except OSError as error:
        # Nothing that goes wrong with a file may end in a traceback before the person.
        complain(file_trouble(error))
        if "--json" in sys.argv:
            print_json({"error": {"code": "refused", "message": file_trouble(error)}})
        sys.exit(EXIT_REFUSED)


if __name__ == "__main__":
    main()
