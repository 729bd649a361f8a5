"""One round: a good draw by search, then its certificate."""

from __future__ import annotations

import random
from typing import Final

from tournaments.draw.budget import Budget
from tournaments.draw.certificate import bound_simply
from tournaments.draw.faults import Conflict
from tournaments.draw.instance import Instance, build_instance
from tournaments.draw.lines import evaluate, is_allowed
from tournaments.draw.problem import Problem
from tournaments.draw.reasons import explain_pod
from tournaments.draw.seating import seat_pod
from tournaments.draw.solution import Line, Pod, Solution
from tournaments.draw.start import Start, build_start
from tournaments.draw.weights import find_scales
from tournaments.draw.windows import improve

STEPS: Final = 600


def draw_round(problem: Problem) -> Solution:
    """Raises Conflict if the hard rules cannot be kept."""
    budget, instance = Budget(problem.time_limit), build_instance(problem)
    rng = random.Random(problem.seed)
    found = _search(instance, rng, budget)
    pods = [seat_pod(sorted(pod), instance.sat) for pod in found.pods]
    pods.sort(key=lambda pod: (sum(pod) / len(pod), min(pod)))
    values = evaluate(instance, pods, found.byes)
    bounds = bound_simply(instance, values)
    lines = tuple(Line(*line) for line in zip(values._fields, values, bounds, strict=True))
    unproven = [line.name for line in lines if not line.is_proven]
    stopped = "clock" if budget.is_clock_over else f"work limit: {unproven[0]} not proven" if unproven else None
    return Solution(
        pods=tuple(Pod(tuple(instance.ids[one] for one in pod), explain_pod(instance, pod)) for pod in pods),
        byes=tuple(sorted(instance.ids[one] for one in found.byes)),
        objective=lines,
        stopped=stopped,
        seconds=budget.seconds,
    )


def _search(instance: Instance, rng: random.Random, budget: Budget) -> Start:
    scales = find_scales(instance)
    for extra in range(instance.size):
        start = build_start(instance, extra)
        if start is None:
            continue
        found = improve(instance, start, scales, rng, budget, steps=STEPS)
        if is_allowed(instance, found.pods, found.byes):
            return found
    raise Conflict("the locks and the forbidden pairs leave no draw")
