"""The scenes that are drawn: invented people, real widgets, a fake backend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from PySide6.QtWidgets import QApplication, QWidget

from aico_desktop.contract.messages import Action, EngineView, MemoryItem
from tests.fake_book import BUILT_IN
from tests.fakes import FakeBackend, added, texts
from tests.ui.samples import sample_detail, sample_facts, sample_graph
from ui.app import Desktop

Settle = Callable[..., None]
Play = Callable[[Desktop, FakeBackend, Settle], QWidget | None]

ALL_LOOKS = ("light", "dark", "large")


@dataclass(frozen=True)
class Scene:
    """What is played before the picture is taken; ``play`` may return another window to draw."""

    name: str
    play: Play
    looks: tuple[str, ...] = ALL_LOOKS


PLANTING = """\
Good choice. Beside a shed you get shelter and a little extra warmth, so I would go for:

1. **Runner beans** on three poles, sown after the last frost
2. *Nasturtiums* in front, which keep the blackfly busy
3. A row of `Swiss chard`, because it forgives everything

| what | when | distance |
|------|------|----------|
| beans | mid May | 15 cm |
| chard | April | 25 cm |

If you like, keep the dates in a small file:

```python
SOW = {"beans": "2027-05-15", "chard": "2027-04-10"}

def due(day: str) -> list[str]:
    # everything whose day has come
    return [plant for plant, start in SOW.items() if start <= day]
```

Water in the morning. The rest is patience."""

ABOUT_ANA = "My sister Ana moved to Porto in October. She plays the cello, and I miss our Sundays."


def _history(backend: FakeBackend) -> None:
    backend.add_conversation("A present for Tomás", "What could I give Tomás?", "Something wooden.")
    backend.add_conversation("Bread without kneading", "How?", "Slowly.", hours_ago=27)
    backend.add_conversation("The garden shed", "Where do I start?", "The roof.", hours_ago=75)
    backend.add_conversation(
        "Reading list for the long winter evenings", "Any ideas?", "Many.", hours_ago=400
    )


def _open(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    _history(backend)
    backend.start()
    settle(60)


def _say(desktop: Desktop, text: str, settle: Settle) -> None:
    box = desktop.window.chat.composer.text_box
    box.setPlainText(text)
    turns = len(desktop.chat.model.recent_turns)
    box.enter_pressed.emit()
    for _ in range(100):
        settle(20)
        if len(desktop.chat.model.recent_turns) > turns:
            return


def _remember_ana(backend: FakeBackend) -> None:
    message_id = backend.turn.user_message_id
    backend.remember(
        added("f-1", "Ana is your sister", "My sister Ana", message_id=message_id),
        MemoryItem(
            op="changed",
            id="f-2",
            text="Ana lives in Porto",
            old="Halden (until October 2026)",
            evidence=added("f-2", "", "Ana moved to Porto in October").evidence,
        ),
        added("f-3", "Ana plays the cello", "She plays the cello", confidence=0.7),
    )


def welcome(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """An empty chat on a home with history."""
    _open(desktop, backend, settle)


def first_run(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """Nothing was ever said."""
    backend.start()
    settle(60)


def streaming(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """An answer arrives under a message whose predecessor has a chip."""
    _open(desktop, backend, settle)
    _say(desktop, ABOUT_ANA, settle)
    backend.stream("It sounds as if those Sundays mattered to you both.\n\nWould a call at that ")
    backend.stream("hour help, with the cello in the background?")
    backend.finish()
    _remember_ana(backend)
    backend.set_title(desktop.chat.model.conversation_id or "", "Ana moves to Porto")
    settle(60)
    _say(desktop, "What should I plant beside the shed this spring?", settle)
    backend.enter("understanding", facts=4)
    settle(500)
    backend.stream(PLANTING[:430])
    settle(700)


def answered(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """A whole answer with table and code."""
    _open(desktop, backend, settle)
    _say(desktop, "What should I plant beside the shed this spring?", settle)
    backend.stream(PLANTING)
    backend.finish(engine="ollama")
    settle(500)


def chip_open(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """The list of what one message taught."""
    streaming(desktop, backend, settle)
    backend.finish()
    backend.enter("nothing")
    desktop.window.review_memory()
    settle(60)


def chip_forget(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """Asking before a fact is forgotten, and a corrected line, and a chip taken back."""
    _open(desktop, backend, settle)
    _say(desktop, ABOUT_ANA, settle)
    backend.stream("Porto is lovely in October.")
    backend.finish()
    _remember_ana(backend)
    settle(60)
    desktop.window.review_memory()
    transcript = desktop.window.chat.transcript
    transcript.ask_to_forget(
        "f-1", "Forget this for good? The words in 1 place of your messages are blanked too."
    )
    transcript.start_edit("f-2", "Porto")
    settle(60)


def question(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """The memory is unsure and asks in the chip."""
    _open(desktop, backend, settle)
    _say(desktop, "Ana from work got promoted, by the way.", settle)
    backend.stream("Good for her! Is that your sister, or another Ana?")
    backend.finish()
    backend.remember(
        MemoryItem(
            op="question",
            id="f-9",
            text="Ana got promoted. Which Ana: your sister, or a colleague?",
            confidence=0.4,
            evidence=added("f-9", "", "Ana from work got promoted").evidence,
        ),
        added("f-8", "You work with someone called Ana", "Ana from work", confidence=0.6),
    )
    settle(60)
    desktop.window.review_memory()
    settle(60)


def failure(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """The model broke off in the middle; the text stays."""
    _open(desktop, backend, settle)
    _say(desktop, "Tell me about the Basque coast.", settle)
    backend.stream("It runs from Bayonne in the north to the ría of Bilbao, and")
    backend.break_off(
        "The model stopped unexpectedly (Ollama connection closed). Your text is safe.",
        Action(verb="continue", label="Continue"),
        Action(verb="use_built_in", label="Switch to built-in model"),
        technical="RemoteProtocolError: peer closed connection without sending complete body",
    )
    settle(60)
    _say(desktop, "And the weather there?", settle)
    backend.stream("Mild and wet, with")
    desktop.actions.stop()
    settle(100)
    backend.enter("stopped")
    settle(60)


def offline(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """The companion service is gone and a message could not be sent."""
    _open(desktop, backend, settle)
    desktop.chat.open_conversation("c-1")
    settle(60)
    desktop.status.on_gave_up(
        "The companion service stopped five times in a minute. Nothing that you said is lost.", ""
    )
    settle(60)


def thinking(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """A slow model, with the seconds that it really takes, and a message held meanwhile."""
    ollama = EngineView(
        engine="ollama",
        available=True,
        selected=True,
        model="llama3.2",
        models=("llama3.2", "qwen3:8b"),
        address="127.0.0.1:11434",
    )
    _open(desktop, backend, settle)
    backend.set_engines(msgspec.structs.replace(BUILT_IN, selected=False), ollama)
    _say(desktop, "What could I cook for Ana and me on Sunday?", settle)
    backend.enter("loading", model="llama3.2", size_bytes=2_000_000_000)
    settle(1400)
    desktop.window.chat.composer.text_box.setPlainText("Without nuts, please!")
    desktop.window.chat.composer.text_box.enter_pressed.emit()


def attachments(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """Long pastes stand beside the text."""
    _open(desktop, backend, settle)
    box = desktop.window.chat.composer.text_box
    box.big_paste_arrived.emit("x" * 62_000)
    box.big_paste_arrived.emit("y" * 1_200_000)
    box.setPlainText("Please read these two reports and tell me\nwhere they disagree.")


def long_chat(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """Scrolled up in a long conversation."""
    backend.add_conversation("A year of gardening", *texts(400))
    _open(desktop, backend, settle)
    desktop.chat.open_conversation("c-1")
    settle(100)
    bar = desktop.window.chat.transcript.verticalScrollBar()
    bar.setValue(bar.maximum() - 1500)


def panel(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """The panel beside the chat, with the list of facts."""
    detail = sample_detail()
    backend.book.facts = {fact.id: fact for fact in sample_facts()}
    backend.book.details = {detail.fact.id: detail}
    backend.book.graph = sample_graph(40)
    streaming(desktop, backend, settle)
    backend.finish()
    backend.enter("nothing")
    desktop.window.resize(desktop.window.width() + 420, desktop.window.height() + 60)
    desktop.window.toggle_panel()
    settle(300)


def panel_detail(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """A fact with its source sentence, dates, confidence and history."""
    panel(desktop, backend, settle)
    desktop.window.show_fact(sample_detail().fact.id)
    settle(300)


def panel_graph(desktop: Desktop, backend: FakeBackend, settle: Settle) -> None:
    """The neighbourhood of the person, drawn."""
    panel(desktop, backend, settle)
    desktop.window.panel.tabs.setCurrentIndex(1)
    settle(500)


def shortcuts(desktop: Desktop, backend: FakeBackend, settle: Settle) -> QWidget:
    """The sheet of keys."""
    _open(desktop, backend, settle)
    desktop.window.show_shortcuts()
    settle(60)
    sheet = QApplication.activeModalWidget()
    assert sheet is not None
    return sheet


SCENES = (
    Scene("first_run", first_run),
    Scene("welcome", welcome),
    Scene("streaming", streaming),
    Scene("answered", answered),
    Scene("chip_open", chip_open),
    Scene("chip_forget", chip_forget),
    Scene("question", question),
    Scene("failure", failure),
    Scene("offline", offline),
    Scene("thinking", thinking),
    Scene("attachments", attachments),
    Scene("long_chat", long_chat),
    Scene("panel", panel),
    Scene("panel_detail", panel_detail),
    Scene("panel_graph", panel_graph),
    Scene("shortcuts", shortcuts),
)
"""Every scene of ``make shots``."""
