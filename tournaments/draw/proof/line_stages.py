"""One line of the objective: a bound by column generation, then a draw that reaches it, or a higher bound.

The bound L of the linear program leaves, of all pods, those whose reduced cost is at most g as the only ones in draws
of L + g or less. So g grows step by step: either a draw is found among them, which then is the best there is, or no
draw is below L + g + 1.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.attainable_costs import PLAIN
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.branching import Best, Branching
from tournaments.draw.program.column_filters import Sieve
from tournaments.draw.program.column_sources import Source, join
from tournaments.draw.program.columns import TooMany
from tournaments.draw.program.reduced_costs import look_beyond
from tournaments.draw.program.relaxation import (
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

MOST_COLUMNS: Final = 20_000, 80_000, 320_000
"""Listed at once, at most; more where all of these are gone through."""
COVER_SHARE: Final = 2
"""One part of the work that is left in so many, for going through all draws of the pods listed."""
FEWEST: Final = 300
GROWTH: Final = 2
"""So many times as many columns are gone through the next time."""
NARROWER: Final = 8
"""Gaps tried, each half of the one before."""
ROUNDS: Final = 400
CUT_ROUNDS: Final = 30
ENOUGH: Final = 20
"""Columns are sought until the bound lacks no more than so small a part of what the program lacks."""
FEWER: Final = 16
"""Pods like those that are there are enough for a round if they are no fewer than one in so many people."""
SAME: Final = 1e-9
NEAR: Final = 100
"""Within so small a part of the program's value its own prices are tried, once it stays the same."""


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
        self.program = Program(rows, rows.scale(value), budget)
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
        """Shares of the columns where hardly a column is missing, None if that was not reached."""
        is_mixed, is_guessed, before = False, False, -1.0
        for number in range(ROUNDS):
            answer = self.program.solve()
            exact = lower_prices(round_prices(answer.prices, self.rows, self.value), self.program.unit)
            is_stuck = number > 0 and not answer.steps  # what was added only looked cheaper
            if is_stuck and not is_mixed and not is_guessed:
                return answer.shares
            is_guessed = not is_stuck and self._guess(exact)
            if is_guessed:
                continue
            least = answer.value * self.program.unit
            is_still, before = 0 <= before <= least * (1 + SAME), least
            is_mixed = self.best is not None and not is_stuck and not (is_still and self._lacks(least) < least / NEAR)
            try:
                more, is_mixed = self._price(exact, is_mixed)
            except TooMany:
                return None
            if not len(more.cost) or self._lacks(least) <= max(1e-6, (self.rows.count(self.value) - least) / ENOUGH):
                return answer.shares
            self._add(more)
        return None

    def _guess(self, prices: Prices) -> bool:
        """Adds pods like those that are there; False if hardly any is missing."""
        more = self.source.guess(prices, self.columns, np.zeros(self.rows.people, dtype=np.bool_), self.budget)
        if len(more.cost) < self.rows.people // FEWER:
            return False
        self._add(more)
        return True

    def _add(self, columns: Columns) -> None:
        self.program.add(columns)
        self.columns = join([self.columns, columns])

    def _lacks(self, least: float) -> float:
        """By how much the best bound is below what the program says."""
        if self.best is None or self.best.bound >= self.value:
            return 0.0 if self.best else self.rows.count(self.value)
        return least - self.best.floor / self.best.prices.fine

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
            self.best = Root(self.rows.prove(floor, prices.fine), floor, prices, self.rows, self.columns)
        return more, is_mixed


def solve_root(source: Source, rows: Rows, start: Columns, value: int, budget: Budget) -> Root | None:
    """What the linear program proves of a line; start: the columns of a known draw of this value."""
    return Generation(source, rows, start, value, budget).run()


def close_gap(
    source: Source, root: Root, value: int, budget: Budget, known: int = 0, sieve: Sieve | None = None
) -> Outcome:
    """From the root's bound, or a better one that is known, towards the value, with more columns each time."""
    bound = max(root.bound, known)
    for most in MOST_COLUMNS:
        columns, reduced, below = list_gap(source, root, (bound, value), budget, most=most, sieve=sieve)
        if bound < below:
            best = _go_up(root, columns, reduced, (bound, below), sieve, budget)
            bound = max(bound, min(best.bound, best.value))
            if best.chosen is not None:
                return Outcome(best.value, bound, columns.take(best.chosen))
            if bound < below:
                return Outcome(value, bound, None)
        if bound >= value or not budget.left():
            return Outcome(value, min(bound, value), None)
    return look_around(root, value, bound, budget)


def _go_up(
    root: Root, columns: Columns, reduced: Ints, between: tuple[int, int], sieve: Sieve | None, budget: Budget
) -> Best:
    """All draws of these columns, at once or from a few columns on; between: a known bound, and what is not wanted."""
    rows, prices, floor, columns, paid = look_beyond(root.rows, root.prices, root.floor, columns)
    root = root._replace(rows=rows, prices=prices, floor=floor)
    bound, below = (max(0, each - paid) for each in between)
    part = budget.part(budget.left() // COVER_SHARE)
    best = Branching(root.rows, columns, below, sieve).cover(root.prices, part)
    count = FEWEST
    while best.chosen is None and max(bound, best.bound) < below and budget.left():
        is_all = count * 3 >= 2 * len(reduced)
        least = below if is_all else min(below, _count_floor(root, int(reduced[count])))
        if least > bound:
            some = columns if is_all else columns.take(np.arange(count))
            best = Branching(root.rows, some, least, sieve).run(budget)
            bound = max(bound, best.bound)
            if best.bound < least:
                break
        count *= GROWTH
    return best._replace(value=best.value + paid, bound=max(bound, best.bound) + paid)


def _count_floor(root: Root, reduced: int) -> int:
    """What a draw costs at least that has a column of this reduced cost."""
    return root.rows._replace(grain=PLAIN).prove(root.floor + reduced, root.prices.fine)


def _find_gap(root: Root, below: int) -> int:
    """No column of a draw that costs less than this has a larger reduced cost."""
    return root.rows.allow(below, root.prices.fine) + root.prices.fine - 1 - root.floor


def list_gap(
    source: Source, root: Root, between: tuple[int, int], budget: Budget, *, most: int, sieve: Sieve | None = None
) -> tuple[Columns, Ints, int]:
    """All columns that draws below a value can have, those of the least reduced cost first; these; and that value.

    between: a bound that is known, and the value; which is one nearer to the bound if these would be too many; no
    columns, and the bound, if they are too many even so.
    """
    known, value = between
    for part in range(NARROWER):
        below = known + (value - known) // 2**part
        if below == known:
            break
        gap = _find_gap(root, below)
        prices, limit = (root.prices, gap) if sieve is None else sieve.add_to(root.prices, gap)
        try:
            columns = source.list_all(prices, limit, most=most, budget=budget.part(budget.left() // 4))
        except TooMany:
            continue
        reduced = reduce_costs(columns, root.prices)
        kept = reduced <= gap if sieve is None else (reduced <= gap) & (sieve.weigh(columns) <= sieve.limit)
        order = np.flatnonzero(kept)
        order = order[np.argsort(reduced[order], kind="stable")]
        return columns.take(order), reduced[order], below
    return root.columns.take(np.zeros(0, dtype=np.int64)), np.zeros(0, dtype=np.int64), known


def look_around(root: Root, value: int, bound: int, budget: Budget) -> Outcome:
    """The best draw among the pods that the linear program met: where there are too many to list them all."""
    limit = _find_gap(root, value)
    chosen = np.flatnonzero(reduce_costs(root.columns, root.prices) <= limit)
    _, first = np.unique(root.columns.members[chosen], axis=0, return_index=True)
    columns = root.columns.take(chosen[np.sort(first)])
    best = Branching(root.rows, columns, value).run(budget.part(budget.left() // 2))
    return Outcome(best.value, bound, None if best.chosen is None else columns.take(best.chosen))
