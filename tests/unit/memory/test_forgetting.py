"""Forgetting in every store at once, also when some file cannot be cleared now."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.memory.forgetting import MemoryForgetting
from backend.storage.errors import DiskFull
from backend.storage.forgetting import Forgetter
from backend.storage.scope import Scope
from backend.storage.working_memory import WorkingMemory
from tests.helpers.story import ME, Story, claim, literal


class FullStore:
    """A store of words whose disk is full."""

    def forget_message_span(
        self, scope: Scope, message_id: str, start: int, end: int, text: str
    ) -> None:
        """Refuse."""
        raise DiskFull("no room")

    def forget_fact(self, scope: Scope, fact_id: str, text: str) -> None:
        """Refuse."""
        raise DiskFull("no room")

    def forget_word(self, scope: Scope, word: str) -> None:
        """Refuse."""
        raise DiskFull("no room")


def test_that_a_fact_is_forgotten_and_told_so_though_a_file_cannot_be_cleared_yet(
    story: Story, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    story.say("I am 34.", claim(ME, "HAS_AGE", literal("34")))
    (fact,) = story.facts()
    working_memory = WorkingMemory(tmp_path / "working")
    backups = tmp_path / "backups"
    full = Forgetter(story.database, working_memory, [FullStore()], backups)
    with caplog.at_level("ERROR"):
        result = MemoryForgetting(story.database, story.service, full).forget(
            story.scope, fact.id, None
        )
    caplog.clear()
    assert [gone.id for gone in result.forgetting.facts] == [fact.id]
    assert story.facts() == []
    assert result.vectors_pending
    later = Forgetter(story.database, working_memory, [working_memory], backups)
    assert later.resume()
    assert later.is_working()  # the vectors are the outbox's to rewrite
    working_memory.close()
