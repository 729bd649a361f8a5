"""Search: from every promising move the round is played out with guesses at what is hidden; the best on average wins.

The work is bounded by numbers, not by time: so many moves, so many guesses.
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import Final

from games.catalogue.animals_on_board.bots.position import FORFEIT, Plan, Quay, read_quay
from games.catalogue.animals_on_board.bots.rule_of_thumb import CRATE, choose_plan
from games.catalogue.animals_on_board.bots.worth import worth
from games.catalogue.animals_on_board.rules.scoring import BRACKETS
from games.rules.base import View

GUESSES: Final = 10
"""Times that the hidden tiles are dealt anew."""
CANDIDATES: Final = 12
"""Splits that are played out."""
LONGEST: Final = 40
"""Moves of a round that is played out."""


def search(view: View, rng: random.Random) -> Plan:
    """The plan with the best average outcome of the round."""
    seat = view["seat"]
    guesses = [read_quay(view, rng) for _ in range(GUESSES)]
    plans = list_plans(guesses[0], seat, rng)
    if len(plans) == 1:
        return plans[0]
    totals = [sum(_play_out(guess.copy(), plan, seat) for guess in guesses) for plan in plans]
    return plans[totals.index(max(totals))]


def list_plans(quay: Quay, seat: int, rng: random.Random) -> list[Plan]:
    """Every take that can be paid for, and the splits that promise most; a forfeit if there is neither."""
    takes = [Plan(at, tiles) for at, tiles in enumerate(quay.groups) if len(tiles) <= quay.crates[seat]]
    return takes + _list_splits(quay, seat, rng) or [FORFEIT]


def _list_splits(quay: Quay, seat: int, rng: random.Random) -> list[Plan]:
    """The best for my own ark of each size, a few off the top of a group, and a few at random."""
    ark, hope, found = quay.arks[seat], quay.hope, []
    for at, tiles in enumerate(quay.groups):
        for size in range(1, min(len(tiles), 5)):
            ways = [(worth(ark + off, hope), Plan(at, off)) for off in _draw_ways(tiles, size, rng)]
            ways.sort(key=lambda way: way[0])
            found += [(ways[-1][0] - CRATE * size, ways[-1][1]), (0.5 * ways[0][0], ways[0][1])]
    found.sort(key=lambda way: -way[0])
    return list(dict.fromkeys(plan for _, plan in found))[:CANDIDATES]


def _draw_ways(tiles: tuple[str, ...], size: int, rng: random.Random) -> list[tuple[str, ...]]:
    """All ways to choose so many tiles, or some of them where there are very many."""
    ways = list(combinations(tiles, size))
    return ways if len(ways) <= 60 else rng.sample(ways, 60)


def _play_out(quay: Quay, plan: Plan, seat: int) -> float:
    """How the round ends for this seat after this plan, when everybody plays by rule of thumb."""
    for _ in range(LONGEST):
        quay.play(plan)
        if quay.is_over:
            break
        plan = choose_plan(quay)
    return _judge(quay, seat)


def _judge(quay: Quay, seat: int) -> float:
    """My points before the best of the others; no hope is left for anybody if the game is over."""
    hope = 0.0 if max(map(len, quay.arks)) >= BRACKETS else quay.hope
    values = [worth(ark, hope) + CRATE * crates for ark, crates in zip(quay.arks, quay.crates, strict=True)]
    mine = values.pop(seat)
    return mine - 0.5 * max(values) - 0.5 * sum(values) / len(values)
