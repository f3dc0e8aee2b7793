"""Options that every command of `aico` shares, and the exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aico_desktop.paths import HomePaths, default_home

EXIT_REFUSED = 1
"""The product says no, and said why in words."""

EXIT_WRONG_USE = 2
"""The command was not used as it can be."""


def home_folder(given: str) -> Path:
    """The folder of ``--home``; an empty name would silently mean the current folder."""
    if not given.strip():
        raise typer.BadParameter("the folder's name is empty.")
    return Path(given)


HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="DIR",
        parser=home_folder,
        help="The folder that holds everything AICO knows. Default: AICO_HOME, else your own.",
        show_default=False,
    ),
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]


def chosen_home(context: typer.Context, given: Path | None) -> HomePaths:
    """The home named with the command, else before it, else by ``AICO_HOME``, else the default."""
    before_command = context.find_root().params.get("home")
    for folder in (given, before_command):
        if folder is not None:
            return HomePaths(Path(folder).expanduser().absolute())
    return default_home()


def help_without_command(context: typer.Context) -> None:
    """A group of commands says which there are; that none was named is wrong use."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(EXIT_WRONG_USE)
