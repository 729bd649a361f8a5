"""The best draw over given pods: rows whose coefficients are said to be vast, and pods that leave nobody a draw."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tournaments.draw.problem.budget import UNITS_PER_SECOND, Budget
from tournaments.draw.program.branching import BestDraw, BranchAndBound
from tournaments.draw.program.relaxation import FEW_PODS, Columns, Prices, Rows

PODS = np.array([[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]])


def open_branching(third_meetings: list[int], most: int, below: int, *, pods: int = 2) -> BranchAndBound:
    """Six pods of two, cost 1 to 6; no more than so many third meetings in all."""
    columns = Columns(PODS, np.arange(1, 7), np.array(third_meetings)[:, None])
    rows = Rows(4, np.array([0]), np.array([most]), np.array([1 << 50]), pods)
    return BranchAndBound(rows, columns, below)


def test_a_row_is_priced_by_the_coefficients_it_has() -> None:
    assert open_branching([2, 0, 3, 0, 0, 1], 1, 1000).rows.max_coefficient.tolist() == [3]


def test_no_draw_is_proven_to_be_none() -> None:
    assert open_branching([2, 2, 2, 2, 2, 2], 1, 1000).run(Budget(1)) == BestDraw(1000, 1000, None)


def test_the_best_that_the_row_allows() -> None:
    best = open_branching([1, 1, 1, 0, 0, 1], 1, 1000).run(Budget(1))
    assert best.chosen is not None
    assert (best.value, best.bound, sorted(best.chosen.tolist())) == (7, 7, [2, 3])


def test_all_draws_are_gone_through_at_once() -> None:
    prices = Prices(np.array([1, 1, 1, 1]), np.array([0]), 1)
    best = open_branching([1, 1, 1, 0, 0, 1], 1, 1000).enumerate_draws(prices, Budget(1))
    assert best.chosen is not None
    assert (best.value, best.bound, sorted(best.chosen.tolist())) == (7, 7, [2, 3])
    assert open_branching([2, 2, 2, 2, 2, 2], 1, 1000).enumerate_draws(prices, Budget(1)) == BestDraw(1000, 1000, None)
    assert open_branching([1, 1, 1, 0, 0, 1], 1, 1000).enumerate_draws(prices, Budget(0)) == BestDraw(1000, 0, None)


def test_of_many_pods_not_all_draws_are_gone_through() -> None:
    prices = Prices(np.array([1, 1, 1, 1]), np.array([0]), 1)
    branching = open_branching([1, 1, 1, 0, 0, 1], 1, 1000, pods=FEW_PODS + 1)
    assert branching.enumerate_draws(prices, Budget(1)) == BestDraw(1000, 0, None)
    assert open_branching([1, 1, 1, 0, 0, 1], 1, 1000, pods=FEW_PODS).enumerate_draws(prices, Budget(1)).bound == 7


def test_what_too_little_work_leaves_open_is_proven_with_more() -> None:
    """Prices of costs so large are rounded, so the bound of the program stays below the draw that it finds."""
    members = np.array(list(combinations(range(6), 3)))
    cost = np.random.Generator(np.random.PCG64(1)).integers(1 << 44, 1 << 45, len(members))
    columns = Columns(members, cost, np.zeros((len(members), 1), dtype=np.int64))
    branching = BranchAndBound(Rows(6, np.array([0]), np.array([1]), np.array([1]), FEW_PODS + 1), columns, 1 << 49)
    little, least = 1.5 / UNITS_PER_SECOND, int((cost + cost[::-1]).min())
    assert all(branching.run(Budget(little)).bound < least for _ in range(9))
    assert branching.run(Budget(1))[:2] == (least, least)
