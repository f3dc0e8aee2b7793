"""Tells a story that is told again from a change that happens again."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

_SHORTEST_STORY = 2
"""One repeated sentence may be a return ("I work at Acme"); two in their order are a retelling."""


def retold(marks: Sequence[Hashable]) -> dict[int, int]:
    """Index of each retold element → index of the element that it repeats.

    ``marks`` are the words of the claims about one thing, in the order in which they were said. A
    run that repeats an earlier run word for word tells nothing new: "I live in Dresden. I moved to
    Leipzig." told twice does not say that the person went back and moved again.
    """
    story: list[int] = []
    repeats: dict[int, int] = {}
    index = 0
    while index < len(marks):
        begin, length = _longest_run(marks, story, index)
        if length >= _SHORTEST_STORY:
            for step in range(length):
                repeats[index + step] = story[begin + step]
            index += length
        else:
            if not story or marks[story[-1]] != marks[index]:
                story.append(index)
            index += 1
    return repeats


def _longest_run(marks: Sequence[Hashable], story: Sequence[int], index: int) -> tuple[int, int]:
    best = (0, 0)
    for begin in range(len(story)):
        length = 0
        while (
            begin + length < len(story)
            and index + length < len(marks)
            and marks[story[begin + length]] == marks[index + length]
        ):
            length += 1
        if length > best[1]:
            best = (begin, length)
    return best
