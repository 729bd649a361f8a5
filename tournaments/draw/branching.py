"""The best draw over given pods, proven: branch and bound on whether two people sit together (Ryan and Foster 1981).

Every bound is one of integers (relaxation.py); the linear program only proposes prices and where to branch.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.budget import Budget
from tournaments.draw.instance import Flags, Ints
from tournaments.draw.parity import Halves, find_halves
from tournaments.draw.relaxation import Columns, Program, Rows, bound_pods, reduce_costs, round_prices

WHOLE: Final = 1e-6
MASK_SPEED: Final = 1_000
"""Entries of the table of who sits in which pod that one unit of work goes through."""

CUT_ROUNDS: Final = 40
CUT_COST: Final = 5_000
FEWER: Final = 0.8
"""Columns are thrown out once so few of them can still matter."""


class Best(NamedTuple):
    """chosen: columns of the best draw, None if none beats the value given; bound: proven, for these columns."""

    value: int
    bound: int
    chosen: Ints | None


class Branching:
    """Minimises the cost of a draw over some columns. below: only draws cheaper than this are wanted."""

    def __init__(self, rows: Rows, columns: Columns, below: int, budget: Budget) -> None:
        self.value, self.chosen, self.budget = below, np.zeros(0, dtype=np.int64), budget
        self.has_found = False
        self.origin = np.arange(len(columns.cost))
        self._open(rows, columns)

    def _open(self, rows: Rows, columns: Columns) -> None:
        self.rows, self.columns = rows, columns
        self.program = Program(rows, max(1.0, self.value / max(1, rows.pods)), self.budget)
        self.program.add(columns)

    def _list_sits(self) -> None:
        """Who sits in which column."""
        self.sits = np.zeros((self.rows.people, len(self.columns.cost)), dtype=np.bool_)
        for place in range(self.columns.members.shape[1]):
            used = np.flatnonzero(self.columns.members[:, place] >= 0)
            self.sits[self.columns.members[used, place], used] = True

    def _tighten(self) -> int:
        """Adds cuts and drops columns as long as any are found; the bound they prove."""
        best, rng = 0, random.Random(1)
        for _ in range(CUT_ROUNDS):
            answer = self.program.solve()
            prices = round_prices(answer.prices, self.rows, self.value)
            reduced = reduce_costs(self.columns, prices)
            bound = bound_pods(self.rows, prices, self.rows.pods * int(reduced.min(initial=0)))
            best = max(best, -(-bound // prices.fine))
            self._keep(np.flatnonzero(answer.shares > 0.5))
            if best >= self.value or not self.budget.spend(CUT_COST):
                break
            cuts = find_halves(self.rows, self.columns, answer.shares, rng)
            if cuts is None:
                break
            self._cut(cuts, np.flatnonzero(reduced <= (self.value - 1) * prices.fine - bound))
        return best

    def _cut(self, cuts: Halves, left: Ints) -> None:
        """Further rows, and only the columns that are left if they are few enough to begin anew."""
        rows, columns = self.rows.join(cuts.most, cuts.coefficients), self.columns.widen(cuts.coefficients)
        if len(left) > FEWER * len(self.origin):
            self.rows, self.columns = rows, columns
            self.program.cut(rows, columns)
        else:
            self.origin = self.origin[left]
            self._open(rows, columns.take(left))

    def run(self) -> Best:
        """Until proven, or the budget is spent: then the bound is what the open branches leave."""
        tight = self._tighten()
        if tight >= self.value:
            return Best(self.value, self.value, self.chosen if self.has_found else None)
        self._list_sits()
        open_nodes: list[tuple[int, Flags]] = [(tight, np.ones(len(self.columns.cost), dtype=np.bool_))]
        floor = self.value
        while open_nodes:
            bound, alive = open_nodes.pop()
            if bound >= self.value:
                continue
            if not self.budget.left():
                floor = min(floor, bound)
                continue
            found, left, pair = self._look(alive)
            found = max(found, bound)
            if found >= self.value or pair is None:
                continue
            together = self.sits[pair[0]] & self.sits[pair[1]]
            either = self.sits[pair[0]] | self.sits[pair[1]]
            open_nodes.append((found, left & ~together))
            open_nodes.append((found, left & (together | ~either)))
        bound = min(floor, self.value)
        return Best(self.value, bound, self.chosen if self.has_found else None)

    def _look(self, alive: Flags) -> tuple[int, Flags, tuple[int, int] | None]:
        """Bound of a node, the columns that can still matter in it, and where to branch."""
        self.budget.spend(alive.size * self.rows.people // MASK_SPEED)
        self.program.allow(alive)
        answer = self.program.solve()
        prices = round_prices(answer.prices, self.rows, self.value)
        reduced = reduce_costs(self.columns, prices)
        here = reduced[alive]
        bound = bound_pods(self.rows, prices, self.rows.pods * int(here.min(initial=0)))
        whole = -(-bound // prices.fine)
        if whole >= self.value:
            return whole, alive, None
        left = alive & (reduced <= (self.value - 1) * prices.fine - bound)
        shares = answer.shares
        if self._keep(np.flatnonzero(shares > 0.5)):
            return max(whole, 0), left, self._choose_pair(shares) if whole < self.value else None
        return whole, left, self._choose_pair(shares)

    def _keep(self, chosen: Ints) -> bool:
        """Take it as the best so far, if it is a draw and cheaper."""
        people = self.columns.members[chosen]
        cover = np.bincount(people[people >= 0], minlength=self.rows.people)
        total = self.columns.extra[chosen].sum(axis=0)
        cost = int(self.columns.cost[chosen].sum())
        is_draw = bool((cover == 1).all() and (total >= self.rows.low).all() and (total <= self.rows.high).all())
        if not is_draw or cost >= self.value:
            return False
        self.value, self.chosen, self.has_found = cost, self.origin[chosen], True
        return True

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
