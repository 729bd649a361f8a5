"""A good draw by swaps: tabu search over the whole neighbourhood at once (Glover 1989), a few hundred people at most.

M[a, b] is what the pod of b costs a if he takes the place of b: meetings with the others there, and its width. So a
swap of a and b changes the draw by M[a, b] + M[b, a] − M[a, a] − M[b, b], and after it only the columns of two pods
are drawn anew.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.problem.pair_costs import Weights

NEVER: Final = 1 << 60
LOTS: Final = 4096
PATIENCE: Final = 100
"""Steps without a new best after which the search goes back to the best and disturbs it."""
REACH: Final = 12
"""How far apart in the standings two may be who are thrown together."""


class Search:
    """One arrangement under way. pods: lists of people; the last one holds those with a bye and costs nothing.

    is_free: per person, whether he may change between a chair and a bye. may_move: whether sizes may trade places.
    """

    def __init__(self, weights: Weights, pods: Sequence[Sequence[int]], *, is_free: Flags, wanted: int) -> None:
        self.weights, self.wanted, self.is_free = weights, wanted, is_free
        self.pods = [list(pod) for pod in pods]
        self.out = len(self.pods) - 1
        self.may_move = any(len(pod) != wanted for pod in self.pods[:-1])
        count = len(weights.scores)
        self.pod_of = np.zeros(count, dtype=np.int64)
        self.near = np.zeros((count, len(self.pods)), dtype=np.int64)
        self.swap = np.zeros((count, count), dtype=np.int64)
        self.join = np.full((count, len(self.pods)), NEVER >> 6, dtype=np.int64)
        self.width = np.zeros(len(self.pods), dtype=np.int64)
        self.leave = np.zeros(count, dtype=np.int64)
        for pod in range(len(self.pods)):
            self._refresh(pod)
        self.cost = self._count_cost()
        self.lots = np.zeros(0, dtype=np.int64)

    def run(self, steps: int, rng: random.Random, budget: Budget, goal: int) -> tuple[int, list[list[int]]]:
        """The best cost and pods met on the way; each step is the best swap or move that is not tabu.

        goal: less than this there is not.
        """
        best, best_pods, last = self.cost, [list(pod) for pod in self.pods], 0
        count = len(self.pod_of)
        tabu = np.zeros(count, dtype=np.int64)
        self.lots = np.array(list(rng.randbytes(count * count + LOTS)), dtype=np.int64)
        tenure = max(2, min(12, count // 5))
        price = 100 + count * count // 100
        for step in range(1, steps + 1):
            if best <= goal or not budget.spend(price):
                break
            if step - last > PATIENCE:
                last = step
                self._restart(best_pods, rng)
            delta, act = self._choose(tabu >= step, best - self.cost, rng.randrange(LOTS))
            if act is None:
                break
            touched = self._apply(*act)
            self.cost += delta
            for one in touched:
                tabu[one] = step + rng.randint(tenure // 2, tenure)
            if self.cost < best:
                best, best_pods, last = self.cost, [list(pod) for pod in self.pods], step
        return best, best_pods

    def _restart(self, pods: Sequence[Sequence[int]], rng: random.Random) -> None:
        """Back to the best, and a few neighbours thrown together at random."""
        self.pods = [list(pod) for pod in pods]
        for pod in range(len(self.pods)):
            self._refresh(pod)
        count = len(self.pod_of)
        for _ in range(rng.randint(2, 4)):
            one = rng.randrange(count)
            other = min(count - 1, max(0, one + rng.randint(-REACH, REACH)))
            if self.pod_of[one] != self.pod_of[other] and self.out not in self.pod_of[[one, other]]:
                self._apply(one, other, is_move=False)
        self.cost = self._count_cost()

    def _choose(self, is_tabu: Flags, needed: int, lot: int) -> tuple[int, tuple[int, int, bool] | None]:
        own = self.swap.diagonal()
        change = self.swap + self.swap.T
        change -= own[:, None]
        change -= own[None, :]
        change[self.pod_of[:, None] == self.pod_of[None, :]] = NEVER >> 6
        if self.pods[self.out]:
            is_out = self.pod_of == self.out
            change[(is_out[:, None] != is_out[None, :]) & ~(self.is_free[:, None] & self.is_free[None, :])] = NEVER >> 6
        change <<= 8  # whoever is equal draws lots
        change += self.lots[lot : lot + change.size].reshape(change.shape)
        found = self._pick(change, is_tabu[:, None] | is_tabu[None, :], needed)
        if self.may_move:
            moved = self._pick(self._list_moves() << 8, np.broadcast_to(is_tabu[:, None], self.join.shape), needed)
            if moved[0] < found[0]:
                return moved[0], (moved[1], moved[2], True)
        return (found[0], (found[1], found[2], False)) if found[0] < NEVER >> 7 else (0, None)

    def _pick(self, change: Ints, is_tabu: Flags, needed: int) -> tuple[int, int, int]:
        width = change.shape[1]
        at = int(change.argmin())
        if change[at // width, at % width] >> 8 >= needed:  # no new best: what is tabu stays so
            change = np.where(is_tabu, NEVER << 2, change)
            at = int(change.argmin())
        return int(change[at // width, at % width]) >> 8, at // width, at % width

    def _list_moves(self) -> Ints:
        sizes = np.array([len(pod) for pod in self.pods])
        here, there = sizes[self.pod_of][:, None], sizes[None, :]
        off = abs(here - 1 - self.wanted) + abs(there + 1 - self.wanted) - abs(here - self.wanted)
        fits = (off == abs(there - self.wanted)) & (here == there + 1)
        fits[:, self.out] = False
        fits[self.pod_of == self.out] = False
        return np.where(fits, self.join - self.leave[:, None], NEVER >> 6)

    def _apply(self, one: int, other: int, is_move: bool) -> tuple[int, ...]:
        here = int(self.pod_of[one])
        there = other if is_move else int(self.pod_of[other])
        self.pods[here].remove(one)
        self.pods[there].append(one)
        if not is_move:
            self.pods[there].remove(other)
            self.pods[here].append(other)
        self._refresh(here)
        self._refresh(there)
        return (one,) if is_move else (one, other)

    def _refresh(self, pod: int) -> None:
        members = self.pods[pod]
        self.pod_of[members] = pod
        if pod == self.out or not members:
            self.swap[:, members] = 0
            self.leave[members] = 0
            return
        pair, scores = self.weights.pair, self.weights.scores
        near = pair[:, members].sum(axis=1)
        self.near[:, pod] = near
        inside = scores[members]
        low, high = _without_each(inside)
        columns = np.maximum(high, scores[:, None]) - np.minimum(low, scores[:, None])
        columns *= columns
        columns += near[:, None] - pair[:, members]
        self.swap[:, members] = columns
        lowest, highest = inside.min(), inside.max()
        width = int(highest - lowest) ** 2
        self.width[pod] = width
        if self.may_move:
            self.join[:, pod] = near + (np.maximum(scores, highest) - np.minimum(scores, lowest)) ** 2 - width
            self.leave[members] = near[members] + width - (high - low) ** 2

    def _count_cost(self) -> int:
        members = [np.array(pod) for pod in self.pods[:-1]]
        pairs = sum(int(self.weights.pair[np.ix_(pod, pod)].sum()) // 2 for pod in members)
        return pairs + int(self.width[: self.out].sum())


def _without_each(scores: Ints) -> tuple[Ints, Ints]:
    """Per member the lowest and the highest score of the others."""
    if len(scores) == 1:
        return scores, scores
    order = np.sort(scores)
    return np.where(scores == order[0], order[1], order[0]), np.where(scores == order[-1], order[-2], order[-1])
