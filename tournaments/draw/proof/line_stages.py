"""One line of the objective: a bound by column generation, then a draw that reaches it, or a higher bound.

With the bound L of the linear program, only pods of reduced cost g or less are in draws of cost L + g or less. So g
grows step by step: either a draw is found among these pods, which then is optimal, or no draw costs less than L + g +
1.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.attainable_costs import ANY_COST
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.branching import BestDraw, BranchAndBound
from tournaments.draw.program.column_filters import ColumnFilter
from tournaments.draw.program.column_sources import ColumnSource, join
from tournaments.draw.program.columns import TooManyPods
from tournaments.draw.program.reduced_costs import deduct_prices
from tournaments.draw.program.relaxation import (
    Columns,
    Prices,
    RestrictedMaster,
    Rows,
    bound_draw_cost,
    lower_prices,
    mix_prices,
    reduce_costs,
    round_prices,
)

COLUMN_LIMITS: Final = 20_000, 80_000, 320_000
"""Columns listed at once, at most, in three attempts; the next one follows if all draws of the list were searched."""
ENUMERATION_PART: Final = 2
"""One part in so many of the remaining work for enumerating all draws of the listed columns."""
FIRST_COLUMNS: Final = 300
"""Columns of the first branch and bound: those of the least reduced cost."""
COLUMN_GROWTH: Final = 2
"""Factor by which each further batch of columns is larger."""
MAX_HALVINGS: Final = 8
"""Gaps that are tried, each half of the one before, until their columns can be listed."""
MAX_PRICING_ROUNDS: Final = 400
"""Rounds of pricing between two rounds of cuts, at most."""
MAX_CUT_ROUNDS: Final = 30
"""Rounds of cuts, at most."""
GAP_PART: Final = 20
"""Pricing ends once the bound lacks at most one part in so many of what the program's value lacks to the incumbent."""
PEOPLE_PER_COLUMN: Final = 16
"""Heuristic pricing is enough for a round if it finds at least one column for every so many people."""
STALL_TOLERANCE: Final = 1e-9
"""Relative difference up to which two values of the program count as equal."""
EXACT_PRICES_PART: Final = 100
"""Once the program's value stays the same and the bound lacks less than one part in so many, its own prices are tried
instead of mixed ones.
"""


class RootRelaxation(NamedTuple):
    """The root relaxation: every draw costs at least `bound`; `floor`: the same in price fractions.

    rows: those of the program, with all cuts. columns: those it was solved with.
    """

    bound: int
    floor: int
    prices: Prices
    rows: Rows
    columns: Columns


class LineOutcome(NamedTuple):
    """pods: columns of a draw better than the known one, if one was found; value: its cost, or the known one's."""

    value: int
    bound: int
    pods: Columns | None


class ColumnGeneration:
    """Column generation from the columns of a known draw of this value, with rounds of cuts."""

    def __init__(self, source: ColumnSource, rows: Rows, start: Columns, value: int, budget: Budget) -> None:
        self.source, self.rows, self.value, self.budget = source, rows, value, budget
        self.program = RestrictedMaster(rows, rows.estimate_column_cost(value), budget)
        self.columns = join([start, source.sample()])
        self.program.add(self.columns)
        self.best: RootRelaxation | None = None

    def run(self) -> RootRelaxation | None:
        """The best relaxation found, None without any."""
        for _ in range(MAX_CUT_ROUNDS):
            shares = self._generate()
            if (
                shares is None
                or (self.best is not None and self.best.bound >= self.value)
                or not self.budget.remaining()
            ):
                break
            cut = self.source.separate_cuts(self.rows, self.columns, shares)
            if cut is None:
                break
            self.rows, self.columns = cut
            self.program.cut(self.rows, self.columns)
        if self.best is None:
            return None
        prices = self.best.prices.lengthen(len(self.rows.low))
        return self.best._replace(prices=prices, rows=self.rows, columns=self.columns)

    def _generate(self) -> NDArray[np.float64] | None:
        """Shares of the columns once hardly a column is missing, None if that was not reached."""
        is_mixed, is_heuristic, before = False, False, -1.0
        for number in range(MAX_PRICING_ROUNDS):
            answer = self.program.solve()
            exact = lower_prices(round_prices(answer.prices, self.rows, self.value), self.program.unit)
            is_stuck = number > 0 and not answer.steps  # the added columns did not improve the program
            if is_stuck and not is_mixed and not is_heuristic:
                return answer.shares
            is_heuristic = not is_stuck and self._price_heuristically(exact)
            if is_heuristic:
                continue
            least = answer.value * self.program.unit
            has_stalled, before = 0 <= before <= least * (1 + STALL_TOLERANCE), least
            is_mixed = (
                self.best is not None
                and not is_stuck
                and not (has_stalled and self._measure_gap(least) < least / EXACT_PRICES_PART)
            )
            try:
                more, is_mixed = self._price(exact, is_mixed)
            except TooManyPods:
                return None
            missing = (self.rows.round_up_units(self.value) - least) / GAP_PART
            if not len(more.cost) or self._measure_gap(least) <= max(1e-6, missing):
                return answer.shares
            self._add_columns(more)
        return None

    def _price_heuristically(self, prices: Prices) -> bool:
        """Add columns by heuristic pricing; False if hardly any is found."""
        more = self.source.price_heuristically(
            prices, self.columns, np.zeros(self.rows.people, dtype=np.bool_), self.budget
        )
        if len(more.cost) < self.rows.people // PEOPLE_PER_COLUMN:
            return False
        self._add_columns(more)
        return True

    def _add_columns(self, columns: Columns) -> None:
        self.program.add(columns)
        self.columns = join([self.columns, columns])

    def _measure_gap(self, least: float) -> float:
        """The gap between the best bound and the program's value."""
        if self.best is None or self.best.bound >= self.value:
            return 0.0 if self.best else self.rows.round_up_units(self.value)
        return least - self.best.floor / self.best.prices.fractions

    def _price(self, exact: Prices, is_mixed: bool) -> tuple[Columns, bool]:
        """Columns that are missing, and whether prices mixed with the best ones showed them."""
        prices = exact
        if is_mixed and self.best is not None:
            prices = mix_prices(exact, self.best.prices.lengthen(len(self.rows.low)))
        more, least = self.source.price(prices, self.budget)
        if not len(more.cost) and is_mixed:
            is_mixed, prices = False, exact
            more, least = self.source.price(prices, self.budget)
        floor = bound_draw_cost(self.rows, prices, least)
        if self.best is None or floor > self.best.floor:
            self.best = RootRelaxation(
                self.rows.bound_true_cost(floor, prices.fractions), floor, prices, self.rows, self.columns
            )
        return more, is_mixed


def solve_root(source: ColumnSource, rows: Rows, start: Columns, value: int, budget: Budget) -> RootRelaxation | None:
    """The root relaxation of a line; None if nothing is proven. start: the columns of a known draw of this value."""
    return ColumnGeneration(source, rows, start, value, budget).run()


def close_gap(
    source: ColumnSource,
    root: RootRelaxation,
    value: int,
    budget: Budget,
    proven: int = 0,
    column_filter: ColumnFilter | None = None,
) -> LineOutcome:
    """Close the gap between the bound and the value, with more columns each time.

    proven: a better bound than the root's, if there is one.
    """
    bound = max(root.bound, proven)
    for most in COLUMN_LIMITS:
        columns, reduced, below = list_gap(source, root, (bound, value), budget, most=most, column_filter=column_filter)
        if bound < below:
            best = _search_columns(root, columns, reduced, (bound, below), column_filter, budget)
            bound = max(bound, min(best.bound, best.value))
            if best.chosen is not None:
                return LineOutcome(best.value, bound, columns.take(best.chosen))
            if bound < below:
                return LineOutcome(value, bound, None)
        if bound >= value or not budget.remaining():
            return LineOutcome(value, min(bound, value), None)
    return search_known_columns(root, value, bound, budget)


def _search_columns(
    root: RootRelaxation,
    columns: Columns,
    reduced: Ints,
    between: tuple[int, int],
    column_filter: ColumnFilter | None,
    budget: Budget,
) -> BestDraw:
    """The best draw of these columns, by enumeration or branch and bound over more and more of them.

    between: a known bound, and the value that a draw must be below.
    """
    rows, prices, floor, columns, paid = deduct_prices(root.rows, root.prices, root.floor, columns)
    root = root._replace(rows=rows, prices=prices, floor=floor)
    bound, below = (max(0, each - paid) for each in between)
    part = budget.split_off(budget.remaining() // ENUMERATION_PART)
    best = BranchAndBound(root.rows, columns, below, column_filter).enumerate_draws(root.prices, part)
    count = FIRST_COLUMNS
    while best.chosen is None and max(bound, best.bound) < below and budget.remaining():
        is_all = count * 3 >= 2 * len(reduced)
        least = below if is_all else min(below, _bound_with_column(root, int(reduced[count])))
        if least > bound:
            subset = columns if is_all else columns.take(np.arange(count))
            best = BranchAndBound(root.rows, subset, least, column_filter).run(budget)
            bound = max(bound, best.bound)
            if best.bound < least:
                break
        count *= COLUMN_GROWTH
    return best._replace(value=best.value + paid, bound=max(bound, best.bound) + paid)


def _bound_with_column(root: RootRelaxation, reduced: int) -> int:
    """A lower bound for draws that contain a column of this reduced cost."""
    return root.rows._replace(attainable=ANY_COST).bound_true_cost(root.floor + reduced, root.prices.fractions)


def _find_gap(root: RootRelaxation, below: int) -> int:
    """No column of a draw that costs less than this has a larger reduced cost."""
    return root.rows.find_cost_limit(below, root.prices.fractions) + root.prices.fractions - 1 - root.floor


def list_gap(
    source: ColumnSource,
    root: RootRelaxation,
    between: tuple[int, int],
    budget: Budget,
    *,
    most: int,
    column_filter: ColumnFilter | None = None,
) -> tuple[Columns, Ints, int]:
    """The columns that draws below a value can contain, by ascending reduced cost; these costs; and that value.

    between: a known bound, and the wanted value. The value is lowered towards the bound if the columns would be too
    many; if they still are, there are no columns and the value is the bound.
    """
    bound, value = between
    for part in range(MAX_HALVINGS):
        below = bound + (value - bound) // 2**part
        if below == bound:
            break
        gap = _find_gap(root, below)
        prices, limit = (root.prices, gap) if column_filter is None else column_filter.combine_with(root.prices, gap)
        try:
            columns = source.list_all(prices, limit, most=most, budget=budget.split_off(budget.remaining() // 4))
        except TooManyPods:
            continue
        reduced = reduce_costs(columns, root.prices)
        kept = (
            reduced <= gap
            if column_filter is None
            else (reduced <= gap) & (column_filter.measure(columns) <= column_filter.limit)
        )
        order = np.flatnonzero(kept)
        order = order[np.argsort(reduced[order], kind="stable")]
        return columns.take(order), reduced[order], below
    return root.columns.take(np.zeros(0, dtype=np.int64)), np.zeros(0, dtype=np.int64), bound


def search_known_columns(root: RootRelaxation, value: int, bound: int, budget: Budget) -> LineOutcome:
    """The best draw among the columns that the linear program met, where all are too many to list."""
    limit = _find_gap(root, value)
    chosen = np.flatnonzero(reduce_costs(root.columns, root.prices) <= limit)
    _, first = np.unique(root.columns.members[chosen], axis=0, return_index=True)
    columns = root.columns.take(chosen[np.sort(first)])
    best = BranchAndBound(root.rows, columns, value).run(budget.split_off(budget.remaining() // 2))
    return LineOutcome(best.value, bound, None if best.chosen is None else columns.take(best.chosen))
