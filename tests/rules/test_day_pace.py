"""Clocks of games over days: they stand still on holidays, and the arithmetic of that goes both ways."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.clock import Clock
from games.rules.day_pace import (
    count_remaining,
    find_due,
    find_warning,
    hold_for_holidays,
    is_over_days,
    join_periods,
    resume_after,
)

DAY = 86_400.0
TURN = {"clock": "turn"}


def test_a_day_or_more_for_a_turn_is_a_game_over_days() -> None:
    assert [is_over_days(seconds) for seconds in (45, 3600, 86_400, 604_800)] == [False, False, True, True]


def test_somebody_is_warned_a_fifth_before_the_end() -> None:
    assert find_warning(10 * DAY, 5 * DAY) == 9 * DAY


def test_periods_that_meet_are_one() -> None:
    assert join_periods([(5, 7), (1, 3), (2, 4), (4, 5), (9, 9)]) == [(1, 7)]


def test_a_clock_stands_still_on_a_holiday() -> None:
    assert find_due(0, DAY, [(DAY / 2, 3 * DAY)]) == 3.5 * DAY
    assert find_due(2 * DAY, DAY, [(DAY / 2, 3 * DAY)]) == 4 * DAY  # asked on the holiday: it begins after it
    assert find_due(0, DAY, [(2 * DAY, 3 * DAY)]) == DAY  # over before the holiday begins


periods = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), max_size=5).map(
    lambda pairs: join_periods((min(pair), max(pair)) for pair in pairs)
)


@given(st.integers(0, 1000), st.integers(1, 1000), periods)
def test_what_remains_is_what_was_given(start: int, seconds: int, off: list[tuple[float, float]]) -> None:
    assert count_remaining(start, find_due(start, seconds, off), off) == seconds


def test_a_holiday_moves_only_the_clocks_that_wait_for_its_person() -> None:
    mine, other = Clock(TURN, (1,), 5, DAY), Clock({"clock": "call", "seat": 2}, (2,), 6, DAY)
    held = hold_for_holidays(
        [mine, other], [mine, other], holidays_before=(), holidays=[(1, DAY / 2, 2 * DAY)], now=DAY / 4
    )
    assert held == (mine._replace(due=2.5 * DAY), other)


def test_a_holiday_that_is_taken_back_leaves_the_time_that_was_left() -> None:
    clock, off = Clock(TURN, (1,), 5, DAY), [(1, DAY / 2, 2 * DAY)]
    held = hold_for_holidays([clock], [clock], holidays_before=(), holidays=off, now=DAY / 4)
    assert hold_for_holidays(held, held, holidays_before=off, holidays=(), now=DAY) == (clock._replace(due=1.5 * DAY),)


def test_a_new_clock_and_one_that_waits_aside_know_of_the_holiday() -> None:
    off = [(0, 0.0, 2 * DAY)]
    [new] = hold_for_holidays([], [Clock(TURN, (0,), 1, DAY)], holidays_before=off, holidays=off, now=0.0)
    assert new.due == 3 * DAY
    aside = Clock(TURN, (0,), 1, inf, left=new.due - DAY)  # as `update_clocks` makes it a day later
    [kept] = hold_for_holidays([new], [aside], holidays_before=off, holidays=off, now=DAY)
    assert kept.left == DAY


@pytest.mark.parametrize(("since", "now", "due"), [(0.0, DAY, 2 * DAY), (0.0, 3 * DAY, 5 * DAY)])
def test_a_pause_keeps_the_time_that_was_left(since: float, now: float, due: float) -> None:
    off = [(0, 3 * DAY, 4 * DAY)]
    [clock] = resume_after([Clock(TURN, (0,), 1, DAY)], off, since=since, now=now)
    assert clock.due == due
