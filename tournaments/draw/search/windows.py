"""A good draw of any size: tabu search over overlapping windows of neighbouring pods, from the top down."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.closeness import find_least_widths
from tournaments.draw.problem.instance import Instance, list_opponents
from tournaments.draw.problem.pair_costs import HARD_RULE_COST, Scales, SearchWeights, build_weights
from tournaments.draw.problem.pod_sizes import SizeMix
from tournaments.draw.search.start import InitialDraw
from tournaments.draw.search.tabu import TabuSearch

WINDOW: Final = 160
"""People in one window. Time for each step grows with the square of it."""
PASSES: Final = 3
"""Passes over all windows. Swaps across the edges of windows need more than one."""


def improve_by_windows(
    instance: Instance,
    start: InitialDraw,
    scales: Scales,
    rng: random.Random,
    budget: Budget,
    *,
    steps: int,
    passes: int = PASSES,
    is_sorted: bool = True,
) -> InitialDraw:
    """Pods and byes after the search; `start` is not changed.

    steps: of tabu search in one window. is_sorted: whether a window holds neighbours in the standings; else any pods,
    those with forbidden pairs first.
    """
    opponents = list_opponents(instance)
    is_locked = instance.lock_of() >= 0
    full = [list(pod) for pod in start.pods if is_locked[pod].all()]
    pods, byes = [list(pod) for pod in start.pods if not is_locked[pod].all()], list(start.byes)
    span = max(2, WINDOW // instance.problem.wanted)
    for turn in range(passes):
        pods.sort(key=lambda pod: (sum(pod) / len(pod), min(pod)))
        if not is_sorted:
            rng.shuffle(pods)
            pods.sort(key=lambda pod: instance.forbidden_pairs.isdisjoint(combinations(sorted(pod), 2)))
        if not pods or (span >= len(pods) and turn) or not budget.remaining():
            break
        is_done = True
        firsts = range(0, max(1, len(pods) - span // 2), span // 2)
        for number, first in enumerate(firsts):
            if not budget.remaining():
                break
            chosen = pods[first : first + span]
            is_last = first + span >= len(pods)
            people = np.array(
                sorted(member for pod in chosen for member in pod) + (byes if is_last else []), dtype=np.int64
            )
            place = {int(one): row for row, one in enumerate(people)}
            weights = build_weights(instance, scales, people, opponents)
            search = TabuSearch(
                weights,
                [[place[member] for member in pod] for pod in [*chosen, byes if is_last else []]],
                may_swap_bye=start.may_swap_bye[people],
                wanted=instance.problem.wanted,
            )
            goal = _find_goal(instance, weights, chosen)
            best, found = search.run(steps, rng, budget.split_off(budget.remaining() // (len(firsts) - number)), goal)
            is_done &= best <= goal
            drawn = [[int(people[member]) for member in pod] for pod in found]
            pods[first : first + span] = drawn[:-1]
            byes = drawn[-1] if is_last else byes
        if is_done:
            break
    return InitialDraw(full + pods, byes, start.may_swap_bye, start.mix)


def _find_goal(instance: Instance, weights: SearchWeights, pods: list[list[int]]) -> int:
    """A lower bound for the cost of these people: their scores alone, with no repeat."""
    seated = sum(len(pod) for pod in pods)
    locked = int((weights.pair < 0).sum()) // 2
    if len(weights.scores) > seated:  # a person with a bye may get a seat
        return -HARD_RULE_COST * locked
    sizes = tuple(sorted((len(pod) for pod in pods), reverse=True))
    off = sum(abs(size - instance.problem.wanted) for size in sizes)
    least = find_least_widths(weights.scores.tolist(), SizeMix(sizes, off), wanted=instance.problem.wanted)
    return least - HARD_RULE_COST * locked
