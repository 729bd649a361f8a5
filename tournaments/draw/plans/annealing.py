"""Whole round robins by change: two people trade places, uphill less and less often (Kirkpatrick et al. 1983).

What a meeting costs depends on how often two met before: m². So the next meeting of two who met m times costs m², and
taking their last one away saves (m − 1)².
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Final, TypeAlias

from tournaments.draw.problem.budget import Budget

Round: TypeAlias = list[list[int]]
STEP_COST: Final = 2
"""And one unit for everybody in the largest pod; of a round that is turned, all of that so many times:"""
TURNED_COST: Final = 4
HOT: Final = 1.0
"""At first a change for the worse by so much is taken about every 16th time."""


class FreePlan:
    """All rounds, each changed by itself. met: (n, n) how often two met before; barred: pairs that may not meet.

    fixed: per round, who keeps his place: locks, and whoever sits out.
    """

    def __init__(self, met: Sequence[Sequence[int]], rounds: Sequence[Round], fixed: Sequence[set[int]]) -> None:
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
                    self._meet(one, other)

    def run(self, goal: int, steps: int, rng: random.Random, budget: Budget) -> list[Round]:
        """The best rounds met on the way, their cost in `cost`."""
        best, best_rounds = self.cost, self._copy()
        changeable = [number for number, people in enumerate(self.people) if len(people) > 1]
        if not changeable:
            return best_rounds
        for step in range(steps):
            if best <= goal or (not step % 100 and not budget.spend(100 * self.step_cost)):
                break
            heat = HOT * (1 - step / steps) ** 2 + 0.01
            number = changeable[int(rng.random() * len(changeable))]
            people = self.people[number]
            first, second = people[int(rng.random() * len(people))], people[int(rng.random() * len(people))]
            if first[0] == second[0]:
                continue
            change = self._trade(self.rounds[number], first, second)
            if change > 0 and rng.random() * (1 + change / heat) ** 4 > 1:
                self._trade(self.rounds[number], first, second)
            elif self.cost < best:
                best, best_rounds = self.cost, self._copy()
        self.cost = best
        return best_rounds

    def _copy(self) -> list[Round]:
        return [[list(pod) for pod in pods] for pods in self.rounds]

    def _trade(self, pods: Round, first: tuple[int, int], second: tuple[int, int]) -> int:
        before, here, there = self.cost, pods[first[0]], pods[second[0]]
        one, other = here[first[1]], there[second[1]]
        for mate in here:
            if mate != one:
                self._part(one, mate)
        for mate in there:
            if mate != other:
                self._part(other, mate)
        here[first[1]], there[second[1]] = other, one
        for mate in here:
            if mate != other:
                self._meet(other, mate)
        for mate in there:
            if mate != one:
                self._meet(one, mate)
        return self.cost - before

    def _meet(self, one: int, other: int) -> None:
        times = self.met[one][other]
        self.cost += times * times
        self.met[one][other] = self.met[other][one] = times + 1

    def _part(self, one: int, other: int) -> None:
        times = self.met[one][other] - 1
        self.cost -= times * times
        self.met[one][other] = self.met[other][one] = times


class TurnedRound:
    """One round, turned: after t steps everybody has the place of him who stands t before him in his circle.

    span: people in a circle; those left over stay where they are. Two differ by (circle, circle, distance): what comes
    twice in the round is a meeting that comes twice in the plan.
    """

    def __init__(self, count: int, sizes: Sequence[int], span: int, rng: random.Random) -> None:
        self.count, self.span = count, span
        self.step_cost = TURNED_COST * (STEP_COST + max(sizes))
        order = list(range(count))
        rng.shuffle(order)
        ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
        self.pods = [order[end - size : end] for end, size in zip(ends, sizes, strict=True)]
        self.tally: dict[int, int] = {}
        self.cost = 0
        for pod in self.pods:
            for one, other in combinations(pod, 2):
                self._count(one, other, 1)

    def run(self, steps: int, rng: random.Random, budget: Budget) -> bool:
        """Whether a round without any double difference was found."""
        places = [(number, seat) for number, pod in enumerate(self.pods) for seat in range(len(pod))]
        for step in range(steps):
            if not self.cost or (not step % 100 and not budget.spend(100 * self.step_cost)):
                break
            heat = HOT * (1 - step / steps) ** 2 + 0.01
            first, second = places[int(rng.random() * self.count)], places[int(rng.random() * self.count)]
            if first[0] == second[0]:
                continue
            change = self._trade(first, second)
            if change > 0 and rng.random() * (1 + change / heat) ** 4 > 1:
                self._trade(first, second)
        return not self.cost

    def turn(self, rounds: int) -> list[Round]:
        """The first so many rounds."""
        return [[[self._move(one, steps) for one in pod] for pod in self.pods] for steps in range(rounds)]

    def _move(self, one: int, steps: int) -> int:
        circle, place = divmod(one, self.span)
        if one >= self.count - self.count % self.span:
            return one
        return circle * self.span + (place + steps) % self.span

    def _trade(self, first: tuple[int, int], second: tuple[int, int]) -> int:
        before, here, there = self.cost, self.pods[first[0]], self.pods[second[0]]
        one, other = here[first[1]], there[second[1]]
        for pod, out in ((here, one), (there, other)):
            for mate in pod:
                if mate != out:
                    self._count(out, mate, -1)
        here[first[1]], there[second[1]] = other, one
        for pod, new in ((here, other), (there, one)):
            for mate in pod:
                if mate != new:
                    self._count(new, mate, 1)
        return self.cost - before

    def _count(self, one: int, other: int, step: int) -> None:
        low, high = (one, other) if one < other else (other, one)
        circle, place = divmod(low, self.span)
        far_circle, far_place = divmod(high, self.span)
        turned = self.count - self.count % self.span
        if low >= turned:  # both stay: they would meet in every round
            self.cost += step * self.span
            return
        distance = 0 if high >= turned else (far_place - place) % self.span
        if circle == far_circle:
            distance = min(distance, self.span - distance)
            if 2 * distance == self.span:  # halfway round they meet again
                self.cost += step * self.span
                return
        stays = high if high >= turned else far_circle
        key = ((high >= turned) * self.count + circle) * 2 * self.count * self.count + stays * self.count + distance
        times = self.tally.get(key, 0)
        self.cost += times if step > 0 else -(times - 1)
        self.tally[key] = times + step
