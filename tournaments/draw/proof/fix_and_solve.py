"""The pairing of very many who nearly all differ: what the program takes whole is kept, the rest is drawn exactly."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, list_neighbours, take_people
from tournaments.draw.problem.objective import Values, is_allowed
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.problem.pod_sizes import Mix, spread
from tournaments.draw.program.columns import TooMany
from tournaments.draw.program.entrant_groups import list_everybody
from tournaments.draw.program.line_programs import build_shape, describe_draw
from tournaments.draw.program.lock_groups import join_locks
from tournaments.draw.program.prefix_bound import Excess, run_through
from tournaments.draw.program.prefix_cuts import CutPrices, PrefixRules
from tournaments.draw.program.relaxation import Rows
from tournaments.draw.proof.certifier import LARGEST, Proof
from tournaments.draw.proof.incumbent import Drawn, list_members, seat_draw
from tournaments.draw.proof.lock_bound import sum_whole
from tournaments.draw.search.start import Start, fill_well, find_usual
from tournaments.draw.search.windows import improve

MOST: Final = 2_000
"""People among whom everybody is told apart."""
PROGRAM_SHARE: Final = 85
"""Of the work, in percent; the rest is for whoever it leaves over."""
STEPS: Final = 300
"""Of tabu search in each window of those who are left."""


def prove_afar(proof: Proof, budget: Budget) -> Excess | None:
    """A bound for the pairing of the draw under proof, and a better draw; where this can still be better."""
    if not proof.may_improve:
        return None
    instance, drawn, scales = proof.instance, proof.drawn, proof.scales
    nodes = list_everybody(instance)
    shape, rows = build_shape(instance, drawn.values, scales, line="pairing", nodes=nodes)
    rules = PrefixRules(shape)
    start = describe_draw(rules, drawn.pods, drawn.byes)
    part = budget.part(budget.left() * PROGRAM_SHARE // 100)
    ran = run_through(rules, rows, start, drawn.values.pairing // scales.scale**2, part)
    if ran is None:
        return None
    proof.raise_bound("pairing", max(ran.bound, _bound_whole(rules, rows, ran.prices, budget)))
    found = _complete(instance, drawn.values, list_members(ran.whole), scales, budget)
    if found is not None:
        proof.take(found)
    return Excess(rules, ran.prices)


def _bound_whole(rules: PrefixRules, rows: Rows, prices: CutPrices, budget: Budget) -> int:
    """With locks whole, where there are any to share a pod."""
    if len(rules.shape.groups) < 2:
        return 0
    try:
        least = sum_whole(rules, rules.take(prices), budget)
    except TooMany:
        return 0
    return rows.prove(rules.bound(rows, prices, 0) + least, prices.plain.fine)


def _complete(
    instance: Instance, values: Values, given: Sequence[Sequence[int]], scales: Scales, budget: Budget
) -> Drawn | None:
    """A draw with as many byes, and sizes as far from the wanted one, as `values` say; given: pods of one are byes.

    None if that does not come out.
    """
    pods, byes = [list(pod) for pod in given if len(pod) > 1], [pod[0] for pod in given if len(pod) == 1]
    seated = {one for pod in given for one in pod}
    left = [one for one in range(instance.size) if one not in seated]
    if left:
        off = sum(abs(len(pod) - instance.problem.wanted) for pod in pods)
        sizes = spread(len(left), values.pods - len(pods))
        more = _draw_rest(instance, left, Mix(sizes, values.sizes - off), scales, budget)
        if more is None:
            return None
        pods += more
    off = sum(abs(len(pod) - instance.problem.wanted) for pod in pods)
    is_same = (len(byes), off, len(pods)) == (values.byes, values.sizes, values.pods)
    return seat_draw(instance, pods, byes) if is_same and is_allowed(instance, pods, byes) else None


def _draw_rest(instance: Instance, left: list[int], mix: Mix, scales: Scales, budget: Budget) -> list[list[int]] | None:
    if sum(abs(size - instance.problem.wanted) for size in mix.sizes) != mix.deviation or mix.seated != len(left):
        return None
    part = take_people(instance, left, list_neighbours(instance))
    filled = fill_well(part, mix, set(), join_locks(part, find_usual(mix), scales, budget), budget)
    if filled is None:
        return None
    start = Start(filled, [], np.zeros(part.size, dtype=np.bool_), mix)
    found = improve(part, start, scales, random.Random(instance.problem.seed), budget, steps=STEPS)
    pods: Sequence[Sequence[int]] = found.pods
    if len(left) <= LARGEST and is_allowed(part, pods, []):
        proof = Proof(part, seat_draw(part, pods, []), scales, None)
        proof.prove_pairs(budget)
        pods = proof.drawn.pods
    return [[left[one] for one in pod] for pod in pods]
