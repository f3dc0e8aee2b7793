"""The secrets of a home's connection: the clients' token, and CURVE keys for loopback TCP."""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from pathlib import Path

import msgspec
import zmq

from aico_desktop.contract.rendezvous import (
    CurveKeys,
    client_keys_path,
    read_keys,
    read_token,
    write_private,
)
from aico_desktop.paths import HomePaths

_TOKEN_BYTES = 32


def ensure_token(home: HomePaths) -> str:
    """The home's token, made if it is missing or if other users could have read it."""
    token = read_token(home)
    if token is None or not _is_private(home.token):
        token = secrets.token_hex(_TOKEN_BYTES)
        write_private(home.token, token.encode("ascii"))
    return token


def token_matches(expected: str, given: str) -> bool:
    """Compare in constant time, whatever characters were given."""
    return hmac.compare_digest(
        expected.encode("utf-8"), given.encode("utf-8", errors="surrogatepass")
    )


def ensure_curve_keys(home: HomePaths) -> tuple[CurveKeys, CurveKeys]:
    """The key pairs of the server and of its clients, in files of mode 0600."""
    home.keys.mkdir(mode=0o700, exist_ok=True)
    return _ensure_keys(home.keys / "server.key"), _ensure_keys(client_keys_path(home))


def _ensure_keys(path: Path) -> CurveKeys:
    keys = read_keys(path)
    if keys is None or not _is_private(path):
        public, secret = zmq.curve_keypair()
        keys = CurveKeys(public=public.decode("ascii"), secret=secret.decode("ascii"))
        write_private(path, msgspec.json.encode(keys))
    return keys


def _is_private(path: Path) -> bool:
    """Windows keeps the user's folder private by itself and has no such mode bits."""
    return os.name == "nt" or not stat.S_IMODE(path.stat().st_mode) & 0o077
