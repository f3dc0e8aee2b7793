"""The life of the backend process around its service: ownership, readiness, lease and end."""

from __future__ import annotations

import argparse
import contextlib
import errno
import logging
import os
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import msgspec
import zmq

from aico_desktop.contract.messages import PROTOCOL_VERSION, Failure, Message
from aico_desktop.contract.rendezvous import write_private
from aico_desktop.paths import HomeFolderError, HomePaths, RuntimeFolderError, default_home
from aico_desktop.redaction import error_places
from aico_desktop.settings import SettingsError
from backend.home_lock import HomeInUse, HomeLock
from backend.logs import log_files
from backend.server.authentication import ensure_token
from backend.server.publisher import EventPublisher
from backend.server.requests import Handler
from backend.server.router import RouterServer
from backend.server.transport import choose_transport
from backend.stopping import SignalWatch, StopRequest, die_with_parent, watch_lease

logger = logging.getLogger(__name__)

EXIT_REFUSED = 1
EXIT_HOME_IN_USE = 3
_LOOK_S = 0.5
_FOLDER_ERRORS = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)
"""What the folder is to blame for, not AICO."""


class StartRefused(Exception):
    """Raised by a service that cannot start; the text is in words for the person."""


class Service(Protocol):
    """What the process needs of the assembled backend."""

    @property
    def handlers(self) -> Mapping[type[Message], Handler]:
        """What is called for each type of request, in worker threads."""

    def explain(self, error: Exception) -> Failure | None:
        """Words for an error of the rooms; None for one that nobody foresaw."""

    def start(self) -> None:
        """Begin background work; requests are served only after this returned."""

    def busy(self) -> bool:
        """Whether there is work for which the process must stay though no client is left."""

    def close(self) -> None:
        """End background work and close every store."""


@dataclass(frozen=True)
class ProcessParts:
    """What the process gives to its service: ``request_stop`` ends the process, with a reason."""

    home: HomePaths
    publisher: EventPublisher
    request_stop: Callable[[str], None]


Build = Callable[[ProcessParts], Service]


@dataclass(frozen=True)
class BackendArguments:
    """``lease``: a parent holds our stdin; else ``idle_grace_s`` after the last client we end."""

    home: HomePaths
    lease: bool = False
    idle_grace_s: float = 10.0


def parse_arguments(argv: Sequence[str]) -> BackendArguments:
    """Read the command line of ``python -m backend``."""
    parser = argparse.ArgumentParser(prog="backend", description="The AICO backend of one home.")
    parser.add_argument("--home", help="the home folder (default: AICO_HOME)")
    parser.add_argument("--lease", choices=["stdin"], help="end when stdin ends")
    parser.add_argument("--idle-grace", type=float, default=10.0, help="seconds without clients")
    given = parser.parse_args(argv)
    if given.home is not None and not given.home.strip():
        parser.error("the name of the home folder is empty")
    home = HomePaths(Path(given.home).expanduser().absolute()) if given.home else default_home()
    return BackendArguments(home, given.lease == "stdin", given.idle_grace)


def run_backend(arguments: BackendArguments, build: Build) -> int:
    """Own the home, build and serve until asked to end; returns the exit code.

    To be called from the main thread. One JSON line on stdout tells the parent
    ``{ready, pid, protocol, endpoint}``, or ``{ready: false, code, human}`` when it cannot be.
    """
    ready = _ReadyLine()
    os.umask(0o077)
    try:
        arguments.home.prepare()
        with log_files(arguments.home):
            return _own_and_serve(arguments, build, ready)
    except HomeFolderError as error:
        ready.refuse("home_unusable", str(error))
        return EXIT_REFUSED
    except OSError as error:
        # The log itself cannot be written, so there is no other place to say it.
        ready.refuse("home_unusable", _folder_trouble(arguments.home, error))
        return EXIT_REFUSED


def _own_and_serve(arguments: BackendArguments, build: Build, ready: _ReadyLine) -> int:
    try:
        with HomeLock(arguments.home):
            _serve(arguments, build, ready)
    except HomeInUse as error:
        logger.info("The home is in use by another backend")
        ready.refuse("home_in_use", str(error))
        return EXIT_HOME_IN_USE
    except (RuntimeFolderError, SettingsError, StartRefused) as error:
        logger.error("The start was refused: %s", error_places(error))
        ready.refuse("refused", str(error))
        return EXIT_REFUSED
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FOLDER_ERRORS:
            logger.error("The home cannot be used: %s", error_places(error))
            ready.refuse("home_unusable", _folder_trouble(arguments.home, error))
            return EXIT_REFUSED
        incident_id = secrets.token_hex(4)
        logger.critical("Incident %s: %s", incident_id, error_places(error))
        ready.refuse(
            "internal",
            "The AICO backend failed because of an error of its own."
            f" The log knows it as incident {incident_id}.",
        )
        return EXIT_REFUSED
    return 0


def _folder_trouble(home: HomePaths, error: OSError) -> str:
    reason = error.strerror or type(error).__name__
    return f"The folder {home.root} cannot be used for your data: {reason}."


def _serve(arguments: BackendArguments, build: Build, ready: _ReadyLine) -> None:
    home = arguments.home
    stop = StopRequest()
    signals = SignalWatch(stop)
    if arguments.lease:
        watch_lease(stop, sys.stdin.fileno())
        die_with_parent()
    publisher = EventPublisher()
    try:
        service = build(ProcessParts(home, publisher, stop.make))
        try:
            service.start()
            _serve_clients(arguments, service, publisher, stop, ready)
        finally:
            service.close()
    finally:
        signals.close()
        stop.finish()
    logger.info("Ended in order")


def _serve_clients(
    arguments: BackendArguments,
    service: Service,
    publisher: EventPublisher,
    stop: StopRequest,
    ready: _ReadyLine,
) -> None:
    home = arguments.home
    transport = choose_transport(home)
    server = RouterServer(
        transport,
        ensure_token(home),
        home,
        service.handlers,
        publisher,
        on_shutdown=lambda: stop.make("a client asked for it"),
        explain=service.explain,
    )
    try:
        try:
            server.start()
        except zmq.ZMQError as error:
            raise StartRefused(
                f"AICO cannot listen for its windows and commands: {error.strerror}."
            ) from error
        record = transport.record(server.endpoint)
        write_private(home.endpoint, msgspec.json.encode(record))
        ready.announce(server.endpoint)
        logger.info("Ready, protocol %d", PROTOCOL_VERSION)
        _wait_for_the_end(arguments, service, server, stop)
    finally:
        home.endpoint.unlink(missing_ok=True)
        server.close()


def _wait_for_the_end(
    arguments: BackendArguments, service: Service, server: RouterServer, stop: StopRequest
) -> None:
    """Until a stop is asked for, or until the last client has been gone for the grace period."""
    while not stop.wait(_LOOK_S):
        if arguments.lease:
            continue
        idle = server.idle_seconds()
        if idle is not None and idle > arguments.idle_grace_s and not service.busy():
            stop.make("the last client is gone")


class _ReadyLine:
    """Keeps stdout for the one line; whatever libraries print goes to stderr instead."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._descriptor: int | None = os.dup(1)
        os.dup2(2, 1)

    def announce(self, endpoint: str) -> None:
        """Clients may connect."""
        self._write({"ready": True, "pid": os.getpid(), "protocol": PROTOCOL_VERSION}, endpoint)

    def refuse(self, code: str, human: str) -> None:
        """There will be no backend."""
        with contextlib.suppress(OSError):  # its file may lie on the full disk that is to be told
            sys.stderr.write(human + "\n")
        self._write({"ready": False, "code": code, "human": human})

    def _write(self, content: dict[str, Any], endpoint: str | None = None) -> None:
        if self._descriptor is None:
            return
        if endpoint is not None:
            content = {**content, "endpoint": endpoint}
        try:
            os.write(self._descriptor, msgspec.json.encode(content) + b"\n")
        except OSError:
            logger.info("Nobody reads the ready line")
        os.close(self._descriptor)
        self._descriptor = None
