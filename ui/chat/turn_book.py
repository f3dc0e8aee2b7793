"""The turns of one conversation that the window has heard of, in the order of their beginning."""

from __future__ import annotations

from collections.abc import Iterable

from ui.chat.turn import Turn

_RECENT = 3


class TurnBook:
    """Finds turns by their id and by the messages that they began or ended in."""

    def __init__(self) -> None:
        self._turns: dict[str, Turn] = {}

    def get(self, turn_id: str) -> Turn | None:
        """The turn with this id."""
        return self._turns.get(turn_id)

    def put(self, turn: Turn) -> Turn:
        """Add a turn, or replace the one with its id."""
        self._turns[turn.turn_id] = turn
        return turn

    def of_message(self, message_id: str) -> Turn | None:
        """The newest turn that a message began or ended in."""
        for turn in reversed(self._turns.values()):
            if message_id in (turn.user_message_id, turn.assistant_message_id):
                return turn
        return None

    def running(self) -> Turn | None:
        """The newest turn whose answer is awaited or streams."""
        return next((turn for turn in reversed(self._turns.values()) if turn.answering), None)

    def recent(self) -> list[Turn]:
        """The last turns, oldest first; anything that still moves is among them."""
        return list(self._turns.values())[-_RECENT:]

    def answers_to(self, user_message_id: str) -> set[str]:
        """Ids of all answers to one message."""
        return {
            turn.assistant_message_id
            for turn in self._turns.values()
            if turn.user_message_id == user_message_id and turn.assistant_message_id
        }

    def forgotten(self, known: Iterable[str]) -> list[Turn]:
        """Running turns that are not among the ``known`` ones."""
        gone = set(self._turns) - set(known)
        return [turn for turn in self._turns.values() if turn.turn_id in gone and turn.answering]
