"""One round: a heuristic search for a good draw, then its certificate."""

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
from tournaments.draw.problem.reasons import choose_templates, explain_pod
from tournaments.draw.problem.solution import OBJECTIVE_LINES, ObjectiveLine, Pod, Solution, describe_stop
from tournaments.draw.program.columns import TooManyPods
from tournaments.draw.program.entrant_groups import group_levels
from tournaments.draw.program.prefix_bound import ExcessCosts
from tournaments.draw.proof.certifier import MAX_SINGLE_PEOPLE, Certifier
from tournaments.draw.proof.exact import find_any_draw
from tournaments.draw.proof.fix_and_solve import MAX_FIXED_PEOPLE, fix_and_solve
from tournaments.draw.proof.incumbent import SeatedDraw, seat_draw
from tournaments.draw.proof.large_neighbourhood import NEIGHBOURHOOD_PEOPLE, LargeNeighbourhoodSearch
from tournaments.draw.search.feasible_draw import find_feasible_draw
from tournaments.draw.search.start import InitialDraw, build_initial_draw
from tournaments.draw.search.tie_swaps import ODD_SIZE_WEIGHT, TieSwaps
from tournaments.draw.search.windows import WINDOW, improve_by_windows

STEPS: Final = 600
"""Steps of tabu search in one window, at most. More costs time and rarely helps, since the proof improves the draw."""
STEPS_PER_PERSON: Final = 20
"""Steps of tabu search for each person, where that is fewer than STEPS; what it leaves, the proof finds sooner."""
FEW_PEOPLE: Final = 40
"""People. One window of more people than this gets LONG_SEARCH_STEPS."""
LONG_SEARCH_STEPS: Final = 2_000
"""Steps of tabu search for one window of more than FEW_PEOPLE."""
FEASIBILITY_PASSES: Final = 20
"""Passes over the windows of the search for any draw that keeps the hard rules."""
MIN_FEASIBILITY_WORK: Final = UNITS_PER_SECOND
"""Units of work that the search for any draw that keeps the hard rules may use, however short the time limit: one
second.
"""
EXTRA_BYES: Final = 3
"""The search is tried with 0 up to this many (exclusive) byes more than the sizes need, before every pod is listed."""
MAX_FAILED_NEIGHBOURHOODS: Final = 80
"""Unsuccessful neighbourhoods in a row after which the large neighbourhood search ends (more for many people)."""
MIN_NEIGHBOURHOOD_PEOPLE: Final = 2 * NEIGHBOURHOOD_PEOPLE
"""People. Up to this many there is no large neighbourhood search: one neighbourhood is half of the whole draw."""
SEARCH_SHARE: Final = 35
"""Percent of the work for the heuristic search."""
FIX_SEARCH_SHARE: Final = 15
"""Percent of the work for the heuristic search where the relaxation yields a draw of its own (`fix_and_solve`)."""
PROOF_SHARE: Final = 65
"""Percent of the remaining work for the first attempt at a proof."""
FIX_PROOF_SHARE: Final = 75
"""The same for `fix_and_solve` without locks. With locks, listing pods takes longer than it is charged for."""
NEIGHBOURHOOD_SHARE: Final = 50
"""Percent of the remaining work for the large neighbourhood search. If it helps, the proof resumes with the rest."""
TIE_SWAP_SHARE: Final = 8
"""Percent of all the work for swaps that improve the last two lines, at most."""
RESERVE_SHARE: Final = 10
"""Percent of all the work that is kept for proving the last two lines."""


def draw_round(
    problem: Problem, on_progress: Callable[[int], None] | None = None, fallback: Sequence[Sequence[str]] = ()
) -> Solution:
    """Draw one round and certify it.

    fallback: pods of ids that keep the hard rules, used if the search finds no draw at once. Raises Conflict if the
    hard rules cannot be kept.
    """
    budget, instance = Budget(problem.time_limit, on_progress=on_progress), build_instance(problem)
    rng, scales = random.Random(problem.seed), find_scales(instance)
    levels = group_levels(instance) if instance.size > MAX_SINGLE_PEOPLE else None
    is_fixing = levels is None and MAX_SINGLE_PEOPLE < instance.size <= MAX_FIXED_PEOPLE
    share = FIX_SEARCH_SHARE if is_fixing else SEARCH_SHARE
    drawn = _search(instance, scales, rng, budget, share, fallback)
    reserve = budget.limit * RESERVE_SHARE // 100
    proof = Certifier(instance, drawn, scales, levels)
    proof_share = FIX_PROOF_SHARE if is_fixing and not instance.locks else PROOF_SHARE
    if instance.size <= MIN_NEIGHBOURHOOD_PEOPLE:
        proof_share = 100
    proof_budget, excess = budget.split_off((budget.remaining() - reserve) * proof_share // 100), None
    if is_fixing:
        excess = fix_and_solve(proof, proof_budget)
    else:
        proof.prove_pairing(proof_budget)
    if proof.may_improve and budget.remaining():
        if instance.size > MIN_NEIGHBOURHOOD_PEOPLE:
            _search_neighbourhoods(
                proof, excess, rng, budget.split_off((budget.remaining() - reserve) * NEIGHBOURHOOD_SHARE // 100)
            )
        proof.resume(budget.split_off(budget.remaining() - reserve))
    _break_ties(proof, budget)
    proof.prove_last_lines(budget)
    drawn, bounds = proof.drawn, proof.bounds
    lines = tuple(ObjectiveLine(*line) for line in zip(OBJECTIVE_LINES, drawn.values, bounds, strict=True))
    templates = choose_templates(instance, drawn.values, bounds)
    return Solution(
        pods=tuple(
            Pod(tuple(instance.ids[member] for member in pod), explain_pod(instance, pod, templates))
            for pod in drawn.pods
        ),
        byes=tuple(sorted(instance.ids[entrant] for entrant in drawn.byes)),
        objective=lines,
        stopped=describe_stop(lines, budget.is_clock_over),
        seconds=budget.seconds,
    )


def _search(
    instance: Instance, scales: Scales, rng: random.Random, whole: Budget, share: int, fallback: Sequence[Sequence[str]]
) -> SeatedDraw:
    """A good draw by heuristics.

    share: percent of the work to use; all of it, or MIN_FEASIBILITY_WORK if that is more, to find any draw that keeps
    the hard rules. Raises Conflict.
    """
    budget = whole.split_off(whole.limit * share // 100)
    starts = [build_initial_draw(instance, scales, budget, extra) for extra in range(EXTRA_BYES)]
    usable = [start for start in starts if start is not None]
    for start in usable:
        found = improve_by_windows(
            instance, start, scales, rng, budget.split_off(budget.remaining() // 2), steps=_limit_steps(instance)
        )
        if is_allowed(instance, found.pods, found.byes):
            return seat_draw(instance, found.pods, found.byes)
    if fallback:
        index = {one: number for number, one in enumerate(instance.ids)}
        pods = [[index[member] for member in pod] for pod in fallback]
        return seat_draw(instance, pods, sorted(set(index.values()).difference(*pods)))
    if whole.limit < MIN_FEASIBILITY_WORK:
        whole = Budget(MIN_FEASIBILITY_WORK / UNITS_PER_SECOND)
        budget = whole.split_off(whole.limit * share // 100)
    try:
        columns = find_any_draw(instance, budget.split_off(budget.remaining() // 2))
    except TooManyPods:
        return _search_by_rules(instance, usable, scales, rng, budget, whole)
    byes = [column[0] for column in columns if len(column) == 1]
    return seat_draw(instance, [column for column in columns if len(column) > 1], byes)


def _search_by_rules(
    instance: Instance, starts: Sequence[InitialDraw], scales: Scales, rng: random.Random, budget: Budget, whole: Budget
) -> SeatedDraw:
    """First any draw that keeps the hard rules, ignoring scores and meetings; from there a good one.

    If even sizes leave none, one of any sizes. whole: the budget of the whole draw. Raises Conflict if no draw was
    found.
    """
    unscored = replace(instance, met={}, scores=np.zeros_like(instance.scores))
    unscored_scales = find_scales(unscored)
    for start in starts:
        free, part = (
            start._replace(may_swap_bye=instance.lock_of() < 0),
            budget.split_off(budget.remaining() // 2),
        )
        steps = _limit_steps(instance)
        feasible = improve_by_windows(
            unscored, free, unscored_scales, rng, part, steps=steps, passes=FEASIBILITY_PASSES, is_sorted=False
        )
        if is_allowed(instance, feasible.pods, feasible.byes):
            better = improve_by_windows(instance, feasible, scales, rng, budget, steps=STEPS)
            best = better if is_allowed(instance, better.pods, better.byes) else feasible
            return seat_draw(instance, best.pods, best.byes)
    for extra in range(EXTRA_BYES):
        feasible_draw = find_feasible_draw(
            instance, _count_byes(instance) + extra, whole.split_off(whole.remaining() // 2)
        )
        if feasible_draw is not None:
            return seat_draw(instance, feasible_draw.pods, feasible_draw.byes)
    raise Conflict("no draw was found that keeps all locks and forbidden pairs")


def _count_byes(instance: Instance) -> int:
    problem = instance.problem
    return count_byes(instance.size, smallest=problem.min_size, largest=problem.max_size)


def _limit_steps(instance: Instance) -> int:
    return LONG_SEARCH_STEPS if FEW_PEOPLE < instance.size <= WINDOW else min(STEPS, STEPS_PER_PERSON * instance.size)


def _search_neighbourhoods(proof: Certifier, excess: ExcessCosts | None, rng: random.Random, budget: Budget) -> None:
    instance, drawn, scales = proof.instance, proof.drawn, proof.scales
    search = LargeNeighbourhoodSearch(instance, [list(pod) for pod in drawn.pods], scales, rng, excess)
    goal = proof.bounds.pairing // scales.scale**2
    search.run(goal, max_failures=max(MAX_FAILED_NEIGHBOURHOODS, instance.size // 4), budget=budget)
    proof.take(seat_draw(instance, search.pods, drawn.byes))


def _break_ties(proof: Certifier, budget: Budget) -> None:
    if proof.drawn.values == proof.bounds or not budget.remaining():
        return
    tie_swaps = TieSwaps(proof.instance, [list(pod) for pod in proof.drawn.pods], proof.scales)
    part = budget.split_off(budget.limit * TIE_SWAP_SHARE // 100)
    tie_swaps.run(proof.bounds.odd_sizes * ODD_SIZE_WEIGHT + proof.bounds.seats, part)
    proof.take(seat_draw(proof.instance, tie_swaps.pods, proof.drawn.byes))
