"""A plan for a few people, the best there is: all choices of rounds gone through, the last two of each at one look.

What a plan costs does not depend on the order of its rounds, and without a history and rules for pairs any first round
is as good as any other.
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

from tournaments.draw.plans.annealing import Round
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.objective import is_allowed
from tournaments.draw.problem.pod_sizes import Mix

MOST_LISTED, MOST_WAYS = 3000, 150
"""Ways to seat one round, without rules for pairs and with them; of more there are too many plans."""
SHARE: Final = 8
"""So many parts of the budget; more than one of them is not spent here."""
LOOK_COST, PAIRS_A_UNIT = 30, 200
"""Of one look at the last two rounds: at least so much, and one for so many pairs of ways."""


def plan_thoroughly(
    instance: Instance, mix: Mix, rounds: int, bound: int, budget: Budget
) -> tuple[list[Round], int] | None:
    """The best plan in which nobody sits out, and what it costs; None where going through all is too much.

    bound: no plan costs less.
    """
    if mix.seated < instance.size or rounds < 2 or _count_ways(mix) > MOST_LISTED:
        return None
    ways = [pods for pods in _list_ways(tuple(range(instance.size)), mix.sizes) if is_allowed(instance, pods, ())]
    is_alike = rounds > 2 and not (instance.met or instance.foes or instance.groups)
    chosen = rounds - 2 - is_alike
    if not 0 < len(ways) <= MOST_WAYS:
        return None
    work = comb(len(ways) + chosen - 1, chosen) * (LOOK_COST + len(ways) ** 2 // PAIRS_A_UNIT)
    if work > budget.left() // SHARE or not budget.spend(work):
        return None
    choice = _Choice(instance, ways, bound)
    choice.go_through([0] if is_alike else [], 0, chosen)
    return [ways[way] for way in choice.plan], choice.best


class _Choice:
    """The best choice so far. meets: per way and pair, 1 if they meet."""

    def __init__(self, instance: Instance, ways: list[Round], bound: int) -> None:
        index = {pair: number for number, pair in enumerate(combinations(range(instance.size), 2))}
        self.meets = np.zeros((len(ways), len(index)), dtype=np.int64)
        for row, pods in zip(self.meets, ways, strict=True):
            row[[index[pair] for pod in pods for pair in combinations(pod, 2)]] = 1
        self.before = np.array([instance.met.get(pair, 0) for pair in index], dtype=np.int64)
        self.bound, self.best, self.plan = bound, sys.maxsize, [0]
        self.alike = (self.meets * (2 * self.before + 1)) @ self.meets.T
        self.shared = cache(self._share)

    def _share(self, way: int) -> NDArray[np.int32]:
        """Twice the pairs that this way has in common with any two others."""
        found: Ints = 2 * ((self.meets * self.meets[way]) @ self.meets.T)
        return found.astype(np.int32)

    def go_through(self, first: list[int], least: int, left: int) -> None:
        """All plans that begin with these rounds, `left` more from this way on, and any two."""
        if self.best <= self.bound:
            return
        if left:
            for way in range(least, len(self.meets)):
                self.go_through([*first, way], way, left - 1)
            return
        met = self.before + self.meets[first].sum(axis=0)
        so_far, one = _cost(met) - _cost(self.before), self.meets @ met**2
        if so_far + 2 * int(one.min()) >= self.best:
            return
        both = sum(map(self.shared, first), self.alike) + one
        both += one[:, None]
        at = int(both.argmin())
        if so_far + int(both.flat[at]) < self.best:
            self.best = so_far + int(both.flat[at])
            self.plan = [*first, at // len(one), at % len(one)]


def _cost(met: Ints) -> int:
    """What meetings cost of pairs that have met so often: 0² + 1² + … + (m − 1)² each."""
    return int(((met - 1) * met * (2 * met - 1)).sum()) // 6


def _count_ways(mix: Mix) -> int:
    alike = prod(factorial(mix.sizes.count(size)) for size in set(mix.sizes))
    return factorial(mix.seated) // prod(map(factorial, mix.sizes)) // alike


def _list_ways(people: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[Round]:
    """All ways to seat these people, each once: the first of them in a pod of each size that is left."""
    if not sizes:
        yield []
        return
    for size in sorted(set(sizes), reverse=True):
        left = list(sizes)
        left.remove(size)
        for others in combinations(people[1:], size - 1):
            rest = tuple(one for one in people[1:] if one not in others)
            for pods in _list_ways(rest, tuple(left)):
                yield [[people[0], *others], *pods]
