"""What `aico` alone does: open the window, or the terminal chat where no window can be."""

from __future__ import annotations

from aico_desktop.paths import HomePaths
from aico_desktop.terminal.chat_command import talk
from aico_desktop.terminal.output import complain
from aico_desktop.terminal.window import display_problem


def open_window(home: HomePaths) -> int:
    """Open the window and stay until it is closed; returns the exit code."""
    problem = display_problem()
    if problem is None:
        try:
            from ui.app import main as run_window
        except ImportError as error:
            # Qt's own files are there, but a system library that they need is not.
            problem = f"The window cannot be opened: {error}. `make setup` names what is missing."
        else:
            return run_window(home.root)
    complain(f"{problem} AICO opens in the terminal instead.")
    talk(home)
    return 0
