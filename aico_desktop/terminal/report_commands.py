"""`aico stats`, `aico doctor` and `aico db init`: the state of a home."""

from __future__ import annotations

import typer

from aico_desktop.contract.client import BackendUnreachable, RequestFailed
from aico_desktop.contract.messages import Doctor, DoctorCheck, DoctorReply, Stats, StatsReply
from aico_desktop.paths import HomePaths
from aico_desktop.terminal.local_checks import local_checks
from aico_desktop.terminal.memory_commands import counted
from aico_desktop.terminal.options import (
    EXIT_REFUSED,
    HomeOption,
    JsonOption,
    chosen_home,
    help_without_command,
)
from aico_desktop.terminal.output import complain, print_json, print_table, say
from aico_desktop.terminal.session import START_PROBLEMS, connect, connected

db_app = typer.Typer(
    help="The database of a home.",
    invoke_without_command=True,
    callback=help_without_command,
    add_completion=False,
)

MOST_JOBS_SHOWN = 20
DOCTOR_TIMEOUT_S = 120.0


def stats(context: typer.Context, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Count what is stored, and show the memory jobs that failed."""
    with connected(chosen_home(context, home), as_json) as client:
        reply = client.request_as(StatsReply, Stats())
    failed = [job for job in reply.jobs if job.state == "failed"][:MOST_JOBS_SHOWN]
    if as_json:
        print_json({**reply.counts, "failed_jobs": failed})
        return
    print_table(("WHAT", "NUMBER"), [(name, str(n)) for name, n in reply.counts.items()])
    for job in failed:
        tried = f"tried {counted(job.attempts, 'time')}"
        say(f"memory job {job.job_id}: {job.state}, {tried} {job.reason}".rstrip())


def doctor(context: typer.Context, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Check every part of AICO and change nothing."""
    paths = chosen_home(context, home)
    checks = local_checks(paths)
    reply = _ask_backend(paths, checks)
    checks.extend(reply.checks)
    if as_json:
        print_json({"checks": checks, "rejected": reply.rejected})
    else:
        rows = [("ok" if check.ok else "NO", check.name, check.detail) for check in checks]
        print_table(("", "PART", ""), rows, whole=2)
        for reason, number in reply.rejected.items():
            say(f"kept out of the memory, {reason}: {number}")
    if not all(check.ok for check in checks):
        raise typer.Exit(EXIT_REFUSED)


@db_app.command("init")
def init(context: typer.Context, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Make the home and its database if there are none; harmless when there are."""
    paths = chosen_home(context, home)
    existed = paths.database.exists()
    with connected(paths, as_json):
        pass  # the backend makes and migrates the database before it lets anybody in
    if as_json:
        print_json({"home": str(paths.root), "created": not existed})
    else:
        say(f"{paths.root} is ready." if existed else f"Made {paths.root}. It is ready.")


def _ask_backend(paths: HomePaths, checks: list[DoctorCheck]) -> DoctorReply:
    """The backend's own checks; that it cannot be asked is the most telling result of all."""
    try:
        with connect(paths) as client:
            return client.request_as(DoctorReply, Doctor(), DOCTOR_TIMEOUT_S)
    except (BackendUnreachable, RequestFailed, OSError, *START_PROBLEMS) as problem:
        complain("The backend could not be asked, so its stores were not checked.")
        checks.append(DoctorCheck(name="backend", ok=False, detail=str(problem)))
        return DoctorReply(checks=())
