"""Rows of an import file become messages and memory jobs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from aico_desktop.contract.messages import Ingest, Ingested, IngestRow, IngestStatus
from aico_desktop.paths import HomePaths
from backend.interfaces.row_import import RowImporter
from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.jobs import JobRepository
from backend.storage.messages import MessageRepository
from backend.storage.migrations import migrate
from backend.storage.scope import Scope
from backend.storage.users import UserRepository

SCOPE = Scope()


class Desk:
    """An importer over a real file, with what a test looks at."""

    def __init__(self, folder: Path) -> None:
        paths = HomePaths(folder)
        paths.root.mkdir()
        self.database = Database(paths.database)
        migrate(self.database, paths)
        UserRepository(self.database).ensure(SCOPE, "me", "Europe/Berlin")
        self.woken = 0
        self.trouble = ""
        self.importer = RowImporter(
            self.database,
            SCOPE,
            ZoneInfo("Europe/Berlin"),
            "Europe/Berlin",
            self._wake,
            lambda: self.trouble,
        )
        self.messages = MessageRepository(self.database)
        self.jobs = JobRepository(self.database)

    def _wake(self) -> None:
        self.woken += 1

    def take_in(self, *rows: IngestRow, source: str = "file") -> Ingested:
        return self.importer.ingest(Ingest(source=source, rows=rows))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "home-of-rows")
    yield desk
    desk.database.close()


def row(text: str, **changes: object) -> IngestRow:
    """A row of a chat with a plainly invented person."""
    fields: dict[str, object] = {
        "line": 1,
        "conversation": "tea",
        "role": "user",
        "speaker": "Mirabel",
        "time": "2025-07-01T10:00:00",
        "text": text,
    }
    return IngestRow(**{**fields, **changes})  # type: ignore[arg-type]  # built from a test's words


def test_that_a_time_without_offset_is_in_the_persons_zone(desk: Desk) -> None:
    desk.take_in(row("Hello.", id="a"))
    message = desk.messages.by_external_id(SCOPE, "a")
    assert message is not None
    assert message.said_at == "2025-07-01T10:00:00+02:00"


def test_that_a_row_with_a_known_id_is_not_stored_again(desk: Desk) -> None:
    first = desk.take_in(row("Hello.", id="a"))
    again = desk.take_in(row("Hello.", id="a"), source="another file")
    assert (first.stored, again.stored, again.already_known) == (1, 0, 1)
    assert desk.messages.count(SCOPE) == 1


def test_that_the_same_words_without_an_id_are_said_again(desk: Desk) -> None:
    desk.take_in(row("Hello."), row("Hello.", line=2))
    assert desk.messages.count(SCOPE) == 2


def test_that_a_bad_row_spoils_only_itself(desk: Desk) -> None:
    answer = desk.take_in(
        row("Good.", line=1), row("Bad.", line=2, time="yesterday"), row("  ", line=3)
    )
    assert answer.stored == 1
    assert [problem.line for problem in answer.problems] == [2, 3]
    assert all(problem.reason for problem in answer.problems)


def test_that_only_people_teach(desk: Desk) -> None:
    desk.take_in(
        row("I am a nurse.", line=1),
        row("You are a nurse.", line=2, role="assistant", speaker="AICO"),
        row("I am a baker.", line=3, role="other", speaker="Tomte"),
    )
    counts = desk.jobs.counts(SCOPE)
    assert counts.pending == 2
    assert desk.woken == 1


def test_that_batches_of_one_source_are_one_import(desk: Desk) -> None:
    first = desk.take_in(row("One."), source="diary")
    second = desk.take_in(row("Two.", line=2), source="diary")
    other = desk.take_in(row("Three."), source="letters")
    assert first.import_id == second.import_id != other.import_id
    progress = desk.importer.progress(IngestStatus(import_id=first.import_id))
    assert (progress.messages, progress.pending) == (2, 2)


def test_that_a_conversation_keeps_the_name_of_its_file(desk: Desk) -> None:
    desk.take_in(row("One."), row("Two.", line=2, conversation="coffee"))
    named = {record.external_name for record in ConversationRepository(desk.database).newest(SCOPE)}
    assert named == {"tea", "coffee"}


def test_that_what_cannot_be_stored_is_replaced_and_not_lost(desk: Desk) -> None:
    desk.take_in(row("NUL \0 and half \ud83d an emoji", id="a", speaker="M\0"))
    message = desk.messages.by_external_id(SCOPE, "a")
    assert message is not None
    assert message.text == "NUL \ufffd and half \ufffd an emoji"
    assert message.speaker == "M\ufffd"


def test_that_other_text_under_a_known_id_is_told_and_the_stored_one_kept(desk: Desk) -> None:
    desk.take_in(row("I am a nurse.", id="a"))
    again = desk.take_in(row("I am a baker.", id="a", line=7))
    assert (again.already_known, again.problems) == (1, ())
    assert [(note.line, note.reason) for note in again.notes] == [
        (7, "id a is stored with other text; the stored one was kept")
    ]
    assert desk.take_in(row("I am a nurse.", id="a")).notes == ()


def test_that_a_forgotten_passage_is_no_other_text(desk: Desk) -> None:
    desk.take_in(row("I am a nurse.", id="a"))
    message = desk.messages.by_external_id(SCOPE, "a")
    assert message is not None
    desk.messages.blank_span(SCOPE, message.message_id, 0, 12)
    assert desk.take_in(row("I am a nurse.", id="a")).notes == ()


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("disk_full", "The disk is full."),
        ("read_only", "The memory file is read-only."),
        ("unwritable", "The memory file cannot be written."),
        ("", ""),
    ],
)
def test_that_what_keeps_the_memory_from_being_built_is_said_in_words(
    desk: Desk, trouble: str, words: str
) -> None:
    import_id = desk.take_in(row("I am a nurse.")).import_id
    desk.trouble = trouble
    assert desk.importer.progress(IngestStatus(import_id=import_id)).problem == words
