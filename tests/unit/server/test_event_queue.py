"""Events wait in order, joined only where that loses nothing, and never without bound."""

from __future__ import annotations

from aico_desktop.contract.messages import Event, FactsChanged, TurnDelta, TurnState
from backend.server.event_queue import EventQueue


def delta(offset: int, text: str, turn: str = "t") -> TurnDelta:
    return TurnDelta(turn_id=turn, conversation_id="c", offset=offset, text=text)


def state(name: str, turn: str = "t") -> TurnState:
    return TurnState(
        turn_id=turn,
        conversation_id="c",
        message_id="m",
        state=name,  # type: ignore[arg-type]  # one of the contract's words
        wall_time="2026-01-01T00:00:00+00:00",
    )


def taken(queue: EventQueue) -> list[tuple[int, Event]]:
    numbered = []
    while (one := queue.take()) is not None:
        numbered.append(one)
    return numbered


def test_that_events_leave_in_order_with_rising_numbers() -> None:
    queue = EventQueue(credit=10)
    events = [state("thinking"), delta(0, "Hel"), state("done")]
    for event in events:
        queue.add(event)
    assert taken(queue) == list(enumerate(events, start=1))


def test_that_text_is_joined_while_there_is_no_credit() -> None:
    queue = EventQueue(credit=0)
    queue.add(delta(0, "Hel"))
    queue.add(delta(3, "lo "))
    queue.add(delta(0, "Ja", turn="other"))
    queue.add(delta(6, "you"))
    assert taken(queue) == []
    queue.grant(5)
    assert taken(queue) == [(1, delta(0, "Hello you")), (2, delta(0, "Ja", turn="other"))]


def test_that_a_state_between_two_pieces_keeps_its_place() -> None:
    queue = EventQueue(credit=0)
    events = [delta(0, "a"), state("storing"), delta(1, "b")]
    for event in events:
        queue.add(event)
    queue.grant(5)
    assert [event for _, event in taken(queue)] == events


def test_that_pieces_that_do_not_meet_are_not_joined() -> None:
    queue = EventQueue(credit=0)
    for event in (delta(0, "abc"), delta(0, "x")):
        queue.add(event)
    queue.grant(5)
    assert [event for _, event in taken(queue)] == [delta(0, "abc"), delta(0, "x")]


def test_that_text_after_a_taken_piece_begins_a_new_one() -> None:
    queue = EventQueue(credit=1)
    queue.add(delta(0, "a"))
    assert taken(queue) == [(1, delta(0, "a"))]
    queue.add(delta(1, "b"))
    queue.grant(1)
    assert taken(queue) == [(2, delta(1, "b"))]


def test_that_a_full_queue_gives_up_and_shows_it_by_a_gap() -> None:
    queue = EventQueue(credit=0, most_events=3)
    given_up = [queue.add(FactsChanged(fact_ids=(str(number),))) for number in range(5)]
    assert given_up == [0, 0, 0, 3, 0]
    queue.grant(10)
    assert [seq for seq, _ in taken(queue)] == [4, 5]


def test_that_very_long_answers_are_bounded_too() -> None:
    queue = EventQueue(credit=0, most_characters=10)
    queue.add(delta(0, "12345678"))
    assert queue.add(delta(8, "9012")) == 1
    queue.grant(10)
    assert taken(queue) == [(2, delta(8, "9012"))]


def test_that_senseless_credit_is_ignored() -> None:
    queue = EventQueue(credit=0)
    queue.add(state("done"))
    queue.grant(-5)
    assert taken(queue) == []
