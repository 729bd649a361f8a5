"""A bound with whole locks: at given prices, the cheapest way for all locks to share pods.

The linear program takes half a pod of the first and second lock, half of the second and third, and half of the third
and first. At its own prices the rest of the draw can be left to it; which locks share a pod is chosen in integers.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.program.column_sources import GeneratedColumns, sum_least
from tournaments.draw.program.columns import BARRED
from tournaments.draw.program.lock_groups import partition_locks
from tournaments.draw.program.locked_columns import LockedPodEnumerator
from tournaments.draw.program.relaxation import Prices

UNIT_SHIFT: Final = 6
"""Costs are rounded down to units of cost / 2⁶, in which branch and bound counts exactly."""


def bound_whole_locks(source: GeneratedColumns, prices: Prices, budget: Budget) -> int:
    """A lower bound for the sum of the reduced costs of any draw, in price fractions. Raises TooManyPods."""
    total = sum_least(np.minimum(source.reduce(source.byes, prices), 0), source.model.byes)
    least: dict[tuple[int, ...], int] = {}
    for size, most in source.model.most.items():
        enumerators, offset = source.open_enumerators(size, prices)
        for enumerator in enumerators:
            if isinstance(enumerator, LockedPodEnumerator):
                for locks, reduced in enumerator.bound_by_set().items():
                    least[locks] = min(least.get(locks, BARRED), reduced - offset)
            else:
                each, _ = source.bound_each(enumerator, offset, budget)
                total += sum_least(np.minimum(enumerator.expand_bounds(each, offset, source.model.nodes), 0), most)
    return total + _partition(least, len(source.model.locks), max(1, prices.fractions >> UNIT_SHIFT), budget)


def _partition(least: dict[tuple[int, ...], int], count: int, unit: int, budget: Budget) -> int:
    """The least sum with every lock in one set. least: set of locks → a lower bound for pods with these locks."""
    sets = sorted(locks for locks, reduced in least.items() if reduced < BARRED >> 1)
    costs = np.array([least[locks] // unit for locks in sets], dtype=np.int64)
    size = np.array([len(locks) for locks in sets], dtype=np.int64)
    shift = max(0, -int(costs.min()))
    costs += shift * size
    below = int(costs.max()) * count + 1
    best = partition_locks(sets, costs, count, below=below, budget=budget)
    return (best.bound - shift * count) * unit
