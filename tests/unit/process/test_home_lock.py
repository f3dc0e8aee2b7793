"""One owner per home."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aico_desktop.contract.rendezvous import read_owner
from aico_desktop.paths import HomePaths
from backend.home_lock import HomeInUse, HomeLock


@pytest.fixture
def home(tmp_path: Path) -> HomePaths:
    """A prepared home."""
    home = HomePaths(tmp_path / "aico")
    home.prepare()
    return home


def test_that_a_held_home_is_refused_with_its_owner(home: HomePaths) -> None:
    with HomeLock(home), pytest.raises(HomeInUse, match=f"process {os.getpid()}, since 20"):
        HomeLock(home).acquire()


def test_that_a_released_home_can_be_taken_again(home: HomePaths) -> None:
    with HomeLock(home):
        pass
    with HomeLock(home):
        owner = read_owner(home)
    assert owner is not None
    assert owner.pid == os.getpid()


def test_that_what_a_crash_left_in_the_file_does_not_matter(home: HomePaths) -> None:
    home.lock.write_bytes(b"\xff" * 500)
    with HomeLock(home):
        assert read_owner(home) is not None
