"""The best draw over given pods, proven: branch and bound on whether two people sit together (Ryan and Foster 1981).

Wherever the pods that still matter are so few that all their draws can be enumerated, they are (exact_cover.py). Every
bound is an integer one (relaxation.py); the linear program only proposes prices and where to branch.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.program.column_filters import ColumnFilter
from tournaments.draw.program.exact_cover import ExactCover
from tournaments.draw.program.relaxation import (
    Columns,
    Prices,
    RestrictedMaster,
    Rows,
    bound_draw_cost,
    reduce_costs,
    round_prices,
)
from tournaments.draw.program.zero_half_cuts import separate_zero_half

TOLERANCE: Final = 1e-6
"""Tolerance for fractional shares and for a rise of the bound, in floating point."""
MASK_ENTRIES_PER_UNIT: Final = 250
"""Entries of the table of who sits in which pod that one unit of work covers (measured)."""

COLUMN_OVERHEAD: Final = 16
"""Entries that each column costs besides its coefficients (measured)."""
COEFFICIENTS_PER_UNIT: Final = 150
"""Coefficients that one unit of work covers (measured)."""
MAX_ROOT_ROUNDS: Final = 60
"""Rounds of cuts at the root, at most."""
MAX_STALLED_ROUNDS: Final = 12
"""Rounds of cuts at the root without a rise of the bound after which branching begins. Cuts at the root serve all
nodes, but each makes every node slower.
"""
NODE_ROUNDS: Final = 2
"""Rounds of cuts at each node."""
CUT_COST: Final = 150
"""Units of work of one separation of cuts, for every column with a positive share (measured)."""
MAX_IDLE_ROUNDS: Final = 3
"""Rounds with price 0 after which a cut is dropped: it makes the program slower and may be found again."""
FIRST_WORK: Final = 100_000
"""Units of work for enumerating all draws before there are cuts."""
ROOT_WORK: Final = 400_000
"""Units of work for enumerating all draws at the root, with cuts."""
NODE_WORK: Final = 30_000
"""Units of work for enumerating all draws at a node."""
NODE_COLUMNS: Final = 3_000
"""Columns up to which the draws of a node are enumerated."""
REBUILD_SHARE: Final = 0.6
"""The program is rebuilt without the excluded columns once fewer than this share of them remain."""


class BestDraw(NamedTuple):
    """chosen: columns of the best draw, None if none beats the given value; bound: proven for these columns."""

    value: int
    bound: int
    chosen: Ints | None


class NodeRelaxation(NamedTuple):
    """The solved linear program of a node.

    bound: whole; fractional_bound: the same before rounding up. alive: the columns that a better draw may contain.
    """

    bound: int
    fractional_bound: float
    alive: Flags
    shares: NDArray[np.float64]
    prices: Prices


class BranchAndBound:
    """Minimises the cost of a draw over some columns. below: only draws cheaper than this are wanted.

    column_filter: a further limit for the columns of a draw.
    """

    def __init__(self, rows: Rows, columns: Columns, below: int, column_filter: ColumnFilter | None = None) -> None:
        self.value, self.chosen, self.budget = below, np.zeros(0, dtype=np.int64), Budget(0)
        self.is_tight = False
        self.nodes: list[tuple[int, Flags]] = []
        """Open nodes: a lower bound for every draw in it, and the columns that it may use."""
        self.has_found, self.rng = False, random.Random(1)
        self.origin, self.fixed = np.arange(len(columns.cost)), len(rows.low)
        self.idle = np.zeros(0, dtype=np.int64)
        self.prices: Prices
        self.column_filter = column_filter
        self._build_program(rows, columns)

    def run(self, budget: Budget) -> BestDraw:
        """Until the best draw is proven or the budget is spent. Then the bound is the least of the open nodes, and a
        further call continues.
        """
        self.budget = self.program.budget = budget
        if not self.is_tight:
            self.nodes = self._solve_root()
            self.is_tight = True
        while self.nodes and self.budget.remaining():
            bound, alive = self.nodes.pop()
            if bound < self.value:
                self._branch(bound, alive)
        open_bound = min([*(bound for bound, _ in self.nodes), self.value])
        return BestDraw(self.value, open_bound, self.chosen if self.has_found else None)

    def enumerate_draws(self, prices: Prices, budget: Budget) -> BestDraw:
        """Enumerate all draws that these prices allow, as far as the budget goes; the bound is 0 if it is spent."""
        is_done = self.rows.has_few_pods and self._enumerate(self._list_all(), prices, budget)
        return BestDraw(self.value, self.value if is_done else 0, self.chosen if self.has_found else None)

    def _solve_root(self) -> list[tuple[int, Flags]]:
        """The root node; none if all draws were enumerated, without cuts or with them."""
        bound = 0
        if self.rows.has_few_pods:
            node = self._solve(self._list_all())
            bound = node.bound
            if bound >= self.value or self._enumerate(node.alive, node.prices, self.budget.split_off(FIRST_WORK)):
                return []
        bound = max(bound, self._cut_root())
        if self.rows.has_few_pods:
            node = self._solve(self._list_all())
            bound = max(bound, node.bound)
            if bound >= self.value or self._enumerate(node.alive, node.prices, self.budget.split_off(ROOT_WORK)):
                return []
        self._mark_members()
        return [(bound, self._list_all())]

    def _list_all(self) -> Flags:
        """Every column of the program."""
        return np.ones(len(self.origin), dtype=np.bool_)

    def _branch(self, bound: int, alive: Flags) -> None:
        """Solve a node; open two more if it can still contain a better draw."""
        found, remaining_columns, pair = self._solve_node(alive)
        found = max(found, bound)
        if found >= self.value:
            return
        if pair is not None:
            few = self.rows.has_few_pods and remaining_columns.sum() <= NODE_COLUMNS
            if few and self._enumerate(remaining_columns, self.prices, self.budget.split_off(NODE_WORK)):
                return
            together = remaining_columns & self.is_member[pair[0]] & self.is_member[pair[1]]
            separate = remaining_columns & (self.is_member[pair[0]] ^ self.is_member[pair[1]])
            if together.any() and separate.any():
                self.nodes += [(found, remaining_columns & ~together), (found, remaining_columns & ~separate)]
                return
        if not self._enumerate(
            remaining_columns, self.prices, self.budget
        ):  # all shares are integral, as far as floating point tells
            self.nodes.append((found, remaining_columns))  # for a further call with more work

    def _build_program(self, rows: Rows, columns: Columns) -> None:
        self.rows, self.columns = rows._replace(max_coefficient=abs(columns.extra).max(axis=0, initial=1)), columns
        self.program = RestrictedMaster(self.rows, self.rows.estimate_column_cost(self.value), self.budget)
        self.program.add(columns)

    def _mark_members(self) -> None:
        """(people, columns): whether a person is in a column."""
        self.is_member = np.zeros((self.rows.people, len(self.columns.cost)), dtype=np.bool_)
        for place in range(self.columns.members.shape[1]):
            used = np.flatnonzero(self.columns.members[:, place] >= 0)
            self.is_member[self.columns.members[used, place], used] = True

    def _cut_root(self) -> int:
        """At the root: add cuts and remove columns as long as the bound rises. Returns the bound proven."""
        best, fractional_bound, raised = 0, 0.0, 0
        for number in range(MAX_ROOT_ROUNDS):
            node = self._solve(self._list_all())
            best = max(best, node.bound)
            if node.fractional_bound > fractional_bound + TOLERANCE:
                fractional_bound, raised = node.fractional_bound, number
            if best >= self.value or number > raised + MAX_STALLED_ROUNDS or not self._add_cuts(node):
                break
            if node.alive.sum() < REBUILD_SHARE * len(node.alive):
                self.origin = self.origin[node.alive]
                self._build_program(self.rows, self.columns.take(np.flatnonzero(node.alive)))
        return best

    def _solve_node(self, alive: Flags) -> tuple[int, Flags, tuple[int, int] | None]:
        """The bound of a node, its columns that still matter, and the pair to branch on (None if all shares are
        integral).
        """
        self.budget.spend(alive.size * self.rows.people // MASK_ENTRIES_PER_UNIT)
        self.program.enable(alive)
        node = self._solve(alive)
        for _ in range(NODE_ROUNDS):
            if node.bound >= self.value or not self._add_cuts(node):
                break
            node = self._solve(node.alive)
        self.prices = node.prices
        return node.bound, node.alive, None if node.bound >= self.value else self._choose_pair(node.shares)

    def _enumerate(self, alive: Flags, prices: Prices, budget: Budget) -> bool:
        """Enumerate the draws of these columns and keep the best; whether the enumeration came to its end."""
        which = np.flatnonzero(alive)
        columns = self.columns.take(which)
        start = bound_draw_cost(self.rows, prices, 0)
        side_weights, most = self._list_side_limits(columns)
        exact_cover = ExactCover(self.rows.people, columns.members, np.c_[reduce_costs(columns, prices), side_weights])

        def limits() -> Ints:
            return np.append(self.rows.find_cost_limit(self.value, prices.fractions) - start, most)

        return exact_cover.run(self.rows.pods, limits, lambda chosen: self._update_incumbent(which[chosen]), budget)

    def _list_side_limits(self, columns: Columns) -> tuple[Ints, Ints]:
        """For each column what no draw may have too much of, and how much: the values of earlier lines, and the column
        filter.

        Prices compensate each of them only over a whole draw; without these limits hundreds of thousands of draws with
        too many pods, or too few, would be built.
        """
        extra = columns.extra[:, : self.fixed]
        binds = (extra.min(axis=0, initial=0) >= 0) & (
            extra.max(axis=0, initial=0) * self.rows.pods > self.rows.high[: self.fixed]
        )
        side_weights, most = extra[:, binds], self.rows.high[: self.fixed][binds]
        if self.column_filter is not None:
            side_weights, most = (
                np.c_[side_weights, self.column_filter.measure(columns)],
                np.append(most, self.column_filter.limit),
            )
        return side_weights, most

    def _solve(self, alive: Flags) -> NodeRelaxation:
        """Solve the program of these columns; an integral solution becomes the incumbent."""
        answer = self.program.solve()
        self.budget.spend(len(self.origin) * (self.columns.extra.shape[1] + COLUMN_OVERHEAD) // COEFFICIENTS_PER_UNIT)
        prices = round_prices(answer.prices, self.rows, self.value)
        reduced = reduce_costs(self.columns, prices)
        bound = bound_draw_cost(self.rows, prices, self.rows.pods * int(reduced[alive].min(initial=0)))
        self._update_incumbent(np.flatnonzero(answer.shares > 0.5))
        remaining_columns = alive & (reduced <= self.rows.find_cost_limit(self.value, prices.fractions) - bound)
        return NodeRelaxation(
            self.rows.bound_true_cost(bound, prices.fractions),
            bound / prices.fractions,
            remaining_columns,
            answer.shares,
            prices,
        )

    def _add_cuts(self, node: NodeRelaxation) -> bool:
        """Add cuts that the shares violate, and drop those with price 0 for long; False if none were found."""
        if not self.budget.spend(CUT_COST * int(np.count_nonzero(node.shares > TOLERANCE))):
            return False
        cuts = separate_zero_half(self.rows, self.columns, node.shares, self.rng)
        if cuts is None:
            return False
        self.idle = np.where(node.prices.row[self.fixed :] == 0, self.idle + 1, 0)
        if (self.idle > MAX_IDLE_ROUNDS).sum() > len(cuts.most):
            kept = np.append(np.ones(self.fixed, dtype=np.bool_), self.idle <= MAX_IDLE_ROUNDS)
            self.rows, self.columns = self.rows.take(kept), self.columns._replace(extra=self.columns.extra[:, kept])
            self.program.drop(self.rows, kept)
            self.idle = self.idle[self.idle <= MAX_IDLE_ROUNDS]
        self.rows, self.columns = (
            self.rows.join(cuts.most, cuts.coefficients),
            self.columns.widen(cuts.coefficients),
        )
        self.idle = np.append(self.idle, np.zeros_like(cuts.most))
        self.program.cut(self.rows, self.columns)
        return True

    def _update_incumbent(self, chosen: Ints) -> None:
        """Take this as the incumbent, if it is a draw and cheaper."""
        columns = self.columns.take(chosen)
        if self.rows.cost_unit * int(columns.cost.sum()) >= self.value or not self.rows.is_feasible(columns):
            return
        cost = self.rows.sum_true_costs(columns)
        if cost < self.value:
            self.value, self.chosen, self.has_found = cost, self.origin[chosen], True

    def _choose_pair(self, shares: NDArray[np.float64]) -> tuple[int, int] | None:
        """The pair whose shared columns have a total share nearest to one half; None if all shares are integral."""
        part = np.flatnonzero((shares > TOLERANCE) & (shares < 1 - TOLERANCE))
        if not len(part):
            return None
        is_member = self.is_member[:, part].astype(np.int64)
        weight = np.rint(shares[part] * 2**20).astype(np.int64)
        together = (is_member * weight) @ is_member.T
        np.fill_diagonal(together, 0)
        gap = abs(together - 2**19)
        at = int(gap.argmin())
        pair = at // len(gap), at % len(gap)
        return None if gap[pair] >= 2**19 - 2 else pair
