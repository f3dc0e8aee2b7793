"""Reads a model's stream in a thread of its own, so that its turn can save, wait and stop."""

from __future__ import annotations

import enum
import logging
import queue
import threading
from collections.abc import Callable, Iterator

from aico_desktop.redaction import error_places
from backend.inference.chat import ChatModelError, ChatPiece

_log = logging.getLogger(__name__)


class Silence(enum.Enum):
    """What may come instead of a piece."""

    STILL_OPEN = "nothing came in the given time"
    ENDED = "the stream is over, or its turn"


StreamItem = ChatPiece | ChatModelError | Silence


class StreamPump:
    """Hands out what a stream yields, with a time limit for each wait.

    :param open_stream: opens the stream; called in the pump's thread.
    """

    def __init__(self, open_stream: Callable[[], Iterator[ChatPiece]]) -> None:
        self._open_stream = open_stream
        self._items: queue.SimpleQueue[StreamItem] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._read, name="model-stream", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    @property
    def is_open(self) -> bool:
        """Whether the stream is still being read."""
        return self._thread.is_alive()

    def next(self, timeout: float) -> StreamItem:
        """Return a piece, why the stream broke, or what ``timeout`` seconds of silence mean."""
        try:
            return self._items.get(timeout=max(timeout, 0.0))
        except queue.Empty:
            return Silence.STILL_OPEN

    def wake(self) -> None:
        """Let a waiting :meth:`next` return the end at once."""
        self._items.put(Silence.ENDED)

    def join(self) -> None:
        """Wait until the stream is closed; the model's ``cancelled`` must be set before."""
        self._thread.join()

    def _read(self) -> None:
        try:
            for piece in self._open_stream():
                self._items.put(piece)
        except ChatModelError as error:
            self._items.put(error)
        except Exception as error:
            # Whatever it is, the person must not wait for ever.
            _log.error("a chat model failed unexpectedly: %s", error_places(error))
            self._items.put(
                ChatModelError("refused", "The model failed unexpectedly.", type(error).__name__)
            )
        self._items.put(Silence.ENDED)
