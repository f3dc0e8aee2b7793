"""Which states are worth showing, and for how long."""

from __future__ import annotations

from ui.chat.state_pacer import StatePacer


def test_that_a_state_shorter_than_150_ms_is_never_shown() -> None:
    pacer = StatePacer()
    assert pacer.pace("listening", 0.0) is None
    assert pacer.pace("listening", 0.1) is None
    assert pacer.pace("understanding", 0.12) is None
    assert pacer.pace("responding", 0.2) is None
    assert pacer.pace("responding", 0.36) == "responding"


def test_that_a_shown_state_stays_for_300_ms() -> None:
    pacer = StatePacer()
    pacer.pace("understanding", 0.0)
    assert pacer.pace("understanding", 0.16) == "understanding"
    assert pacer.pace("responding", 0.2) == "understanding"
    assert pacer.pace("responding", 0.4) == "understanding"
    assert pacer.pace("responding", 0.47) == "responding"


def test_that_an_end_is_never_held_back() -> None:
    pacer = StatePacer()
    pacer.pace("responding", 0.0)
    pacer.pace("responding", 0.2)
    assert pacer.pace("failed", 0.21, at_once=True) == "failed"


def test_that_nothing_is_shown_when_there_is_no_state() -> None:
    pacer = StatePacer()
    pacer.pace("responding", 0.0)
    pacer.pace("responding", 0.2)
    assert pacer.pace(None, 0.21) is None
