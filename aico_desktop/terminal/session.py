"""The connection of one terminal command, and how refusals become words and exit codes."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from aico_desktop.contract.client import BackendClient, BackendUnreachable, RequestFailed
from aico_desktop.contract.messages import Failure
from aico_desktop.launcher import BackendStartError, attach_or_start
from aico_desktop.paths import HomeFolderError, HomePaths, RuntimeFolderError
from aico_desktop.terminal.options import EXIT_REFUSED, EXIT_WRONG_USE
from aico_desktop.terminal.output import complain, print_json

CLIENT_NAME = "terminal"
START_PROBLEMS = (BackendStartError, HomeFolderError, RuntimeFolderError)


def connect(home: HomePaths, *, wants_events: bool = False) -> BackendClient:
    """A client of the running backend of ``home``, or of one that is started for it."""
    return attach_or_start(home, CLIENT_NAME, wants_events)


@contextmanager
def connected(
    home: HomePaths, as_json: bool, *, wants_events: bool = False
) -> Iterator[BackendClient]:
    """A connected client for the length of a command; refusals end the command in words."""
    with saying_no_in_words(as_json), connect(home, wants_events=wants_events) as client:
        yield client


@contextmanager
def saying_no_in_words(as_json: bool) -> Iterator[None]:
    """Turn what the backend (or starting it) refuses into words, and exit code 1.

    Params: ``as_json`` prints the refusal as data too, for the program that reads the output.
    """
    try:
        yield
    except RequestFailed as refusal:
        _tell(refusal.failure, as_json)
        raise typer.Exit(EXIT_REFUSED) from refusal
    except (BackendUnreachable, *START_PROBLEMS) as problem:
        tail = getattr(problem, "log_tail", "")
        _tell(Failure(code="unreachable", human=str(problem), technical=tail), as_json)
        if tail and not getattr(problem, "explained", False):
            complain(f"The last lines of its log:\n{tail}")
        raise typer.Exit(EXIT_REFUSED) from problem
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise  # nobody reads any more; the command line ends by itself then
        refuse(file_trouble(error), as_json, error)


def file_trouble(error: OSError) -> str:
    """Words for a file or folder that cannot be used."""
    what = error.filename if isinstance(error.filename, str) else "A file of AICO"
    return f"{what} cannot be used: {error.strerror or type(error).__name__}."


def refuse(words: str, as_json: bool, error: Exception | None = None) -> NoReturn:
    """End the command with exit code 1 and these words, as data too where that was asked for."""
    _tell(Failure(code="refused", human=words), as_json)
    raise typer.Exit(EXIT_REFUSED) from error


def wrong_use(words: str, as_json: bool) -> NoReturn:
    """End the command with exit code 2 and these words, as data too where that was asked for."""
    _tell(Failure(code="wrong_use", human=words), as_json)
    raise typer.Exit(EXIT_WRONG_USE)


def _tell(failure: Failure, as_json: bool) -> None:
    """Say why, and which ones a name may mean."""
    complain(failure.human)
    for candidate in failure.candidates:
        facts = f"{candidate.fact_count} known" if candidate.fact_count else "nothing known"
        description = f", {candidate.description}" if candidate.description else ""
        complain(f"  {candidate.entity_id}  {candidate.name}{description} ({facts})")
    if as_json:
        told = {
            "code": failure.code,
            "message": failure.human,
            "candidates": failure.candidates,
        }
        print_json({"error": told})
