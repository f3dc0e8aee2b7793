"""What can go wrong in set-up, told in plain words with the next step."""

from __future__ import annotations


class SetupProblem(Exception):
    """Set-up cannot go on; the message is meant for the person and ends with what to do."""
