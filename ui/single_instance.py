"""One window per home folder: a second start raises the first window and ends."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_RAISE = b"raise\n"

_CONNECT_MS = 1000


class SingleInstance(QObject):
    """Holds the lock of a home's window, or asks whoever holds it to come to the front.

    Params: ``home`` folder of the window's data.
    """

    raise_requested = Signal()
    #: Another start of the app wants to see the window.

    def __init__(self, home: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        digest = hashlib.blake2b(str(home.resolve()).encode(), digest_size=8).hexdigest()
        self._name = f"aico-desktop-{digest}"
        self._lock = QLockFile(str(home / "window.lock"))
        # The lock of a killed window is taken over by its process id, never by its age.
        self._lock.setStaleLockTime(0)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_new_connection)

    def acquire(self) -> bool:
        """Become the one window of this home; False if another one is and was raised."""
        if not self._lock.tryLock(0):
            self._ask_first_window()
            return False
        # A killed window leaves its socket file, which would refuse us.
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)
        return True

    def close(self) -> None:
        """Give the lock back."""
        self._server.close()
        self._lock.unlock()

    def _ask_first_window(self) -> None:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if socket.waitForConnected(_CONNECT_MS):
            socket.write(_RAISE)
            socket.waitForBytesWritten(_CONNECT_MS)
            socket.disconnectFromServer()

    def _on_new_connection(self) -> None:
        socket = self._server.nextPendingConnection()
        while socket is not None:
            socket.disconnected.connect(socket.deleteLater)
            self.raise_requested.emit()
            socket = self._server.nextPendingConnection()
