"""Any draw that keeps the hard rules, of whatever sizes they allow: people and locks move between pods.

The other searches swap people, so they keep the initial sizes. Here only the number of pods is fixed; a tabu search
(Glover 1989) removes forbidden pairs and sizes out of range, and nothing else counts.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, Ints

MAX_UNITS: Final = 2_000
"""Units (locks and single people), at most; the table of forbidden pairs of more would take over 32 MB."""
STEPS: Final = 100
"""Steps with one number of pods in the first round; twice as many in each further one, so that no number of pods uses
up the budget.
"""
STEP_COST: Final = 100
"""Units of work for each step, whatever its size (measured)."""
MOVES_PER_UNIT: Final = 60
"""Moves rated for one further unit of work (measured)."""
TENURE: Final = 8
"""Steps for which a unit may not return to a pod, at least; chosen by lot up to twice as many. Fewer cycle, more block
good moves.
"""
SIZE_WEIGHT: Final = 2
"""What one person too many or too few in a pod costs, in forbidden pairs. Enough that sizes are mended before pairs."""
NEVER: Final = 1 << 40
"""The change of a move that is not allowed."""


class FeasibleDraw(NamedTuple):
    """pods, byes: people, unordered."""

    pods: list[list[int]]
    byes: list[int]


def find_feasible_draw(instance: Instance, byes: int, budget: Budget) -> FeasibleDraw | None:
    """A draw with so many byes that keeps the hard rules; None if none was found."""
    problem, people = instance.problem, instance.size - byes
    counts = list(range(max(1, -(-people // problem.max_size)), people // problem.min_size + 1))
    counts.sort(key=lambda pods: (abs(people - pods * problem.wanted), pods))
    units = [*instance.locks, *((person,) for person in np.flatnonzero(instance.lock_of() < 0).tolist())]
    if not counts or len(units) > MAX_UNITS or len(units) - len(instance.locks) < byes:
        return None
    conflicts, rng = _count_conflicts(instance, units), np.random.Generator(np.random.PCG64(1))
    steps = STEPS
    while budget.remaining():
        for pods in counts:
            if not budget.remaining():
                break
            moves = _FeasibilitySearch(instance, units, conflicts, byes, pods, rng)
            if moves.run(steps, budget):
                return moves.read()
        steps *= 2
    return None


def _count_conflicts(instance: Instance, units: list[tuple[int, ...]]) -> Ints:
    """(units, units): how many forbidden pairs two units have between them."""
    owner = {member: number for number, unit in enumerate(units) for member in unit}
    conflicts = np.zeros((len(units), len(units)), dtype=np.int64)
    for one, other in instance.forbidden_pairs:
        conflicts[owner[one], owner[other]] += 1
        conflicts[owner[other], owner[one]] += 1
    return conflicts


class _FeasibilitySearch:
    """Tabu search over which unit is in which pod. Pod 0 holds the byes.

    conflict_table: (units, pods), the forbidden pairs if this unit were in that pod.
    """

    def __init__(
        self,
        instance: Instance,
        units: list[tuple[int, ...]],
        conflicts: Ints,
        byes: int,
        pods: int,
        rng: np.random.Generator,
    ) -> None:
        self.units, self.conflicts, self.rng = units, conflicts, rng
        problem = instance.problem
        self.size = np.array([len(unit) for unit in units], dtype=np.int64)
        self.low = np.array([byes] + [problem.min_size] * pods, dtype=np.int64)
        self.high = np.array([byes] + [problem.max_size] * pods, dtype=np.int64)
        self.filled = np.zeros(pods + 1, dtype=np.int64)
        self.conflict_table = np.zeros((len(units), pods + 1), dtype=np.int64)
        self.conflict_table[self.size > 1, 0] = NEVER
        self.pod = np.zeros(len(units), dtype=np.int64)
        for unit in np.lexsort((rng.random(len(units)), -conflicts.sum(axis=1), -self.size)).tolist():
            over = self._measure_size_error(self.filled + self.size[unit]) > self._measure_size_error(self.filled)
            self._join_pod(unit, int(np.lexsort((self.filled, self.conflict_table[unit], over))[0]))

    def run(self, steps: int, budget: Budget) -> bool:
        """Search for so many steps; whether all rules are kept."""
        people = np.arange(len(self.units))
        until = np.zeros_like(self.conflict_table)
        best = self._cost_of_sizes()
        for step in range(1, steps + 1):
            if best == 0 or not budget.spend(STEP_COST + self.conflict_table.size // MOVES_PER_UNIT):
                break
            now, own = self._cost_of_sizes(), self.conflict_table[people, self.pod]
            moved, swapped = self._rate_moves(own), self._rate_swaps(own)
            barred = until > step
            moved[barred & (moved + now >= best)] = NEVER
            unit, swaps = swapped
            tabu = barred[unit, self.pod] | barred[people, self.pod[unit]]
            swaps[tabu & (swaps + now >= best)] = NEVER
            release_step = step + TENURE + int(self.rng.integers(TENURE))
            if moved.min() < swaps.min():
                one, target = divmod(self._pick(moved.ravel()), moved.shape[1])
                until[one, self.pod[one]] = release_step
                self._move_unit(one, target)
            elif swaps.min() < NEVER >> 1:
                other = self._pick(swaps)
                source, target = int(self.pod[unit]), int(self.pod[other])
                until[unit, source] = until[other, target] = release_step
                self._move_unit(unit, target)
                self._move_unit(other, source)
            best = min(best, self._cost_of_sizes())
        return self._cost_of_sizes() == 0

    def read(self) -> FeasibleDraw:
        """The current assignment."""
        pods: list[list[int]] = [[] for _ in self.low]
        for unit, pod in zip(self.units, self.pod.tolist(), strict=True):
            pods[pod].extend(unit)
        return FeasibleDraw(pods[1:], pods[0])

    def _cost_of_sizes(self) -> int:
        own = self.conflict_table[np.arange(len(self.units)), self.pod]
        return int(own.sum()) // 2 + SIZE_WEIGHT * int(self._measure_size_error(self.filled).sum())

    def _measure_size_error(self, filled: Ints) -> Ints:
        """The number of people by which pods of these sizes are too small or too large."""
        return np.asarray(np.maximum(self.low - filled, 0) + np.maximum(filled - self.high, 0))

    def _rate_moves(self, own: Ints) -> Ints:
        """(units, pods): the change of cost if this unit moves to that pod."""
        limits = self.low[self.pod], self.high[self.pod], self.filled[self.pod]
        less = limits[2] - self.size
        left = np.maximum(limits[0] - less, 0) + np.maximum(less - limits[1], 0)
        size_error = self._measure_size_error(self.filled)
        entered = self._measure_size_error(self.filled + self.size[:, None])
        change = (
            self.conflict_table
            - own[:, None]
            + SIZE_WEIGHT * (entered - size_error + (left - size_error[self.pod])[:, None])
        )
        change[np.arange(len(own)), self.pod] = NEVER
        return np.asarray(change)

    def _rate_swaps(self, own: Ints) -> tuple[int, Ints]:
        """A misplaced unit, and per unit the change of cost if the two swap pods."""
        size_error = self._measure_size_error(self.filled)
        misplaced = np.flatnonzero((own > 0) | (size_error[self.pod] > 0))
        unit = int(misplaced[self.rng.integers(len(misplaced))])
        source, more = int(self.pod[unit]), self.size - self.size[unit]
        mutual = self.conflicts[unit] * ((self.pod > 0).astype(np.int64) + (source > 0))
        change = self.conflict_table[unit, self.pod] + self.conflict_table[:, source] - own - own[unit] - mutual
        theirs = self.filled[self.pod] - more
        sizes = np.maximum(self.low[self.pod] - theirs, 0) + np.maximum(theirs - self.high[self.pod], 0)
        mine = self.filled[source] + more
        sizes += np.maximum(self.low[source] - mine, 0) + np.maximum(mine - self.high[source], 0)
        change = change + SIZE_WEIGHT * (sizes - size_error[self.pod] - size_error[source])
        change[self.pod == source] = NEVER
        return unit, np.asarray(change)

    def _pick(self, change: Ints) -> int:
        """One of the best, at random."""
        least = np.flatnonzero(change == change.min())
        return int(least[self.rng.integers(len(least))])

    def _move_unit(self, unit: int, target: int) -> None:
        source = int(self.pod[unit])
        self.filled[source] -= self.size[unit]
        if source:
            self.conflict_table[:, source] -= self.conflicts[unit]
        self._join_pod(unit, target)

    def _join_pod(self, unit: int, target: int) -> None:
        self.pod[unit] = target
        self.filled[target] += self.size[unit]
        if target:
            self.conflict_table[:, target] += self.conflicts[unit]
