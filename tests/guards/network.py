"""Refuses every connection that would leave this computer."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from typing import Any

import pytest


class NetworkForbidden(RuntimeError):
    """A test tried to reach beyond this computer. Not an OSError: no retry may swallow it."""


def _stays_here(address: Any) -> bool:
    """Tell whether ``address``, as given to ``connect``, is on this computer."""
    if not isinstance(address, tuple):
        return True  # a path: Unix socket
    host = str(address[0]).split("%")[0]
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _guarded(original: Callable[..., Any], position: int) -> Callable[..., Any]:
    """Wrap a socket method whose address is its argument number ``position`` from the end."""

    def call(self: socket.socket, *arguments: Any) -> Any:
        if not _stays_here(arguments[position]):
            raise NetworkForbidden(f"a test tried to reach {arguments[position]!r}")
        return original(self, *arguments)

    return call


@pytest.fixture(autouse=True)
def no_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard Python's own sockets; ZeroMQ only ever binds to Unix sockets and loopback here."""
    if request.node.get_closest_marker("allow_network"):
        return
    monkeypatch.setattr(socket.socket, "connect", _guarded(socket.socket.connect, 0))
    monkeypatch.setattr(socket.socket, "connect_ex", _guarded(socket.socket.connect_ex, 0))
    monkeypatch.setattr(socket.socket, "sendto", _guarded(socket.socket.sendto, -1))
