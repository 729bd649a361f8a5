"""Any draw that keeps the hard rules, of whatever sizes these leave: people and locks go from pod to pod.

The other searches trade people, so they keep the sizes with which they begin. Here only the number of pods is given;
a tabu search (Glover 1989) takes away foes who sit together and sizes that are out of bounds, and nothing else counts.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, Ints

MOST: Final = 2_000
"""Locks and single people; of more, who may not meet whom fills the memory."""
STEPS: Final = 100
"""With one number of pods, the first time; twice as many the next time, and so on."""
STEP_COST: Final = 100
SPEED: Final = 60
"""Moves looked at for one further unit of work."""
TENURE: Final = 8
"""Steps before somebody goes back to a pod, and up to twice as many."""
OFF: Final = 2
"""What one person too many or too few in a pod counts, in foes who sit together."""
NEVER: Final = 1 << 40


class Loose(NamedTuple):
    """pods, byes: people in no order."""

    pods: list[list[int]]
    byes: list[int]


def find_loosely(instance: Instance, byes: int, budget: Budget) -> Loose | None:
    """None if no draw with so many byes was found."""
    problem, people = instance.problem, instance.size - byes
    counts = list(range(max(1, -(-people // problem.max_size)), people // problem.min_size + 1))
    counts.sort(key=lambda pods: (abs(people - pods * problem.wanted), pods))
    units = [*instance.groups, *((one,) for one in np.flatnonzero(instance.group_of() < 0).tolist())]
    if not counts or len(units) > MOST or len(units) - len(instance.groups) < byes:
        return None
    foes, rng = _count_foes(instance, units), np.random.Generator(np.random.PCG64(1))
    steps = STEPS
    while budget.left():
        for pods in counts:
            if not budget.left():
                break
            moves = _Moves(instance, units, foes, byes, pods, rng)
            if moves.run(steps, budget):
                return moves.read()
        steps *= 2
    return None


def _count_foes(instance: Instance, units: list[tuple[int, ...]]) -> Ints:
    """(units, units): how many pairs of theirs may not meet."""
    owner = {one: number for number, unit in enumerate(units) for one in unit}
    foes = np.zeros((len(units), len(units)), dtype=np.int64)
    for one, other in instance.foes:
        foes[owner[one], owner[other]] += 1
        foes[owner[other], owner[one]] += 1
    return foes


class _Moves:
    """Pod 0 is for those who sit out. near: (units, pods) → pairs of foes, if this unit were in that pod."""

    def __init__(
        self,
        instance: Instance,
        units: list[tuple[int, ...]],
        foes: Ints,
        byes: int,
        pods: int,
        rng: np.random.Generator,
    ) -> None:
        self.units, self.foes, self.rng = units, foes, rng
        problem = instance.problem
        self.size = np.array([len(unit) for unit in units], dtype=np.int64)
        self.low = np.array([byes] + [problem.min_size] * pods, dtype=np.int64)
        self.high = np.array([byes] + [problem.max_size] * pods, dtype=np.int64)
        self.filled = np.zeros(pods + 1, dtype=np.int64)
        self.near = np.zeros((len(units), pods + 1), dtype=np.int64)
        self.near[self.size > 1, 0] = NEVER
        self.pod = np.zeros(len(units), dtype=np.int64)
        for unit in np.lexsort((rng.random(len(units)), -foes.sum(axis=1), -self.size)).tolist():
            over = self._off(self.filled + self.size[unit]) > self._off(self.filled)
            self._enter(unit, int(np.lexsort((self.filled, self.near[unit], over))[0]))

    def run(self, steps: int, budget: Budget) -> bool:
        """Whether all rules are kept."""
        people = np.arange(len(self.units))
        until = np.zeros_like(self.near)
        best = self._cost()
        for step in range(1, steps + 1):
            if best == 0 or not budget.spend(STEP_COST + self.near.size // SPEED):
                break
            now, own = self._cost(), self.near[people, self.pod]
            moved, traded = self._rate_moves(own), self._rate_trades(own)
            barred = until > step
            moved[barred & (moved + now >= best)] = NEVER
            unit, trades = traded
            tabu = barred[unit, self.pod] | barred[people, self.pod[unit]]
            trades[tabu & (trades + now >= best)] = NEVER
            wait = step + TENURE + int(self.rng.integers(TENURE))
            if moved.min() < trades.min():
                one, there = divmod(self._pick(moved.ravel()), moved.shape[1])
                until[one, self.pod[one]] = wait
                self._go(one, there)
            elif trades.min() < NEVER >> 1:
                other = self._pick(trades)
                here, there = int(self.pod[unit]), int(self.pod[other])
                until[unit, here] = until[other, there] = wait
                self._go(unit, there)
                self._go(other, here)
            best = min(best, self._cost())
        return self._cost() == 0

    def read(self) -> Loose:
        """As it stands."""
        pods: list[list[int]] = [[] for _ in self.low]
        for unit, pod in zip(self.units, self.pod.tolist(), strict=True):
            pods[pod].extend(unit)
        return Loose(pods[1:], pods[0])

    def _cost(self) -> int:
        own = self.near[np.arange(len(self.units)), self.pod]
        return int(own.sum()) // 2 + OFF * int(self._off(self.filled).sum())

    def _off(self, filled: Ints) -> Ints:
        """By how many people pods that hold so many are too small or too large."""
        return np.asarray(np.maximum(self.low - filled, 0) + np.maximum(filled - self.high, 0))

    def _rate_moves(self, own: Ints) -> Ints:
        """(units, pods): what it changes if this unit goes to that pod."""
        here = self.low[self.pod], self.high[self.pod], self.filled[self.pod]
        less = here[2] - self.size
        left = np.maximum(here[0] - less, 0) + np.maximum(less - here[1], 0)
        off = self._off(self.filled)
        entered = self._off(self.filled + self.size[:, None])
        change = self.near - own[:, None] + OFF * (entered - off + (left - off[self.pod])[:, None])
        change[np.arange(len(own)), self.pod] = NEVER
        return np.asarray(change)

    def _rate_trades(self, own: Ints) -> tuple[int, Ints]:
        """A unit that is in the wrong pod, and per unit what it changes if these two trade places."""
        off = self._off(self.filled)
        wrong = np.flatnonzero((own > 0) | (off[self.pod] > 0))
        unit = int(wrong[self.rng.integers(len(wrong))])
        here, more = int(self.pod[unit]), self.size - self.size[unit]
        mutual = self.foes[unit] * ((self.pod > 0).astype(np.int64) + (here > 0))
        change = self.near[unit, self.pod] + self.near[:, here] - own - own[unit] - mutual
        there = self.filled[self.pod] - more
        sizes = np.maximum(self.low[self.pod] - there, 0) + np.maximum(there - self.high[self.pod], 0)
        mine = self.filled[here] + more
        sizes += np.maximum(self.low[here] - mine, 0) + np.maximum(mine - self.high[here], 0)
        change = change + OFF * (sizes - off[self.pod] - off[here])
        change[self.pod == here] = NEVER
        return unit, np.asarray(change)

    def _pick(self, change: Ints) -> int:
        """One of the best, by lot."""
        least = np.flatnonzero(change == change.min())
        return int(least[self.rng.integers(len(least))])

    def _go(self, unit: int, there: int) -> None:
        here = int(self.pod[unit])
        self.filled[here] -= self.size[unit]
        if here:
            self.near[:, here] -= self.foes[unit]
        self._enter(unit, there)

    def _enter(self, unit: int, there: int) -> None:
        self.pod[unit] = there
        self.filled[there] += self.size[unit]
        if there:
            self.near[:, there] += self.foes[unit]
