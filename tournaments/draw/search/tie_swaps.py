"""Among draws that are as good up to the pairing: fewer odd sizes and repeated seats, by swaps that cost nothing.

Where many have the same score, many draws are equally close; the last two lines choose among them.
"""

from __future__ import annotations

import random
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, Ints, Neighbours, list_neighbours
from tournaments.draw.problem.pair_costs import HARD, Scales, weigh_pair
from tournaments.draw.problem.seat_assignment import cost_seats

REACH: Final = 80
"""How far apart in the standings two may be who trade places."""
LOOK_COST: Final = 150
"""For everybody who looks for somebody to trade with."""
ROUNDS: Final = 60
ODD: Final = 1 << 20
"""One more odd size outweighs any seats."""


class Ties:
    """A draw under change; pods: people, in any order. cost: odd sizes, times ODD, and seats."""

    def __init__(self, instance: Instance, pods: list[list[int]], scales: Scales) -> None:
        self.instance, self.scales, self.rng = instance, scales, random.Random(instance.problem.seed)
        self.pods = [sorted(pod) for pod in pods]
        self.wanted = instance.problem.wanted
        self.neighbours = _weigh(instance, scales)
        self.scores = (instance.scores - instance.scores.min()) // scales.scale
        self.pod_of = np.full(instance.size, -1, dtype=np.int64)
        self.others = np.zeros((3, instance.size), dtype=np.int64)
        """Per person: lowest and highest score of the others in his pod, and what meeting them again costs."""
        self.costs = [0] * len(self.pods)
        for number in range(len(self.pods)):
            self._enter(number)
        self.is_fixed = instance.group_of() >= 0
        self.least = instance.sat[:, : self.wanted].min(axis=1)

    def run(self, goal: int, budget: Budget) -> None:
        """Until the cost is at the goal, or nobody who could sit better finds anybody to trade with."""
        for _ in range(ROUNDS):
            before = list(self.costs)
            for number in range(len(self.pods)):
                if self.cost <= goal or not budget.left():
                    return
                if self.costs[number] > int(self.least[self.pods[number]].sum()):
                    self._change(number, budget)
            if self.costs == before:
                return

    @property
    def cost(self) -> int:
        """Of the whole draw."""
        return sum(self.costs)

    def _change(self, number: int, budget: Budget) -> None:
        """One trade that helps, if any of this pod finds one; or one that at least does no harm."""
        idle: list[tuple[int, int]] = []
        for one in list(self.pods[number]):
            if self.is_fixed[one] or not budget.spend(LOOK_COST):
                continue
            mates = self._list_equal(one)
            if not len(mates):
                continue
            change = self._rate(one, mates)
            best = int(change.argmin())
            if change[best] < 0:
                self._trade(one, int(mates[best]))
                return
            idle += [(one, int(mate)) for mate in mates[change == 0]]
        if idle:
            self._trade(*self.rng.choice(idle))

    def _list_equal(self, one: int) -> Ints:
        """With whom he could trade places without any change of the lines before."""
        here = int(self.pod_of[one])
        low, high = max(0, one - REACH), min(self.instance.size, one + REACH + 1)
        mates = np.arange(low, high)
        there = self.pod_of[low:high]
        mates = mates[(there >= 0) & (there != here) & ~self.is_fixed[low:high]]
        rest = [other for other in self.pods[here] if other != one]
        inside = self.scores[rest]
        new = _square(inside.min(), inside.max(), self.scores[mates])
        new += _square(self.others[0, mates], self.others[1, mates], self.scores[one])
        near = np.zeros(self.instance.size + 1, dtype=np.int64)
        for other in rest:
            for known, cost in self.neighbours[other].items():
                near[known] += cost
        meet = np.zeros(len(self.pods), dtype=np.int64)
        for known, cost in self.neighbours[one].items():
            if self.pod_of[known] >= 0:
                meet[self.pod_of[known]] += cost
        between = np.array([self.neighbours[one].get(mate, 0) for mate in mates.tolist()], dtype=np.int64)
        new += near[mates] + meet[self.pod_of[mates]] - between
        low, high, met = self.others[:, mates]
        old = _square(low, high, self.scores[mates]) + met
        low, high, met = self.others[:, one]
        old += _square(low, high, self.scores[one]) + met
        return np.asarray(mates[new == old])

    def _rate(self, one: int, mates: Ints) -> Ints:
        """What each trade changes."""
        here = int(self.pod_of[one])
        change = np.zeros(len(mates), dtype=np.int64)
        mine = np.tile(self.pods[here], (len(mates), 1))
        mine[mine == one] = mates
        change += cost_seats(mine, self.instance.sat) - self._seats(here)
        sizes = np.array([len(self.pods[pod]) for pod in self.pod_of[mates].tolist()])
        for size in sorted(set(sizes.tolist())):
            chosen = np.flatnonzero(sizes == size)
            theirs = np.array([self.pods[pod] for pod in self.pod_of[mates[chosen]].tolist()])
            before = cost_seats(theirs, self.instance.sat)
            theirs = np.where(theirs == mates[chosen, None], one, theirs)
            change[chosen] += cost_seats(theirs, self.instance.sat) - before
        odd = self.instance.odd
        is_odd = (len(self.pods[here]) != self.wanted) - (sizes != self.wanted).astype(np.int64)
        return np.asarray(change + ODD * is_odd * (odd[mates] - odd[one]))

    def _trade(self, one: int, other: int) -> None:
        here, there = int(self.pod_of[one]), int(self.pod_of[other])
        self.pods[here] = sorted(other if each == one else each for each in self.pods[here])
        self.pods[there] = sorted(one if each == other else each for each in self.pods[there])
        self._enter(here)
        self._enter(there)

    def _enter(self, number: int) -> None:
        pod = self.pods[number]
        self.pod_of[pod] = number
        for one in pod:
            rest = [other for other in pod if other != one]
            self.others[0, one], self.others[1, one] = self.scores[rest].min(), self.scores[rest].max()
            self.others[2, one] = sum(self.neighbours[one].get(other, 0) for other in rest)

        is_odd = len(pod) != self.wanted
        self.costs[number] = self._seats(number) + ODD * is_odd * int(self.instance.odd[pod].sum())

    def _seats(self, number: int) -> int:
        return int(cost_seats(np.array([self.pods[number]]), self.instance.sat)[0])


def _square(low: Ints, high: Ints, score: Ints) -> Ints:
    """Of the width of a pod, if somebody with this score comes to those between low and high."""
    return np.asarray((np.maximum(high, score) - np.minimum(low, score)) ** 2)


def _weigh(instance: Instance, scales: Scales) -> Neighbours:
    """Per person: what it costs to meet whom."""
    found: Neighbours = [
        {other: weigh_pair(times, scales) for other, times in known.items()} for known in list_neighbours(instance)
    ]
    for one, other in instance.foes:
        found[one][other] = found[other][one] = HARD
    return found
