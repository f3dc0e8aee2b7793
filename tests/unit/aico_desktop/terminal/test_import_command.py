"""`aico ingest`: sends good rows in batches, waits for their memory, and reports the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from aico_desktop.contract.messages import (
    Failure,
    Ingest,
    Ingested,
    IngestProgress,
    IngestStatus,
    RowProblem,
)
from aico_desktop.terminal import importing
from aico_desktop.terminal.importing import batches
from tests.helpers.scripted_backend import Script
from tests.unit.aico_desktop.terminal.conftest import Run, Serve
from tests.unit.aico_desktop.terminal.test_import_rows import read, row


def write(folder: Path, *lines: dict[str, Any] | str) -> Path:
    file = folder / "chat.jsonl"
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text(text + "\n", encoding="utf-8")
    return file


class Memory:
    """Stores whatever it is sent, and builds one message's memory each time it is asked."""

    def __init__(self, failed: int = 0) -> None:
        self.ids: list[str | None] = []
        self.failed = failed
        self.built = 0

    @property
    def script(self) -> Script:
        return {Ingest: self.store, IngestStatus: self.progress}

    def store(self, wish: Ingest) -> Ingested:
        new = [row.id for row in wish.rows if row.id not in self.ids]
        self.ids.extend(new)
        return Ingested(
            import_id="i", stored=len(new), already_known=len(wish.rows) - len(new), problems=()
        )

    def progress(self, wish: IngestStatus) -> IngestProgress:
        self.built = min(len(self.ids), self.built + 1)
        return IngestProgress(
            pending=len(self.ids) - self.built,
            messages=len(self.ids),
            facts_added=2 * self.built,
            facts_confirmed=1,
            facts_changed=0,
            failed=self.failed,
        )


def test_that_it_waits_until_all_memory_is_built_and_prints_the_counts(
    run: Run, serve: Serve, tmp_path: Path
) -> None:
    memory = Memory()
    serve(memory.script)
    ran = run("ingest", write(tmp_path, row(id="a"), row(id="b"), row(id="c")))
    assert ran.code == 0
    assert memory.built == 3
    seconds = ran.data.pop("seconds")
    assert isinstance(seconds, float)
    assert ran.data | {"seconds": 0} == {
        "messages": 3,
        "facts_added": 6,
        "facts_confirmed": 1,
        "facts_changed": 0,
        "failed": 0,
        "seconds": 0,
        "already_known": 0,
        "skipped": [],
        "notes": [],
    }


def test_that_bad_rows_are_told_by_line_and_the_others_are_kept(
    run: Run, serve: Serve, tmp_path: Path
) -> None:
    memory = Memory(failed=1)
    serve(memory.script)
    ran = run("ingest", write(tmp_path, row(id="a"), "{", row(id="b"), row(role="robot")))
    assert ran.code == 0
    assert memory.ids == ["a", "b"]
    assert "line 2: not JSON" in ran.err
    assert "line 4: the role 'robot'" in ran.err
    assert [problem["line"] for problem in ran.data["skipped"]] == [2, 4]
    assert ran.data["failed"] == 3


def test_that_the_problems_of_the_backend_are_told_too(
    run: Run, serve: Serve, tmp_path: Path
) -> None:
    problem = RowProblem(line=1, reason="it is in another conversation already")
    reply = Ingested(import_id="i", stored=0, already_known=1, problems=(problem,))
    memory = Memory()
    serve({**memory.script, Ingest: lambda wish: reply})
    ran = run("ingest", write(tmp_path, row(id="a")))
    assert "line 1: it is in another conversation already" in ran.err


def test_that_reading_a_file_again_stores_nothing_and_is_no_failure(
    run: Run, serve: Serve, tmp_path: Path
) -> None:
    serve(Memory().script)
    file = write(tmp_path, row(id="a"))
    run("ingest", file)
    ran = run("ingest", file)
    assert (ran.code, ran.data["messages"], ran.data["already_known"]) == (0, 0, 1)


def test_that_a_file_without_any_good_row_ends_with_one(
    run: Run, serve: Serve, tmp_path: Path
) -> None:
    memory = Memory()
    serve(memory.script)
    ran = run("ingest", write(tmp_path, "nonsense"))
    assert ran.code == 1
    assert "No message could be stored" in ran.err
    assert ran.data["messages"] == 0
    assert memory.ids == []


@pytest.mark.parametrize("name", ["nowhere.jsonl", ""])
def test_that_a_file_that_cannot_be_read_is_told_in_words(
    run: Run, tmp_path: Path, name: str
) -> None:
    ran = run("ingest", tmp_path / name)
    assert ran.code == 1
    assert "cannot be read: " in ran.err


def test_that_a_refusal_for_all_rows_ends_with_its_words(
    run: Run, serve: Serve, tmp_path: Path
) -> None:
    refusal = Failure(code="disk_full", human="The disk is full.")
    serve({Ingest: lambda wish: refusal})
    ran = run("ingest", write(tmp_path, row(id="a")))
    assert (ran.code, ran.err) == (1, "The disk is full.\n")


def test_that_rows_go_in_batches_of_bearable_size() -> None:
    rows, _ = read(*[row(id=str(number)) for number in range(250)])
    assert [len(batch) for batch in batches(rows)] == [100, 100, 50]
    long, _ = read(*[row(id=str(number), text="a" * 200_000) for number in range(5)])
    assert [len(batch) for batch in batches(long)] == [2, 2, 1]
    assert [each for batch in batches(long) for each in batch] == long


def test_that_an_import_whose_memory_stands_still_is_given_up_in_words(
    run: Run, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    still = IngestProgress(
        pending=1, messages=1, facts_added=0, facts_confirmed=0, facts_changed=0, failed=0
    )
    serve({**Memory().script, IngestStatus: lambda wish: still})
    monkeypatch.setattr(importing, "PATIENCE_S", 0.2)
    ran = run("ingest", write(tmp_path, row(id="a")))
    assert ran.code == 1
    assert "still not built" in ran.err


def test_that_an_import_ends_in_words_when_a_problem_of_the_memory_persists(
    run: Run, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    still = IngestProgress(
        pending=1,
        messages=1,
        facts_added=0,
        facts_confirmed=0,
        facts_changed=0,
        failed=0,
        problem="The disk is full.",
    )
    serve({**Memory().script, IngestStatus: lambda wish: still})
    monkeypatch.setattr(importing, "PROBLEM_PATIENCE_S", 0.2)
    ran = run("ingest", write(tmp_path, row(id="a")), "--json")
    assert ran.code == 1
    assert ran.err.startswith("The disk is full. The memory of 1 messages")
    assert "goes on by itself" in ran.data["error"]["message"]


def test_that_a_problem_that_passes_is_waited_out(run: Run, serve: Serve, tmp_path: Path) -> None:
    memory = Memory()

    def troubled_once(wish: IngestStatus) -> IngestProgress:
        now = memory.progress(wish)
        words = "The disk is full." if now.pending else ""
        return msgspec.structs.replace(now, problem=words)

    serve({**memory.script, IngestStatus: troubled_once})
    assert run("ingest", write(tmp_path, row(id="a"), row(id="b"))).code == 0


def test_that_other_text_under_a_known_id_is_told_and_is_no_failure(
    run: Run, serve: Serve, tmp_path: Path
) -> None:
    note = RowProblem(line=1, reason="id a is stored with other text; the stored one was kept")
    reply = Ingested(import_id="i", stored=0, already_known=1, problems=(), notes=(note,))
    serve({**Memory().script, Ingest: lambda wish: reply})
    ran = run("ingest", write(tmp_path, row(id="a")))
    assert (ran.code, ran.data["failed"], ran.data["skipped"]) == (0, 0, [])
    assert ran.data["notes"] == [{"line": 1, "reason": note.reason}]
    assert f"line 1: {note.reason}" in ran.err


def test_that_errors_are_data_too_where_json_was_asked_for(
    run: Run, serve: Serve, tmp_path: Path
) -> None:
    ran = run("ingest", tmp_path / "nowhere.jsonl", "--json")
    assert "cannot be read: " in ran.data["error"]["message"]
    utf16 = tmp_path / "utf16.jsonl"
    utf16.write_text("{}", encoding="utf-16")
    serve(Memory().script)
    assert "UTF-16" in run("ingest", utf16, "--json").data["error"]["message"]


def test_that_a_file_that_may_not_be_read_ends_with_one_like_a_missing_one(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, row(id="a"))

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.access", lambda *_, **__: False)  # the owner of all files may read it
    monkeypatch.setattr(Path, "open", refuse)
    ran = run("ingest", file)
    assert (ran.code, ran.err) == (1, f"{file} cannot be read: Permission denied.\n")
