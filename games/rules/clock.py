"""What is due when: pure arithmetic over a game's deadlines. Times are seconds since 1970."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any, Final, NamedTuple

from games.rules.base import Deadline, Seat

UNTIMED_SECONDS: Final = 10 * 365 * 86_400.0
"""Seconds of a turn without a time limit: ten years. A finite number, so that its clock is a clock like any other."""


class Clock(NamedTuple):
    """A wait that runs: the clock event it leads to, the seats it waits for, which wait it is, and when it is over.

    left: the seconds that a clock which stands still had left, None for one that runs; its `due` is infinite.
    since: for each of the seats, the ply at which it was asked.
    """

    event: Mapping[str, Any]
    seats: tuple[Seat, ...]
    serial: int
    due: float
    left: float | None = None
    since: tuple[int, ...] = ()


def update_clocks(
    running: Iterable[Clock],
    deadlines: Iterable[Deadline],
    *,
    turn_seconds: float,
    now: float,
    ply: int = 0,
    mover: Seat | None = None,
) -> tuple[Clock, ...]:
    """The clocks of a game after a change: a wait that is still on keeps its time, a new one begins now.

    ply: the number of the change; mover: the seat that made it, which is asked anew, also by the same wait.
    """
    by_key = {_key_of(clock.event, clock.serial): clock for clock in running}
    clocks = []
    for wait in deadlines:
        before = by_key.get(_key_of(wait.event, wait.serial))
        due, left = _update_due(before, wait, turn_seconds, now)
        since = _list_asked_since(before, wait, ply, mover)
        clocks.append(Clock(wait.event, wait.seats, wait.serial, due, left, since))
    return tuple(clocks)


def _update_due(before: Clock | None, wait: Deadline, turn_seconds: float, now: float) -> tuple[float, float | None]:
    """When the clock of this wait is over, and the seconds that it has left if it stands still."""
    if before is None:
        left = _find_seconds(wait, turn_seconds)
    elif before.left is not None:
        left = before.left
    elif wait.held:
        left = max(0.0, before.due - now)
    else:
        return before.due, None
    return (inf, left) if wait.held else (now + left, None)


def _list_asked_since(before: Clock | None, wait: Deadline, ply: int, mover: Seat | None) -> tuple[int, ...]:
    if before is None or before.left is not None:
        return (ply,) * len(wait.seats)
    asked = dict(zip(before.seats, before.since, strict=False))
    return tuple(ply if seat == mover else asked.get(seat, ply) for seat in wait.seats)


def find_asked_since(clocks: Iterable[Clock], seat: Seat) -> int | None:
    """The ply from which on this seat has been asked what it is asked now; None if no clock waits for it."""
    plies = [
        since
        for clock in clocks
        if clock.left is None
        for asked, since in zip(clock.seats, clock.since, strict=False)
        if asked == seat
    ]
    return max(plies, default=None)


def postpone_clocks(
    running: Iterable[Clock], deadlines: Iterable[Deadline], *, by: float, turn_seconds: float, now: float
) -> tuple[Clock, ...]:
    """The clocks later by an interruption that ended now; a wait that began within it gets its whole time, no more."""
    latest = {_key_of(wait.event, wait.serial): now + _find_seconds(wait, turn_seconds) for wait in deadlines}
    return tuple(
        clock
        if clock.left is not None
        else clock._replace(due=min(clock.due + by, latest.get(_key_of(clock.event, clock.serial), clock.due + by)))
        for clock in running
    )


def delay_new_clocks(
    running: Iterable[Clock], before: Iterable[Clock], after: Iterable[Clock], *, by: float
) -> tuple[Clock, ...]:
    """The clocks after a change from `before` to `after` that came late: what began with it begins later.

    by: by how many seconds. A clock that has been set anew since then stays.
    """
    keys_before = {_key_of(clock.event, clock.serial) for clock in before}
    begun = {name: clock.due for clock in after if (name := _key_of(clock.event, clock.serial)) not in keys_before}
    return tuple(
        clock._replace(due=clock.due + by) if begun.get(_key_of(clock.event, clock.serial)) == clock.due else clock
        for clock in running
    )


def find_overdue_clock(clocks: Iterable[Clock], now: float) -> Clock | None:
    """The clock that was due first, among those whose time is over."""
    overdue = [clock for clock in clocks if clock.due <= now]
    return min(overdue, key=lambda clock: clock.due) if overdue else None


def find_next_due(clocks: Iterable[Clock]) -> float | None:
    """When the next clock is over."""
    return min((clock.due for clock in clocks if clock.left is None), default=None)


def _find_seconds(deadline: Deadline, turn_seconds: float) -> float:
    return turn_seconds if deadline.seconds is None else deadline.seconds


def _key_of(event: Mapping[str, Any], serial: int) -> tuple[object, ...]:
    return (serial, *sorted(event.items()))
