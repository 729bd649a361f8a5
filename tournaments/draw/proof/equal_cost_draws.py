"""Among draws of equal cost the best by a second cost, by enumerating all of them.

Where scores nearly all differ, few draws cost as little as the best; so the search is limited by the first cost, which
leaves few columns, and not by the second one, which leaves nearly all.
"""

from __future__ import annotations

import numpy as np

from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.branching import BranchAndBound
from tournaments.draw.program.relaxation import Columns, Rows


class EqualCostSearch(BranchAndBound):
    """Minimises the cost, then the second cost. most: only draws that cost no more are wanted."""

    def __init__(self, rows: Rows, columns: Columns, second: Ints, most: int) -> None:
        super().__init__(rows, columns, most + 1)
        self.second, self.least = second, 0

    def _update_incumbent(self, chosen: Ints) -> None:
        """Take this as the incumbent, if it is a draw and better."""
        columns, second = self.columns.take(chosen), int(self.second[self.origin[chosen]].sum())
        if not self._is_better(self.rows.cost_unit * int(columns.cost.sum()), second) or not self.rows.is_feasible(
            columns
        ):
            return
        cost = self.rows.sum_true_costs(columns)
        if self._is_better(cost, second):
            self.value, self.least = cost + 1, second
            self.chosen, self.has_found = self.origin[chosen], True

    def _is_better(self, cost: int, second: int) -> bool:
        return cost < self.value and (not self.has_found or (cost, second) < (self.value - 1, self.least))


def combine_costs(first: Ints, then: Ints, pods: int) -> Ints:
    """One cost for two lines, of which the first decides."""
    return np.asarray(first * (1 + pods * int(then.max(initial=0))) + then)
