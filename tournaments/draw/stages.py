"""One line of the objective: a bound by column generation, then a draw that reaches it, or a higher bound.

The bound L of the linear program leaves, of all pods, those whose reduced cost is at most g as the only ones in draws
of L + g or less. So g grows step by step: either a draw is found among them, which then is the best there is, or no
draw is below L + g + 1.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.branching import Branching
from tournaments.draw.budget import Budget
from tournaments.draw.columns import TooMany
from tournaments.draw.relaxation import (
    Columns,
    Prices,
    Program,
    Rows,
    bound_pods,
    lower_prices,
    mix_prices,
    reduce_costs,
    round_prices,
)
from tournaments.draw.sources import Source, join

MOST_COLUMNS: Final = 20_000
ROUNDS: Final = 400
CUT_ROUNDS: Final = 30


class Root(NamedTuple):
    """What the linear program proves: every draw costs at least `bound`; `floor`: the same in fractions of `prices`.

    rows: those of the program, with all cuts. columns: those it was solved with.
    """

    bound: int
    floor: int
    prices: Prices
    rows: Rows
    columns: Columns


class Outcome(NamedTuple):
    """pods: columns of a draw better than the one known, if one was found; value: its cost, or the known one's."""

    value: int
    bound: int
    pods: Columns | None


class Generation:
    """Column generation from the columns of a known draw of this value, with cuts wherever it ends."""

    def __init__(self, source: Source, rows: Rows, start: Columns, value: int, budget: Budget) -> None:
        self.source, self.rows, self.value, self.budget = source, rows, value, budget
        self.program = Program(rows, max(1.0, value / max(1, rows.pods)), budget)
        self.columns = join([start, source.sample()])
        self.program.add(self.columns)
        self.best: Root | None = None

    def run(self) -> Root | None:
        """The best bound met, None without any."""
        for _ in range(CUT_ROUNDS):
            shares = self._generate()
            if shares is None or (self.best is not None and self.best.bound >= self.value) or not self.budget.left():
                break
            cut = self.source.tighten(self.rows, self.columns, shares)
            if cut is None:
                break
            self.rows, self.columns = cut
            self.program.cut(self.rows, self.columns)
        if self.best is None:
            return None
        prices = self.best.prices.lengthen(len(self.rows.low))
        return self.best._replace(prices=prices, rows=self.rows, columns=self.columns)

    def _generate(self) -> NDArray[np.float64] | None:
        """Shares of the columns where no column is missing, None if that was not reached."""
        is_mixed = False
        for number in range(ROUNDS):
            answer = self.program.solve()
            exact = lower_prices(round_prices(answer.prices, self.rows, self.value), self.program.unit)
            is_stuck = number > 0 and not answer.steps  # what was added only looked cheaper
            if is_stuck and not is_mixed:
                return answer.shares
            is_mixed = self.best is not None and not is_stuck
            try:
                more, is_mixed = self._price(exact, is_mixed)
            except TooMany:
                return None
            if not len(more.cost) or (
                self.best and self.best.bound >= min(self.value, answer.value * self.program.unit - 1e-6)
            ):
                return answer.shares
            self.program.add(more)
            self.columns = join([self.columns, more])
        return None

    def _price(self, exact: Prices, is_mixed: bool) -> tuple[Columns, bool]:
        """Columns that are missing; whether prices between these and the best ones told them."""
        prices = exact
        if is_mixed and self.best is not None:
            prices = mix_prices(exact, self.best.prices.lengthen(len(self.rows.low)))
        more, least = self.source.price(prices, self.budget)
        if not len(more.cost) and is_mixed:
            is_mixed, prices = False, exact
            more, least = self.source.price(prices, self.budget)
        floor = bound_pods(self.rows, prices, least)
        if self.best is None or floor > self.best.floor:
            self.best = Root(-(-floor // prices.fine), floor, prices, self.rows, self.columns)
        return more, is_mixed


def solve_root(source: Source, rows: Rows, start: Columns, value: int, budget: Budget) -> Root | None:
    """What the linear program proves of a line; start: the columns of a known draw of this value."""
    return Generation(source, rows, start, value, budget).run()


def close_gap(source: Source, root: Root, value: int, budget: Budget, known: int = 0) -> Outcome:
    """From the root's bound, or a better one that is known, towards the value, with twice the gap each time."""
    bound = max(root.bound, known)
    gap = bound - root.bound
    while bound < value and budget.left():
        limit = (root.bound + gap + 1) * root.prices.fine - 1 - root.floor
        try:
            columns = source.list_all(root.prices, limit, most=MOST_COLUMNS, budget=budget)
        except TooMany:
            return look_around(root, value, bound, budget)
        below = min(value, root.bound + gap + 1)
        best = Branching(root.rows, columns, below, budget).run()
        bound = max(bound, best.bound)
        if best.chosen is not None:
            return Outcome(best.value, min(bound, best.value), columns.take(best.chosen))
        if best.bound < below:
            break
        gap = min(2 * gap + 1, value - root.bound - 1)
    return Outcome(value, min(bound, value), None)


def look_around(root: Root, value: int, bound: int, budget: Budget) -> Outcome:
    """The best draw among the pods that the linear program met: where there are too many to list them all."""
    limit = value * root.prices.fine - 1 - root.floor
    chosen = np.flatnonzero(reduce_costs(root.columns, root.prices) <= limit)
    _, first = np.unique(root.columns.members[chosen], axis=0, return_index=True)
    columns = root.columns.take(chosen[np.sort(first)])
    best = Branching(root.rows, columns, value, budget.part(budget.left() // 2)).run()
    return Outcome(best.value, bound, None if best.chosen is None else columns.take(best.chosen))
