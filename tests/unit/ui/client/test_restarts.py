"""Back-off grows, is bounded, and ends in giving up."""

from __future__ import annotations

from ui.client.restarts import RestartPolicy


def test_that_waits_double_and_the_fifth_death_in_a_minute_gives_up() -> None:
    policy = RestartPolicy()
    assert [policy.next_wait(now) for now in (0, 1, 2, 3, 4)] == [0.25, 0.5, 1.0, 2.0, None]


def test_that_rare_deaths_never_lead_to_giving_up() -> None:
    policy = RestartPolicy()
    assert [policy.next_wait(hour * 3600.0) for hour in range(20)] == [0.25] * 20


def test_that_the_person_can_begin_anew() -> None:
    policy = RestartPolicy()
    for now in range(5):
        policy.next_wait(now)
    policy.forget()
    assert policy.next_wait(6) == 0.25
