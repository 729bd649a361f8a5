"""The best draw over given pods, proven: branch and bound on whether two people sit together (Ryan and Foster 1981).

Every bound is one of integers (relaxation.py); the linear program only proposes prices and where to branch.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.budget import Budget
from tournaments.draw.instance import Flags, Ints
from tournaments.draw.relaxation import Columns, Program, Rows, bound_pods, reduce_costs, round_prices

WHOLE: Final = 1e-6
MASK_SPEED: Final = 1_000
"""Entries of the table of who sits in which pod that one unit of work goes through."""

CUT_ROUNDS: Final = 6
CUTS: Final = 40
"""Added in one round, at most."""
CUT_COST: Final = 2_500
MOST_CUT: Final = 64
"""People up to which all sets of three are looked at."""


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
        self.sits = np.zeros((rows.people, len(columns.cost)), dtype=np.bool_)
        for place in range(columns.members.shape[1]):
            used = np.flatnonzero(columns.members[:, place] >= 0)
            self.sits[columns.members[used, place], used] = True

    def _tighten(self) -> int:
        """Adds cuts and drops columns as long as that raises the bound, which is returned."""
        best = 0
        for _ in range(CUT_ROUNDS):
            answer = self.program.solve()
            prices = round_prices(answer.prices, self.rows, self.value)
            reduced = reduce_costs(self.columns, prices)
            bound = bound_pods(self.rows, prices, self.rows.pods * int(reduced.min(initial=0)))
            best = max(best, -(-bound // prices.fine))
            self._keep(np.flatnonzero(answer.shares > 0.5))
            self.budget.spend(CUT_COST)
            cuts = [] if best >= self.value else find_cuts(self.sits, answer.shares)
            if not cuts or not self.budget.left():
                break
            left = np.flatnonzero(reduced <= (self.value - 1) * prices.fine - bound)
            self.origin = self.origin[left]
            self._open(*add_cuts(self.rows, self.columns.take(left), cuts, self.sits[:, left]))
        return best

    def run(self) -> Best:
        """Until proven, or the budget is spent: then the bound is what the open branches leave."""
        tight = self._tighten() if self.rows.people <= MOST_CUT else 0
        if tight >= self.value:
            return Best(self.value, self.value, self.chosen if self.has_found else None)
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
        cover = self.sits[:, chosen].sum(axis=1)
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


def find_cuts(sits: Flags, shares: NDArray[np.float64]) -> list[tuple[int, int, int]]:
    """Sets of three people of whom two or more sit in more than one pod's worth of pods (Jepsen et al. 2008)."""
    part = np.flatnonzero((shares > WHOLE) & (shares < 1 - WHOLE))
    if not len(part):
        return []
    weight = np.rint(shares[part] * 2**20).astype(np.int64)
    inside = sits[:, part].astype(np.int64)
    people = np.flatnonzero(inside.any(axis=1))
    one, other, third = (people[index] for index in _list_threes(len(people)))
    cut = ((inside[one] + inside[other] + inside[third]) >= 2) @ weight
    best = np.argsort(-cut, kind="stable")[:CUTS]
    chosen = best[cut[best] > 2**20 + 2**14]
    return list(zip(one[chosen].tolist(), other[chosen].tolist(), third[chosen].tolist(), strict=True))


def add_cuts(rows: Rows, columns: Columns, cuts: list[tuple[int, int, int]], sits: Flags) -> tuple[Rows, Columns]:
    """A further row for each: at most one pod holds two of the three, whatever the draw."""
    extra = np.stack([sits[list(three)].sum(axis=0) >= 2 for three in cuts], axis=1).astype(np.int64)
    ones = np.ones(len(cuts), dtype=np.int64)
    more = Rows(
        rows.people,
        np.concatenate([rows.low, 0 * ones]),
        np.concatenate([rows.high, ones]),
        np.concatenate([rows.widest, ones]),
        rows.pods,
    )
    return more, columns._replace(extra=np.concatenate([columns.extra, extra], axis=1))


@cache
def _list_threes(count: int) -> tuple[Ints, Ints, Ints]:
    threes = np.array(list(combinations(range(count), 3)), dtype=np.int64).reshape(-1, 3)
    return threes[:, 0], threes[:, 1], threes[:, 2]
