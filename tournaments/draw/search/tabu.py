"""A good draw by swaps: tabu search over the whole neighbourhood at once (Glover 1989), for a few hundred people at
most.

replace_cost[a, b] is what a costs in the pod of b, in the place of b: meetings with the others there, and the width. So
a swap of a and b changes the cost by R[a, b] + R[b, a] − R[a, a] − R[b, b], and afterwards only the columns of two pods
are computed again.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.problem.pair_costs import SearchWeights

NEVER: Final = 1 << 60
"""More than any change of cost, random byte included."""
FORBIDDEN: Final = NEVER >> 6
"""The change of a swap or move that is not allowed. Shifted left by eight bits for the random byte, it fits into 64."""
MAX_OFFSET: Final = 4096
"""Random bytes beyond one for each pair, so that each step can start at another offset. Only saves drawing new ones."""
RESTART_AFTER: Final = 100
"""Steps without a new best after which the search returns to the best draw and disturbs it. Fewer restarts leave the
search in one valley, more waste steps on the way down.
"""
RESTART_DISTANCE: Final = 12
"""How far apart in the standings two people may be who are swapped at random by a restart: a few pods."""
MAX_TENURE: Final = 12
"""Steps for which a moved person stays, at most; fewer among few people, or nobody would be free to move."""
STEP_COST: Final = 100
"""Units of work for each step, whatever its size (measured)."""
PAIRS_PER_UNIT: Final = 100
"""Pairs of people rated for one further unit of work (measured)."""


class TabuSearch:
    """Tabu search over one arrangement. pods: lists of people; the last one holds the byes and costs nothing.

    may_swap_bye: per person, whether they may change between a seat and a bye. may_move: whether pods may exchange
    their sizes.
    """

    def __init__(
        self, weights: SearchWeights, pods: Sequence[Sequence[int]], *, may_swap_bye: Flags, wanted: int
    ) -> None:
        self.weights, self.wanted, self.may_swap_bye = weights, wanted, may_swap_bye
        self.pods = [list(pod) for pod in pods]
        self.out = len(self.pods) - 1
        self.may_move = any(len(pod) != wanted for pod in self.pods[:-1])
        count = len(weights.scores)
        self.pod_of = np.zeros(count, dtype=np.int64)
        self.meeting_cost = np.zeros((count, len(self.pods)), dtype=np.int64)
        self.replace_cost = np.zeros((count, count), dtype=np.int64)
        self.join_cost = np.full((count, len(self.pods)), FORBIDDEN, dtype=np.int64)
        self.width_cost = np.zeros(len(self.pods), dtype=np.int64)
        self.leave_saving = np.zeros(count, dtype=np.int64)
        for pod in range(len(self.pods)):
            self._refresh(pod)
        self.cost = self._count_cost()
        self.random_bytes = np.zeros(0, dtype=np.int64)

    def run(self, steps: int, rng: random.Random, budget: Budget, goal: int) -> tuple[int, list[list[int]]]:
        """The best cost, and the pods that had it; each step takes the best swap or move that is not tabu.

        goal: a lower bound of the cost; the search ends there.
        """
        best, best_pods, last = self.cost, [list(pod) for pod in self.pods], 0
        count = len(self.pod_of)
        tabu = np.zeros(count, dtype=np.int64)
        self.random_bytes = np.array(list(rng.randbytes(count * count + MAX_OFFSET)), dtype=np.int64)
        tenure = max(2, min(MAX_TENURE, count // 5))
        step_cost = STEP_COST + count * count // PAIRS_PER_UNIT
        for step in range(1, steps + 1):
            if best <= goal or not budget.spend(step_cost):
                break
            if step - last > RESTART_AFTER:
                last = step
                self._restart(best_pods, rng)
            delta, move = self._choose(tabu >= step, best - self.cost, rng.randrange(MAX_OFFSET))
            if move is None:
                break
            moved_people = self._apply_change(*move)
            self.cost += delta
            for person in moved_people:
                tabu[person] = step + rng.randint(tenure // 2, tenure)
            if self.cost < best:
                best, best_pods, last = self.cost, [list(pod) for pod in self.pods], step
        return best, best_pods

    def _restart(self, pods: Sequence[Sequence[int]], rng: random.Random) -> None:
        """Back to the best draw, with a few random swaps of people who are near each other in the standings."""
        self.pods = [list(pod) for pod in pods]
        for pod in range(len(self.pods)):
            self._refresh(pod)
        count = len(self.pod_of)
        for _ in range(rng.randint(2, 4)):
            one = rng.randrange(count)
            other = min(count - 1, max(0, one + rng.randint(-RESTART_DISTANCE, RESTART_DISTANCE)))
            if self.pod_of[one] != self.pod_of[other] and self.out not in self.pod_of[[one, other]]:
                self._apply_change(one, other, is_move=False)
        self.cost = self._count_cost()

    def _choose(self, is_tabu: Flags, needed: int, offset: int) -> tuple[int, tuple[int, int, bool] | None]:
        """The best allowed swap or move: (change, (person, person or pod, is_move)); (0, None) if there is none.

        needed: a change below this is a new best and may break a tabu. offset: of the random bytes that decide among
        equals.
        """
        own = self.replace_cost.diagonal()
        change = self.replace_cost + self.replace_cost.T
        change -= own[:, None]
        change -= own[None, :]
        change[self.pod_of[:, None] == self.pod_of[None, :]] = FORBIDDEN
        if self.pods[self.out]:
            is_out = self.pod_of == self.out
            change[
                (is_out[:, None] != is_out[None, :]) & ~(self.may_swap_bye[:, None] & self.may_swap_bye[None, :])
            ] = FORBIDDEN
        change <<= 8  # the low byte decides among equals at random
        change += self.random_bytes[offset : offset + change.size].reshape(change.shape)
        found = self._pick(change, is_tabu[:, None] | is_tabu[None, :], needed)
        if self.may_move:
            moved = self._pick(self._list_moves() << 8, np.broadcast_to(is_tabu[:, None], self.join_cost.shape), needed)
            if moved[0] < found[0]:
                return moved[0], (moved[1], moved[2], True)
        return (found[0], (found[1], found[2], False)) if found[0] < FORBIDDEN >> 1 else (0, None)

    def _pick(self, change: Ints, is_tabu: Flags, needed: int) -> tuple[int, int, int]:
        """(change, row, column) of the least entry that is not tabu, or is a new best."""
        width = change.shape[1]
        at = int(change.argmin())
        if change[at // width, at % width] >> 8 >= needed:  # no new best: tabu moves stay excluded
            change = np.where(is_tabu, NEVER << 2, change)
            at = int(change.argmin())
        return int(change[at // width, at % width]) >> 8, at // width, at % width

    def _list_moves(self) -> Ints:
        """(n, pods): the change of cost if a person moves to a pod that is one smaller, which swaps the sizes of both
        pods.
        """
        sizes = np.array([len(pod) for pod in self.pods])
        source_size, target_size = sizes[self.pod_of][:, None], sizes[None, :]
        off = abs(source_size - 1 - self.wanted) + abs(target_size + 1 - self.wanted) - abs(source_size - self.wanted)
        fits = (off == abs(target_size - self.wanted)) & (source_size == target_size + 1)
        fits[:, self.out] = False
        fits[self.pod_of == self.out] = False
        return np.where(fits, self.join_cost - self.leave_saving[:, None], FORBIDDEN)

    def _apply_change(self, one: int, other: int, is_move: bool) -> tuple[int, ...]:
        source = int(self.pod_of[one])
        target = other if is_move else int(self.pod_of[other])
        self.pods[source].remove(one)
        self.pods[target].append(one)
        if not is_move:
            self.pods[target].remove(other)
            self.pods[source].append(other)
        self._refresh(source)
        self._refresh(target)
        return (one,) if is_move else (one, other)

    def _refresh(self, pod: int) -> None:
        """Compute again what depends on this pod."""
        members = self.pods[pod]
        self.pod_of[members] = pod
        if pod == self.out or not members:
            self.replace_cost[:, members] = 0
            self.leave_saving[members] = 0
            return
        pair, scores = self.weights.pair, self.weights.scores
        meeting_cost = pair[:, members].sum(axis=1)
        self.meeting_cost[:, pod] = meeting_cost
        inside = scores[members]
        low, high = _without_each(inside)
        columns = np.maximum(high, scores[:, None]) - np.minimum(low, scores[:, None])
        columns *= columns
        columns += meeting_cost[:, None] - pair[:, members]
        self.replace_cost[:, members] = columns
        lowest, highest = inside.min(), inside.max()
        width = int(highest - lowest) ** 2
        self.width_cost[pod] = width
        if self.may_move:
            self.join_cost[:, pod] = (
                meeting_cost + (np.maximum(scores, highest) - np.minimum(scores, lowest)) ** 2 - width
            )
            self.leave_saving[members] = meeting_cost[members] + width - (high - low) ** 2

    def _count_cost(self) -> int:
        members = [np.array(pod) for pod in self.pods[:-1]]
        pairs = sum(int(self.weights.pair[np.ix_(pod, pod)].sum()) // 2 for pod in members)
        return pairs + int(self.width_cost[: self.out].sum())


def _without_each(scores: Ints) -> tuple[Ints, Ints]:
    """Per member the lowest and the highest score of the others."""
    if len(scores) == 1:
        return scores, scores
    order = np.sort(scores)
    return np.where(scores == order[0], order[1], order[0]), np.where(scores == order[-1], order[-2], order[-1])
