"""The chat model that ships with the app: SmolLM2-135M run by llama.cpp inside this process."""

from __future__ import annotations

import logging
import os
import re
import secrets
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import xllamacpp

from backend.inference.chat import (
    ChatMessage,
    ChatModelError,
    ChatOptions,
    ChatPiece,
    EngineName,
)
from backend.inference.openai_compatible import OpenAiCompatibleChat, OpenAiServer

BUILTIN_MODEL_BYTES = 98_362_432
"""Size of the shipped GGUF (reference/models §1.2); set-up checked its hash, here a cut-off copy
is noticed before llama.cpp reads it."""

MODEL_NAME = "SmolLM2-135M-Instruct"
CONTEXT_TOKENS = 2048
"""What SmolLM2 reads well; its memory grows by 23 kB a token."""
BATCH_TOKENS = 32
"""llama.cpp notices a Stop between batches: with 2048 it goes on for seconds (DESIGN §5)."""
REPLY_TOKENS = 80
REPLY_SENTENCES = 2
"""After two sentences SmolLM2 wanders off: it invents people and answers itself."""

_SENTENCE_END = re.compile(r"\w\W?([.!?…]+[\"')\]]*)\s")
_PARAGRAPH_END = re.compile(r"\S(\s*\n)")

_SERVER_NAME = "the built-in model"
_log = logging.getLogger(__name__)


class BuiltInChat:
    """The built-in model (fulfils ChatModel); loaded at its first use or by load_in_background.

    :param path: the GGUF file, None when there is none.
    :param expected_bytes: size of a whole file.
    """

    engine: EngineName = "built_in"
    model = MODEL_NAME
    context_tokens = CONTEXT_TOKENS
    is_small = True
    continues_partial = True
    # Warmer sampling invents names, no penalty repeats itself (reference/models §1.3).
    default_options = ChatOptions(reply_tokens=REPLY_TOKENS, temperature=0.2, repeat_penalty=1.1)

    def __init__(self, path: Path | None, expected_bytes: int = BUILTIN_MODEL_BYTES) -> None:
        self._path = path
        self._expected_bytes = expected_bytes
        self._lock = threading.Lock()
        self._server: Any = None
        self._chat: OpenAiCompatibleChat | None = None
        self._closed = False
        self._loader: threading.Thread | None = None

    @property
    def size_bytes(self) -> int | None:
        """Size of the weights."""
        return self._expected_bytes

    def problem(self) -> str | None:
        """Return in words why the model cannot be used, or None."""
        if self._path is None or not self._path.is_file():
            return (
                "The file of the built-in model is missing. Run the set-up again"
                " (make setup), or use Ollama."
            )
        size = self._path.stat().st_size
        if size != self._expected_bytes:
            return (
                f"The file of the built-in model is damaged: it has {size:,} bytes instead of"
                f" {self._expected_bytes:,}. Delete {self._path} and run the set-up again"
                " (make setup)."
            )
        return None

    def is_loaded(self) -> bool:
        """Tell whether the weights are in memory."""
        return self._chat is not None

    def load_in_background(self) -> None:
        """Begin to load, unless that has begun; failures show at the first use."""
        with self._lock:
            if self._closed or self._loader is not None or self._chat is not None:
                return
            self._loader = threading.Thread(
                target=self._load_quietly, name="built-in-model-loader", daemon=True
            )
            self._loader.start()

    def stream(
        self, messages: Sequence[ChatMessage], options: ChatOptions, cancelled: threading.Event
    ) -> Iterator[ChatPiece]:
        """Stream one reply; see ChatModel."""
        chat = self._loaded_chat()
        # The local reference keeps the server alive until this stream is over, whatever closes.
        server = self._server
        try:
            yield from first_sentences(chat.stream(messages, options, cancelled), REPLY_SENTENCES)
        finally:
            del server

    def close(self) -> None:
        """Free the model; a stream that still runs keeps it until it ends."""
        with self._lock:
            self._closed = True
            loader = self._loader
        if loader is not None:
            loader.join()
        with self._lock:
            self._server = None
            self._chat = None

    def _load_quietly(self) -> None:
        try:
            self._loaded_chat()
        except ChatModelError as error:
            _log.info("the built-in model was not loaded: %s", error.code)

    def _loaded_chat(self) -> OpenAiCompatibleChat:
        with self._lock:
            if self._closed:
                raise ChatModelError("unreachable", "The companion service is closing.")
            if self._chat is None:
                problem = self.problem()
                if problem is not None or self._path is None:
                    raise ChatModelError("model_missing", problem or "", str(self._path))
                self._chat = self._start(self._path)
            return self._chat

    def _start(self, path: Path) -> OpenAiCompatibleChat:
        api_key = secrets.token_urlsafe(32)
        try:
            self._server = xllamacpp.Server(_parameters(path, api_key))
        except Exception as error:  # the extension raises plain RuntimeError and its kin
            raise ChatModelError(
                "refused", "The built-in model could not be started.", str(error)
            ) from error
        _log.info("the built-in model is loaded")
        return OpenAiCompatibleChat(
            OpenAiServer(self._server.listening_address, api_key, _SERVER_NAME),
            MODEL_NAME,
            context_tokens=CONTEXT_TOKENS,
            extra={"cache_prompt": True, "repeat_penalty": self.default_options.repeat_penalty},
        )


def first_sentences(pieces: Iterator[ChatPiece], most: int) -> Iterator[ChatPiece]:
    """Yield pieces until ``most`` sentences or the first paragraph are over, then the end.

    Pieces after that are not read: closing the stream stops the model.
    """
    text = ""
    for piece in pieces:
        before, text = text, text + piece.text
        end = _end_of_sentences(text, most)
        if piece.done or end is None:
            yield piece
            continue
        if rest := text[len(before) : end]:
            yield ChatPiece(text=rest)
        yield ChatPiece(done=True)
        return


def _end_of_sentences(text: str, most: int) -> int | None:
    """Return where the last allowed sentence ends, once what follows shows that it has ended."""
    paragraph = _PARAGRAPH_END.search(text)
    ends = [match.end(1) for match in _SENTENCE_END.finditer(text)]
    found = [ends[most - 1]] if len(ends) >= most else []
    if paragraph is not None:
        found.append(paragraph.start(1))
    return min(found, default=None)


def _parameters(path: Path, api_key: str) -> Any:
    """Return llama.cpp's parameters; those that are not plain are explained."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = MODEL_NAME
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_batch = parameters.n_ubatch = BATCH_TOKENS
    parameters.n_parallel = 1
    # Two busy threads on two cores collapse when the memory works beside them
    # (reference/models §1.2: 24 tokens a second with one thread, 5 with two).
    threads = max(1, (os.cpu_count() or 1) - 1)
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.n_threads_http = 2
    parameters.api_keys = [api_key]
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    # The fixed part of the prompt stays in the slot; the store for further prompts may take 8 GiB.
    parameters.cache_prompt = True
    parameters.cache_ram_mib = 0
    # Loading keeps the interpreter's lock: without these two it takes 0.2 s instead of 0.8 s.
    parameters.fit_params = False
    parameters.warmup = False
    parameters.offline = True
    parameters.verbosity = 0
    parameters.ui = False
    parameters.endpoint_slots = parameters.endpoint_props = parameters.endpoint_metrics = False
    return parameters
