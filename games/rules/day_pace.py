"""Games over days: how long a decision may take, and clocks that stand still on holidays. Pure.

Times are seconds since 1970. A holiday is a pair (since, until); the holidays of one person do not overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from games.rules.base import Seat
from games.rules.clock import Clock

DAY_SECONDS: Final = 86_400
DAYS_PER_TURN: Final = (1, 2, 3, 7)
"""Days for each decision that a table can agree on."""
WARNING_SHARE: Final = 0.2
"""A person is warned when this share of the time of a turn is left."""

Period = tuple[float, float]
SeatHoliday = tuple[Seat, float, float]
"""A seat whose player is on holiday from one time to another."""


def is_over_days(turn_seconds: float) -> bool:
    """Whether turns of this length (seconds) make a game over days."""
    return turn_seconds >= DAY_SECONDS


def find_warning(due: float, turn_seconds: float) -> float:
    """When to warn somebody whose turn runs out at `due`."""
    return due - WARNING_SHARE * turn_seconds


def join_periods(periods: Iterable[Period]) -> list[Period]:
    """The same time as periods that do not overlap, in order."""
    joined: list[Period] = []
    for since, until in sorted(periods):
        if joined and since <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], until)
        elif since < until:
            joined.append((since, until))
    return joined


def find_due(start: float, seconds: float, periods: Sequence[Period]) -> float:
    """When so many seconds have passed since `start`, without the time in these joined periods."""
    due = start + seconds
    for since, until in periods:
        if since < due and until > start:
            due += until - max(since, start)
    return due


def count_remaining(now: float, due: float, periods: Sequence[Period]) -> float:
    """Seconds from now until `due`, without the time in these joined periods. The inverse of `find_due`."""
    gone = sum(max(0.0, min(until, due) - max(since, now)) for since, until in periods)
    return max(0.0, due - now - gone)


def hold_for_holidays(
    before: Iterable[Clock],
    after: Iterable[Clock],
    *,
    holidays_before: Sequence[SeatHoliday],
    holidays: Sequence[SeatHoliday],
    now: float,
) -> tuple[Clock, ...]:
    """The clocks after a change, each standing still while somebody it waits for is on holiday.

    before: the clocks before the change, made with `holidays_before`. A clock that goes on keeps the time that was
    left. A clock that waits for nobody (the bell) takes no notice.
    """
    running = {_key_of(clock): clock for clock in before if clock.left is None}

    def hold(clock: Clock) -> Clock:
        previous, periods = running.get(_key_of(clock)), _list_periods(holidays, clock)
        was = _list_periods(holidays_before, previous) if previous is not None else []
        if not was and not periods:
            return clock
        if clock.left is not None:
            return clock if previous is None else clock._replace(left=count_remaining(now, previous.due, was))
        if previous is None:
            return clock._replace(due=find_due(now, clock.due - now, periods))
        if was == periods:
            return clock
        return clock._replace(due=find_due(now, count_remaining(now, clock.due, was), periods))

    return tuple(hold(clock) for clock in after)


def resume_after(
    clocks: Iterable[Clock], holidays: Sequence[SeatHoliday], *, since: float, now: float
) -> tuple[Clock, ...]:
    """The clocks of a table that was paused at `since` and goes on now, with the time that was left then."""

    def resume(clock: Clock) -> Clock:
        if clock.left is not None:
            return clock
        periods = _list_periods(holidays, clock)
        return clock._replace(due=find_due(now, count_remaining(since, clock.due, periods), periods))

    return tuple(resume(clock) for clock in clocks)


def _list_periods(holidays: Sequence[SeatHoliday], clock: Clock) -> list[Period]:
    return join_periods((since, until) for seat, since, until in holidays if seat in clock.seats)


def _key_of(clock: Clock) -> tuple[object, ...]:
    return (clock.serial, *sorted(clock.event.items()))
