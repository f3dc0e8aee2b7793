"""Finds the system libraries that Qt needs, and installs or names their Debian packages."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

DEBIAN_PACKAGES = {
    # Needed by Qt wherever it draws, with a screen or without.
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    # Needed for a window on an X11 screen. When one of them is missing, Qt blames libxcb-cursor0.
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""The Debian package of each library that the window loads from the system."""

FONT_PACKAGE = "fonts-dejavu-core"
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")


def missing_libraries() -> list[str]:
    """Name the libraries that the dynamic loader does not find; empty outside Linux."""
    if not sys.platform.startswith("linux"):
        return []
    return [name for name in DEBIAN_PACKAGES if not _loads(name)]


def fonts_missing() -> bool:
    """Whether a Linux system has no font at all: Qt would draw empty boxes."""
    if not sys.platform.startswith("linux"):
        return False
    return not any(_holds_a_font(Path(folder).expanduser()) for folder in FONT_FOLDERS)


def ensure_system_packages() -> list[str]:
    """Install what is missing where we may, else say what to do.

    Returns what is still missing afterwards; the terminal part of the app does not need it.
    """
    libraries = missing_libraries()
    packages = [DEBIAN_PACKAGES[name] for name in libraries]
    if fonts_missing():
        packages.append(FONT_PACKAGE)
    if not packages:
        return []
    if shutil.which("apt-get") is None:
        print("The window needs system libraries that are missing here:", ", ".join(libraries))
        print("Install them, and a font, with your system's package manager.")
        return packages
    privileged = _privilege()
    if privileged is None:
        print("The window needs a few system packages. Install them with this line:")
        print("  " + install_line(packages))
        return packages
    print(f"Installing {len(packages)} system packages for the window …", flush=True)
    if not _install(privileged, packages):
        print("They could not be installed. To see why, run this line:")
        print("  " + install_line(packages))
        return packages
    return []


def install_line(packages: list[str]) -> str:
    """The one line that a person can paste."""
    return "sudo apt-get install -y --no-install-recommends " + " ".join(packages)


def _loads(name: str) -> bool:
    """Ask the loader itself: package names differ between releases, library names do not."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _holds_a_font(folder: Path) -> bool:
    """Whether any scalable font lies below ``folder``."""
    return any(
        name.lower().endswith((".ttf", ".otf", ".ttc"))
        for _, _, names in os.walk(folder)
        for name in names
    )


def _privilege() -> list[str] | None:
    """What to put before a command to run it as root without asking; None when that cannot be."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and _succeeds(["sudo", "-n", "true"]):
        return ["sudo", "-n"]
    return None


def _install(privileged: list[str], packages: list[str]) -> bool:
    """Install, and once more after refreshing the package lists: a fresh image has none."""
    environment = ["env", "DEBIAN_FRONTEND=noninteractive"]
    install = [*privileged, *environment, "apt-get", "install", "-y", "--no-install-recommends"]
    if _succeeds([*install, *packages]):
        return True
    return _succeeds([*privileged, "apt-get", "update"]) and _succeeds([*install, *packages])


def _succeeds(command: list[str]) -> bool:
    """Run ``command`` silently, without a terminal to ask on."""
    try:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=1800, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return result.returncode == 0
