"""Describes errors for logs by class and place, never by their texts, which may quote people."""

from __future__ import annotations

import traceback
from collections.abc import Iterator

_MOST_CAUSES = 5
_MOST_FRAMES = 12


def error_places(error: BaseException) -> str:
    """``ValueError at module.py:12 in parse <- …``: the error, its causes and their last frames."""
    return " <- caused by ".join(_one(link) for link in _chain(error))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(_MOST_CAUSES):
        if error is None:
            return
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _one(error: BaseException) -> str:
    # extract_tb would read source lines; places alone are wanted.
    frames = list(traceback.walk_tb(error.__traceback__))[-_MOST_FRAMES:]
    places = [
        f"{frame.f_globals.get('__name__', '?')}:{line} in {frame.f_code.co_name}"
        for frame, line in frames
    ]
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    return f"{name} at {' > '.join(places)}" if places else name
