"""`aico ask`, `aico stats`, `aico doctor` and `aico db init`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aico_desktop import cli
from aico_desktop.contract.messages import (
    Answer,
    Ask,
    Doctor,
    DoctorCheck,
    DoctorReply,
    Failure,
    JobView,
    Stats,
    StatsReply,
)
from aico_desktop.launcher import BackendStartError
from aico_desktop.paths import HomePaths
from tests.unit.aico_desktop.terminal.conftest import Run, Serve


def test_that_ask_prints_the_promised_fields(run: Run, serve: Serve) -> None:
    serve(
        {Ask: lambda wish: Answer(answer="Oda.", facts=("f1",), sources=("m1",), abstained=False)}
    )
    assert run("ask", "What is my sister's name?", "--json").data == {
        "answer": "Oda.",
        "facts": ["f1"],
        "sources": ["m1"],
        "abstained": False,
    }
    assert run("ask", "What is my sister's name?").out.startswith("Oda.\n")


def test_that_not_knowing_is_an_answer_and_no_failure(run: Run, serve: Serve) -> None:
    reply = Answer(answer="I do not know that.", facts=(), sources=(), abstained=True)
    serve({Ask: lambda wish: reply})
    ran = run("ask", "Who is my dentist?")
    assert (ran.code, ran.out) == (0, "I do not know that.\n")


def test_that_an_empty_question_is_wrong_use(run: Run) -> None:
    assert run("ask", "  ").code == 2


def test_that_stats_prints_counts_and_failed_jobs_alone(run: Run, serve: Serve) -> None:
    job = JobView(job_id="j1", message_id="m1", state="failed", attempts=3, reason="no parse")
    waits = JobView(job_id="j2", message_id="m2", state="pending", attempts=0, reason="")
    jobs = (*[job] * 30, *[waits] * 30)
    serve({Stats: lambda wish: StatsReply(counts={"messages": 4, "facts": 2}, jobs=jobs)})
    data = run("stats", "--json").data
    assert (data["messages"], data["facts"], data["failed_jobs"][0]["state"]) == (4, 2, "failed")
    out = run("stats").out
    assert "memory job j1: failed, tried 3 times no parse" in out
    assert len(data["failed_jobs"]) == out.count("memory job") == 20


def test_that_doctor_ends_with_one_when_a_part_is_not_well(
    run: Run, serve: Serve, home: HomePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AICO_MODELS", str(home.models))
    home.models.mkdir(parents=True)
    (home.models / "SmolLM2-135M-Instruct.Q4_1.gguf").touch()
    home.root.chmod(0o700)
    vectors = DoctorCheck(name="vectors", ok=True, detail="12 of 12")
    backend = serve({Doctor: lambda wish: DoctorReply(checks=(vectors,), rejected={"quoted": 3})})
    ran = run("doctor", "--json")
    assert ran.code == 0
    assert ran.data["rejected"] == {"quoted": 3}
    assert {"name": "vectors", "ok": True, "detail": "12 of 12"} in ran.data["checks"]
    home.root.chmod(0o755)
    ran = run("doctor")
    assert ran.code == 1
    assert "open to other users" in " ".join(ran.out.split())
    assert len(backend.requests(Doctor)) == 2


def test_that_doctor_still_tells_what_it_can_when_no_backend_starts(
    run: Run, home: HomePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(home: HomePaths, **_: object) -> None:
        raise BackendStartError("The AICO backend did not start (exit code 1).")

    monkeypatch.setattr("aico_desktop.terminal.report_commands.connect", refuse)
    ran = run("doctor", "--json")
    assert ran.code == 1
    names = {check["name"]: check["ok"] for check in ran.data["checks"]}
    assert names["python"] is True
    assert names["backend"] is False


def test_that_db_init_is_the_same_when_repeated(run: Run, serve: Serve, home: HomePaths) -> None:
    serve({})
    home.database.touch()
    first, second = run("db", "init", "--json"), run("db", "init", "--json")
    assert first.data == second.data == {"home": str(home.root), "created": False}


def test_that_home_may_stand_before_and_after_the_command(
    run: Run, serve: Serve, home: HomePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve({Stats: lambda wish: StatsReply(counts={})})
    monkeypatch.setenv("AICO_HOME", "/nonexistent/other")
    assert run("--home", home.root, "stats", "--json").code == 0
    assert run("stats", "--home", home.root, "--json").code == 0


def test_that_a_home_that_cannot_be_made_is_refused_in_words(run: Run) -> None:
    ran = run("stats", "--home", "/proc/nowhere")
    assert ran.code == 1
    assert "/proc/nowhere cannot be used" in ran.err


def test_that_a_refusal_is_data_too_where_json_was_asked_for(run: Run, serve: Serve) -> None:
    serve({Stats: lambda wish: Failure(code="read_only", human="The disk is full.")})
    ran = run("stats", "--json")
    assert (ran.code, ran.err) == (1, "The disk is full.\n")
    assert ran.data["error"]["code"] == "read_only"


@pytest.mark.parametrize(
    "arguments",
    [("bogus",), ("stats", "--bogus"), ("memory", "why"), ("ingest",), ("memory",), ("db",)],
)
def test_that_wrong_use_ends_with_two(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).code == 2


def test_that_the_version_is_printed(run: Run) -> None:
    assert run("--version").out.startswith("AICO Desktop ")


@pytest.mark.parametrize("group", ["memory", "db"])
def test_that_a_group_without_a_command_shows_its_help(run: Run, group: str) -> None:
    assert "Usage:" in run(group).out


@pytest.mark.parametrize("empty", ["", "  "])
def test_that_an_empty_home_is_wrong_use_and_makes_nothing(
    run: Run, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for arguments in (("stats", "--home", empty), ("--home", empty, "stats")):
        ran = run(*arguments)
        assert ran.code == 2
        assert "name is empty" in ran.err
    assert list((tmp_path / "here").iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [("ask", " ", "--json"), ("chat", "--json"), ("chat", "--once", "", "--json")]
)
def test_that_wrong_use_is_data_too_where_json_was_asked_for(
    run: Run, arguments: tuple[str, ...]
) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.data["error"]["code"]) == (2, "wrong_use")


def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a person who may not write; whoever runs the tests may be allowed everything."""
    monkeypatch.setattr("os.access", lambda path, mode: not mode & os.W_OK)


@pytest.mark.parametrize("arguments", [("stats",), ("chat", "--once", "hi"), ("memory", "list")])
def test_that_a_read_only_home_is_said_in_one_sentence(
    run: Run, home: HomePaths, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    home.prepare()
    read_only(monkeypatch)
    ran = run(*arguments, "--json")
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert f"{home.root} cannot be used for your data" in ran.data["error"]["message"]


def test_that_doctor_reports_a_read_only_home(
    run: Run, home: HomePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.prepare()
    read_only(monkeypatch)
    ran = run("doctor", "--json")
    checks = {check["name"]: check["ok"] for check in ran.data["checks"]}
    assert (ran.code, checks["home"], checks["backend"]) == (1, False, False)


def test_that_a_log_that_cannot_be_opened_is_no_traceback(run: Run, home: HomePaths) -> None:
    (home.logs / "backend-stderr.log").mkdir(parents=True)
    ran = run("stats", "--json")
    assert ran.code == 1
    assert ran.data["error"]["message"]


def test_that_any_error_of_a_file_ends_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise PermissionError(13, "Permission denied", "/some/file")

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr("sys.argv", ["aico", "db", "init", "--json"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    printed = capsys.readouterr()
    assert (ended.value.code, printed.err) == (1, "/some/file cannot be used: Permission denied.\n")
    assert "cannot be used" in printed.out


@pytest.mark.parametrize(("explained", "log_lines"), [(True, 0), (False, 2)])
def test_that_the_log_is_shown_only_where_the_backend_gave_no_words(
    run: Run, monkeypatch: pytest.MonkeyPatch, explained: bool, log_lines: int
) -> None:
    def refuse(home: HomePaths, **_: object) -> None:
        raise BackendStartError("It did not start.", "backend.log: a line", explained=explained)

    monkeypatch.setattr("aico_desktop.terminal.session.connect", refuse)
    ran = run("stats")
    assert (ran.code, len(ran.err.splitlines())) == (1, 1 + log_lines)
