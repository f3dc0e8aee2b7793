"""Opens the window where there is a display, and says so where there is none."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

X11_LIBRARIES = ("libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-keysyms.so.1")
"""Of those that Qt's X11 part needs, the ones that a plain Debian lacks; Qt aborts without them."""

_PROBE_TIMEOUT_S = 1.0
_X11_PORT = 6000


def display_problem(environment: Mapping[str, str] = os.environ) -> str | None:
    """Why no window can be opened here, in words; None when one can.

    Qt ends the whole process when it cannot reach a display, so the display is tried beforehand.
    """
    if environment.get("QT_QPA_PLATFORM") or sys.platform in ("win32", "darwin"):
        return None
    wayland, x11 = environment.get("WAYLAND_DISPLAY"), environment.get("DISPLAY")
    if not wayland and not x11:
        return "There is no display here."
    if wayland and _wayland_answers(wayland, environment):
        return None
    if not x11 or not _x11_answers(x11):
        return f"The display {x11 or wayland} does not answer."
    missing = [name for name in X11_LIBRARIES if not _loads(name)]
    if missing:
        return f"System libraries for the window are missing ({', '.join(missing)}): `make setup`."
    return None


def _wayland_answers(name: str, environment: Mapping[str, str]) -> bool:
    path = Path(environment.get("XDG_RUNTIME_DIR", "/nonexistent")) / name
    return _connects(socket.AF_UNIX, str(path))


def _x11_answers(display: str) -> bool:
    """Try ``[host]:number[.screen]``, as X11 clients read it."""
    host, _, rest = display.rpartition(":")
    number = rest.split(".")[0]
    if not number.isdigit():
        return False
    if host.startswith("/"):
        return _connects(socket.AF_UNIX, f"{host}:{number}")
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"
        # Some servers listen on the abstract socket alone.
        return _connects(socket.AF_UNIX, path) or _connects(socket.AF_UNIX, "\0" + path)
    try:
        with socket.create_connection((host, _X11_PORT + int(number)), timeout=_PROBE_TIMEOUT_S):
            return True
    except (OSError, OverflowError):
        return False


def _connects(family: int, address: str) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.settimeout(_PROBE_TIMEOUT_S)
            probe.connect(address)
    except OSError:
        return False
    return True


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
