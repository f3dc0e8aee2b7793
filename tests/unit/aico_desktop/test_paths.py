"""Where things lie: homes, the socket of a home, the built-in model."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from aico_desktop.paths import (
    BUILTIN_MODEL_FILE,
    LONGEST_SOCKET_PATH,
    HomeFolderError,
    HomePaths,
    RuntimeFolderError,
    builtin_model_path,
    default_home,
    runtime_socket,
)


def environment(folder: Path) -> dict[str, str]:
    folder.mkdir(mode=0o700, exist_ok=True)
    return {"XDG_RUNTIME_DIR": str(folder)}


def test_that_the_home_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AICO_HOME", str(tmp_path / "mine"))
    assert default_home() == HomePaths(tmp_path / "mine")
    monkeypatch.delenv("AICO_HOME")
    assert default_home().root.name == "aico-desktop"


def test_that_a_prepared_home_is_closed_to_others(tmp_path: Path) -> None:
    home = HomePaths(tmp_path / "deep" / "home")
    home.prepare()
    home.prepare()
    assert home.root.stat().st_mode & 0o777 == 0o700
    assert home.logs.stat().st_mode & 0o777 == 0o700


def test_that_a_home_that_is_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HomeFolderError, match="cannot be used for your data"):
        HomePaths(tmp_path / "file").prepare()


def test_that_every_home_has_a_socket_of_its_own(tmp_path: Path) -> None:
    runtime = environment(tmp_path / "run")
    first, second = runtime_socket(tmp_path / "a", runtime), runtime_socket(tmp_path / "b", runtime)
    assert first != second
    assert first == runtime_socket(tmp_path / "b" / ".." / "a", runtime)


def test_that_the_socket_path_of_a_very_deep_home_fits(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["a-rather-long-folder-name"] * 30)
    path = runtime_socket(deep, environment(tmp_path / "run")).removeprefix("ipc://")
    assert len(os.fsencode(path)) <= LONGEST_SOCKET_PATH


def test_that_a_deep_runtime_folder_is_replaced_by_a_short_one(tmp_path: Path) -> None:
    deep = tmp_path / ("r" * 100)
    path = runtime_socket(tmp_path, environment(deep)).removeprefix("ipc://")
    assert len(os.fsencode(path)) <= LONGEST_SOCKET_PATH
    assert Path(path).parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("given", [{}, {"XDG_RUNTIME_DIR": "/no/such/folder"}])
def test_that_a_missing_runtime_folder_is_replaced_by_a_private_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, str]
) -> None:
    short = tmp_path / "t"
    short.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(short))
    path = Path(runtime_socket(tmp_path, given).removeprefix("ipc://"))
    assert path.parent.parent == short
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such mode bits")
def test_that_a_runtime_folder_open_to_others_is_refused_in_words(tmp_path: Path) -> None:
    runtime = environment(tmp_path / "run")
    runtime_socket(tmp_path, runtime)
    (tmp_path / "run" / "aico-desktop").chmod(0o750)
    with pytest.raises(RuntimeFolderError, match="chmod 700"):
        runtime_socket(tmp_path, runtime)


@pytest.mark.skipif(
    sys.platform == "win32" or os.getuid() != 0, reason="only root can give a folder away"
)
def test_that_a_runtime_folder_of_somebody_else_is_refused_in_words(tmp_path: Path) -> None:
    runtime = environment(tmp_path / "run")
    runtime_socket(tmp_path, runtime)
    os.chown(tmp_path / "run" / "aico-desktop", 12345, 12345)
    with pytest.raises(RuntimeFolderError, match="belongs to another user"):
        runtime_socket(tmp_path, runtime)


def test_that_a_link_in_place_of_the_runtime_folder_is_refused(tmp_path: Path) -> None:
    runtime = environment(tmp_path / "run")
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "run" / "aico-desktop").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RuntimeFolderError, match="is not a folder"):
        runtime_socket(tmp_path, runtime)


def test_that_the_home_comes_before_the_environment_for_the_built_in_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path / "prefix"))
    home = HomePaths(tmp_path / "home")
    folders = [
        tmp_path / "prefix" / "share" / "aico-desktop" / "models",
        tmp_path / "environment",
        home.models,
    ]
    monkeypatch.setenv("AICO_MODELS", str(folders[1]))
    assert builtin_model_path(home) is None
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / BUILTIN_MODEL_FILE).touch()
        assert builtin_model_path(home) == folder / BUILTIN_MODEL_FILE
