"""Where everything of one home folder lies, and which socket its backend listens on."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

LONGEST_SOCKET_PATH = 107
"""Bytes that ``sockaddr_un`` leaves for a path (reference/storage §6)."""

BUILTIN_MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


class RuntimeFolderError(Exception):
    """No folder for the socket can be used safely; the message is meant for the person."""


class HomeFolderError(Exception):
    """The home folder cannot be made or used; the message is meant for the person."""


@dataclass(frozen=True)
class HomePaths:
    """Names every file of one home folder; only :meth:`prepare` touches the disk.

    Params: ``root`` the home folder, which need not exist yet.
    """

    root: Path

    @property
    def database(self) -> Path:
        """The libSQL database."""
        return self.root / "aico.db"

    @property
    def vectors(self) -> Path:
        """The folder of the vector store."""
        return self.root / "vectors"

    @property
    def working_memory(self) -> Path:
        """The folder of the running conversations' working memory."""
        return self.root / "working_memory"

    @property
    def logs(self) -> Path:
        """The folder of the rotating logs."""
        return self.root / "logs"

    @property
    def config(self) -> Path:
        """The settings of this home."""
        return self.root / "config.toml"

    @property
    def backups(self) -> Path:
        """Copies of the database made before each migration."""
        return self.root / "backups"

    @property
    def models(self) -> Path:
        """Models that the person put beside their data."""
        return self.root / "models"

    @property
    def lock(self) -> Path:
        """Held by the one backend that owns this home."""
        return self.root / "backend.lock"

    @property
    def token(self) -> Path:
        """The secret that clients show to the backend; mode 0600."""
        return self.root / "client.token"

    @property
    def endpoint(self) -> Path:
        """Where the running backend listens, for clients that did not start it; mode 0600."""
        return self.root / "backend.endpoint"

    @property
    def keys(self) -> Path:
        """CURVE keys, used where the transport is loopback TCP; folder 0700, files 0600."""
        return self.root / "keys"

    def prepare(self) -> None:
        """Create the home and its log folder, closed to other users; harmless when they exist.

        Raises :class:`HomeFolderError` in words when that is impossible, or they are read-only.
        """
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise HomeFolderError(
                f"The folder {self.root} cannot be used for your data: {reason}."
            ) from error
        for folder in (self.root, self.logs):
            if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                raise HomeFolderError(
                    f"The folder {folder} cannot be used for your data: it cannot be written."
                    " Check that it is not read-only and belongs to you."
                )


def default_home() -> HomePaths:
    """The home named by ``AICO_HOME``, else the platform's folder for user data."""
    named = os.environ.get("AICO_HOME")
    if named and named.strip():
        return HomePaths(Path(named).expanduser().absolute())
    return HomePaths(Path(platformdirs.user_data_path("aico-desktop")))


def builtin_model_path(home: HomePaths) -> Path | None:
    """The GGUF of the built-in chat model, from the home, ``AICO_MODELS`` or the installation."""
    named = os.environ.get("AICO_MODELS")
    folders = [home.models]
    if named:
        folders.append(Path(named).expanduser())
    folders.append(Path(sys.prefix) / "share" / "aico-desktop" / "models")
    candidates = (folder / BUILTIN_MODEL_FILE for folder in folders)
    return next((path for path in candidates if path.is_file()), None)


def runtime_socket(root: Path, environment: Mapping[str, str] = os.environ) -> str:
    """The ``ipc://`` endpoint of a home: a short hash of it in a runtime folder of mode 0700.

    Params: ``root`` the home folder; ``environment`` is read for ``XDG_RUNTIME_DIR``.
    Raises :class:`RuntimeFolderError` when the folder is open to, or owned by, somebody else.
    """
    digest = hashlib.blake2b(str(root.resolve()).encode("utf-8", "surrogateescape"), digest_size=8)
    name = f"{digest.hexdigest()}.sock"
    path = _runtime_folder(environment, len(name)) / name
    return f"ipc://{path}"


def _runtime_folder(environment: Mapping[str, str], name_length: int) -> Path:
    """Create and check the private folder; the temporary folder stands in for a missing one."""
    given = environment.get("XDG_RUNTIME_DIR")
    if given and os.path.isabs(given) and os.access(given, os.W_OK | os.X_OK):
        folder = Path(given) / "aico-desktop"
        if len(os.fsencode(folder)) + 1 + name_length <= LONGEST_SOCKET_PATH:
            return _checked(folder)
    folder = Path(tempfile.gettempdir()) / f"aico-desktop-{_user_id()}"
    if len(os.fsencode(folder)) + 1 + name_length > LONGEST_SOCKET_PATH:
        folder = Path("/tmp") / f"aico-desktop-{_user_id()}"
    return _checked(folder)


def _checked(folder: Path) -> Path:
    """Refuse a folder that another user could read or had prepared for us."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        state = folder.lstat()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RuntimeFolderError(
            f"The folder {folder} for the connection to the backend cannot be made: {reason}."
        ) from error
    if not stat.S_ISDIR(state.st_mode):
        raise RuntimeFolderError(f"{folder} is not a folder. Remove it and start again.")
    if state.st_uid != _user_id():
        raise RuntimeFolderError(
            f"The folder {folder} belongs to another user, so it is not safe to talk through it."
            " Remove it, or set XDG_RUNTIME_DIR to a folder of your own."
        )
    if stat.S_IMODE(state.st_mode) & 0o077:
        raise RuntimeFolderError(
            f"The folder {folder} is open to other users, so it is not safe to talk through it."
            f" Close it with: chmod 700 {folder}"
        )
    return folder


def _user_id() -> int:
    """The numeric user; 0 on platforms without one, which do not use ``ipc``."""
    return os.getuid() if hasattr(os, "getuid") else 0
