"""A good draw of any size: the tabu search goes over windows of neighbouring pods, from the top down."""

from __future__ import annotations

import random
from typing import Final

import numpy as np

from tournaments.draw.budget import Budget
from tournaments.draw.instance import Instance, list_neighbours
from tournaments.draw.search import Search
from tournaments.draw.start import Start
from tournaments.draw.weights import Scales, build_weights

WINDOW: Final = 160
"""People in one window."""
PASSES: Final = 3


def improve(
    instance: Instance, start: Start, scales: Scales, rng: random.Random, budget: Budget, *, steps: int
) -> Start:
    """Pods and byes after the search; `start` is left as it was. steps: of tabu search in one window."""
    neighbours = list_neighbours(instance)
    pods, byes = [list(pod) for pod in start.pods], list(start.byes)
    for turn in range(PASSES):
        pods.sort(key=lambda pod: (sum(pod) / len(pod), min(pod)))
        span = max(2, WINDOW // instance.problem.wanted)
        if span >= len(pods) and turn:
            break
        for first in range(0, max(1, len(pods) - span // 2), span // 2):
            chosen = pods[first : first + span]
            is_last = first + span >= len(pods)
            people = np.array(sorted(one for pod in chosen for one in pod) + (byes if is_last else []), dtype=np.int64)
            place = {int(one): number for number, one in enumerate(people)}
            search = Search(
                build_weights(instance, scales, people, neighbours),
                [[place[one] for one in pod] for pod in [*chosen, byes if is_last else []]],
                is_free=start.is_free[people],
                wanted=instance.problem.wanted,
            )
            _, found = search.run(steps, rng, budget)
            drawn = [[int(people[one]) for one in pod] for pod in found]
            pods[first : first + span] = drawn[:-1]
            byes = drawn[-1] if is_last else byes
    return Start(pods, byes, start.is_free, start.mix)
