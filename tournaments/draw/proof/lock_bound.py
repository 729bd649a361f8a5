"""A bound that knows that locks are whole: at given prices, the cheapest way for all of them to share pods.

The linear program takes half a pod of the first and the second lock, half of the second and the third, and half of the
third and the first. At its own prices the rest of the draw can be left to it; which locks share a pod is chosen whole.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.program.column_sources import Rules, sum_least
from tournaments.draw.program.columns import BARRED
from tournaments.draw.program.lock_groups import share_out
from tournaments.draw.program.locked_columns import LockFinder
from tournaments.draw.program.relaxation import Prices

FINENESS: Final = 6
"""Costs are rounded down to this power of one half."""


def sum_whole(rules: Rules, prices: Prices, budget: Budget) -> int:
    """A number below which the reduced costs of no draw add up, in fractions. Raises TooMany without budget."""
    total = sum_least(np.minimum(rules.reduce(rules.byes, prices), 0), rules.shape.byes)
    least: dict[tuple[int, ...], int] = {}
    for size, most in rules.shape.most.items():
        finders, offset = rules.open(size, prices)
        for finder in finders:
            if isinstance(finder, LockFinder):
                for locks, reduced in finder.least_by_set().items():
                    least[locks] = min(least.get(locks, BARRED), reduced - offset)
            else:
                each, _ = rules.bound_each(finder, offset, budget)
                total += sum_least(np.minimum(finder.cover(each, offset, rules.shape.nodes), 0), most)
    return total + _choose(least, len(rules.shape.groups), max(1, prices.fine >> FINENESS), budget)


def _choose(least: dict[tuple[int, ...], int], count: int, unit: int, budget: Budget) -> int:
    """least: set of locks → no pod with them has a smaller reduced cost. The least sum with every lock in one set."""
    sets = sorted(locks for locks, reduced in least.items() if reduced < BARRED >> 1)
    costs = np.array([least[locks] // unit for locks in sets], dtype=np.int64)
    size = np.array([len(locks) for locks in sets], dtype=np.int64)
    shift = max(0, -int(costs.min()))
    costs += shift * size
    below = int(costs.max()) * count + 1
    best = share_out(sets, costs, count, below=below, budget=budget)
    return (best.bound - shift * count) * unit
