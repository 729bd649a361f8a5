"""A good draw from the linear program: pods are fixed one after the other, and new ones are priced for the other
people.

The pod of the largest share is fixed each time (a diving heuristic, Joncour et al. 2010). After a failure the next dive
begins with another pod (limited discrepancy search, Harvey and Ginsberg 1995). Nothing is proven.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.program.column_sources import ColumnSource, join
from tournaments.draw.program.relaxation import Columns, LinearSolution, RestrictedMaster, round_prices
from tournaments.draw.proof.line_stages import RootRelaxation

PRICING_ROUNDS: Final = 6
"""Rounds of pricing after each pod that is fixed, at most."""
MAX_DIVES: Final = 12
"""Dives, at most."""
MAX_FAILED_DIVES: Final = 4
"""Unsuccessful dives in a row after which diving ends."""
TOLERANCE: Final = 1e-6
"""Shares and costs within this of each other count as equal."""


class DiveOutcome(NamedTuple):
    """pods: columns of a draw better than the known one, None if none was found. root: with all columns met."""

    pods: Columns | None
    root: RootRelaxation


def dive(source: ColumnSource, root: RootRelaxation, value: int, budget: Budget) -> DiveOutcome:
    """Dive until dives fail for too long, or find a draw at the bound. value: only cheaper draws are wanted."""
    diving, failed = Diving(source, root, value, budget), 0
    for number in range(MAX_DIVES):
        before = diving.value
        if before <= root.bound or failed >= MAX_FAILED_DIVES or not budget.remaining():
            break
        diving.run(number)
        failed = 0 if diving.value < before else failed + 1
    return DiveOutcome(diving.best, root._replace(columns=diving.columns))


class Diving:
    """Dives over the columns of a root relaxation, to which each adds. best: columns of the best draw found."""

    def __init__(self, source: ColumnSource, root: RootRelaxation, value: int, budget: Budget) -> None:
        self.source, self.rows, self.value, self.budget = source, root.rows, value, budget
        self.columns = root.columns
        self.best: Columns | None = None
        self.program = RestrictedMaster(root.rows, root.rows.estimate_column_cost(value), budget)
        self.program.add(self.columns)

    def run(self, skip: int) -> None:
        """One dive, until a draw is found or none below the best can be. skip: so many of the largest shares are passed
        over for the first pod.
        """
        is_seated = np.zeros(self.rows.people, dtype=np.bool_)
        chosen: list[int] = []
        while self.budget.remaining():
            answer = self._solve(is_seated, chosen)
            self._update_best(np.flatnonzero(answer.shares > 0.5))
            if answer.value * self.program.unit > self.rows.find_cost_limit(self.value, 1) + TOLERANCE:
                break
            more = self.choose(answer.shares, chosen, skip)
            if not more:
                break
            chosen, skip = chosen + more, 0
            people = self.columns.members[more]
            is_seated[people[people >= 0]] = True

    def choose(self, shares: NDArray[np.float64], chosen: list[int], skip: int) -> list[int]:
        """The columns with share 1 and one more to be fixed; none if no column has a share."""
        open_shares = shares.copy()
        open_shares[chosen] = 0
        whole = np.flatnonzero(open_shares > 1 - TOLERANCE).tolist()
        open_shares[whole] = 0
        order = np.argsort(-open_shares, kind="stable")
        order = order[: np.count_nonzero(open_shares > TOLERANCE)]
        return [*whole, int(order[min(skip, len(order) - 1)])] if len(order) else []

    def _solve(self, is_seated: Flags, chosen: list[int]) -> LinearSolution:
        """The program without the people who are seated, with columns priced for the others."""
        for _ in range(PRICING_ROUNDS):
            free = self._find_free(is_seated)
            alive = free.copy()
            alive[chosen] = True
            self.program.enable(alive)
            answer = self.program.solve()
            prices = round_prices(answer.prices, self.rows, self.value)
            more = self.source.price_heuristically(
                prices, self.columns.take(np.flatnonzero(free)), is_seated, self.budget
            )
            if not len(more.cost):
                return answer
            self.program.add(more)
            self.columns = join([self.columns, more])
        return self.program.solve()

    def _find_free(self, is_seated: Flags) -> Flags:
        """Columns that contain nobody who is seated."""
        return np.asarray(~np.append(is_seated, False)[self.columns.members].any(axis=1))

    def _update_best(self, chosen: Ints) -> None:
        """Take this as the best draw, if it is one and cheaper."""
        columns = self.columns.take(chosen)
        if self.rows.cost_unit * int(columns.cost.sum()) >= self.value or not self.rows.is_feasible(columns):
            return
        cost = self.rows.sum_true_costs(columns)
        if cost < self.value:
            self.value, self.best = cost, columns
