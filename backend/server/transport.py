"""Where the backend listens: a private ipc socket, or loopback TCP with CURVE on Windows."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import zmq
from zmq.utils import z85

from aico_desktop.contract.messages import PROTOCOL_VERSION
from aico_desktop.contract.rendezvous import CurveKeys, EndpointRecord
from aico_desktop.paths import HomePaths, runtime_socket
from backend.server.authentication import ensure_curve_keys

ZAP_DOMAIN = b"aico"
_MAX_MESSAGE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Transport:
    """An address to bind; with keys for CURVE where other users could reach it."""

    address: str
    server_keys: CurveKeys | None = field(default=None, repr=False)
    client_key: str | None = None

    def bind(self, router: zmq.Socket[bytes]) -> str:
        """Bind and return the endpoint that clients connect to.

        The caller holds the home's lock: a second bind on an ipc path would steal it silently
        (reference/storage §6). Raises ``zmq.ZMQError`` when the address cannot be used.
        """
        if self.server_keys is not None:
            router.setsockopt(zmq.CURVE_SERVER, 1)
            router.setsockopt(zmq.CURVE_SECRETKEY, self.server_keys.secret.encode("ascii"))
            router.setsockopt(zmq.ZAP_DOMAIN, ZAP_DOMAIN)
        # A reply says "too large" below this; above it, the connection is cut to save memory.
        router.setsockopt(zmq.MAXMSGSIZE, _MAX_MESSAGE_BYTES)
        path = self.socket_path
        if path is not None:
            path.unlink(missing_ok=True)
        router.bind(self.address)
        if path is not None:
            path.chmod(0o600)
        return router.getsockopt(zmq.LAST_ENDPOINT).rstrip(b"\0").decode()  # type: ignore[union-attr]  # pyzmq types every option as int | bytes

    @property
    def socket_path(self) -> Path | None:
        """The file of an ipc socket."""
        scheme, _, rest = self.address.partition("://")
        return Path(rest) if scheme == "ipc" else None

    def record(self, endpoint: str) -> EndpointRecord:
        """What clients must know to connect to the bound ``endpoint``."""
        return EndpointRecord(
            endpoint=endpoint,
            pid=os.getpid(),
            protocol=PROTOCOL_VERSION,
            server_key=self.server_keys.public if self.server_keys else None,
        )


def choose_transport(home: HomePaths, environment: Mapping[str, str] = os.environ) -> Transport:
    """``ipc`` on Linux and macOS, TCP with CURVE on Windows or with ``AICO_TRANSPORT=tcp``.

    Raises :class:`aico_desktop.paths.RuntimeFolderError` in words.
    """
    default = "tcp" if sys.platform == "win32" else "ipc"
    if environment.get("AICO_TRANSPORT", default) != "tcp":
        return Transport(runtime_socket(home.root, environment))
    server_keys, client_keys = ensure_curve_keys(home)
    return Transport("tcp://127.0.0.1:*", server_keys, client_keys.public)


class ZapGate:
    """Answers libzmq's question whether a client's CURVE key is the one this home knows."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], client_key: str) -> None:
        self._client_key = client_key.encode("ascii")
        self.socket: zmq.Socket[bytes] = context.socket(zmq.REP)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.bind("inproc://zeromq.zap.01")

    def answer(self) -> None:
        """Answer one waiting question (ZeroMQ RFC 27); call when the socket is readable."""
        frames = self.socket.recv_multipart()
        version, request_id = frames[0], frames[1]
        mechanism, credentials = frames[5], frames[6:]
        known = mechanism == b"CURVE" and [z85.encode(key) for key in credentials] == [
            self._client_key
        ]
        status, text = (b"200", b"OK") if known else (b"400", b"Unknown key")
        self.socket.send_multipart([version, request_id, status, text, b"", b""])

    def close(self) -> None:
        """Stop answering."""
        self.socket.close()
