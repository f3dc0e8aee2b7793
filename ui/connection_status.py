"""What the window says about the companion service: starting, gone, not responding, given up."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from aico_desktop.contract.messages import Failure
from ui.client.requests import Connection

ActionLabels = tuple[tuple[str, str], ...]

_PATIENCE_MS = 2500
"""A start or a quick restart within this time is not worth a banner."""

_MISSES_SHOWN = 3
"""Heartbeats without answer after which the person is told (reference/desktop §7)."""

_RESTART: tuple[str, str] = ("restart", "Restart")
_SHOW_LOG: tuple[str, str] = ("show_log", "Show log")


class ConnectionStatus(QObject):
    """Turns facts of connection and supervisor into one line of words with next steps."""

    words_changed = Signal(str, object)
    #: arg 0: words for the banner, empty for none; arg 1: tuple of (verb, label).
    reachable_changed = Signal(bool)
    #: arg 0: whether the backend answers.

    def __init__(
        self,
        connection: Connection,
        parent: QObject | None = None,
        *,
        patience_ms: int = _PATIENCE_MS,
    ) -> None:
        super().__init__(parent)
        self._log = ""
        self._reachable = False
        self._pending: tuple[str, ActionLabels] = ("Starting…", ())
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(patience_ms)
        self._timer.timeout.connect(self._say_pending)
        connection.connected.connect(self._on_connected)
        connection.connection_lost.connect(self._on_connection_lost)
        connection.not_responding.connect(self._on_not_responding)

    @property
    def log(self) -> str:
        """End of the service's log when it gave up."""
        return self._log

    def start(self) -> None:
        """The service is being started; say so only if it takes long."""
        self._say_later("The companion service is starting…", ())

    def on_backend_lost(self, words: str, retry_seconds: float) -> None:
        """The supervisor saw its child die, and tries again after ``retry_seconds``."""
        self._say_later(words, (_SHOW_LOG,))

    def on_gave_up(self, words: str, log: str) -> None:
        """The supervisor will not try again by itself."""
        self._log = log
        self._timer.stop()
        # Also after a start that never got as far as a connection: it is not starting any more.
        self._reachable = False
        self.reachable_changed.emit(False)
        self.words_changed.emit(words, (_RESTART, _SHOW_LOG))

    def _on_connected(self, welcome: object) -> None:
        self._timer.stop()
        self._set_reachable(True)
        self.words_changed.emit("", ())

    def _on_connection_lost(self, words: str, failure: Failure | None) -> None:
        self._set_reachable(False)
        if failure is not None:
            # A refusal, for example by another version, does not heal by waiting.
            self._timer.stop()
            self.words_changed.emit(failure.human, (_RESTART, _SHOW_LOG))
        else:
            self._say_later(words, (_SHOW_LOG,))

    def _on_not_responding(self, misses: int) -> None:
        if misses == 0:
            self._set_reachable(True)
            self.words_changed.emit("", ())
        elif misses >= _MISSES_SHOWN:
            words = "The companion service is not responding. It may be busy; your text is safe."
            self.words_changed.emit(words, (_SHOW_LOG,))

    def _set_reachable(self, reachable: bool) -> None:
        if reachable != self._reachable:
            self._reachable = reachable
            self.reachable_changed.emit(reachable)

    def _say_later(self, words: str, actions: ActionLabels) -> None:
        self._pending = (words, actions)
        if not self._timer.isActive():
            self._timer.start()

    def _say_pending(self) -> None:
        words, actions = self._pending
        self.words_changed.emit(words, actions)
