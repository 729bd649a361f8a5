"""Of the draws that cost least, the one with the least second cost: against every draw there is."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from tests.tournaments.draw.exhaustive import list_draws
from tournaments.draw import Entrant, Problem
from tournaments.draw.problem.budget import Budget
from tournaments.draw.program.branching import BestDraw
from tournaments.draw.program.relaxation import Columns, Rows
from tournaments.draw.proof.equal_cost_draws import EqualCostSearch, combine_costs

NAMES = tuple("abcdefghi")
PODS = list(combinations(range(9), 3))
INDEX: dict[tuple[int, ...], int] = {pod: number for number, pod in enumerate(PODS)}


def rank(costs: list[int], second: list[int], most: int) -> BestDraw:
    empty = np.zeros(0, dtype=np.int64)
    columns = Columns(np.array(PODS), np.array(costs), np.zeros((len(PODS), 0), dtype=np.int64))
    return EqualCostSearch(Rows(9, empty, empty, empty, 3), columns, np.array(second), most).run(Budget(5))


@pytest.mark.parametrize("seed", range(12))
def test_the_cheapest_and_of_these_the_best(seed: int) -> None:
    rng = random.Random(seed)
    costs, second = [rng.randrange(1 + seed) for _ in PODS], [rng.randrange(20) for _ in PODS]
    problem = Problem(tuple(Entrant(one) for one in NAMES), 3, 3, 3)
    draws = [
        [INDEX[tuple(sorted(NAMES.index(one) for one in pod))] for pod in pods]
        for pods, byes in list_draws(problem, list(NAMES))
        if not byes
    ]
    least = min((sum(costs[pod] for pod in draw), sum(second[pod] for pod in draw)) for draw in draws)
    best = rank(costs, second, least[0] + rng.randrange(2))
    assert best.chosen is not None
    assert (sum(costs[pod] for pod in best.chosen.tolist()), best.bound) == (least[0], best.value)
    assert sum(second[pod] for pod in best.chosen.tolist()) == least[1]
    assert rank(costs, second, least[0] - 1).chosen is None


def test_the_first_of_two_lines_decides() -> None:
    costs = combine_costs(np.array([1, 0, 2]), np.array([0, 9, 4]), 5)
    assert costs.tolist() == [46, 9, 96]
