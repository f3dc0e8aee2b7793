"""The log of a home says what happened where, and never what people said."""

from __future__ import annotations

import errno
import io
import logging
import threading
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path

import pytest

from aico_desktop.paths import HomePaths
from backend.logs import log_files

SECRET = "Mara is allergic to nuts"


@pytest.fixture
def log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Path]:
    """The log file, while logging goes there."""
    home = HomePaths(tmp_path / "aico")
    home.prepare()
    with log_files(home):
        yield home.logs / "backend.log"


def fail() -> None:
    try:
        int(SECRET)
    except ValueError as error:
        raise RuntimeError(SECRET) from error


def test_that_an_error_is_logged_by_class_and_place(log: Path) -> None:
    logger = logging.getLogger("backend.somewhere")
    try:
        fail()
    except RuntimeError as error:
        logger.exception("Job %s failed", "j17")
        logger.error("Job %s failed: %s", "j18", error)
    text = log.read_text()
    assert "Job j17 failed" in text
    assert "RuntimeError" in text
    assert "in fail" in text
    assert "caused by builtins.ValueError" in text
    assert "Mara" not in text


def test_that_other_packages_are_logged_without_their_texts(log: Path) -> None:
    logging.getLogger("chromadb.api").warning("Insert of %s", SECRET)
    logging.getLogger("httpx").warning(SECRET)
    text = log.read_text()
    assert "chromadb.api (a message from test_logs:" in text
    assert "Mara" not in text


def test_that_uncaught_errors_of_threads_are_logged_without_their_texts(log: Path) -> None:
    thread = threading.Thread(target=fail, name="unlucky")
    thread.start()
    thread.join()
    text = log.read_text()
    assert "Uncaught in thread unlucky: builtins.RuntimeError" in text
    assert "Mara" not in text


class FullDisk(io.StringIO):
    """A file on a disk without any room."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_that_a_record_that_cannot_be_written_is_not_printed_instead(
    log: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (handler,) = (
        each
        for each in logging.getLogger().handlers
        if isinstance(each, RotatingFileHandler) and each.baseFilename == str(log)
    )
    written = handler.stream
    handler.setStream(FullDisk())  # type: ignore[arg-type]  # as good as the file for a handler
    logging.getLogger("backend.somewhere").info("Not written: %s", SECRET)
    handler.setStream(written)
    assert "Mara" not in capfd.readouterr().err


def test_that_the_log_rotates(log: Path) -> None:
    logger = logging.getLogger("backend.somewhere")
    for number in range(12_000):
        logger.info("state %d %s", number, "x" * 100)
    sizes = [path.stat().st_size for path in log.parent.glob("backend.log*")]
    assert len(sizes) >= 2
    assert max(sizes) <= 1_000_000
