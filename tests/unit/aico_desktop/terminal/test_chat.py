"""`aico chat`: streams the answer, shows the chip, stops on Ctrl+C, survives a lost connection."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from aico_desktop.contract.client import BackendClient
from aico_desktop.contract.link_facts import EventsMissed
from aico_desktop.contract.messages import (
    Acknowledged,
    Action,
    AnswerFinished,
    Batch,
    ConversationCreated,
    ConversationView,
    CreateConversation,
    Done,
    Event,
    Failure,
    MemoryBatchEvent,
    MemoryBatchView,
    MemoryItem,
    MemoryUndo,
    MessageView,
    RetryTurn,
    SendMessage,
    Snapshot,
    SnapshotReply,
    StopTurn,
    TurnDelta,
    TurnError,
    TurnState,
    TurnView,
)
from aico_desktop.paths import HomePaths
from aico_desktop.terminal.chat_follower import ChatFollower, FollowedTurn
from aico_desktop.terminal.chat_session import ChatSession
from aico_desktop.terminal.chat_view import ChatView
from tests.helpers.scripted_backend import Script, ScriptedBackend
from tests.unit.aico_desktop.terminal.conftest import Run, Serve

CONVERSATION = "c1"


def state(turn_id: str, name: str) -> TurnState:
    return TurnState(
        turn_id=turn_id,
        conversation_id=CONVERSATION,
        message_id="m",
        state=name,  # type: ignore[arg-type]  # one of the contract's words
        wall_time="2025-03-01T10:00:00+00:00",
    )


def delta(turn_id: str, offset: int, text: str) -> TurnDelta:
    return TurnDelta(turn_id=turn_id, conversation_id=CONVERSATION, offset=offset, text=text)


def message(text: str, role: str = "assistant") -> MessageView:
    return MessageView(
        message_id="a",
        conversation_id=CONVERSATION,
        ordinal=2,
        role=role,  # type: ignore[arg-type]  # one of the contract's words
        speaker="AICO",
        text=text,
        said_at="2025-03-01T10:00:01+00:00",
        engine="built_in",
    )


def finished(turn_id: str, text: str) -> AnswerFinished:
    return AnswerFinished(turn_id=turn_id, message=message(text))


def chip(turn_id: str, *items: MemoryItem) -> MemoryBatchEvent:
    batch = MemoryBatchView(batch_id="b1", message_id="m", items=items)
    return MemoryBatchEvent(turn_id=turn_id, conversation_id=CONVERSATION, batch=batch)


SISTER = MemoryItem(op="added", id="f1", text="Oda is your sister")


class Talker:
    """A backend whose answers to each message are a list of events."""

    def __init__(self, *answers: list[Event]) -> None:
        self.answers = list(answers)
        self.backend: ScriptedBackend | None = None
        self.turns = 0
        self.snapshot: tuple[TurnView, ...] = ()

    @property
    def script(self) -> Script:
        view = ConversationView(
            conversation_id=CONVERSATION, title="", updated_at="", message_count=0
        )
        return {
            CreateConversation: lambda wish: ConversationCreated(conversation=view),
            SendMessage: self.answer,
            RetryTurn: self.answer,
            MemoryUndo: lambda wish: Batch(
                batch=MemoryBatchView(batch_id="b1", message_id="m", items=(), undone=True)
            ),
            StopTurn: self.stop,
            Snapshot: lambda wish: SnapshotReply(turns=self.snapshot),
        }

    def answer(self, wish: SendMessage | RetryTurn) -> Acknowledged:
        self.turns += 1
        self.emit(*self.answers.pop(0))
        return Acknowledged(message=message("", role="user"), turn_id=f"t{self.turns}")

    def stop(self, wish: StopTurn) -> Done:
        self.emit(state(wish.turn_id, "stopped"))
        return Done()

    def emit(self, *events: Event) -> None:
        assert self.backend is not None
        for event in events:
            self.backend.publisher.emit(event)


def told(turn_id: str, text: str) -> list[Event]:
    """A plain answer in two pieces that teaches something."""
    half = len(text) // 2
    return [
        state(turn_id, "listening"),
        delta(turn_id, 0, text[:half]),
        delta(turn_id, half, text[half:]),
        finished(turn_id, text),
        state(turn_id, "storing"),
        chip(turn_id, SISTER),
        state(turn_id, "done"),
    ]


def serve_talker(serve: Serve, talker: Talker) -> ScriptedBackend:
    talker.backend = serve(talker.script)
    return talker.backend


def test_that_once_prints_the_answer_and_what_was_remembered(run: Run, serve: Serve) -> None:
    backend = serve_talker(serve, Talker(told("t1", "How lovely, Oda!")))
    ran = run("chat", "--once", "My sister is Oda.")
    assert ran.code == 0
    assert ran.out == "How lovely, Oda!\n🧠 Remembered 1 thing · /undo\n   ＋ Oda is your sister\n"
    assert backend.requests(SendMessage)[0].text == "My sister is Oda."


def test_that_once_as_json_holds_answer_engine_and_memory(run: Run, serve: Serve) -> None:
    serve_talker(serve, Talker(told("t1", "How lovely!")))
    data = run("chat", "--once", "My sister is Oda.", "--json").data
    assert (data["answer"], data["engine"], data["state"]) == ("How lovely!", "built_in", "done")
    assert [item["text"] for item in data["memory"]] == ["Oda is your sister"]


def test_that_a_failed_answer_ends_with_one_and_names_the_next_step(run: Run, serve: Serve) -> None:
    error = TurnError(
        turn_id="t1",
        conversation_id=CONVERSATION,
        code="unreachable",
        human="Ollama does not answer.",
        actions=(Action(verb="use_built_in", label="Use the built-in model"),),
    )
    serve_talker(serve, Talker([state("t1", "failed"), error]))
    ran = run("chat", "--once", "Hello")
    assert ran.code == 1
    assert "Ollama does not answer. Next: /builtin (Use the built-in model)." in ran.out


def test_that_a_refused_message_ends_with_one(run: Run, serve: Serve) -> None:
    refusal = Failure(code="disk_full", human="Not saved: the disk is full.")
    serve({**Talker().script, SendMessage: lambda wish: refusal})
    ran = run("chat", "--once", "Hello")
    assert (ran.code, ran.out) == (1, "Not saved: the disk is full.\n")


def test_that_piped_lines_are_answered_one_after_the_other(run: Run, serve: Serve) -> None:
    talker = Talker(told("t1", "First."), told("t2", "Second."))
    backend = serve_talker(serve, talker)
    ran = run("chat", typed="one\n\ntwo\n")
    assert ran.code == 0
    assert [wish.text for wish in backend.requests(SendMessage)] == ["one", "two"]
    assert ran.out.index("First.") < ran.out.index("Second.")


def test_that_nothing_piped_in_ends_at_once_and_well(run: Run, serve: Serve) -> None:
    serve_talker(serve, Talker())
    assert run("chat").code == 0


def test_that_undo_takes_back_what_was_remembered_last(run: Run, serve: Serve) -> None:
    backend = serve_talker(serve, Talker(told("t1", "Lovely.")))
    ran = run("chat", typed="/undo\nMy sister is Oda.\n/undo\n")
    assert backend.requests(MemoryUndo) == [MemoryUndo(batch_id="b1")]
    assert "Nothing was remembered in this chat yet." in ran.out
    assert ran.out.endswith("Taken back.\n")


def test_that_continuing_shows_only_what_is_new(run: Run, serve: Serve) -> None:
    more = [delta("t2", 4, " more"), finished("t2", "Some more"), state("t2", "nothing")]
    broken = [delta("t1", 0, "Some"), state("t1", "stopped")]
    backend = serve_talker(serve, Talker(broken, more))
    ran = run("chat", typed="Tell me\n/continue\n")
    assert backend.requests(RetryTurn) == [RetryTurn(turn_id="t1", mode="continue")]
    assert ran.out.endswith("answers anew.\n more\n")


def test_that_confirmations_alone_make_no_noise(run: Run, serve: Serve) -> None:
    confirmed = MemoryItem(op="confirmed", id="f1", text="Oda is your sister")
    events = [finished("t1", "I know."), chip("t1", confirmed), state("t1", "done")]
    serve_talker(serve, Talker(events))
    assert run("chat", "--once", "My sister is Oda.").out == "I know.\n"


def test_that_an_answer_cannot_steer_the_terminal(run: Run, serve: Serve) -> None:
    serve_talker(serve, Talker([finished("t1", "a\x1b]0;x\x07b"), state("t1", "nothing")]))
    assert run("chat", "--once", "Hello").out == "a\ufffd]0;x\ufffdb\n"


def test_that_events_of_other_conversations_stay_out(run: Run, serve: Serve) -> None:
    other = TurnDelta(turn_id="t9", conversation_id="c9", offset=0, text="elsewhere")
    serve_talker(serve, Talker([other, finished("t1", "Here."), state("t1", "nothing")]))
    assert run("chat", "--once", "Hello").out == "Here.\n"


def test_that_an_empty_once_and_json_without_once_are_wrong_use(run: Run) -> None:
    assert run("chat", "--once", " ").code == 2
    assert run("chat", "--json").code == 2


# ---------------------------------------------------------------- below the command


@contextmanager
def following(
    home: HomePaths, view: ChatView
) -> Iterator[tuple[BackendClient, ChatFollower, ChatSession]]:
    client = BackendClient(home, "test", wants_events=True)
    client.connect()
    follower = ChatFollower(client, CONVERSATION, view, revive=lambda: None)
    follower.start()
    try:
        yield client, follower, ChatSession(client, CONVERSATION, follower, view, patient=False)
    finally:
        client.close()
        follower.join()


def test_that_ctrl_c_stops_the_answer_and_not_the_chat(
    home: HomePaths, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    talker = Talker([delta("t1", 0, "A long story")])
    backend = serve_talker(serve, talker)
    stream = io.StringIO()
    view = ChatView(stream, live=False)
    with following(home, view) as (_, follower, session):
        interrupted = threading.Event()
        wait_for = follower.wait_for

        def wait_and_be_interrupted(
            turn_id: str, holds: Callable[[FollowedTurn], bool], timeout_s: float | None
        ) -> bool:
            if not interrupted.is_set():
                interrupted.set()
                wait_for(turn_id, lambda turn: turn.text != "", 5.0)
                raise KeyboardInterrupt
            return wait_for(turn_id, holds, timeout_s)

        monkeypatch.setattr(follower, "wait_for", wait_and_be_interrupted)
        turn = session.say("Tell me a story")
    assert turn is not None
    assert (turn.text, turn.state) == ("A long story", "stopped")
    assert backend.requests(StopTurn) == [StopTurn(turn_id="t1")]
    assert stream.getvalue().startswith("A long story\nStopped.")


def test_that_missed_events_are_made_up_from_the_snapshot(home: HomePaths, serve: Serve) -> None:
    talker = Talker([delta("t1", 0, "Once upon")])
    serve_talker(serve, talker)
    talker.snapshot = (
        TurnView(
            turn_id="t1",
            conversation_id=CONVERSATION,
            user_message_id="m",
            assistant_message_id="a",
            state="interrupted",
            text="Once upon a time",
        ),
    )
    stream = io.StringIO()
    with following(home, ChatView(stream, live=False)) as (client, follower, _):
        reply = client.request(
            SendMessage(conversation_id=CONVERSATION, text="Hello", client_key="k")
        )
        assert isinstance(reply, Acknowledged)
        assert follower.wait_for("t1", lambda turn: turn.text != "", 5.0)
        client._events.put(EventsMissed(3))
        assert follower.wait_for("t1", lambda turn: turn.state == "interrupted", 5.0)
    assert stream.getvalue().startswith("Once upon a time\nThis answer was interrupted.")


def test_that_a_terminal_shows_the_state_line_and_wipes_it_before_the_answer() -> None:
    stream = io.StringIO()
    view = ChatView(stream, live=True)
    view.show_state("understanding")
    view.show_state("loading", "llama3.2")
    view.show_answer("Hello")
    view.end_answer()
    assert stream.getvalue() == ("\r\x1b[KUnderstanding…\r\x1b[KLoading llama3.2…\r\x1b[KHello\n")


def test_that_a_chip_that_comes_while_typing_keeps_what_was_typed() -> None:
    stream = io.StringIO()
    view = ChatView(stream, live=True, prompt="you: ", typed_so_far=lambda: "half a sen")
    view.typing_began()
    view.show_batch(chip("t1", SISTER).batch)
    view.show_state("storing")
    assert stream.getvalue().endswith("   ＋ Oda is your sister\nyou: half a sen")
