"""A good draw from the linear program: one pod after the other is taken whole, and new ones are sought for the others.

The pod of the largest share is taken each time (a diving heuristic, Joncour et al. 2010). Where that went wrong, the
next dive takes another one at first (limited discrepancy search, Harvey and Ginsberg 1995). Nothing is proven.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.program.column_sources import Source, join
from tournaments.draw.program.relaxation import Columns, Program, Relaxed, round_prices
from tournaments.draw.proof.line_stages import Root

TURNS: Final = 6
"""Times that pods are sought for those who are left, after each that is taken."""
DIVES: Final = 12
PATIENCE: Final = 4
"""Dives in vain after which the next one is not tried."""
SMALL: Final = 1e-6


class Dived(NamedTuple):
    """pods: columns of a draw better than the one known, None if none was found. root: with all columns met."""

    pods: Columns | None
    root: Root


def dive(source: Source, root: Root, value: int, budget: Budget) -> Dived:
    """As long as dives find draws that cost less than this value and each other, or have not failed for long."""
    diving, failed = Diving(source, root, value, budget), 0
    for number in range(DIVES):
        before = diving.value
        if before <= root.bound or failed >= PATIENCE or not budget.left():
            break
        diving.run(number)
        failed = 0 if diving.value < before else failed + 1
    return Dived(diving.best, root._replace(columns=diving.columns))


class Diving:
    """Dives over the columns of a root, to which each adds. best: those of the best draw found, of this value."""

    def __init__(self, source: Source, root: Root, value: int, budget: Budget) -> None:
        self.source, self.rows, self.value, self.budget = source, root.rows, value, budget
        self.columns = root.columns
        self.best: Columns | None = None
        self.program = Program(root.rows, root.rows.scale(value), budget)
        self.program.add(self.columns)

    def run(self, skip: int) -> None:
        """One dive, until a draw is found or there is none below the best; skip: so many shares at the first pod."""
        taken = np.zeros(self.rows.people, dtype=np.bool_)
        chosen: list[int] = []
        while self.budget.left():
            answer = self._solve(taken, chosen)
            self._keep(np.flatnonzero(answer.shares > 0.5))
            if answer.value * self.program.unit > self.rows.allow(self.value, 1) + SMALL:
                break
            more = self.choose(answer.shares, chosen, skip)
            if not more:
                break
            chosen, skip = chosen + more, 0
            people = self.columns.members[more]
            taken[people[people >= 0]] = True

    def choose(self, shares: NDArray[np.float64], chosen: list[int], skip: int) -> list[int]:
        """Columns that are taken whole anyway, and one more; none if there is none with a share."""
        open_shares = shares.copy()
        open_shares[chosen] = 0
        whole = np.flatnonzero(open_shares > 1 - SMALL).tolist()
        open_shares[whole] = 0
        order = np.argsort(-open_shares, kind="stable")
        order = order[: np.count_nonzero(open_shares > SMALL)]
        return [*whole, int(order[min(skip, len(order) - 1)])] if len(order) else []

    def _solve(self, taken: Flags, chosen: list[int]) -> Relaxed:
        """The program without those who are taken, pods for the others added."""
        for _ in range(TURNS):
            free = self._find_free(taken)
            alive = free.copy()
            alive[chosen] = True
            self.program.allow(alive)
            answer = self.program.solve()
            prices = round_prices(answer.prices, self.rows, self.value)
            more = self.source.guess(prices, self.columns.take(np.flatnonzero(free)), taken, self.budget)
            if not len(more.cost):
                return answer
            self.program.add(more)
            self.columns = join([self.columns, more])
        return self.program.solve()

    def _find_free(self, taken: Flags) -> Flags:
        """Columns of nobody who is taken."""
        return np.asarray(~np.append(taken, False)[self.columns.members].any(axis=1))

    def _keep(self, chosen: Ints) -> None:
        """Take it as the best so far, if it is a draw and cheaper."""
        columns = self.columns.take(chosen)
        if self.rows.grit * int(columns.cost.sum()) >= self.value or not self.rows.is_met(columns):
            return
        cost = self.rows.pay(columns)
        if cost < self.value:
            self.value, self.best = cost, columns
