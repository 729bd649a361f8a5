"""Whole round robins by simulated annealing: two people swap places, uphill less and less often (Kirkpatrick et al.
1983).

A repeat costs m², m = how often the two met before. So the next meeting of two who met m times costs m², and taking
away their last one saves (m − 1)².
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Final, TypeAlias

from tournaments.draw.problem.budget import Budget

PlannedRound: TypeAlias = list[list[int]]
STEP_COST: Final = 2
"""Units of work for each step, and one for each person in the largest pod (measured)."""
ROTATION_COST_FACTOR: Final = 4
"""Times as much for a step on a round that is rotated, whose differences take longer to count (measured)."""
INITIAL_HEAT: Final = 1.0
"""Initial temperature: a change for the worse by this much is accepted about one time in sixteen. It falls to 0.01 with
the square of the steps left.
"""


class AnnealedPlan:
    """All rounds, each changed by itself. met: (n, n) how often two met before; forbidden pairs count as having met
    often.

    fixed: per round, who keeps their place: locks and byes.
    """

    def __init__(self, met: Sequence[Sequence[int]], rounds: Sequence[PlannedRound], fixed: Sequence[set[int]]) -> None:
        self.met = [list(row) for row in met]
        self.rounds = [[list(pod) for pod in pods] for pods in rounds]
        self.people = [
            [(number, seat) for number, pod in enumerate(pods) for seat, one in enumerate(pod) if one not in still]
            for pods, still in zip(rounds, fixed, strict=True)
        ]
        self.step_cost = STEP_COST + max(len(pod) for pods in rounds for pod in pods)
        self.cost = 0
        for pods in self.rounds:
            for pod in pods:
                for one, other in combinations(pod, 2):
                    self._add_meeting(one, other)

    def run(self, goal: int, steps: int, rng: random.Random, budget: Budget) -> list[PlannedRound]:
        """The best rounds found; `cost` is then their cost."""
        best, best_rounds = self.cost, self._copy()
        changeable = [number for number, people in enumerate(self.people) if len(people) > 1]
        if not changeable:
            return best_rounds
        for step in range(steps):
            if best <= goal or (not step % 100 and not budget.spend(100 * self.step_cost)):
                break
            temperature = INITIAL_HEAT * (1 - step / steps) ** 2 + 0.01
            number = changeable[int(rng.random() * len(changeable))]
            people = self.people[number]
            first, second = people[int(rng.random() * len(people))], people[int(rng.random() * len(people))]
            if first[0] == second[0]:
                continue
            change = self._swap(self.rounds[number], first, second)
            if change > 0 and rng.random() * (1 + change / temperature) ** 4 > 1:
                self._swap(self.rounds[number], first, second)
            elif self.cost < best:
                best, best_rounds = self.cost, self._copy()
        self.cost = best
        return best_rounds

    def _copy(self) -> list[PlannedRound]:
        return [[list(pod) for pod in pods] for pods in self.rounds]

    def _swap(self, pods: PlannedRound, first: tuple[int, int], second: tuple[int, int]) -> int:
        before, first_pod, second_pod = self.cost, pods[first[0]], pods[second[0]]
        one, other = first_pod[first[1]], second_pod[second[1]]
        for mate in first_pod:
            if mate != one:
                self._remove_meeting(one, mate)
        for mate in second_pod:
            if mate != other:
                self._remove_meeting(other, mate)
        first_pod[first[1]], second_pod[second[1]] = other, one
        for mate in first_pod:
            if mate != other:
                self._add_meeting(other, mate)
        for mate in second_pod:
            if mate != one:
                self._add_meeting(one, mate)
        return self.cost - before

    def _add_meeting(self, one: int, other: int) -> None:
        times = self.met[one][other]
        self.cost += times * times
        self.met[one][other] = self.met[other][one] = times + 1

    def _remove_meeting(self, one: int, other: int) -> None:
        times = self.met[one][other] - 1
        self.cost -= times * times
        self.met[one][other] = self.met[other][one] = times


class CyclicRound:
    """One round, rotated: after t steps everybody has the place of the person t before them in their cycle.

    span: people in a cycle; those left over stay where they are. Two people differ by (cycle, cycle, distance): a
    difference that occurs twice in the round is a pair that meets twice in the plan.
    """

    def __init__(self, count: int, sizes: Sequence[int], span: int, rng: random.Random) -> None:
        self.count, self.span = count, span
        self.step_cost = ROTATION_COST_FACTOR * (STEP_COST + max(sizes))
        order = list(range(count))
        rng.shuffle(order)
        ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
        self.pods = [order[end - size : end] for end, size in zip(ends, sizes, strict=True)]
        self.difference_counts: dict[int, int] = {}
        self.cost = 0
        for pod in self.pods:
            for one, other in combinations(pod, 2):
                self._count_meeting(one, other, 1)

    def run(self, steps: int, rng: random.Random, budget: Budget) -> bool:
        """Whether a round without any repeated difference was found."""
        places = [(number, seat) for number, pod in enumerate(self.pods) for seat in range(len(pod))]
        for step in range(steps):
            if not self.cost or (not step % 100 and not budget.spend(100 * self.step_cost)):
                break
            temperature = INITIAL_HEAT * (1 - step / steps) ** 2 + 0.01
            first, second = places[int(rng.random() * self.count)], places[int(rng.random() * self.count)]
            if first[0] == second[0]:
                continue
            change = self._swap(first, second)
            if change > 0 and rng.random() * (1 + change / temperature) ** 4 > 1:
                self._swap(first, second)
        return not self.cost

    def rotate(self, rounds: int) -> list[PlannedRound]:
        """The first so many rounds."""
        return [[[self._move(member, steps) for member in pod] for pod in self.pods] for steps in range(rounds)]

    def _move(self, one: int, steps: int) -> int:
        circle, place = divmod(one, self.span)
        if one >= self.count - self.count % self.span:
            return one
        return circle * self.span + (place + steps) % self.span

    def _swap(self, first: tuple[int, int], second: tuple[int, int]) -> int:
        before, first_pod, second_pod = self.cost, self.pods[first[0]], self.pods[second[0]]
        one, other = first_pod[first[1]], second_pod[second[1]]
        for pod, out in ((first_pod, one), (second_pod, other)):
            for mate in pod:
                if mate != out:
                    self._count_meeting(out, mate, -1)
        first_pod[first[1]], second_pod[second[1]] = other, one
        for pod, new in ((first_pod, other), (second_pod, one)):
            for mate in pod:
                if mate != new:
                    self._count_meeting(new, mate, 1)
        return self.cost - before

    def _count_meeting(self, one: int, other: int, step: int) -> None:
        low, high = (one, other) if one < other else (other, one)
        circle, place = divmod(low, self.span)
        far_circle, far_place = divmod(high, self.span)
        moving = self.count - self.count % self.span
        if low >= moving:  # neither moves: they would meet in every round
            self.cost += step * self.span
            return
        distance = 0 if high >= moving else (far_place - place) % self.span
        if circle == far_circle:
            distance = min(distance, self.span - distance)
            if 2 * distance == self.span:  # half a cycle later they meet again
                self.cost += step * self.span
                return
        stays = high if high >= moving else far_circle
        key = ((high >= moving) * self.count + circle) * 2 * self.count * self.count + stays * self.count + distance
        times = self.difference_counts.get(key, 0)
        self.cost += times if step > 0 else -(times - 1)
        self.difference_counts[key] = times + step
