"""Addresses of local model servers, read exactly as Ollama's own tools read OLLAMA_HOST."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

DEFAULT_OLLAMA_PORT = 11434


@dataclass(frozen=True)
class ServerAddress:
    """Scheme, host (IPv6 without brackets), port and path (no slash at either end) of a server."""

    scheme: str
    host: str
    port: int
    path: str = ""

    @property
    def url(self) -> str:
        """The base URL without a slash at its end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        path = f"/{self.path}" if self.path else ""
        return f"{self.scheme}://{host}:{self.port}{path}"

    @property
    def is_loopback(self) -> bool:
        """Whether text sent there stays on this computer."""
        return is_loopback_host(self.host)

    def connectable(self) -> ServerAddress:
        """Return the address a client connects to where a server listens on all interfaces."""
        if self.host in ("", "0.0.0.0"):  # an address to compare with, nothing listens on it
            return replace(self, host="127.0.0.1")
        if self.host == "::":
            return replace(self, host="::1")
        return self

    def candidates(self) -> tuple[ServerAddress, ...]:
        """Return the addresses to try in order: 127.0.0.1 before a name for it.

        ``localhost`` may mean ::1 first while the server listens on IPv4 alone
        (Mintplex-Labs/anything-llm#979, reference/ux §2d rule 32).
        """
        target = self.connectable()
        if target.host == "localhost":
            return (replace(target, host="127.0.0.1"), target)
        if target.host == "127.0.0.1":
            return (target, replace(target, host="localhost"))
        return (target,)


def is_loopback_host(host: str) -> bool:
    """Return whether ``host`` names this computer only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def is_loopback_url(url: str) -> bool:
    """Return whether a base URL points to this computer only."""
    return is_loopback_host(urlsplit(url).hostname or "")


def parse_ollama_host(value: str) -> ServerAddress:
    """Read a value of OLLAMA_HOST; nonsense falls back to the defaults, as in Ollama's tools.

    Rules of Ollama's envconfig ``Host`` (reference/ux §3.1): optional scheme, whose absence means
    port 11434, while ``http://`` means 80 and ``https://`` 443; quotes and spaces around are
    dropped; an invalid port becomes the default one; a path is kept.
    """
    text = value.strip().strip("\"'").strip()
    scheme, separator, rest = text.partition("://")
    default_port = DEFAULT_OLLAMA_PORT
    if not separator:
        scheme, rest = ("https", "ollama.com:443") if text == "ollama.com" else ("http", text)
    elif scheme == "http":
        default_port = 80
    elif scheme == "https":
        default_port = 443
    host_and_port, _, path = rest.partition("/")
    host, port_text = _split_host_and_port(host_and_port)
    port = _port_number(port_text, default_port)
    return ServerAddress(scheme, host, port, path.strip("/"))


def _split_host_and_port(text: str) -> tuple[str, str]:
    if text.startswith("["):
        host, closed, rest = text[1:].partition("]")
        if closed and (not rest or rest.startswith(":")):
            return host, rest[1:]
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
        return host, port
    return text.strip("[]") or "127.0.0.1", ""


def _port_number(text: str, default: int) -> int:
    try:
        number = int(text)
    except ValueError:
        return default
    return number if 0 <= number <= 65535 else default
