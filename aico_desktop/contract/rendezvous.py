"""How a client finds the running backend of a home: endpoint file, token and keys."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import msgspec
import zmq

from aico_desktop.paths import HomePaths

_PROBE_TIMEOUT_S = 0.5
_NEVER_MS = 24 * 3600 * 1000


class EndpointRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What the running backend wrote about itself; ``server_key`` is set for CURVE alone."""

    endpoint: str
    pid: int
    protocol: int
    server_key: str | None = None


class CurveKeys(msgspec.Struct, frozen=True, kw_only=True):
    """One CURVE key pair in Z85."""

    public: str
    secret: str


class OwnerRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds a home's lock, for messages to the person; ``started_at`` is ISO 8601."""

    pid: int
    started_at: str


def write_private(path: Path, data: bytes) -> None:
    """Replace ``path`` in one step by a file that only its owner can read."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    partial.replace(path)


def read_endpoint(home: HomePaths) -> EndpointRecord | None:
    """The record that the last backend of this home left, alive or not."""
    try:
        return msgspec.json.decode(home.endpoint.read_bytes(), type=EndpointRecord)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None


def read_owner(home: HomePaths) -> OwnerRecord | None:
    """Who last took the home's lock; that it is still held is for the lock to say."""
    try:
        return msgspec.json.decode(home.lock.read_bytes(), type=OwnerRecord)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None


def read_token(home: HomePaths) -> str | None:
    """The secret that this home's backend asks for."""
    try:
        return home.token.read_text("ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def read_keys(path: Path) -> CurveKeys | None:
    """A key pair that the backend made."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=CurveKeys)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None


def client_keys_path(home: HomePaths) -> Path:
    """The one key pair that the backend of this home lets in."""
    return home.keys / "client.key"


def somebody_listens(endpoint: str) -> bool:
    """Whether a process accepts connections there; after a crash the files remain alone."""
    scheme, _, address = endpoint.partition("://")
    try:
        if scheme == "tcp":
            host, _, port = address.rpartition(":")
            with socket.create_connection((host, int(port)), timeout=_PROBE_TIMEOUT_S):
                return True
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(_PROBE_TIMEOUT_S)
            probe.connect(address)
            return True
    except (OSError, ValueError, AttributeError):
        return False


def prepare_client_socket(
    dealer: zmq.Socket[bytes], record: EndpointRecord, home: HomePaths
) -> bool:
    """Set every option of a client socket; False when the keys for CURVE are missing.

    High-water marks are off because the default loses messages (reference/storage §6). The library
    must not reconnect by itself, because a restarted backend may listen elsewhere; its own way to
    turn that off (-1) throws away what the backend said last before it ended.
    """
    dealer.setsockopt(zmq.SNDHWM, 0)
    dealer.setsockopt(zmq.RCVHWM, 0)
    dealer.setsockopt(zmq.LINGER, 0)
    dealer.setsockopt(zmq.RECONNECT_IVL, _NEVER_MS)
    if record.server_key is None:
        return not record.endpoint.startswith("tcp:")
    keys = read_keys(client_keys_path(home))
    if keys is None:
        return False
    dealer.setsockopt(zmq.CURVE_SERVERKEY, record.server_key.encode("ascii"))
    dealer.setsockopt(zmq.CURVE_PUBLICKEY, keys.public.encode("ascii"))
    dealer.setsockopt(zmq.CURVE_SECRETKEY, keys.secret.encode("ascii"))
    return True
