"""When an arena seats which players: the pure part. Times are seconds on one clock.

Players who are free wait in a pool. Two goals compete: short waits, and few repeat opponents. So a seating waits until
the pool offers a choice, or until somebody has waited for `MAX_WAIT_SECONDS`; nobody is seated before they had
`BREAK_SECONDS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournaments.scoring.knockout import mix_sizes

BREAK_SECONDS = 10.0
"""Seconds after a game, or after joining, before somebody is seated: time to read the result or to get up."""
MAX_WAIT_SECONDS = 30.0
"""After so many seconds of waiting the players in the pool are seated, even if more might come. Shorter waits mean more
repeat opponents. Chosen, not measured.
"""
RECENT_GAMES = 4
"""Latest games of a player that count as repeat opponents. Older ones are forgotten, or a small arena would wait for
ever.
"""
MAX_GROUP = 24
"""Players in one draw, at most, so that it is proven at once (docs/performance.md); a larger pool is cut by score."""


class WaitingPlayer(NamedTuple):
    """A player who is free. since: when they joined, came back or left their last table."""

    entrant: str
    since: float
    score: int = 0
    is_bot: bool = False


class Sizes(NamedTuple):
    """People at a table."""

    wanted: int
    least: int
    most: int


class NextSeating(NamedTuple):
    """due: when the next seating is, None while `missing` more people are needed."""

    due: float | None
    missing: int


def predict_seating(pool: Sequence[WaitingPlayer], sizes: Sizes, *, playing: int) -> NextSeating:
    """When the players who wait now are seated if nobody else comes. playing: players at tables, who may still come.

    Bots do not count as people: a seating needs at least one person, and nobody is hurried for a bot.
    """
    wanted, least, _most = sizes
    people = [waiting.since for waiting in pool if not waiting.is_bot]
    if len(pool) < least or not people:
        return NextSeating(None, max(1, least - len(pool)))
    since, longest = sorted(waiting.since for waiting in pool), min(people)
    earliest = max(since[least - 1], longest) + BREAK_SECONDS
    patient = longest + MAX_WAIT_SECONDS
    has_choice = playing == 0 or len(pool) >= 2 * wanted
    return NextSeating(max(earliest, min(since[-1] + BREAK_SECONDS, patient) if has_choice else patient), 0)


def choose(pool: Sequence[WaitingPlayer], sizes: Sizes, *, now: float) -> tuple[tuple[WaitingPlayer, ...], ...]:
    """Who is seated now, in groups that are drawn separately: players whose break is over, the longest waiting first.

    Where the number does not fit the table sizes, the last ones wait on. Each group can be cut into tables.
    """
    rested = list_seatable(pool, now=now)
    if all(waiting.is_bot for waiting in rested):
        return ()
    count = next((n for n in range(len(rested), 0, -1) if _can_fill_tables(n, sizes)), 0)
    return _split_into_groups(sorted(rested[:count], key=lambda waiting: (-waiting.score, waiting.entrant)), sizes)


def list_seatable(pool: Sequence[WaitingPlayer], *, now: float) -> list[WaitingPlayer]:
    """Players who can be seated now, the longest waiting first, bots after people."""
    rested = (waiting for waiting in pool if waiting.since + BREAK_SECONDS <= now)
    return sorted(rested, key=lambda waiting: (waiting.is_bot, waiting.since, waiting.entrant))


def _can_fill_tables(count: int, sizes: Sizes) -> bool:
    return bool(mix_sizes(count, wanted=sizes.wanted, least=sizes.least, most=sizes.most))


def _split_into_groups(people: Sequence[WaitingPlayer], sizes: Sizes) -> tuple[tuple[WaitingPlayer, ...], ...]:
    """Groups of similar score, each small enough for one draw."""
    if len(people) <= MAX_GROUP:
        return (tuple(people),) if people else ()
    for size in range(MAX_GROUP, sizes.least - 1, -1):
        if _can_fill_tables(size, sizes) and _can_fill_tables(len(people) - size, sizes):
            return (tuple(people[:size]), *_split_into_groups(people[size:], sizes))
    return (tuple(people),)
