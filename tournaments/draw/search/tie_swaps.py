"""Among draws that are equal up to the pairing: fewer odd sizes and repeated seats, by swaps that change nothing
before.

Where many people have the same score, many draws are equally close; the last two lines choose among them.
"""

from __future__ import annotations

import random
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, Ints, OpponentTable, list_opponents
from tournaments.draw.problem.pair_costs import HARD_RULE_COST, Scales, weigh_pair
from tournaments.draw.problem.seat_assignment import cost_seats

MAX_SWAP_DISTANCE: Final = 80
"""How far apart in the standings two people may be who are swapped: it limits the candidates for each person to 160."""
LOOK_COST: Final = 150
"""Units of work for each person who is tried (measured)."""
MAX_PASSES: Final = 60
"""Passes over all pods, at most. The search mostly ends by itself before."""
ODD_SIZE_WEIGHT: Final = 1 << 20
"""Weight of one odd size against repeated seats, so that it outweighs any number of them (20,000 people in at most 50
rounds).
"""


class TieSwaps:
    """A draw under change. pods: people in any order. cost: odd sizes, times ODD_SIZE_WEIGHT, plus repeated seats."""

    def __init__(self, instance: Instance, pods: list[list[int]], scales: Scales) -> None:
        self.instance, self.scales, self.rng = instance, scales, random.Random(instance.problem.seed)
        self.pods = [sorted(pod) for pod in pods]
        self.wanted = instance.problem.wanted
        self.opponents = _tabulate_opponents(instance, scales)
        self.scores = (instance.scores - instance.scores.min()) // scales.scale
        self.pod_of = np.full(instance.size, -1, dtype=np.int64)
        self.others = np.zeros((3, instance.size), dtype=np.int64)
        """Per person: lowest and highest score of the others in their pod, and what meeting them again costs."""
        self.costs = [0] * len(self.pods)
        for number in range(len(self.pods)):
            self._refresh(number)
        self.is_locked = instance.lock_of() >= 0
        self.least = instance.seat_counts[:, : self.wanted].min(axis=1)

    def run(self, goal: int, budget: Budget) -> None:
        """Until the cost reaches the goal, or nobody who could sit better finds a swap."""
        for _ in range(MAX_PASSES):
            before = list(self.costs)
            for number in range(len(self.pods)):
                if self.cost <= goal or not budget.remaining():
                    return
                if self.costs[number] > int(self.least[self.pods[number]].sum()):
                    self._improve_pod(number, budget)
            if self.costs == before:
                return

    @property
    def cost(self) -> int:
        """The cost of the whole draw on the last two lines."""
        return sum(self.costs)

    def _improve_pod(self, number: int, budget: Budget) -> None:
        """Make one swap that helps, if a member of this pod finds one, or else one that changes no cost."""
        neutral: list[tuple[int, int]] = []
        for member in list(self.pods[number]):
            if self.is_locked[member] or not budget.spend(LOOK_COST):
                continue
            candidates = self._list_neutral_swaps(member)
            if not len(candidates):
                continue
            change = self._rate(member, candidates)
            best = int(change.argmin())
            if change[best] < 0:
                self._swap(member, int(candidates[best]))
                return
            neutral += [(member, int(candidate)) for candidate in candidates[change == 0]]
        if neutral:
            self._swap(*self.rng.choice(neutral))

    def _list_neutral_swaps(self, one: int) -> Ints:
        """The people this one could swap with without any change of the lines before."""
        source = int(self.pod_of[one])
        low, high = max(0, one - MAX_SWAP_DISTANCE), min(self.instance.size, one + MAX_SWAP_DISTANCE + 1)
        candidates = np.arange(low, high)
        pods = self.pod_of[low:high]
        candidates = candidates[(pods >= 0) & (pods != source) & ~self.is_locked[low:high]]
        rest = [other for other in self.pods[source] if other != one]
        inside = self.scores[rest]
        new = _square(inside.min(), inside.max(), self.scores[candidates])
        new += _square(self.others[0, candidates], self.others[1, candidates], self.scores[one])
        my_meetings = np.zeros(self.instance.size + 1, dtype=np.int64)
        for other in rest:
            for opponent, cost in self.opponents[other].items():
                my_meetings[opponent] += cost
        their_meetings = np.zeros(len(self.pods), dtype=np.int64)
        for opponent, cost in self.opponents[one].items():
            if self.pod_of[opponent] >= 0:
                their_meetings[self.pod_of[opponent]] += cost
        between = np.array([self.opponents[one].get(candidate, 0) for candidate in candidates.tolist()], dtype=np.int64)
        new += my_meetings[candidates] + their_meetings[self.pod_of[candidates]] - between
        low, high, met = self.others[:, candidates]
        old = _square(low, high, self.scores[candidates]) + met
        low, high, met = self.others[:, one]
        old += _square(low, high, self.scores[one]) + met
        return np.asarray(candidates[new == old])

    def _rate(self, one: int, candidates: Ints) -> Ints:
        """The change of cost of each swap."""
        source = int(self.pod_of[one])
        change = np.zeros(len(candidates), dtype=np.int64)
        mine = np.tile(self.pods[source], (len(candidates), 1))
        mine[mine == one] = candidates
        change += cost_seats(mine, self.instance.seat_counts) - self._cost_seats(source)
        sizes = np.array([len(self.pods[pod]) for pod in self.pod_of[candidates].tolist()])
        for size in sorted(set(sizes.tolist())):
            chosen = np.flatnonzero(sizes == size)
            theirs = np.array([self.pods[pod] for pod in self.pod_of[candidates[chosen]].tolist()])
            before = cost_seats(theirs, self.instance.seat_counts)
            theirs = np.where(theirs == candidates[chosen, None], one, theirs)
            change[chosen] += cost_seats(theirs, self.instance.seat_counts) - before
        odd = self.instance.odd_counts
        is_odd = (len(self.pods[source]) != self.wanted) - (sizes != self.wanted).astype(np.int64)
        return np.asarray(change + ODD_SIZE_WEIGHT * is_odd * (odd[candidates] - odd[one]))

    def _swap(self, one: int, other: int) -> None:
        source, target = int(self.pod_of[one]), int(self.pod_of[other])
        self.pods[source] = sorted(other if each == one else each for each in self.pods[source])
        self.pods[target] = sorted(one if each == other else each for each in self.pods[target])
        self._refresh(source)
        self._refresh(target)

    def _refresh(self, number: int) -> None:
        pod = self.pods[number]
        self.pod_of[pod] = number
        for member in pod:
            rest = [other for other in pod if other != member]
            self.others[0, member], self.others[1, member] = self.scores[rest].min(), self.scores[rest].max()
            self.others[2, member] = sum(self.opponents[member].get(other, 0) for other in rest)

        is_odd = len(pod) != self.wanted
        self.costs[number] = self._cost_seats(number) + ODD_SIZE_WEIGHT * is_odd * int(
            self.instance.odd_counts[pod].sum()
        )

    def _cost_seats(self, number: int) -> int:
        return int(cost_seats(np.array([self.pods[number]]), self.instance.seat_counts)[0])


def _square(low: Ints, high: Ints, score: Ints) -> Ints:
    """The squared width of a pod whose scores go from low to high once somebody with this score joins."""
    return np.asarray((np.maximum(high, score) - np.minimum(low, score)) ** 2)


def _tabulate_opponents(instance: Instance, scales: Scales) -> OpponentTable:
    """Per person: opponent → what it costs to meet them."""
    found: OpponentTable = [
        {other: weigh_pair(times, scales) for other, times in opponents.items()}
        for opponents in list_opponents(instance)
    ]
    for one, other in instance.forbidden_pairs:
        found[one][other] = found[other][one] = HARD_RULE_COST
    return found
