"""What is due when."""

from __future__ import annotations

from games.clock import Clock, first_overdue, next_due, put_off, run_on
from games.rules.base import Deadline

TURN, BELL = {"clock": "turn"}, {"clock": "time-up"}


def test_a_new_wait_begins_now() -> None:
    waits = (Deadline(TURN, None, (2,), 7), Deadline(BELL, 600.0, (), 0))
    assert run_on((), waits, turn_seconds=45, now=1000.0) == (
        Clock(TURN, (2,), 7, 1045.0),
        Clock(BELL, (), 0, 1600.0),
    )


def test_a_wait_that_is_still_on_keeps_its_time_and_a_new_serial_begins_anew() -> None:
    running = (Clock(TURN, (2,), 7, 1045.0), Clock(BELL, (), 0, 1600.0))
    waits = (Deadline(TURN, None, (3,), 8), Deadline(BELL, 600.0, (), 0))
    assert run_on(running, waits, turn_seconds=45, now=1010.0) == (
        Clock(TURN, (3,), 8, 1055.0),
        Clock(BELL, (), 0, 1600.0),
    )


def test_a_wait_that_is_over_is_forgotten() -> None:
    assert run_on((Clock(TURN, (2,), 7, 1045.0),), (), turn_seconds=45, now=1010.0) == ()


def test_overdue_is_what_was_due_first() -> None:
    clocks = (Clock(TURN, (2,), 7, 1045.0), Clock(BELL, (), 0, 1040.0))
    assert first_overdue(clocks, 1039.9) is None
    assert first_overdue(clocks, 1040.0) == clocks[1]
    assert first_overdue(clocks, 2000.0) == clocks[1]


def test_next_due_is_the_earliest() -> None:
    assert next_due((Clock(TURN, (2,), 7, 1045.0), Clock(BELL, (), 0, 1040.0))) == 1040.0
    assert next_due(()) is None


def test_an_interruption_counts_for_nobody() -> None:
    """Thirty seconds were left when the server went away for an hour."""
    running = (Clock(TURN, (2,), 7, 1030.0), Clock(BELL, (), 0, 1500.0))
    waits = (Deadline(TURN, None, (2,), 7), Deadline(BELL, 600.0, (), 0))
    assert put_off(running, waits, by=3600.0, turn_seconds=45, now=4600.0) == (
        Clock(TURN, (2,), 7, 4630.0),
        Clock(BELL, (), 0, 5100.0),
    )


def test_a_wait_that_began_within_the_interruption_gets_its_own_length_and_no_more() -> None:
    running = (Clock(TURN, (2,), 7, 4640.0),)
    waits = (Deadline(TURN, None, (2,), 7),)
    assert put_off(running, waits, by=3600.0, turn_seconds=45, now=4600.0) == (Clock(TURN, (2,), 7, 4645.0),)


def test_a_clock_that_was_set_back_takes_the_waits_along() -> None:
    running = (Clock(TURN, (2,), 7, 4630.0),)
    waits = (Deadline(TURN, None, (2,), 7),)
    assert put_off(running, waits, by=-3600.0, turn_seconds=45, now=1000.0) == (Clock(TURN, (2,), 7, 1030.0),)
