"""The guards around the tests catch what they promise to catch."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

NAUGHTY_TESTS = """
import logging, os, socket, threading, pytest
from pathlib import Path

def test_that_logs_a_warning():
    logging.getLogger("invented").warning("surprise")

def test_that_expects_its_warning(caplog):
    logging.getLogger("invented").warning("no surprise")

def test_that_leaves_a_thread():
    threading.Thread(target=threading.Event().wait, args=(8,), name="left").start()

def test_that_reaches_out():
    socket.create_connection(("192.0.2.1", 80), timeout=1)

def test_that_stays_on_this_computer():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()

def test_that_lives_in_its_own_home(tmp_path):
    assert Path.home().is_relative_to(tmp_path)
    assert Path(os.environ["AICO_HOME"]).is_relative_to(tmp_path)
"""


def test_that_the_guards_stop_logs_threads_and_connections(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makepyfile(NAUGHTY_TESTS)
    result = pytester.runpytest_subprocess(
        *("-p", "no:pytest-qt", "-p", "tests.guards.homes", "-p", "tests.guards.leaks"),
        *("-p", "tests.guards.logs", "-p", "tests.guards.network", "-rA"),
    )
    # A fixture that fails after its test counts as an error beside the test's own pass.
    result.assert_outcomes(passed=5, failed=1, errors=2)
    result.stdout.fnmatch_lines_random(
        [
            "*ERROR*test_that_logs_a_warning*",
            "*ERROR*test_that_leaves_a_thread*",
            "*NetworkForbidden: a test tried to reach*",
        ]
    )


NAUGHTY_QT_TESTS = """
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QWidget

class Restless(QThread):
    def run(self):
        self.msleep(3000)

def test_that_leaves_a_qthread(qapp):
    test_that_leaves_a_qthread.thread = Restless()
    test_that_leaves_a_qthread.thread.start()

def test_that_leaves_a_window(qapp):
    test_that_leaves_a_window.window = QWidget()
    test_that_leaves_a_window.window.show()

def test_that_tidies_up(qapp, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
"""


def test_that_the_guards_stop_forgotten_windows_and_qthreads(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makepyfile(NAUGHTY_QT_TESTS)
    result = pytester.runpytest_subprocess("-p", "tests.guards.leaks", "-rA")
    result.assert_outcomes(passed=3, errors=2)
