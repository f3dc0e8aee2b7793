"""Parts thinking that a model writes into its answer between think tags from the answer itself."""

from __future__ import annotations

from backend.inference.chat import ChatPiece

_OPEN, _CLOSE = "<think>", "</think>"


class ThinkingSplitter:
    """Sorts streamed text into thinking and answer, across cuts in the middle of a tag.

    Only a tag at the very start of the answer opens thinking: later on it is what the person
    asked about.
    """

    def __init__(self) -> None:
        self._held = ""
        self._mode: str = "start"

    def split(self, text: str) -> list[ChatPiece]:
        """Return the pieces that ``text`` completes; the rest is held back."""
        self._held += text
        pieces: list[ChatPiece] = []
        if self._mode == "start":
            self._look_for_opening()
        if self._mode == "thinking":
            pieces.extend(self._take_thinking())
        if self._mode == "gap":
            self._skip_gap()
        if self._mode == "answer" and self._held:
            pieces.append(ChatPiece(text=self._held))
            self._held = ""
        return pieces

    def rest(self) -> list[ChatPiece]:
        """Return what is held back at the end of the stream."""
        held, self._held = self._held, ""
        if not held or self._mode == "gap":
            return []
        return [ChatPiece(thinking=held) if self._mode == "thinking" else ChatPiece(text=held)]

    def _look_for_opening(self) -> None:
        stripped = self._held.lstrip()
        if stripped.startswith(_OPEN):
            self._held = stripped[len(_OPEN) :]
            self._mode = "thinking"
        elif not _OPEN.startswith(stripped):
            self._mode = "answer"

    def _take_thinking(self) -> list[ChatPiece]:
        before, closed, after = self._held.partition(_CLOSE)
        if closed:
            self._held, self._mode = after, "gap"
        else:
            keep = _length_of_started_tag(before)
            self._held = before[len(before) - keep :]
            before = before[: len(before) - keep]
        return [ChatPiece(thinking=before)] if before else []

    def _skip_gap(self) -> None:
        self._held = self._held.lstrip()
        if self._held:
            self._mode = "answer"


def _length_of_started_tag(text: str) -> int:
    """Return how many characters at the end of ``text`` may be the start of a closing tag."""
    for length in range(min(len(_CLOSE) - 1, len(text)), 0, -1):
        if _CLOSE.startswith(text[-length:]):
            return length
    return 0
