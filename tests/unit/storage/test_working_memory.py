"""Working memory: order, time to live, growth, and bytes that are really gone."""

from __future__ import annotations

import logging
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import lmdb
import pytest

from backend.storage.errors import DatabaseClosed
from backend.storage.scope import Scope
from backend.storage.working_memory import (
    INITIAL_MAP_BYTES,
    SWEPT_WITH_EACH_PUT,
    TIME_TO_LIVE,
    WorkingMemory,
)


class MovableClock:
    """A clock that tests move forward."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def memory(tmp_path: Path, clock: MovableClock) -> Iterator[WorkingMemory]:
    opened = WorkingMemory(tmp_path / "wm", clock)
    yield opened
    opened.close()


def _texts(memory: WorkingMemory, conversation_id: str, limit: int = 100) -> list[str]:
    return [payload["text"] for _, payload in memory.recent(conversation_id, limit)]


def _bytes_on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_that_the_last_messages_come_oldest_first(memory: WorkingMemory) -> None:
    for ordinal in (300, 2, 1, 256, 255):
        memory.put("c1", ordinal, {"role": "user", "text": str(ordinal)})
    for neighbour in ("c", "c0", "c10", "c2"):
        memory.put(neighbour, 7, {"text": "other"})
    assert _texts(memory, "c1", 3) == ["255", "256", "300"]
    assert [ordinal for ordinal, _ in memory.recent("c1", 100)] == [1, 2, 255, 256, 300]
    assert memory.recent("nothing", 5) == []
    assert memory.recent("c1", 0) == []


def test_that_a_message_put_again_replaces_itself(
    memory: WorkingMemory, clock: MovableClock
) -> None:
    memory.put("c1", 1, {"text": "Gal"})
    clock.now += timedelta(hours=23)
    memory.put("c1", 1, {"text": "Galway"})
    clock.now += timedelta(hours=2)
    assert memory.sweep() == 0
    assert _texts(memory, "c1") == ["Galway"]


def test_that_messages_are_gone_after_a_day(memory: WorkingMemory, clock: MovableClock) -> None:
    memory.put("c1", 1, {"text": "old"})
    clock.now += timedelta(hours=1)
    memory.put("c1", 2, {"text": "young"})
    clock.now += TIME_TO_LIVE - timedelta(hours=1)
    assert _texts(memory, "c1") == ["young"]
    assert memory.sweep() == 1
    assert memory.sweep() == 0
    assert _texts(memory, "c1") == ["young"]


def test_that_many_expired_messages_are_swept_in_batches(
    memory: WorkingMemory, clock: MovableClock
) -> None:
    for ordinal in range(1, 1201):
        memory.put("c1", ordinal, {"text": "x"})
    clock.now += TIME_TO_LIVE
    memory.put("c1", 2000, {"text": "new"})
    assert memory.sweep() == 1200 - SWEPT_WITH_EACH_PUT
    assert _texts(memory, "c1") == ["new"]


def test_that_the_map_grows_when_it_is_full(memory: WorkingMemory) -> None:
    long = "tea " * 300_000
    for ordinal in range(1, 13):
        memory.put("c1", ordinal, {"text": f"{ordinal} {long}"})
    assert 12 * len(long) > INITIAL_MAP_BYTES
    assert [ordinal for ordinal, _ in memory.recent("c1", 100)] == list(range(1, 13))


def test_that_memory_survives_reopening_even_when_it_had_grown(
    tmp_path: Path, memory: WorkingMemory, clock: MovableClock
) -> None:
    for ordinal in range(1, 9):
        memory.put("c1", ordinal, {"text": "x" * 1_000_000})
    memory.close()
    again = WorkingMemory(tmp_path / "wm", clock)
    again.put("c1", 9, {"text": "y"})
    assert len(again.recent("c1", 100)) == 9
    again.close()


def test_that_memory_survives_the_death_of_the_process(tmp_path: Path) -> None:
    script = f"""
        import os
        from pathlib import Path
        from backend.storage.working_memory import WorkingMemory
        memory = WorkingMemory(Path({str(tmp_path / "dead")!r}))
        for ordinal in range(1, 51):
            memory.put("c1", ordinal, {{"text": str(ordinal)}})
        os.kill(os.getpid(), 9)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False, timeout=30)
    memory = WorkingMemory(tmp_path / "dead")
    assert _texts(memory, "c1", 2) == ["49", "50"]
    memory.close()


def test_that_freed_pages_keep_words_until_they_are_rewritten(
    tmp_path: Path, memory: WorkingMemory, clock: MovableClock
) -> None:
    secret = "Zanzibarcanary Żółw"
    for ordinal in range(1, 30):
        memory.put("c1", ordinal, {"text": f"I kept a {secret} once", "n": ordinal})
        memory.put("c1", ordinal, {"text": f"I kept a {secret} twice", "n": ordinal})
    memory.put("c2", 1, {"text": "kept"})
    assert memory.forget_text(secret) == 29
    memory.delete_message("c1", 5)
    assert secret.encode() in _bytes_on_disk(tmp_path)  # else this test would show nothing

    memory.rewrite()
    for encoding in ("utf-8", "utf-16-le"):
        assert secret.encode(encoding) not in _bytes_on_disk(tmp_path)
        assert b"Zanzibar" not in _bytes_on_disk(tmp_path)
    assert _texts(memory, "c1", 1) == [f"I kept a {' ' * len(secret)} twice"]
    assert _texts(memory, "c2") == ["kept"]
    assert len(memory.recent("c1", 100)) == 28
    memory.put("c2", 2, {"text": "more"})
    clock.now += TIME_TO_LIVE
    assert memory.sweep() == 30


def test_that_forgetting_through_the_protocol_blanks_every_copy(memory: WorkingMemory) -> None:
    scope = Scope()
    memory.put("c1", 1, {"text": 'She said "Orla" to me', "role": "user"})
    memory.put("c1", 2, {"text": "So Orla is your sister?", "role": "assistant"})
    memory.forget_message_span(scope, "m1", 10, 14, "Orla")
    memory.forget_fact(scope, "f1", "your sister")
    memory.forget_fact(scope, "f2", "  ")
    memory.forget_fact(scope, "f3", "never said")
    assert _texts(memory, "c1") == ['She said "    " to me', "So      is            ?"]


def test_that_a_rewrite_cut_off_by_a_crash_is_cleared_away(tmp_path: Path) -> None:
    leftover = tmp_path / "wm" / "rewrite"
    leftover.mkdir(parents=True)
    (leftover / "data.mdb").write_bytes(b"Zanzibarcanary")
    memory = WorkingMemory(tmp_path / "wm")
    assert not leftover.exists()
    memory.close()


def test_that_a_damaged_file_is_replaced_by_an_empty_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "wm"
    folder.mkdir()
    (folder / "data.mdb").write_bytes(b"this is a shopping list" * 1000)
    with caplog.at_level(logging.WARNING):
        memory = WorkingMemory(folder)
    assert "damaged" in caplog.text
    caplog.clear()
    memory.put("c1", 1, {"text": "new"})
    assert _texts(memory, "c1") == ["new"]
    memory.close()


def test_that_the_folder_has_one_owner_in_the_process(
    tmp_path: Path, memory: WorkingMemory
) -> None:
    with pytest.raises(lmdb.Error):
        lmdb.open(str(tmp_path / "wm"))


def test_that_use_after_close_is_an_error(memory: WorkingMemory) -> None:
    memory.close()
    memory.close()
    with pytest.raises(DatabaseClosed):
        memory.put("c1", 1, {"text": "late"})
    with pytest.raises(DatabaseClosed):
        memory.recent("c1", 1)
    with pytest.raises(DatabaseClosed):
        memory.rewrite()


@pytest.mark.parametrize("conversation_id", ["", "a\0b", "x" * 600])
def test_that_an_id_that_is_no_id_is_refused(memory: WorkingMemory, conversation_id: str) -> None:
    with pytest.raises(ValueError, match="id"):
        memory.put(conversation_id, 1, {"text": "x"})
