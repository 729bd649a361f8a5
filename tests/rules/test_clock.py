"""The arithmetic of clocks."""

from __future__ import annotations

from math import inf

from games.rules.base import Deadline
from games.rules.clock import (
    Clock,
    delay_new_clocks,
    find_asked_since,
    find_next_due,
    find_overdue_clock,
    postpone_clocks,
    update_clocks,
)

TURN, BELL = {"clock": "turn"}, {"clock": "time-up"}


def test_a_new_wait_begins_now() -> None:
    waits = (Deadline(TURN, None, (2,), 7), Deadline(BELL, 600.0, (), 0))
    assert update_clocks((), waits, turn_seconds=45, now=1000.0) == (
        Clock(TURN, (2,), 7, 1045.0, since=(0,)),
        Clock(BELL, (), 0, 1600.0),
    )


def test_a_wait_that_is_still_on_keeps_its_time_and_a_new_serial_begins_anew() -> None:
    running = (Clock(TURN, (2,), 7, 1045.0), Clock(BELL, (), 0, 1600.0))
    waits = (Deadline(TURN, None, (3,), 8), Deadline(BELL, 600.0, (), 0))
    assert update_clocks(running, waits, turn_seconds=45, now=1010.0) == (
        Clock(TURN, (3,), 8, 1055.0, since=(0,)),
        Clock(BELL, (), 0, 1600.0),
    )


def test_a_wait_that_is_over_is_forgotten() -> None:
    assert update_clocks((Clock(TURN, (2,), 7, 1045.0),), (), turn_seconds=45, now=1010.0) == ()


def test_overdue_is_what_was_due_first() -> None:
    clocks = (Clock(TURN, (2,), 7, 1045.0), Clock(BELL, (), 0, 1040.0))
    assert find_overdue_clock(clocks, 1039.9) is None
    assert find_overdue_clock(clocks, 1040.0) == clocks[1]
    assert find_overdue_clock(clocks, 2000.0) == clocks[1]


def test_next_due_is_the_earliest() -> None:
    assert find_next_due((Clock(TURN, (2,), 7, 1045.0), Clock(BELL, (), 0, 1040.0))) == 1040.0
    assert find_next_due(()) is None


def test_an_interruption_counts_for_nobody() -> None:
    """Thirty seconds were left when the server went away for an hour."""
    running = (Clock(TURN, (2,), 7, 1030.0), Clock(BELL, (), 0, 1500.0))
    waits = (Deadline(TURN, None, (2,), 7), Deadline(BELL, 600.0, (), 0))
    assert postpone_clocks(running, waits, by=3600.0, turn_seconds=45, now=4600.0) == (
        Clock(TURN, (2,), 7, 4630.0),
        Clock(BELL, (), 0, 5100.0),
    )


def test_a_wait_that_began_within_the_interruption_gets_its_own_length_and_no_more() -> None:
    running = (Clock(TURN, (2,), 7, 4640.0),)
    waits = (Deadline(TURN, None, (2,), 7),)
    assert postpone_clocks(running, waits, by=3600.0, turn_seconds=45, now=4600.0) == (Clock(TURN, (2,), 7, 4645.0),)


def test_a_clock_that_was_set_back_takes_the_waits_along() -> None:
    running = (Clock(TURN, (2,), 7, 4630.0),)
    waits = (Deadline(TURN, None, (2,), 7),)
    assert postpone_clocks(running, waits, by=-3600.0, turn_seconds=45, now=1000.0) == (Clock(TURN, (2,), 7, 1030.0),)


WINDOW = {"clock": "reaction"}


def test_a_wait_that_is_held_stands_still_and_goes_on_with_what_it_had_left() -> None:
    turn = update_clocks((), (Deadline(TURN, None, (2,), 7),), turn_seconds=45, now=1000.0, ply=3)
    window = (Deadline(WINDOW, 4.0, (0, 1), 8), Deadline(TURN, None, (2,), 7, held=True))
    held = update_clocks(turn, window, turn_seconds=45, now=1010.0, ply=4, mover=2)
    assert held == (Clock(WINDOW, (0, 1), 8, 1014.0, since=(4, 4)), Clock(TURN, (2,), 7, inf, 35.0, since=(4,)))
    assert (find_next_due(held), find_overdue_clock(held, 1013.9), find_overdue_clock(held, 5000.0)) == (
        1014.0,
        None,
        held[0],
    )
    again = update_clocks(held, window, turn_seconds=45, now=1012.0, ply=5, mover=0)
    assert [(clock.due, clock.left) for clock in again] == [(1014.0, None), (inf, 35.0)]
    on = update_clocks(again, (Deadline(TURN, None, (2,), 7),), turn_seconds=45, now=1014.0, ply=6)
    assert on == (Clock(TURN, (2,), 7, 1049.0, since=(6,)),)
    assert find_next_due((held[1],)) is None


def test_an_interruption_leaves_a_held_wait_as_it_is() -> None:
    held = (Clock(TURN, (2,), 7, inf, 35.0),)
    waits = (Deadline(TURN, None, (2,), 7, held=True),)
    assert postpone_clocks(held, waits, by=3600.0, turn_seconds=45, now=4600.0) == held


def test_who_has_not_answered_is_still_asked_the_same_and_who_has_moved_is_asked_anew() -> None:
    first = update_clocks((), (Deadline(WINDOW, 4.0, (0, 1, 3), 8),), turn_seconds=45, now=1000.0, ply=4)
    second = update_clocks(first, (Deadline(WINDOW, 4.0, (1, 3), 8),), turn_seconds=45, now=1001.0, ply=5, mover=0)
    assert [find_asked_since(second, seat) for seat in (0, 1, 3)] == [None, 4, 4]
    choice = (Deadline(TURN, None, (2,), 7),)
    colour = update_clocks((), choice, turn_seconds=45, now=1000.0, ply=6)
    card = update_clocks(colour, choice, turn_seconds=45, now=1001.0, ply=7, mover=2)
    assert (find_asked_since(colour, 2), find_asked_since(card, 2), card[0].due) == (6, 7, 1045.0)


def test_who_is_asked_two_things_is_asked_since_the_later() -> None:
    both = (Deadline(TURN, None, (2,), 9), Deadline({"clock": "call", "seat": 2}, 10.0, (2,), 8))
    call = update_clocks((), both[1:], turn_seconds=45, now=1000.0, ply=4)
    assert find_asked_since(update_clocks(call, both, turn_seconds=45, now=1001.0, ply=6, mover=1), 2) == 6


def test_what_began_with_a_change_that_was_long_in_coming_begins_later() -> None:
    bell, held = Clock(BELL, (), 0, 1600.0), Clock(BELL, (), 3, inf, 20.0)
    before, after = (Clock(TURN, (2,), 7, 1045.0), bell), (Clock(TURN, (3,), 8, 1055.0), bell, held)
    assert delay_new_clocks(after, before, after, by=20.0) == (Clock(TURN, (3,), 8, 1075.0), bell, held)
    answered = (Clock(TURN, (0,), 9, 1090.0), bell)
    given = (Clock(TURN, (3,), 8, 1099.0), bell)
    assert [delay_new_clocks(since, before, after, by=20.0) for since in (answered, given)] == [answered, given]
