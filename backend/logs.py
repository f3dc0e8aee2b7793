"""The backend's rotating log: ids, sizes, states and places of errors, never what people said."""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

from aico_desktop.paths import HomePaths
from aico_desktop.redaction import error_places

LOG_FILE = "backend.log"
FAULT_FILE = "backend-fault.log"
_BYTES_PER_FILE = 1_000_000
_OLD_FILES = 3
_OUR_PACKAGES = ("aico_desktop", "backend")

logger = logging.getLogger(__name__)


class WordlessFormatter(logging.Formatter):
    """Formats records so that no text of a person can slip in.

    Errors appear as class and places, also when they are arguments of a record. Records of other
    packages, whose texts we do not know, appear as logger and place alone.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(threadName)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Format a copy, so that other handlers see the record as it was."""
        safe = logging.makeLogRecord(record.__dict__)
        error = record.exc_info[1] if record.exc_info else None
        safe.exc_info, safe.exc_text, safe.stack_info = None, None, None
        if record.name.split(".")[0] not in _OUR_PACKAGES:
            safe.msg, safe.args = f"(a message from {record.module}:{record.lineno})", None
        elif isinstance(record.args, tuple):
            safe.args = tuple(
                error_places(value) if isinstance(value, BaseException) else value
                for value in record.args
            )
        text = super().format(safe)
        return f"{text} | {error_places(error)}" if error is not None else text


class _QuietFileHandler(logging.handlers.RotatingFileHandler):
    """Lets a record go that cannot be written, as on a full disk.

    The standard handler would print a traceback and the record's arguments, which may hold
    what people said, to stderr instead.
    """

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  (logging's own name)
        """Say nothing: there is no place left to say it."""

    def close(self) -> None:
        """End in order also where what is buffered cannot be written any more."""
        with suppress(OSError):
            super().close()


@contextmanager
def log_files(home: HomePaths) -> Iterator[None]:
    """Log into the home while the block runs, uncaught errors and crashes included."""
    handler = _QuietFileHandler(
        home.logs / LOG_FILE,
        maxBytes=_BYTES_PER_FILE,
        backupCount=_OLD_FILES,
        encoding="utf-8",
        errors="backslashreplace",
    )
    handler.setFormatter(WordlessFormatter())
    root = logging.getLogger()
    root.addHandler(handler)
    ours = [logging.getLogger(package) for package in _OUR_PACKAGES]
    levels = [each.level for each in ours]
    for each in ours:
        each.setLevel(logging.INFO)
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_thread_error
    sys.unraisablehook = _log_unraisable
    with (home.logs / FAULT_FILE).open("a", encoding="utf-8") as faults:
        faulthandler.enable(faults)
        try:
            yield
        finally:
            faulthandler.disable()
            sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
            for each, level in zip(ours, levels, strict=True):
                each.setLevel(level)
            root.removeHandler(handler)
            handler.close()


def _log_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    del kind, trace
    logger.critical("Uncaught: %s", error_places(error))


def _log_thread_error(arguments: threading.ExceptHookArgs) -> None:
    name = arguments.thread.name if arguments.thread else "?"
    if arguments.exc_value is not None:
        logger.critical("Uncaught in thread %s: %s", name, error_places(arguments.exc_value))


def _log_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    if unraisable.exc_value is not None:
        logger.error("Ignored by Python: %s", error_places(unraisable.exc_value))
