"""The best plan for a few people: all combinations of rounds are tried, the last two rounds of each at once.

The cost of a plan does not depend on the order of its rounds; without a history and rules for pairs any first round is
as good as another.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb, factorial, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.plans.annealing import PlannedRound
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.objective import is_allowed
from tournaments.draw.problem.pod_sizes import SizeMix

MAX_LISTED_WAYS, MAX_WAYS = 3000, 150
"""Ways to seat one round: before rules for pairs are applied, and after. With more there are too many plans."""
BUDGET_PART: Final = 8
"""The exhaustive search is not tried if it takes more than one part in so many of the budget, which annealing needs
otherwise.
"""
LOOK_COST, PAIRS_PER_UNIT = 30, 200
"""Units of work for one pass over the last two rounds, and pairs of ways examined for one further unit (measured)."""


def plan_exhaustively(
    instance: Instance, mix: SizeMix, rounds: int, bound: int, budget: Budget
) -> tuple[list[PlannedRound], int] | None:
    """The best plan without byes, and its cost; None where trying all plans takes too long.

    bound: a lower bound of the cost; the search ends there.
    """
    if mix.seated < instance.size or rounds < 2 or _count_ways(mix) > MAX_LISTED_WAYS:
        return None
    ways = [pods for pods in _list_ways(tuple(range(instance.size)), mix.sizes) if is_allowed(instance, pods, ())]
    is_symmetric = rounds > 2 and not (instance.met or instance.forbidden_pairs or instance.locks)
    chosen = rounds - 2 - is_symmetric
    if not 0 < len(ways) <= MAX_WAYS:
        return None
    work = comb(len(ways) + chosen - 1, chosen) * (LOOK_COST + len(ways) ** 2 // PAIRS_PER_UNIT)
    if work > budget.remaining() // BUDGET_PART or not budget.spend(work):
        return None
    choice = _Choice(instance, ways, bound)
    choice.try_all([0] if is_symmetric else [], 0, chosen)
    return [ways[way] for way in choice.plan], choice.best


class _Choice:
    """The best plan so far. meets: (ways, pairs), 1 if the pair meets."""

    def __init__(self, instance: Instance, ways: list[PlannedRound], bound: int) -> None:
        index = {pair: number for number, pair in enumerate(combinations(range(instance.size), 2))}
        self.meets = np.zeros((len(ways), len(index)), dtype=np.int64)
        for row, pods in zip(self.meets, ways, strict=True):
            row[[index[pair] for pod in pods for pair in combinations(pod, 2)]] = 1
        self.before = np.array([instance.met.get(pair, 0) for pair in index], dtype=np.int64)
        self.bound, self.best, self.plan = bound, sys.maxsize, [0]
        self.same_way_cost = (self.meets * (2 * self.before + 1)) @ self.meets.T
        self.shared = cache(self._share)

    def _share(self, way: int) -> NDArray[np.int32]:
        """Twice the pairs that this way has in common with any two others, (ways, ways)."""
        found: Ints = 2 * ((self.meets * self.meets[way]) @ self.meets.T)
        return found.astype(np.int32)

    def try_all(self, first: list[int], least: int, left: int) -> None:
        """Try all plans that begin with these rounds, then have `left` more from this way on, and any two."""
        if self.best <= self.bound:
            return
        if left:
            for way in range(least, len(self.meets)):
                self.try_all([*first, way], way, left - 1)
            return
        met = self.before + self.meets[first].sum(axis=0)
        so_far, one = _cost_of_meetings(met) - _cost_of_meetings(self.before), self.meets @ met**2
        if so_far + 2 * int(one.min()) >= self.best:
            return
        both = sum(map(self.shared, first), self.same_way_cost) + one
        both += one[:, None]
        at = int(both.argmin())
        if so_far + int(both.flat[at]) < self.best:
            self.best = so_far + int(both.flat[at])
            self.plan = [*first, at // len(one), at % len(one)]


def _cost_of_meetings(met: Ints) -> int:
    """The cost of pairs that have met so often: 0² + 1² + … + (m − 1)² each."""
    return int(((met - 1) * met * (2 * met - 1)).sum()) // 6


def _count_ways(mix: SizeMix) -> int:
    same_way_cost = prod(factorial(mix.sizes.count(size)) for size in set(mix.sizes))
    return factorial(mix.seated) // prod(map(factorial, mix.sizes)) // same_way_cost


def _list_ways(people: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[PlannedRound]:
    """All ways to seat these people, each once: the first person in a pod of each remaining size."""
    if not sizes:
        yield []
        return
    for size in sorted(set(sizes), reverse=True):
        left = list(sizes)
        left.remove(size)
        for others in combinations(people[1:], size - 1):
            rest = tuple(person for person in people[1:] if person not in others)
            for pods in _list_ways(rest, tuple(left)):
                yield [[people[0], *others], *pods]
