"""What surrounds an answer may fail; the answer comes all the same, and so does the next one."""

from __future__ import annotations

import pytest

from aico_desktop.contract.messages import ConversationChanged, Message
from backend.storage.errors import DatabaseLocked
from tests.unit.conversation.conftest import RecordingSink, Room


@pytest.mark.parametrize("error", [RuntimeError("odd words"), DatabaseLocked("odd words")])
def test_that_an_answer_comes_though_its_conversation_cannot_be_announced(
    room: Room, error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    emit = RecordingSink.emit

    def refuse(sink: RecordingSink, event: Message) -> None:
        if isinstance(event, ConversationChanged):
            raise error
        emit(sink, event)

    monkeypatch.setattr(RecordingSink, "emit", refuse)
    with caplog.at_level("ERROR"):
        for text in ("Hello", "Again"):
            assert room.answer(room.ask(text)).status == "complete"
    assert "odd words" not in caplog.text
    caplog.clear()
    assert room.gate.calls == ["pause", "resume"] * 2
