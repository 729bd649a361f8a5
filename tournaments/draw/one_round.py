"""One round: a good draw by search, then its certificate."""

from __future__ import annotations

import random
from typing import Final

from tournaments.draw.budget import Budget
from tournaments.draw.closeness import bound_closeness
from tournaments.draw.exact import find_any
from tournaments.draw.instance import Instance, build_instance
from tournaments.draw.lines import is_allowed
from tournaments.draw.problem import Problem
from tournaments.draw.proof import LARGEST, Drawn, Proof, seat_draw
from tournaments.draw.reasons import explain_pod
from tournaments.draw.renewal import Renewal
from tournaments.draw.solution import LINES, Line, Pod, Solution
from tournaments.draw.start import build_start
from tournaments.draw.weights import Scales, find_scales
from tournaments.draw.windows import improve

STEPS: Final = 600
"""Of tabu search in one window."""
EXTRA_BYES: Final = 3
"""The search is tried with so many more byes than the sizes need, before every pod is listed."""
SMALL: Final = 64
"""Up to so many people the proof itself finds the draw."""
PATIENCE: Final = 80
"""Dissolutions in vain after which the renewal ends."""
SEARCH_SHARE: Final = 35
RENEWAL_SHARE: Final = 35
PROOF_SHARE: Final = 20
"""Of the work, in percent; a proof that fails is tried again with what is left."""


def draw_round(problem: Problem) -> Solution:
    """Raises Conflict if the hard rules cannot be kept."""
    budget, instance = Budget(problem.time_limit), build_instance(problem)
    rng, scales = random.Random(problem.seed), find_scales(instance)
    drawn = _search(instance, scales, rng, budget.part(budget.limit * SEARCH_SHARE // 100))
    if SMALL < instance.size <= LARGEST:
        drawn = _renew(instance, drawn, scales, rng, budget.part(budget.limit * RENEWAL_SHARE // 100))
    proof = Proof(instance, drawn, scales, budget.part(budget.limit * PROOF_SHARE // 100))
    proof.run()
    if instance.size <= LARGEST and proof.drawn.values.pairing > proof.bounds.pairing:
        part = budget.part(budget.left() * RENEWAL_SHARE // 100)
        proof.improve(_renew(instance, proof.drawn, scales, rng, part), budget)
    drawn, bounds = proof.drawn, proof.bounds
    lines = tuple(Line(*line) for line in zip(LINES, drawn.values, bounds, strict=True))
    unproven = [line.name for line in lines if not line.is_proven]
    stopped = "clock" if budget.is_clock_over else f"work limit: {unproven[0]} not proven" if unproven else None
    return Solution(
        pods=tuple(Pod(tuple(instance.ids[one] for one in pod), explain_pod(instance, pod)) for pod in drawn.pods),
        byes=tuple(sorted(instance.ids[one] for one in drawn.byes)),
        objective=lines,
        stopped=stopped,
        seconds=budget.seconds,
    )


def _search(instance: Instance, scales: Scales, rng: random.Random, budget: Budget) -> Drawn:
    """Raises Conflict."""
    for extra in range(EXTRA_BYES):
        start = build_start(instance, extra)
        if start is not None:
            found = improve(instance, start, scales, rng, budget, steps=STEPS)
            if is_allowed(instance, found.pods, found.byes):
                return seat_draw(instance, found.pods, found.byes)
    columns = find_any(instance, budget)
    byes = [column[0] for column in columns if len(column) == 1]
    return seat_draw(instance, [column for column in columns if len(column) > 1], byes)


def _renew(instance: Instance, drawn: Drawn, scales: Scales, rng: random.Random, budget: Budget) -> Drawn:
    renewal = Renewal(instance, [list(pod) for pod in drawn.pods], scales, rng)
    goal = bound_closeness(instance, drawn.values) // scales.scale**2
    renewal.run(goal, patience=max(PATIENCE, instance.size // 4), budget=budget)
    return seat_draw(instance, renewal.pods, drawn.byes)
