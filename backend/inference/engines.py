"""Which chat engine answers next: detection in the background, choice, status in words."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from aico_desktop.redaction import error_places
from backend.inference.built_in import BuiltInChat
from backend.inference.chat import ChatModel, ChatModelError, EngineName
from backend.inference.engine_probe import EngineProbe, OllamaFinding, OpenAiFinding
from backend.inference.ollama_chat import OllamaChat
from backend.inference.openai_compatible import OpenAiCompatibleChat

PROBE_INTERVAL_SECONDS = 4.0
"""An engine that dies or appears is noticed within 5 s (reference/ux §5 scenario 2)."""
FIRST_PROBE_SECONDS = 3.0
"""How long the first message waits for the first look at the engines."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class EngineChoice:
    """What the person chose; ``model`` None leaves the model to :class:`EngineManager`."""

    engine: Literal["auto", "built_in", "ollama", "openai_compatible"] = "auto"
    model: str | None = None


@dataclass(frozen=True)
class EngineStatus:
    """One engine as it is now; ``detail`` says in words what it is doing, or why it is not."""

    engine: EngineName
    available: bool
    selected: bool
    model: str | None
    models: tuple[str, ...]
    address: str | None
    detail: str


class EngineManager:
    """Finds engines, keeps the person's choice, and hands out the model for the next reply.

    Order of "auto": Ollama with the chosen, the default or its first local chat model; the
    OpenAI-compatible server if one is configured and answers; the built-in model.

    :param default_model: preferred in Ollama when the person chose none (DESIGN §6).
    :param on_change: called from the detection thread whenever a status changed.
    """

    def __init__(
        self,
        probe: EngineProbe,
        built_in: BuiltInChat,
        choice: EngineChoice,
        default_model: str,
        on_change: Callable[[], None] | None = None,
        interval_seconds: float = PROBE_INTERVAL_SECONDS,
    ) -> None:
        self._probe = probe
        self._built_in = built_in
        self._choice = choice
        self._default_model = default_model
        self._on_change = on_change
        self._interval_seconds = interval_seconds
        self._lock = threading.Lock()
        self._ollama = OllamaFinding()
        self._openai = OpenAiFinding()
        self._looked = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="engine-watch", daemon=True)

    def start(self) -> None:
        """Begin to look for engines in the background."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking, and free the built-in model."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._probe.close()
        self._built_in.close()

    def select(self, engine: EngineName, model: str | None) -> None:
        """Use this engine (and model) from the next reply on."""
        with self._lock:
            self._choice = EngineChoice(engine, model)
        _log.info("engine chosen: %s", engine)
        self._load_built_in_if_chosen()
        self._announce()

    def current(self) -> ChatModel:
        """Return the model for the next reply.

        Looks again whether a chosen Ollama is still there, which takes milliseconds, so that one
        that died a moment ago is not asked in "auto". Raises ChatModelError when the chosen engine
        cannot be used.
        """
        self._looked.wait(FIRST_PROBE_SECONDS)
        with self._lock:
            choice, ollama, openai = self._choice, self._ollama, self._openai
        if ollama.server is not None and choice.engine in ("auto", "ollama"):
            ollama = self._recheck(ollama)
        engine = self._resolve(choice, ollama, openai)
        if engine == "ollama":
            return self._ollama_model(choice, ollama)
        if engine == "openai_compatible":
            return self._openai_model(choice, openai)
        return self._built_in

    def built_in(self) -> ChatModel:
        """Return the built-in model, whatever is chosen."""
        return self._built_in

    def statuses(self) -> tuple[EngineStatus, ...]:
        """Return all engines as they are now; does not wait for anything."""
        with self._lock:
            choice, ollama, openai = self._choice, self._ollama, self._openai
        selected = self._resolve(choice, ollama, openai)
        found = (
            self._built_in_status(),
            self._ollama_status(choice, ollama),
            self._openai_status(choice, openai),
        )
        return tuple(replace(each, selected=each.engine == selected) for each in found)

    # ------------------------------------------------------------ choice

    def _resolve(
        self, choice: EngineChoice, ollama: OllamaFinding, openai: OpenAiFinding
    ) -> EngineName:
        if choice.engine != "auto":
            return choice.engine
        if self._pick_ollama_model(choice, ollama) is not None:
            return "ollama"
        if openai.models:
            return "openai_compatible"
        return "built_in"

    def _pick_ollama_model(self, choice: EngineChoice, ollama: OllamaFinding) -> str | None:
        names = [model.name for model in ollama.models]
        if choice.engine == "ollama" and choice.model is not None:
            return _installed(choice.model, names)
        for wanted in (choice.model, self._default_model):
            if wanted is not None and (name := _installed(wanted, names)) is not None:
                return name
        return names[0] if names else None

    def _ollama_model(self, choice: EngineChoice, ollama: OllamaFinding) -> ChatModel:
        if ollama.server is None:
            raise ChatModelError("unreachable", ollama.detail, ollama.detail)
        name = self._pick_ollama_model(choice, ollama)
        if name is None:
            missing = choice.model or self._default_model
            raise ChatModelError(
                "model_missing", f"The model {missing} is not installed in Ollama."
            )
        model = next(each for each in ollama.models if each.name == name)
        return OllamaChat(ollama.server, model)

    def _openai_model(self, choice: EngineChoice, openai: OpenAiFinding) -> ChatModel:
        if openai.server is None:
            raise ChatModelError("unreachable", openai.detail)
        wanted = choice.model if choice.engine == "openai_compatible" else None
        model = wanted or openai.model
        if model is None:
            raise ChatModelError("unreachable", openai.detail)
        return OpenAiCompatibleChat(openai.server, model)

    # ------------------------------------------------------------ detection

    def _watch(self) -> None:
        while not self._stop.is_set():
            try:
                self._look()
            except Exception as error:
                # Whatever a server answers, engines must be found again when it is well.
                _log.error("engines could not be looked for: %s", error_places(error))
            self._looked.set()
            self._stop.wait(self._interval_seconds)

    def _look(self) -> None:
        ollama = self._probe.find_ollama()
        openai = self._probe.find_openai()
        with self._lock:
            changed = not self._looked.is_set() or (ollama, openai) != (self._ollama, self._openai)
            self._ollama, self._openai = ollama, openai
        if changed:
            _log.info("engines: ollama %s", "found" if ollama.server else "not found")
            self._load_built_in_if_chosen()
            self._announce()

    def _recheck(self, ollama: OllamaFinding) -> OllamaFinding:
        # Twice, because a busy computer may let one second pass.
        if ollama.server is None or ollama.server.version() or ollama.server.version():
            return ollama
        gone = OllamaFinding(address=ollama.address, detail="Ollama has stopped answering.")
        with self._lock:
            self._ollama = gone
        self._announce()
        return gone

    def _load_built_in_if_chosen(self) -> None:
        with self._lock:
            choice, ollama, openai = self._choice, self._ollama, self._openai
        if self._resolve(choice, ollama, openai) == "built_in":
            self._built_in.load_in_background()

    def _announce(self) -> None:
        if self._on_change is not None:
            self._on_change()

    # ------------------------------------------------------------ words

    def _built_in_status(self) -> EngineStatus:
        problem = self._built_in.problem()
        detail = problem or "Small and always there: good for small talk, weak at anything else."
        return EngineStatus(
            "built_in", problem is None, False, self._built_in.model, (self._built_in.model,), None,
            detail,
        )  # fmt: skip

    def _ollama_status(self, choice: EngineChoice, ollama: OllamaFinding) -> EngineStatus:
        name = self._pick_ollama_model(choice, ollama)
        detail = ollama.detail
        if choice.engine == "ollama" and ollama.server is not None and name is None:
            detail = self._missing_model(choice)
        return EngineStatus(
            "ollama",
            name is not None,
            False,
            name,
            tuple(model.name for model in ollama.models),
            ollama.address,
            detail,
        )

    def _missing_model(self, choice: EngineChoice) -> str:
        return f"The model {choice.model or self._default_model} is not installed in Ollama."

    def _openai_status(self, choice: EngineChoice, openai: OpenAiFinding) -> EngineStatus:
        wanted = choice.model if choice.engine == "openai_compatible" else None
        return EngineStatus(
            "openai_compatible",
            bool(openai.models),
            False,
            wanted or openai.model,
            openai.models,
            openai.address,
            openai.detail,
        )


def _installed(wanted: str, names: list[str]) -> str | None:
    """Return the installed name that ``wanted`` means; Ollama adds ``:latest`` by itself."""
    for name in (wanted, f"{wanted}:latest"):
        if name in names:
            return name
    return None
