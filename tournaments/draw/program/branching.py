"""The best draw over given pods, proven: branch and bound on whether two people sit together (Ryan and Foster 1981).

Wherever so few pods can still matter that all their draws can be gone through, they are (covering.py).
Every bound is one of integers (relaxation.py); the linear program only proposes prices and where to branch.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags, Ints
from tournaments.draw.program.column_filters import Sieve
from tournaments.draw.program.exact_cover import Covering
from tournaments.draw.program.relaxation import Columns, Prices, Program, Rows, bound_pods, reduce_costs, round_prices
from tournaments.draw.program.zero_half_cuts import find_halves

WHOLE: Final = 1e-6
MASK_SPEED: Final = 250
"""Entries of the table of who sits in which pod that one unit of work goes through."""

WIDTH: Final = 16
TABLE_SPEED: Final = 150
"""Entries of the columns' coefficients for one unit of work, and as many more for each column."""
ROOT_ROUNDS: Final = 60
PATIENCE: Final = 12
"""Rounds of cuts at the root in which the bound must rise."""
NODE_ROUNDS: Final = 2
CUT_COST: Final = 150
"""For every column with a share."""
IDLE: Final = 3
"""Rounds without a price after which a cut is dropped."""
FIRST_WORK: Final = 100_000
"""For going through all draws before there are cuts; then at the root, with cuts, and at a node of few columns."""
ROOT_WORK: Final = 400_000
NODE_WORK: Final = 30_000
NODE_COLUMNS: Final = 3_000
FEWER: Final = 0.6
"""Columns are thrown out once so few of them can still matter."""


class Best(NamedTuple):
    """chosen: columns of the best draw, None if none beats the value given; bound: proven, for these columns."""

    value: int
    bound: int
    chosen: Ints | None


class Seen(NamedTuple):
    """A node's program solved.

    bound: whole; floor: about the same in fractions. alive: the columns that can still matter.
    """

    bound: int
    floor: float
    alive: Flags
    shares: NDArray[np.float64]
    prices: Prices


class Branching:
    """Minimises the cost of a draw over some columns. below: only draws cheaper than this are wanted.

    sieve: what else is known of the columns of a draw.
    """

    def __init__(self, rows: Rows, columns: Columns, below: int, sieve: Sieve | None = None) -> None:
        self.value, self.chosen, self.budget = below, np.zeros(0, dtype=np.int64), Budget(0)
        self.is_tight = False
        self.nodes: list[tuple[int, Flags]] = []
        """Still to be looked at: what every draw in it costs at least, and the columns it can have."""
        self.has_found, self.rng = False, random.Random(1)
        self.origin, self.fixed = np.arange(len(columns.cost)), len(rows.low)
        self.idle = np.zeros(0, dtype=np.int64)
        self.prices: Prices
        self.sieve = sieve
        self._open(rows, columns)

    def run(self, budget: Budget) -> Best:
        """Until proven, or the budget is spent: then the bound is what the open branches leave, and it can go on."""
        self.budget = self.program.budget = budget
        if not self.is_tight:
            self.nodes = self._begin()
            self.is_tight = True
        while self.nodes and self.budget.left():
            bound, alive = self.nodes.pop()
            if bound < self.value:
                self._branch(bound, alive)
        floor = min([*(bound for bound, _ in self.nodes), self.value])
        return Best(self.value, floor, self.chosen if self.has_found else None)

    def cover(self, prices: Prices, budget: Budget) -> Best:
        """By going through all draws that these prices leave, as far as the budget goes; its bound is 0 if it ends."""
        is_done = self.rows.is_short and self._go_through(self._list_all(), prices, budget)
        return Best(self.value, self.value if is_done else 0, self.chosen if self.has_found else None)

    def _begin(self) -> list[tuple[int, Flags]]:
        """The first node; none if all draws can be gone through without cuts, or with them."""
        bound = 0
        if self.rows.is_short:
            seen = self._solve(self._list_all())
            bound = seen.bound
            if bound >= self.value or self._go_through(seen.alive, seen.prices, self.budget.part(FIRST_WORK)):
                return []
        bound = max(bound, self._tighten())
        if self.rows.is_short:
            seen = self._solve(self._list_all())
            bound = max(bound, seen.bound)
            if bound >= self.value or self._go_through(seen.alive, seen.prices, self.budget.part(ROOT_WORK)):
                return []
        self._list_sits()
        return [(bound, self._list_all())]

    def _list_all(self) -> Flags:
        """Every column that has not been thrown out."""
        return np.ones(len(self.origin), dtype=np.bool_)

    def _branch(self, bound: int, alive: Flags) -> None:
        """Looks at a node; opens two more if it can still hold a better draw."""
        found, left, pair = self._look(alive)
        found = max(found, bound)
        if found >= self.value:
            return
        if pair is not None:
            few = self.rows.is_short and left.sum() <= NODE_COLUMNS
            if few and self._go_through(left, self.prices, self.budget.part(NODE_WORK)):
                return
            together = left & self.sits[pair[0]] & self.sits[pair[1]]
            apart = left & (self.sits[pair[0]] ^ self.sits[pair[1]])
            if together.any() and apart.any():
                self.nodes += [(found, left & ~together), (found, left & ~apart)]
                return
        if not self._go_through(left, self.prices, self.budget):  # whole pods, as near as floating point can tell
            self.nodes.append((found, left))  # for when there is more to spend

    def _open(self, rows: Rows, columns: Columns) -> None:
        self.rows, self.columns = rows._replace(widest=abs(columns.extra).max(axis=0, initial=1)), columns
        self.program = Program(self.rows, self.rows.scale(self.value), self.budget)
        self.program.add(columns)

    def _list_sits(self) -> None:
        """Who sits in which column."""
        self.sits = np.zeros((self.rows.people, len(self.columns.cost)), dtype=np.bool_)
        for place in range(self.columns.members.shape[1]):
            used = np.flatnonzero(self.columns.members[:, place] >= 0)
            self.sits[self.columns.members[used, place], used] = True

    def _tighten(self) -> int:
        """At the root: adds cuts and throws columns out as long as the bound rises; the bound they prove."""
        best, floor, raised = 0, 0.0, 0
        for number in range(ROOT_ROUNDS):
            seen = self._solve(self._list_all())
            best = max(best, seen.bound)
            if seen.floor > floor + WHOLE:
                floor, raised = seen.floor, number
            if best >= self.value or number > raised + PATIENCE or not self._cut(seen):
                break
            if seen.alive.sum() < FEWER * len(seen.alive):
                self.origin = self.origin[seen.alive]
                self._open(self.rows, self.columns.take(np.flatnonzero(seen.alive)))
        return best

    def _look(self, alive: Flags) -> tuple[int, Flags, tuple[int, int] | None]:
        """Bound of a node, the columns that can still matter in it, and where to branch."""
        self.budget.spend(alive.size * self.rows.people // MASK_SPEED)
        self.program.allow(alive)
        seen = self._solve(alive)
        for _ in range(NODE_ROUNDS):
            if seen.bound >= self.value or not self._cut(seen):
                break
            seen = self._solve(seen.alive)
        self.prices = seen.prices
        return seen.bound, seen.alive, None if seen.bound >= self.value else self._choose_pair(seen.shares)

    def _go_through(self, alive: Flags, prices: Prices, budget: Budget) -> bool:
        """Keeps the best draw of these columns by trying all; whether that came to an end."""
        which = np.flatnonzero(alive)
        columns = self.columns.take(which)
        start = bound_pods(self.rows, prices, 0)
        further, most = self._list_further(columns)
        covering = Covering(self.rows.people, columns.members, np.c_[reduce_costs(columns, prices), further])

        def limits() -> Ints:
            return np.append(self.rows.allow(self.value, prices.fine) - start, most)

        return covering.run(self.rows.pods, limits, lambda chosen: self._keep(which[chosen]), budget)

    def _list_further(self, columns: Columns) -> tuple[Ints, Ints]:
        """What no draw can have too much of, for each column, and how much: what earlier lines came to, and the sieve.

        The prices make up for each of them only on the whole; without them draws by the hundred thousand are tried
        that have too many pods, or too few.
        """
        extra = columns.extra[:, : self.fixed]
        binds = (extra.min(axis=0, initial=0) >= 0) & (
            extra.max(axis=0, initial=0) * self.rows.pods > self.rows.high[: self.fixed]
        )
        further, most = extra[:, binds], self.rows.high[: self.fixed][binds]
        if self.sieve is not None:
            further, most = np.c_[further, self.sieve.weigh(columns)], np.append(most, self.sieve.limit)
        return further, most

    def _solve(self, alive: Flags) -> Seen:
        """What the program says of these columns; a draw that it hits upon is kept."""
        answer = self.program.solve()
        self.budget.spend(len(self.origin) * (self.columns.extra.shape[1] + WIDTH) // TABLE_SPEED)
        prices = round_prices(answer.prices, self.rows, self.value)
        reduced = reduce_costs(self.columns, prices)
        bound = bound_pods(self.rows, prices, self.rows.pods * int(reduced[alive].min(initial=0)))
        self._keep(np.flatnonzero(answer.shares > 0.5))
        left = alive & (reduced <= self.rows.allow(self.value, prices.fine) - bound)
        return Seen(self.rows.prove(bound, prices.fine), bound / prices.fine, left, answer.shares, prices)

    def _cut(self, seen: Seen) -> bool:
        """Adds cuts that the shares violate, and drops those that have long had no price; False if there are none."""
        if not self.budget.spend(CUT_COST * int(np.count_nonzero(seen.shares > WHOLE))):
            return False
        halves = find_halves(self.rows, self.columns, seen.shares, self.rng)
        if halves is None:
            return False
        self.idle = np.where(seen.prices.row[self.fixed :] == 0, self.idle + 1, 0)
        if (self.idle > IDLE).sum() > len(halves.most):
            kept = np.append(np.ones(self.fixed, dtype=np.bool_), self.idle <= IDLE)
            self.rows, self.columns = self.rows.take(kept), self.columns._replace(extra=self.columns.extra[:, kept])
            self.program.drop(self.rows, kept)
            self.idle = self.idle[self.idle <= IDLE]
        self.rows, self.columns = (
            self.rows.join(halves.most, halves.coefficients),
            self.columns.widen(halves.coefficients),
        )
        self.idle = np.append(self.idle, np.zeros_like(halves.most))
        self.program.cut(self.rows, self.columns)
        return True

    def _keep(self, chosen: Ints) -> None:
        """Take it as the best so far, if it is a draw and cheaper."""
        columns = self.columns.take(chosen)
        if self.rows.grit * int(columns.cost.sum()) >= self.value or not self.rows.is_met(columns):
            return
        cost = self.rows.pay(columns)
        if cost < self.value:
            self.value, self.chosen, self.has_found = cost, self.origin[chosen], True

    def _choose_pair(self, shares: NDArray[np.float64]) -> tuple[int, int] | None:
        """Two who sit together most nearly half; None if every column is taken whole or not at all."""
        part = np.flatnonzero((shares > WHOLE) & (shares < 1 - WHOLE))
        if not len(part):
            return None
        sits = self.sits[:, part].astype(np.int64)
        weight = np.rint(shares[part] * 2**20).astype(np.int64)
        together = (sits * weight) @ sits.T
        np.fill_diagonal(together, 0)
        gap = abs(together - 2**19)
        at = int(gap.argmin())
        pair = at // len(gap), at % len(gap)
        return None if gap[pair] >= 2**19 - 2 else pair
