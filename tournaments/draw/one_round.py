"""One round: a good draw by search, then its certificate."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import UNITS_PER_SECOND, Budget
from tournaments.draw.problem.definition import Problem
from tournaments.draw.problem.errors import Conflict
from tournaments.draw.problem.instance import Instance, build_instance
from tournaments.draw.problem.objective import is_allowed
from tournaments.draw.problem.pair_costs import Scales, find_scales
from tournaments.draw.problem.pod_sizes import count_byes
from tournaments.draw.problem.reasons import explain_pod, find_grounds
from tournaments.draw.problem.solution import LINES, Line, Pod, Solution, name_stop
from tournaments.draw.program.columns import TooMany
from tournaments.draw.program.entrant_groups import list_levels
from tournaments.draw.program.prefix_bound import Excess
from tournaments.draw.proof.certifier import LARGEST, Proof
from tournaments.draw.proof.exact import find_any
from tournaments.draw.proof.fix_and_solve import MOST, prove_afar
from tournaments.draw.proof.incumbent import Drawn, seat_draw
from tournaments.draw.proof.large_neighbourhood import PEOPLE, Renewal
from tournaments.draw.search.feasible_draw import find_loosely
from tournaments.draw.search.start import Start, build_start
from tournaments.draw.search.tie_swaps import ODD, Ties
from tournaments.draw.search.windows import WINDOW, improve

STEPS: Final = 600
"""Of tabu search in one window, of a few people or one of many."""
STEPS_EACH: Final = 20
"""For everybody, where these are fewer: what is left to do, proving does sooner."""
FEW: Final = 40
MORE_STEPS: Final = 2_000
"""If one window holds more people than a few."""
RULE_PASSES: Final = 20
"""Of the search for any draw that keeps the rules, over the windows of many people."""
RULE_WORK: Final = UNITS_PER_SECOND
"""At least, for any draw that keeps the rules, however little time there is."""
EXTRA_BYES: Final = 3
"""The search is tried with so many more byes than the sizes need, before every pod is listed."""
PATIENCE: Final = 80
"""Dissolutions in vain after which the renewal ends."""
SMALL: Final = 2 * PEOPLE
"""So few people are not renewed: half of them at a time is nearly the whole draw again."""
SEARCH_SHARE: Final = 35
AFAR_SHARE: Final = 15
"""Where the bound brings a draw of its own."""
PROOF_SHARE: Final = 65
AFAR_PROOF_SHARE: Final = 75
"""Without locks; pods with locks take longer to list than they are charged for."""
RENEWAL_SHARE: Final = 50
"""Of the work that is left, in percent; if the renewal helps, the proof goes on with the rest."""
TIES_SHARE: Final = 8
REST: Final = 10
"""Percent of all the work: at most for trades that break ties, and what is kept for the last lines."""


def draw_round(
    problem: Problem, tell: Callable[[int], None] | None = None, known: Sequence[Sequence[str]] = ()
) -> Solution:
    """known: pods that keep the hard rules, for where no better ones are found at once.

    Raises Conflict if the hard rules cannot be kept.
    """
    budget, instance = Budget(problem.time_limit, tell=tell), build_instance(problem)
    rng, scales = random.Random(problem.seed), find_scales(instance)
    levels = list_levels(instance) if instance.size > LARGEST else None
    is_afar = levels is None and LARGEST < instance.size <= MOST
    share = AFAR_SHARE if is_afar else SEARCH_SHARE
    drawn = _search(instance, scales, rng, budget, share, known)
    rest = budget.limit * REST // 100
    proof = Proof(instance, drawn, scales, levels)
    proof_share = AFAR_PROOF_SHARE if is_afar and not instance.groups else PROOF_SHARE
    if instance.size <= SMALL:
        proof_share = 100
    part, excess = budget.part((budget.left() - rest) * proof_share // 100), None
    if is_afar:
        excess = prove_afar(proof, part)
    else:
        proof.prove_pairs(part)
    if proof.may_improve and budget.left():
        if instance.size > SMALL:
            _renew(proof, excess, rng, budget.part((budget.left() - rest) * RENEWAL_SHARE // 100))
        proof.go_on(budget.part(budget.left() - rest))
    _break_ties(proof, budget)
    proof.prove_rest(budget)
    drawn, bounds = proof.drawn, proof.bounds
    lines = tuple(Line(*line) for line in zip(LINES, drawn.values, bounds, strict=True))
    grounds = find_grounds(instance, drawn.values, bounds)
    return Solution(
        pods=tuple(
            Pod(tuple(instance.ids[one] for one in pod), explain_pod(instance, pod, grounds)) for pod in drawn.pods
        ),
        byes=tuple(sorted(instance.ids[one] for one in drawn.byes)),
        objective=lines,
        stopped=name_stop(lines, budget.is_clock_over),
        seconds=budget.seconds,
    )


def _search(
    instance: Instance, scales: Scales, rng: random.Random, whole: Budget, share: int, known: Sequence[Sequence[str]]
) -> Drawn:
    """share: of the work, in percent; all of it, and more if that is little, for any draw that keeps the rules.

    Raises Conflict.
    """
    budget = whole.part(whole.limit * share // 100)
    starts = [build_start(instance, scales, budget, extra) for extra in range(EXTRA_BYES)]
    usable = [start for start in starts if start is not None]
    for start in usable:
        found = improve(instance, start, scales, rng, budget.part(budget.left() // 2), steps=_count_steps(instance))
        if is_allowed(instance, found.pods, found.byes):
            return seat_draw(instance, found.pods, found.byes)
    if known:
        index = {one: number for number, one in enumerate(instance.ids)}
        pods = [[index[one] for one in pod] for pod in known]
        return seat_draw(instance, pods, sorted(set(index.values()).difference(*pods)))
    if whole.limit < RULE_WORK:
        whole = Budget(RULE_WORK / UNITS_PER_SECOND)
        budget = whole.part(whole.limit * share // 100)
    try:
        columns = find_any(instance, budget.part(budget.left() // 2))
    except TooMany:
        return _search_by_rules(instance, usable, scales, rng, budget, whole)
    byes = [column[0] for column in columns if len(column) == 1]
    return seat_draw(instance, [column for column in columns if len(column) > 1], byes)


def _search_by_rules(
    instance: Instance, starts: Sequence[Start], scales: Scales, rng: random.Random, budget: Budget, whole: Budget
) -> Drawn:
    """First any draw that keeps the hard rules, as if nobody had met or scored; from there on a good one.

    If sizes as even as can be leave none, one of any sizes. whole: for that, as much as is left of all the work.
    Raises Conflict if there is none among those that were looked at.
    """
    bare = replace(instance, met={}, scores=np.zeros_like(instance.scores))
    plain = find_scales(bare)
    for start in starts:
        free, part = start._replace(is_free=instance.group_of() < 0), budget.part(budget.left() // 2)
        steps = _count_steps(instance)
        kept = improve(bare, free, plain, rng, part, steps=steps, passes=RULE_PASSES, is_sorted=False)
        if is_allowed(instance, kept.pods, kept.byes):
            better = improve(instance, kept, scales, rng, budget, steps=STEPS)
            best = better if is_allowed(instance, better.pods, better.byes) else kept
            return seat_draw(instance, best.pods, best.byes)
    for extra in range(EXTRA_BYES):
        loose = find_loosely(instance, _count_byes(instance) + extra, whole.part(whole.left() // 2))
        if loose is not None:
            return seat_draw(instance, loose.pods, loose.byes)
    raise Conflict("no draw was found that keeps all locks and forbidden pairs")


def _count_byes(instance: Instance) -> int:
    problem = instance.problem
    return count_byes(instance.size, smallest=problem.min_size, largest=problem.max_size)


def _count_steps(instance: Instance) -> int:
    return MORE_STEPS if FEW < instance.size <= WINDOW else min(STEPS, STEPS_EACH * instance.size)


def _renew(proof: Proof, excess: Excess | None, rng: random.Random, budget: Budget) -> None:
    instance, drawn, scales = proof.instance, proof.drawn, proof.scales
    renewal = Renewal(instance, [list(pod) for pod in drawn.pods], scales, rng, excess)
    goal = proof.bounds.pairing // scales.scale**2
    renewal.run(goal, patience=max(PATIENCE, instance.size // 4), budget=budget)
    proof.take(seat_draw(instance, renewal.pods, drawn.byes))


def _break_ties(proof: Proof, budget: Budget) -> None:
    if proof.drawn.values == proof.bounds or not budget.left():
        return
    ties = Ties(proof.instance, [list(pod) for pod in proof.drawn.pods], proof.scales)
    part = budget.part(budget.limit * TIES_SHARE // 100)
    ties.run(proof.bounds.odd_sizes * ODD + proof.bounds.seats, part)
    proof.take(seat_draw(proof.instance, ties.pods, proof.drawn.byes))
