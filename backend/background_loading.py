"""Parts that take seconds to load: loaded in a thread, so that messages are accepted at once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from aico_desktop.redaction import error_places

logger = logging.getLogger(__name__)

_Part = TypeVar("_Part")


class LoadingFailed(Exception):
    """A part could not be loaded; the log says why."""


class BackgroundLoading(Generic[_Part]):
    """Loads one part in a thread of its own; whoever needs it waits for it.

    Params: ``name`` for log and thread; ``load`` makes the part and may take seconds.
    """

    def __init__(self, name: str, load: Callable[[], _Part]) -> None:
        self._name = name
        self._load = load
        self._part: _Part | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"loading-{name}", daemon=True)

    def start(self) -> None:
        """Begin to load."""
        self._thread.start()

    @property
    def ready(self) -> bool:
        """Whether the part can be used without waiting."""
        return self._part is not None

    @property
    def failed(self) -> bool:
        """Whether loading has ended without a part."""
        return self._done.is_set() and self._part is None

    def get(self, timeout_s: float | None = None) -> _Part:
        """The part, once it is there. Raises LoadingFailed, also when it takes too long."""
        self._done.wait(timeout_s)
        if self._part is None:
            raise LoadingFailed(self._name)
        return self._part

    def close(self) -> None:
        """Wait for a load that is under way: a library must not be torn down while it loads."""
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            self._part = self._load()
        except Exception as error:
            # The rest of the app goes on without this part; doctor and log say that it is missing.
            logger.error("%s could not be loaded: %s", self._name, error_places(error))
        finally:
            self._done.set()
