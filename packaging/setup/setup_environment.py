"""Sets AICO Desktop up in its own folder; run by any Python 3.8+, with its standard library alone.

A second run finds everything in place and does nothing. An interrupted one is taken up again by
running it again.
"""

import sys

if sys.version_info < (3, 8):  # before anything that an older one could not even read
    sys.exit(
        "Set-up needs Python 3.8 to begin with, and looks for Python 3.11 or newer then.\n"
        "Install Python 3.11 or newer and run the same command again."
    )

import argparse
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List, Optional

import built_in_model
import system_packages
from problems import SetupProblem
from virtual_environment import VirtualEnvironment, describe_size

ROOT = Path(__file__).resolve().parents[2]
INTERRUPTED = 130


def main(arguments: Optional[List[str]] = None) -> int:
    """Set up; return 0, or 1 after saying in words what is in the way."""
    parser = argparse.ArgumentParser(description="Set AICO Desktop up in its own folder.")
    parser.add_argument("--with-tests", action="store_true", help="also what the tests need")
    wishes = parser.parse_args(arguments)
    try:
        with one_at_a_time(ROOT / ".setup.lock"):
            set_up(VirtualEnvironment(ROOT), with_tests=wishes.with_tests)
    except SetupProblem as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nSet-up was stopped. Run the same command again to go on.", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        print(f"\nSet-up cannot go on: {error}.", file=sys.stderr)
        return 1
    return 0


def set_up(environment: VirtualEnvironment, *, with_tests: bool) -> None:
    """Do what is not done yet, and nothing else."""
    part, extras = ("tests", "[test]") if with_tests else ("app", "")
    # What the tests need includes what the app needs.
    packages_ready = environment.is_ready("tests") or environment.is_ready(part)
    model_ready = built_in_model.is_in_place(environment)
    system_ready = environment.remembered("system") == "complete"
    if packages_ready and model_ready and system_ready:
        return
    still_missing = [] if system_ready else system_packages.ensure_system_packages()
    if not packages_ready:
        print("Installing the packages (a few minutes the first time) …", flush=True)
        environment.install(part, extras)
    if not built_in_model.is_in_place(environment):
        print("Fetching the built-in chat model (93 MB) …", flush=True)
        built_in_model.fetch(environment)
    if not still_missing:
        environment.remember("system", "complete")
    elif with_tests:
        raise SetupProblem(
            "The tests draw windows, so they need the system packages named above. "
            "Install them and run the same command again."
        )
    print(f"AICO Desktop is set up ({describe_size(environment.folder)} in {environment.folder}).")


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Let a second set-up wait for the first; the system frees the lock when its holder dies."""
    try:
        import fcntl
    except ImportError:  # Windows: two set-ups at once are not guarded against there
        yield
        return
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("Another set-up is running; waiting for it …", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.exit(main())
