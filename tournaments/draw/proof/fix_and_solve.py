"""The pairing of many people who nearly all differ: the pods that the relaxation takes whole are fixed, the rest is
solved exactly.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, list_opponents, restrict_to
from tournaments.draw.problem.objective import ObjectiveValues, is_allowed
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.problem.pod_sizes import SizeMix, split_evenly
from tournaments.draw.program.columns import TooManyPods
from tournaments.draw.program.entrant_groups import list_single_nodes
from tournaments.draw.program.line_programs import build_pod_model, describe_draw
from tournaments.draw.program.lock_groups import join_locks
from tournaments.draw.program.prefix_bound import ExcessCosts, solve_prefix_program
from tournaments.draw.program.prefix_cuts import CutPrices, PrefixColumns
from tournaments.draw.program.relaxation import Rows
from tournaments.draw.proof.certifier import MAX_SINGLE_PEOPLE, Certifier
from tournaments.draw.proof.incumbent import SeatedDraw, list_members, seat_draw
from tournaments.draw.proof.lock_bound import bound_whole_locks
from tournaments.draw.search.start import InitialDraw, fill_with_locks, find_typical_size
from tournaments.draw.search.windows import improve_by_windows

MAX_FIXED_PEOPLE: Final = 2_000
"""People. Up to so many, the relaxation tells everybody apart. Its time grows with people times band width."""
PROGRAM_SHARE: Final = 85
"""Percent of the work for the relaxation; the rest is for the people that it does not seat."""
STEPS: Final = 300
"""Steps of tabu search in each window of the people who are left."""


def fix_and_solve(proof: Certifier, budget: Budget) -> ExcessCosts | None:
    """A bound for the pairing and a better draw; returns what pods cost beyond their prices, None if unproven."""
    if not proof.may_improve:
        return None
    instance, drawn, scales = proof.instance, proof.drawn, proof.scales
    nodes = list_single_nodes(instance)
    shape, rows = build_pod_model(instance, drawn.values, scales, line="pairing", nodes=nodes)
    source = PrefixColumns(shape)
    start = describe_draw(source, drawn.pods, drawn.byes)
    part = budget.split_off(budget.remaining() * PROGRAM_SHARE // 100)
    outcome = solve_prefix_program(source, rows, start, drawn.values.pairing // scales.scale**2, part)
    if outcome is None:
        return None
    proof.raise_bound("pairing", max(outcome.bound, _bound_with_whole_locks(source, rows, outcome.prices, budget)))
    found = _complete(instance, drawn.values, list_members(outcome.whole), scales, budget)
    if found is not None:
        proof.take(found)
    return ExcessCosts(source, outcome.prices)


def _bound_with_whole_locks(source: PrefixColumns, rows: Rows, prices: CutPrices, budget: Budget) -> int:
    """The bound with locks whole, where several could share a pod; 0 if nothing is proven."""
    if len(source.model.locks) < 2:
        return 0
    try:
        least = bound_whole_locks(source, source.charge_prices(prices), budget)
    except TooManyPods:
        return 0
    return rows.bound_true_cost(source.bound(rows, prices, 0) + least, prices.plain.fractions)


def _complete(
    instance: Instance, values: ObjectiveValues, fixed_pods: Sequence[Sequence[int]], scales: Scales, budget: Budget
) -> SeatedDraw | None:
    """A draw with the byes and sizes of `values`. given: fixed pods, those of one person are byes.

    None if no such draw was found.
    """
    pods, byes = [list(pod) for pod in fixed_pods if len(pod) > 1], [pod[0] for pod in fixed_pods if len(pod) == 1]
    seated = {member for pod in fixed_pods for member in pod}
    left = [person for person in range(instance.size) if person not in seated]
    if left:
        off = sum(abs(len(pod) - instance.problem.wanted) for pod in pods)
        sizes = split_evenly(len(left), values.pods - len(pods))
        more = _draw_rest(instance, left, SizeMix(sizes, values.sizes - off), scales, budget)
        if more is None:
            return None
        pods += more
    off = sum(abs(len(pod) - instance.problem.wanted) for pod in pods)
    is_same = (len(byes), off, len(pods)) == (values.byes, values.sizes, values.pods)
    return seat_draw(instance, pods, byes) if is_same and is_allowed(instance, pods, byes) else None


def _draw_rest(
    instance: Instance, left: list[int], mix: SizeMix, scales: Scales, budget: Budget
) -> list[list[int]] | None:
    """Pods for the people who are left; None if their sizes do not come out."""
    if sum(abs(size - instance.problem.wanted) for size in mix.sizes) != mix.deviation or mix.seated != len(left):
        return None
    part = restrict_to(instance, left, list_opponents(instance))
    filled = fill_with_locks(part, mix, set(), join_locks(part, find_typical_size(mix), scales, budget), budget)
    if filled is None:
        return None
    start = InitialDraw(filled, [], np.zeros(part.size, dtype=np.bool_), mix)
    found = improve_by_windows(part, start, scales, random.Random(instance.problem.seed), budget, steps=STEPS)
    pods: Sequence[Sequence[int]] = found.pods
    if len(left) <= MAX_SINGLE_PEOPLE and is_allowed(part, pods, []):
        proof = Certifier(part, seat_draw(part, pods, []), scales, None)
        proof.prove_pairing(budget)
        pods = proof.drawn.pods
    return [[left[member] for member in pod] for pod in pods]
