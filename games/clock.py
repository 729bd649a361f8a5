"""What is due when: pure arithmetic over a game's deadlines. Times are seconds since 1970."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from games.rules.base import Deadline, Seat


class Clock(NamedTuple):
    """A wait that runs: the clock event it leads to, for whom, which wait it is, and when it is over."""

    event: Mapping[str, Any]
    seats: tuple[Seat, ...]
    serial: int
    due: float


def run_on(
    running: Iterable[Clock], deadlines: Iterable[Deadline], *, turn_seconds: float, now: float
) -> tuple[Clock, ...]:
    """The clocks of a game after a change: a wait that is still on keeps its time, a new one begins now."""
    known = {_name(clock.event, clock.serial): clock.due for clock in running}
    return tuple(
        Clock(
            deadline.event,
            deadline.seats,
            deadline.serial,
            known.get(_name(deadline.event, deadline.serial), now + _length(deadline, turn_seconds)),
        )
        for deadline in deadlines
    )


def put_off(
    running: Iterable[Clock], deadlines: Iterable[Deadline], *, by: float, turn_seconds: float, now: float
) -> tuple[Clock, ...]:
    """The clocks later by an interruption that ended now; a wait that began within it gets its whole time, no more."""
    latest = {_name(wait.event, wait.serial): now + _length(wait, turn_seconds) for wait in deadlines}
    return tuple(
        clock._replace(due=min(clock.due + by, latest.get(_name(clock.event, clock.serial), clock.due + by)))
        for clock in running
    )


def first_overdue(clocks: Iterable[Clock], now: float) -> Clock | None:
    """The clock that was due first, among those whose time is over."""
    overdue = [clock for clock in clocks if clock.due <= now]
    return min(overdue, key=lambda clock: clock.due) if overdue else None


def next_due(clocks: Iterable[Clock]) -> float | None:
    """When the next clock is over."""
    return min((clock.due for clock in clocks), default=None)


def _length(deadline: Deadline, turn_seconds: float) -> float:
    return turn_seconds if deadline.seconds is None else deadline.seconds


def _name(event: Mapping[str, Any], serial: int) -> tuple[object, ...]:
    return (serial, *sorted(event.items()))
