"""What is due when."""

from __future__ import annotations

from math import inf

from games.rules.base import Deadline
from games.rules.clock import Clock, asked_since, begin_late, first_overdue, next_due, put_off, run_on

TURN, BELL = {"clock": "turn"}, {"clock": "time-up"}


def test_a_new_wait_begins_now() -> None:
    waits = (Deadline(TURN, None, (2,), 7), Deadline(BELL, 600.0, (), 0))
    assert run_on((), waits, turn_seconds=45, now=1000.0) == (
        Clock(TURN, (2,), 7, 1045.0, since=(0,)),
        Clock(BELL, (), 0, 1600.0),
    )


def test_a_wait_that_is_still_on_keeps_its_time_and_a_new_serial_begins_anew() -> None:
    running = (Clock(TURN, (2,), 7, 1045.0), Clock(BELL, (), 0, 1600.0))
    waits = (Deadline(TURN, None, (3,), 8), Deadline(BELL, 600.0, (), 0))
    assert run_on(running, waits, turn_seconds=45, now=1010.0) == (
        Clock(TURN, (3,), 8, 1055.0, since=(0,)),
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


WINDOW = {"clock": "reaction"}


def test_a_wait_that_is_held_stands_still_and_goes_on_with_what_it_had_left() -> None:
    turn = run_on((), (Deadline(TURN, None, (2,), 7),), turn_seconds=45, now=1000.0, ply=3)
    window = (Deadline(WINDOW, 4.0, (0, 1), 8), Deadline(TURN, None, (2,), 7, held=True))
    held = run_on(turn, window, turn_seconds=45, now=1010.0, ply=4, mover=2)
    assert held == (Clock(WINDOW, (0, 1), 8, 1014.0, since=(4, 4)), Clock(TURN, (2,), 7, inf, 35.0, since=(4,)))
    assert (next_due(held), first_overdue(held, 1013.9), first_overdue(held, 5000.0)) == (1014.0, None, held[0])
    again = run_on(held, window, turn_seconds=45, now=1012.0, ply=5, mover=0)
    assert [(clock.due, clock.left) for clock in again] == [(1014.0, None), (inf, 35.0)]
    on = run_on(again, (Deadline(TURN, None, (2,), 7),), turn_seconds=45, now=1014.0, ply=6)
    assert on == (Clock(TURN, (2,), 7, 1049.0, since=(6,)),)
    assert next_due((held[1],)) is None


def test_an_interruption_leaves_a_held_wait_as_it_is() -> None:
    held = (Clock(TURN, (2,), 7, inf, 35.0),)
    waits = (Deadline(TURN, None, (2,), 7, held=True),)
    assert put_off(held, waits, by=3600.0, turn_seconds=45, now=4600.0) == held


def test_who_has_not_answered_is_still_asked_the_same_and_who_has_moved_is_asked_anew() -> None:
    first = run_on((), (Deadline(WINDOW, 4.0, (0, 1, 3), 8),), turn_seconds=45, now=1000.0, ply=4)
    second = run_on(first, (Deadline(WINDOW, 4.0, (1, 3), 8),), turn_seconds=45, now=1001.0, ply=5, mover=0)
    assert [asked_since(second, seat) for seat in (0, 1, 3)] == [None, 4, 4]
    choice = (Deadline(TURN, None, (2,), 7),)
    colour = run_on((), choice, turn_seconds=45, now=1000.0, ply=6)
    card = run_on(colour, choice, turn_seconds=45, now=1001.0, ply=7, mover=2)
    assert (asked_since(colour, 2), asked_since(card, 2), card[0].due) == (6, 7, 1045.0)


def test_who_is_asked_two_things_is_asked_since_the_later() -> None:
    both = (Deadline(TURN, None, (2,), 9), Deadline({"clock": "call", "seat": 2}, 10.0, (2,), 8))
    call = run_on((), both[1:], turn_seconds=45, now=1000.0, ply=4)
    assert asked_since(run_on(call, both, turn_seconds=45, now=1001.0, ply=6, mover=1), 2) == 6


def test_what_began_with_a_change_that_was_long_in_coming_begins_later() -> None:
    bell, held = Clock(BELL, (), 0, 1600.0), Clock(BELL, (), 3, inf, 20.0)
    before, after = (Clock(TURN, (2,), 7, 1045.0), bell), (Clock(TURN, (3,), 8, 1055.0), bell, held)
    assert begin_late(after, before, after, by=20.0) == (Clock(TURN, (3,), 8, 1075.0), bell, held)
    answered = (Clock(TURN, (0,), 9, 1090.0), bell)
    given = (Clock(TURN, (3,), 8, 1099.0), bell)
    assert [begin_late(since, before, after, by=20.0) for since in (answered, given)] == [answered, given]
