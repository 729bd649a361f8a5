"""When an arena seats whom: the pure part. Times are seconds on one clock.

Whoever is free waits in a pool. Two things are weighed there: nobody shall wait for long, and nobody shall meet
those again whom he has just left. So a seating waits until the pool offers a choice, or until somebody has waited
for `PATIENCE`; and nobody is taken before he had a `BREATH`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournaments.scoring.knockout import mix_sizes

BREATH = 10.0
"""Seconds after a game, or after coming in, in which nobody is seated: to read the result, or to get up."""
PATIENCE = 30.0
"""Seconds after which those who are there are seated, whoever might still come."""
RECENT = 4
"""How many of one's last games are looked at for people whom one has just met."""
AT_ONCE = 24
"""The most who are put together in one draw; a larger pool is cut by score."""


class Waiting(NamedTuple):
    """Somebody free. since: when he came in, came back, or left his last table."""

    entrant: str
    since: float
    score: int = 0
    is_bot: bool = False


class Sizes(NamedTuple):
    """People at a table."""

    wanted: int
    least: int
    most: int


class Outlook(NamedTuple):
    """What the pool can expect. due: when the next seating is; None while `missing` more people are needed."""

    due: float | None
    missing: int


def look_ahead(pool: Sequence[Waiting], sizes: Sizes, *, playing: int) -> Outlook:
    """When those who wait now are seated, if nobody else comes. playing: how many sit at tables and may come.

    Bots are company: without somebody to play with they wait, and nobody hurries for them.
    """
    wanted, least, _most = sizes
    people = [one.since for one in pool if not one.is_bot]
    if len(pool) < least or not people:
        return Outlook(None, max(1, least - len(pool)))
    since, longest = sorted(one.since for one in pool), min(people)
    earliest = max(since[least - 1], longest) + BREATH
    patient = longest + PATIENCE
    has_choice = playing == 0 or len(pool) >= 2 * wanted
    return Outlook(max(earliest, min(since[-1] + BREATH, patient) if has_choice else patient), 0)


def choose(pool: Sequence[Waiting], sizes: Sizes, *, now: float) -> tuple[tuple[Waiting, ...], ...]:
    """Who is seated now, in groups to be drawn one by one: whoever had his breath, the longest waiting first.

    Where the sizes of tables do not fit the number, those who came last wait on. Each group can be cut into tables.
    """
    rested = list_rested(pool, now=now)
    if all(one.is_bot for one in rested):
        return ()
    count = next((n for n in range(len(rested), 0, -1) if _fits(n, sizes)), 0)
    return _cut(sorted(rested[:count], key=lambda one: (-one.score, one.entrant)), sizes)


def list_rested(pool: Sequence[Waiting], *, now: float) -> list[Waiting]:
    """Who can be seated now, the longest waiting first, bots after the people."""
    rested = (one for one in pool if one.since + BREATH <= now)
    return sorted(rested, key=lambda one: (one.is_bot, one.since, one.entrant))


def _fits(count: int, sizes: Sizes) -> bool:
    return bool(mix_sizes(count, wanted=sizes.wanted, least=sizes.least, most=sizes.most))


def _cut(people: Sequence[Waiting], sizes: Sizes) -> tuple[tuple[Waiting, ...], ...]:
    """Groups of similar score that a draw answers for at once."""
    if len(people) <= AT_ONCE:
        return (tuple(people),) if people else ()
    for here in range(AT_ONCE, sizes.least - 1, -1):
        if _fits(here, sizes) and _fits(len(people) - here, sizes):
            return (tuple(people[:here]), *_cut(people[here:], sizes))
    return (tuple(people),)
