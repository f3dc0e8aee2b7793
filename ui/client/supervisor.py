"""Keeps a backend running for the window: starts it, restarts it, never leaves an orphan."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from aico_desktop.backend_command import (
    BackendCommand,
    ReadyLine,
    log_tail,
    read_ready_line,
    stderr_file,
)
from aico_desktop.contract.rendezvous import read_endpoint, read_owner, somebody_listens
from aico_desktop.paths import HomePaths
from ui.client.restarts import RestartPolicy

READY_TIMEOUT_MS = 60_000
OWNER_RETRY_MS = 250
OWNER_PATIENCE_S = 60.0

_SHUTDOWN_WAIT_MS = 1000
_LEASE_WAIT_MS = 1000
_TERMINATE_WAIT_MS = 1000


class BackendSupervisor(QObject):
    """Owns the backend as a child, or attaches to one that another client started.

    The child holds our end of its stdin as a lease, so it ends with us however we end. To be used
    from the main thread, because the kernel ties the child to the thread that started it. The
    application connects ``backend_ready`` and ``attached`` to
    :meth:`ui.client.connection.BackendConnection.retry_now`, ``backend_hung`` of the connection to
    :meth:`replace_hung_backend`, and ``connection_lost`` to :meth:`look_again`.

    Signals: ``backend_ready``, ``attached``, ``backend_lost``, ``gave_up``.
    """

    #: str: the endpoint of our child, which takes clients now
    backend_ready = Signal(str)
    #: int: process id of the backend that somebody else started and that we use
    attached = Signal(int)
    #: str, float: words for the person, and seconds until the next attempt
    backend_lost = Signal(str, float)
    #: str, str: words for the banner, and the end of the log for "Show log"
    gave_up = Signal(str, str)

    def __init__(
        self,
        home: HomePaths,
        command: BackendCommand | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._home = home
        self._command = command or BackendCommand()
        self._policy = RestartPolicy()
        self._process: QProcess | None = None
        self._ready: ReadyLine | None = None
        self._closing = False
        self._owner_since: float | None = None
        self._restart_timer = self._make_timer(self.start)
        self._ready_timer = self._make_timer(self._on_ready_timer_timeout)

    @property
    def owns_backend(self) -> bool:
        """Whether the running backend is our child."""
        return self._process is not None

    def start(self) -> None:
        """Use the backend that runs already, else start one."""
        if self._closing or self._process is not None:
            return
        self._restart_timer.stop()
        record = read_endpoint(self._home)
        if record is not None and somebody_listens(record.endpoint):
            self._owner_since = None
            self.attached.emit(record.pid)
            return
        self._start_child()

    def look_again(self) -> None:
        """The connection was lost: if we had only attached, it is our turn to start a backend."""
        if self._process is None and not self._restart_timer.isActive():
            self.start()

    def replace_hung_backend(self) -> None:
        """The backend runs but does not answer any more: kill it, and so have it restarted."""
        if self._process is not None:
            self._process.kill()

    def restart_by_hand(self) -> None:
        """The person asked for another try after we gave up."""
        self._policy.forget()
        self._owner_since = None
        self.start()

    def close(self, request_shutdown: Callable[[], object] | None = None) -> None:
        """End our child in order, within 3 s; a backend that is not ours is left alone.

        Params: ``request_shutdown`` sends the wish through the connection, which must still be
        open; then the lease ends, then the process is terminated, then killed.
        """
        self._closing = True
        self._restart_timer.stop()
        process = self._process
        if process is None:
            return
        if request_shutdown is not None and self._ready is not None:
            request_shutdown()
            if process.waitForFinished(_SHUTDOWN_WAIT_MS):
                return
        process.closeWriteChannel()
        if process.waitForFinished(_LEASE_WAIT_MS):
            return
        process.terminate()
        if process.waitForFinished(_TERMINATE_WAIT_MS):
            return
        process.kill()
        process.waitForFinished()

    # ------------------------------------------------------------ the child

    def _start_child(self) -> None:
        self._home.prepare()
        program, *arguments = self._command.arguments(self._home, lease=True)
        environment = QProcessEnvironment()
        for name, value in self._command.environment().items():
            environment.insert(name, value)
        process = QProcess(self)
        process.setProgram(program)
        process.setArguments(arguments)
        process.setProcessEnvironment(environment)
        process.setStandardErrorFile(str(stderr_file(self._home)), QProcess.OpenModeFlag.Append)
        process.readyReadStandardOutput.connect(self._on_process_ready_read)
        process.finished.connect(self._on_process_finished)
        process.errorOccurred.connect(self._on_process_error_occurred)
        self._process, self._ready = process, None
        self._ready_timer.start(READY_TIMEOUT_MS)
        process.start()

    def _on_process_ready_read(self) -> None:
        process = self._process
        while process is not None and process.canReadLine():
            ready = read_ready_line(bytes(process.readLine().data()))
            if ready is None or self._ready is not None:
                continue
            self._ready = ready
            self._ready_timer.stop()
            if ready.ready:
                self._owner_since = None
                self.backend_ready.emit(ready.endpoint or "")

    def _on_process_error_occurred(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            # No finished signal follows in this case.
            self._on_process_finished()

    def _on_process_finished(self) -> None:
        self._on_process_ready_read()
        ready, process = self._ready, self._process
        self._process = self._ready = None
        self._ready_timer.stop()
        if process is not None:
            process.deleteLater()
        if self._closing:
            return
        if ready is not None and ready.code == "home_in_use":
            self._wait_for_owner(ready.human)
        elif ready is not None and ready.code == "refused":
            # It said why in words, and would say the same again.
            self.gave_up.emit(ready.human, log_tail(self._home))
        else:
            self._restart_later()

    def _restart_later(self) -> None:
        wait_s = self._policy.next_wait(time.monotonic())
        if wait_s is None:
            words = "The companion service ended several times in a minute."
            self.gave_up.emit(words, log_tail(self._home))
            return
        self.backend_lost.emit(
            "The companion service ended. It is being started again; your text is safe.", wait_s
        )
        self._restart_timer.start(round(wait_s * 1000))

    def _wait_for_owner(self, human: str) -> None:
        """Another client's backend took the home while ours started: attach once it is ready."""
        now = time.monotonic()
        if self._owner_since is None:
            self._owner_since = now
        if now - self._owner_since > OWNER_PATIENCE_S:
            owner = read_owner(self._home)
            hint = f" It is process {owner.pid}; ending it helps." if owner else ""
            self.gave_up.emit(human + hint, log_tail(self._home))
            return
        self._restart_timer.start(OWNER_RETRY_MS)

    def _on_ready_timer_timeout(self) -> None:
        if self._process is not None:
            self._process.kill()

    def _make_timer(self, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(slot)
        return timer
