"""A good draw of any size: the tabu search goes over windows of neighbouring pods, from the top down."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.closeness import find_closest
from tournaments.draw.problem.instance import Instance, list_neighbours
from tournaments.draw.problem.pair_costs import HARD, Scales, Weights, build_weights
from tournaments.draw.problem.pod_sizes import Mix
from tournaments.draw.search.start import Start
from tournaments.draw.search.tabu import Search

WINDOW: Final = 160
"""People in one window."""
PASSES: Final = 3


def improve(
    instance: Instance,
    start: Start,
    scales: Scales,
    rng: random.Random,
    budget: Budget,
    *,
    steps: int,
    passes: int = PASSES,
    is_sorted: bool = True,
) -> Start:
    """Pods and byes after the search; `start` is left as it was.

    steps: of tabu search in one window. is_sorted: whether windows are of neighbours; else of any pods, first those
    where foes sit together.
    """
    neighbours = list_neighbours(instance)
    is_locked = instance.group_of() >= 0
    full = [list(pod) for pod in start.pods if is_locked[pod].all()]
    pods, byes = [list(pod) for pod in start.pods if not is_locked[pod].all()], list(start.byes)
    span = max(2, WINDOW // instance.problem.wanted)
    for turn in range(passes):
        pods.sort(key=lambda pod: (sum(pod) / len(pod), min(pod)))
        if not is_sorted:
            rng.shuffle(pods)
            pods.sort(key=lambda pod: instance.foes.isdisjoint(combinations(sorted(pod), 2)))
        if not pods or (span >= len(pods) and turn) or not budget.left():
            break
        is_done = True
        firsts = range(0, max(1, len(pods) - span // 2), span // 2)
        for number, first in enumerate(firsts):
            if not budget.left():
                break
            chosen = pods[first : first + span]
            is_last = first + span >= len(pods)
            people = np.array(sorted(one for pod in chosen for one in pod) + (byes if is_last else []), dtype=np.int64)
            place = {int(one): row for row, one in enumerate(people)}
            weights = build_weights(instance, scales, people, neighbours)
            search = Search(
                weights,
                [[place[one] for one in pod] for pod in [*chosen, byes if is_last else []]],
                is_free=start.is_free[people],
                wanted=instance.problem.wanted,
            )
            goal = _find_goal(instance, weights, chosen)
            best, found = search.run(steps, rng, budget.part(budget.left() // (len(firsts) - number)), goal)
            is_done &= best <= goal
            drawn = [[int(people[one]) for one in pod] for pod in found]
            pods[first : first + span] = drawn[:-1]
            byes = drawn[-1] if is_last else byes
        if is_done:
            break
    return Start(full + pods, byes, start.is_free, start.mix)


def _find_goal(instance: Instance, weights: Weights, pods: list[list[int]]) -> int:
    """What no pods of these people can go below: scores alone, nobody meeting again."""
    seated = sum(len(pod) for pod in pods)
    locked = int((weights.pair < 0).sum()) // 2
    if len(weights.scores) > seated:  # whoever sits out may come in
        return -HARD * locked
    sizes = tuple(sorted((len(pod) for pod in pods), reverse=True))
    off = sum(abs(size - instance.problem.wanted) for size in sizes)
    least = find_closest(weights.scores.tolist(), Mix(sizes, off), wanted=instance.problem.wanted)
    return least - HARD * locked
