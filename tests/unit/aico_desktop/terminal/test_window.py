"""Whether a window can be opened here is known before Qt is asked, which would abort."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from aico_desktop.terminal import opening, window
from aico_desktop.terminal.window import display_problem
from tests.unit.aico_desktop.terminal.conftest import Run, Serve

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="displays differ elsewhere")


def test_that_no_display_at_all_is_said() -> None:
    assert display_problem({}) == "There is no display here."


def test_that_a_platform_chosen_for_qt_is_trusted() -> None:
    assert display_problem({"QT_QPA_PLATFORM": "offscreen"}) is None


@pytest.mark.parametrize("display", [":93", "localhost:93.0", "nonsense", "127.0.0.1:99999"])
def test_that_a_display_that_is_gone_is_said(display: str) -> None:
    assert display_problem({"DISPLAY": display}) == f"The display {display} does not answer."


def test_that_a_wayland_display_that_answers_is_enough(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        environment = {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path)}
        assert display_problem(environment) is None


def test_that_missing_libraries_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "X11_LIBRARIES", ("libinvented.so.9",))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "screen:7"))
        server.listen()
        problem = display_problem({"DISPLAY": f"{tmp_path}/screen:7"})
    assert problem is not None
    assert "libinvented.so.9" in problem


def test_that_without_a_display_aico_says_so_and_opens_the_terminal_chat(
    run: Run, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    talked: list[object] = []
    monkeypatch.setattr(opening, "display_problem", lambda: "There is no display here.")
    monkeypatch.setattr(opening, "talk", talked.append)
    ran = run()
    assert ran.code == 0
    assert ran.err == "There is no display here. AICO opens in the terminal instead.\n"
    assert len(talked) == 1
