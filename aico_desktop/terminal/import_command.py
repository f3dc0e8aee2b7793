"""`aico ingest`: conversations from a file become messages and memory."""

from __future__ import annotations

import sys
import time
import uuid
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from aico_desktop.paths import HomePaths
from aico_desktop.terminal.import_rows import RowReader, WrongFile
from aico_desktop.terminal.importing import Importer, ImportReport, ImportStalled
from aico_desktop.terminal.memory_commands import counted
from aico_desktop.terminal.options import EXIT_REFUSED, HomeOption, JsonOption, chosen_home
from aico_desktop.terminal.output import complain, print_json
from aico_desktop.terminal.session import connect, refuse, saying_no_in_words

MOST_PROBLEMS_SHOWN = 50


def ingest(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE.jsonl", readable=False, help="One message per line, as JSON."),
    ],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read conversations from a file, and wait until their memory is built.

    What it did is printed as JSON either way; with --json, why it could not is data too.

    Each line holds {"id"?, "conversation", "role": "user"|"assistant"|"other", "speaker", "time",
    "text", "image_caption"?}. Rows with an id are stored once, however often they are read.
    """
    began = time.monotonic()
    paths = chosen_home(context, home)
    with saying_no_in_words(as_json):
        try:
            with _opened(file, as_json) as opened:
                reader, report = _import(paths, opened, file.name)
        except (WrongFile, ImportStalled) as error:
            refuse(str(error), as_json, error)
        except KeyboardInterrupt:
            words = "Stopped. What was stored stays, and its memory is built when AICO runs."
            refuse(words, as_json)
    notes = sorted([*reader.notes, *report.notes], key=lambda note: note.line)
    problems = sorted([*reader.problems, *report.problems], key=lambda problem: problem.line)
    for note in notes[:MOST_PROBLEMS_SHOWN]:
        complain(f"line {note.line}: {note.reason}")
    if len(notes) > MOST_PROBLEMS_SHOWN:
        complain(f"… and {counted(len(notes) - MOST_PROBLEMS_SHOWN, 'further note')}")
    for problem in problems[:MOST_PROBLEMS_SHOWN]:
        complain(f"line {problem.line}: {problem.reason}; skipped")
    if len(problems) > MOST_PROBLEMS_SHOWN:
        complain(f"… and {counted(len(problems) - MOST_PROBLEMS_SHOWN, 'further line')}")
    print_json(
        {
            "messages": report.stored,
            "facts_added": report.facts_added,
            "facts_confirmed": report.facts_confirmed,
            "facts_changed": report.facts_changed,
            "failed": report.failed_jobs + len(problems),
            "seconds": round(time.monotonic() - began, 3),
            "already_known": report.already_known,
            "skipped": problems,
            "notes": notes,
        }
    )
    if report.stored + report.already_known == 0:
        complain(f"No message could be stored from {file}.")
        raise typer.Exit(EXIT_REFUSED)


def _opened(file: Path, as_json: bool) -> BinaryIO:
    try:
        return file.open("rb")
    except OSError as error:
        refuse(f"{file} cannot be read: {error.strerror or type(error).__name__}.", as_json, error)


def _import(home: HomePaths, opened: BinaryIO, name: str) -> tuple[RowReader, ImportReport]:
    """Import from an open file; each run is a source of its own, so that its counts are its own."""
    run = f"import-{uuid.uuid4().hex[:12]}"
    reader = RowReader(opened, run)
    importer = Importer(
        connect=lambda: connect(home), source=f"{name} ({run})", progress=_show_progress
    )
    return reader, importer.run(reader)


def _show_progress(doing: str, done: int, total: int) -> None:
    """Keep one line on the terminal up to date; nothing where nobody watches."""
    if not sys.stderr.isatty():
        return
    end = "\n" if total and done >= total else ""
    of_total = f" of {total}" if total else ""
    sys.stderr.write(f"\r\x1b[K{done}{of_total} messages {doing}{end}")
    sys.stderr.flush()
