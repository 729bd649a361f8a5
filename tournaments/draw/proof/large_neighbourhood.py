"""Large neighbourhood search: some pods at a time are dissolved and drawn again, exactly (Shaw 1998).

Costly pods are dissolved together with some near them in the standings, so few at once that the best draw of their
people is found and proven quickly.
"""

from __future__ import annotations

import random
from typing import Final

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, list_opponents, restrict_to
from tournaments.draw.problem.objective import evaluate
from tournaments.draw.problem.pair_costs import Scales, weigh_pod
from tournaments.draw.program.columns import TooManyPods
from tournaments.draw.program.entrant_groups import list_single_nodes
from tournaments.draw.program.line_programs import build_line_program, describe_draw
from tournaments.draw.program.prefix_bound import ExcessCosts
from tournaments.draw.proof.line_stages import close_gap, solve_root

NEIGHBOURHOOD_PEOPLE: Final = 36
"""People in one neighbourhood. More find better draws but may not be solved within WORK."""
NEIGHBOURHOOD_WORK: Final = 150_000
"""Units of work for one neighbourhood, at most."""
NEARNESS_FACTOR: Final = 3
"""The other pods of a neighbourhood are chosen among so many times as many nearest ones."""


class LargeNeighbourhoodSearch:
    """A draw under improvement. excess: if known, what each pod costs beyond its prices."""

    def __init__(
        self, instance: Instance, pods: list[list[int]], scales: Scales, rng: random.Random, excess: ExcessCosts | None
    ) -> None:
        self.instance, self.scales, self.rng, self.excess = instance, scales, rng, excess
        self.pods = [sorted(pod) for pod in pods]
        self.opponents = list_opponents(instance)
        self.costs = [self._cost_of_pod(pod) for pod in self.pods]
        self.weights = self._rate_pods(self.pods)

    @property
    def cost(self) -> int:
        """The cost of the pairing, in units of scale²."""
        return sum(self.costs)

    def run(self, goal: int, max_failures: int, budget: Budget) -> None:
        """Until the pairing costs no more than the goal, or `max_failures` neighbourhoods in a row brought nothing."""
        failed = 0
        while self.cost > goal and any(self.weights) and failed < max_failures and budget.remaining():
            failed = 0 if self._improve_once(budget) else failed + 1

    def _cost_of_pod(self, pod: list[int]) -> int:
        return weigh_pod(self.instance, pod, self.scales)

    def _rate_pods(self, pods: list[list[int]]) -> list[int]:
        """How likely each pod is to be dissolved: by its cost, or by what it costs beyond its prices."""
        return [self._cost_of_pod(pod) for pod in pods] if self.excess is None else self.excess.measure(pods)

    def _choose(self) -> list[int]:
        """A costly pod, costly ones near it, and others near it."""
        costly = [number for number, weight in enumerate(self.weights) if weight]
        middle = [sum(pod) / len(pod) for pod in self.pods]
        centre = self.rng.choices(costly, [self.weights[number] for number in costly])[0]
        count = max(2, NEIGHBOURHOOD_PEOPLE // self.instance.problem.wanted)
        near = sorted(range(len(self.pods)), key=lambda number: (abs(middle[number] - middle[centre]), number))
        first = [number for number in near if self.weights[number]][1 : 1 + count]
        chosen = {centre, *self.rng.sample(first, min(len(first), count // 2 - self.rng.randrange(2)))}
        others = [number for number in near[: NEARNESS_FACTOR * count] if number not in chosen]
        return sorted(chosen | set(self.rng.sample(others, min(len(others), count - len(chosen)))))

    def _improve_once(self, budget: Budget) -> bool:
        """Draw one neighbourhood again; whether that helped."""
        chosen = self._choose()
        people = sorted(member for number in chosen for member in self.pods[number])
        place = {one: number for number, one in enumerate(people)}
        part = restrict_to(self.instance, people, self.opponents)
        pods = [[place[member] for member in self.pods[number]] for number in chosen]
        found = self._draw(part, pods, budget.split_off(NEIGHBOURHOOD_WORK))
        if found is None:
            return False
        renewed = [sorted(people[member] for member in pod) for pod in found]
        costs = [self._cost_of_pod(pod) for pod in renewed]
        if sum(costs) >= sum(self.costs[number] for number in chosen):
            return False
        for number, pod, cost, weight in zip(chosen, renewed, costs, self._rate_pods(renewed), strict=True):
            self.pods[number], self.costs[number], self.weights[number] = pod, cost, weight
        return True

    def _draw(self, part: Instance, pods: list[list[int]], budget: Budget) -> list[list[int]] | None:
        """The best pods of the same sizes, if they are better."""
        values = evaluate(part, pods, [])
        source, rows = build_line_program(part, values, self.scales, line="pairing", nodes=list_single_nodes(part))
        value = values.pairing // self.scales.scale**2
        try:
            root = solve_root(source, rows, describe_draw(source, pods, []), value, budget)
            outcome = None if root is None else close_gap(source, root, value, budget)
        except TooManyPods:
            return None
        if outcome is None or outcome.pods is None:
            return None
        return [[member for member in row if member >= 0] for row in outcome.pods.members.tolist()]
