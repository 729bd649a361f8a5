"""The best draw over given pods: rows whose coefficients are said to be vast, and pods that leave nobody a draw."""

from __future__ import annotations

import numpy as np

from tournaments.draw.branching import Best, Branching
from tournaments.draw.budget import Budget
from tournaments.draw.relaxation import Columns, Prices, Rows

PODS = np.array([[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]])


def open_branching(third_meetings: list[int], most: int, below: int) -> Branching:
    """Six pods of two, cost 1 to 6; no more than so many third meetings in all."""
    columns = Columns(PODS, np.arange(1, 7), np.array(third_meetings)[:, None])
    rows = Rows(4, np.array([0]), np.array([most]), np.array([1 << 50]), 2)
    return Branching(rows, columns, below)


def test_a_row_is_priced_by_the_coefficients_it_has() -> None:
    assert open_branching([2, 0, 3, 0, 0, 1], 1, 1000).rows.widest.tolist() == [3]


def test_no_draw_is_proven_to_be_none() -> None:
    assert open_branching([2, 2, 2, 2, 2, 2], 1, 1000).run(Budget(1)) == Best(1000, 1000, None)


def test_the_best_that_the_row_allows() -> None:
    best = open_branching([1, 1, 1, 0, 0, 1], 1, 1000).run(Budget(1))
    assert best.chosen is not None
    assert (best.value, best.bound, sorted(best.chosen.tolist())) == (7, 7, [2, 3])


def test_all_draws_are_gone_through_at_once() -> None:
    prices = Prices(np.array([1, 1, 1, 1]), np.array([0]), 1)
    best = open_branching([1, 1, 1, 0, 0, 1], 1, 1000).cover(prices, Budget(1))
    assert best.chosen is not None
    assert (best.value, best.bound, sorted(best.chosen.tolist())) == (7, 7, [2, 3])
    assert open_branching([2, 2, 2, 2, 2, 2], 1, 1000).cover(prices, Budget(1)) == Best(1000, 1000, None)
    assert open_branching([1, 1, 1, 0, 0, 1], 1, 1000).cover(prices, Budget(0)) == Best(1000, 0, None)
