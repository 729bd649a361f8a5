"""A bound among many people whose scores differ: column generation with all the cuts of `prefixes.py` at once.

The program counts as it goes: k(b) = k(b − 1) + the pods whose last member is the b-th, and a cut is a limit of k(b);
the same from the other end. What it answers is often a draw already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.column_sources import join
from tournaments.draw.program.columns import TooMany
from tournaments.draw.program.prefix_cuts import CutPrices, PrefixRules
from tournaments.draw.program.relaxation import (
    ITERATION_COST,
    RUN_COST,
    Columns,
    Rows,
    add_spares,
    open_solver,
    round_prices,
)

ROUNDS: Final = 60
NEARLY: Final = 5_000
"""It ends once the bound is within one in so many of what the program says."""
LARGEST: Final = 2.0**52
WHOLE: Final = 1 - 1e-6
SLOW: Final = 40
"""Rows for one further unit of work in each iteration."""


class Ran(NamedTuple):
    """What is proven: every draw costs at least `bound`. whole: the pods that the program takes whole."""

    bound: int
    prices: CutPrices
    whole: Columns


class Excess(NamedTuple):
    """What pods cost more than these prices allow for: where a draw can still be better."""

    rules: PrefixRules
    prices: CutPrices

    def of(self, pods: Sequence[Sequence[int]]) -> list[int]:
        """In units of cost, rounded down, never below 0."""
        rules, plain = self.rules, self.rules.take(self.prices)
        found = [0] * len(pods)
        for size in {len(pod) for pod in pods} & set(rules.shape.sizes):
            chosen = [number for number, pod in enumerate(pods) if len(pod) == size]
            columns = rules.describe(np.array([sorted(pods[number]) for number in chosen], dtype=np.int64))
            for number, reduced in zip(chosen, rules.reduce(columns, plain).tolist(), strict=True):
                found[number] = max(0, reduced // plain.fine)
        return found


class Running:
    """The program: people, further rows, and per kind of cut what is counted from the front and from the back."""

    def __init__(self, rules: PrefixRules, rows: Rows, value: int, budget: Budget) -> None:
        self.rules, self.rows, self.value, self.budget = rules, rows, value, budget
        self.unit = rows.scale(value)
        self.plain = rows.people + len(rows.low)
        self.counts = 2 * len(rules.prefixes.least) * rows.people
        self.columns, self.result = 0, 0.0
        self.highs = open_solver()
        low, high = np.zeros((2, self.plain + self.counts))
        low[: self.plain] = np.concatenate([rows.people_a_row(), rows.low])
        high[: self.plain] = np.concatenate([rows.people_a_row(), rows.high])
        empty = np.zeros(0, dtype=np.int32)
        self.highs.addRows(len(low), low, high, 0, np.zeros(len(low), dtype=np.int32), empty, np.zeros(0))
        add_spares(self.highs, self.plain, float(4 * max(1, rows.pods)))
        self._add_counts()

    def add(self, columns: Columns) -> None:
        """Append columns, in their order."""
        people, size = self.rows.people, (columns.members >= 0).sum(axis=1)
        first, last = columns.members[:, 0], columns.members[np.arange(len(size)), size - 1]
        rows = [columns.members, np.broadcast_to(np.arange(people, self.plain), columns.extra.shape)]
        times = [(columns.members >= 0).astype(np.int64), columns.extra]
        for kind, least in enumerate(self.rules.prefixes.least.tolist()):
            begin = self.plain + 2 * kind * people
            rows += [(begin + last)[:, None], (begin + 2 * people - 1 - first)[:, None]]
            times += 2 * [-(size >= least).astype(np.int64)[:, None]]
        self._append(columns.cost / self.unit, np.hstack(rows), np.hstack(times), highspy.kHighsInf)
        self.columns += len(size)

    def solve(self) -> CutPrices:
        """Prices; what the draws cost by the program is in `result` then. Charged afterwards, by its iterations."""
        self.highs.run()
        info = self.highs.getInfo()
        steps = max(0, int(info.simplex_iteration_count))
        each = ITERATION_COST + (self.plain + self.counts) // SLOW + self.columns // 200
        self.budget.spend(RUN_COST + steps * each + 4 * self.columns)
        self.result = info.objective_function_value * self.unit
        dual = np.nan_to_num(np.array(self.highs.getSolution().row_dual)) * self.unit
        prices = round_prices(dual[: self.plain], self.rows, self.value)
        counted = -dual[self.plain :].reshape(-1, 2, self.rows.people) * prices.fine
        counted[:, :, :-1] -= counted[:, :, 1:]
        cuts = np.rint(np.clip(counted, -LARGEST, 0)).astype(np.int64)
        return CutPrices(prices, cuts[:, 0], cuts[:, 1])

    def shares(self) -> NDArray[np.float64]:
        """Of the columns, in the order in which they were added."""
        return np.array(self.highs.getSolution().col_value[-self.columns :])

    def _add_counts(self) -> None:
        """k(b), up to its limit: it is in its own row, and in the next one what was counted before."""
        own = self.plain + np.arange(self.counts)[:, None]
        is_last = (np.arange(self.counts) + 1) % self.rows.people == 0
        times = np.stack([np.ones(self.counts, dtype=np.int64), np.where(is_last, 0, -1)], axis=1)
        most = np.repeat(self.rules.prefixes.most[:, None, :], 2, axis=1).ravel()
        self._append(np.zeros(self.counts), np.hstack([own, own + 1]), times, most)

    def _append(self, cost: NDArray[np.float64], rows: Ints, times: Ints, most: Ints | float) -> None:
        used, count = times != 0, len(cost)
        starts = np.concatenate([[0], np.cumsum(used.sum(axis=1))[:-1]]).astype(np.int32)
        high = np.zeros(count) + most
        entries, values = rows[used].astype(np.int32), times[used].astype(float)
        self.highs.addCols(count, cost, np.zeros(count), high, len(entries), starts, entries, values)


def run_through(rules: PrefixRules, rows: Rows, start: Columns, value: int, budget: Budget) -> Ran | None:
    """What is proven of a line, None if nothing; start: the columns of a known draw of this value."""
    program, columns = Running(rules, rows, value, budget), join([start, rules.sample()])
    program.add(columns)
    best: tuple[int, CutPrices] | None = None
    before = -1.0
    for _ in range(ROUNDS):
        exact = program.solve()
        is_still, before = 0 <= before <= program.result * (1 + 1e-9), program.result
        tries = [exact] if best is None or is_still else [exact.mix(best[1]), exact]
        more, best = _price(rules, rows, tries, best, budget)
        if more is None or best is None or not len(more.cost) or not budget.left():
            break
        if best[0] >= min(rows.count(value), program.result * (1 - 1 / NEARLY)) * best[1].plain.fine:
            _, best = _price(rules, rows, [exact], best, budget)
            break
        program.add(more)
        columns = join([columns, more])
    if best is None:
        return None
    whole = columns.take(np.flatnonzero(program.shares() > WHOLE))
    return Ran(rows.prove(best[0], best[1].plain.fine), best[1], whole)


def _price(
    rules: PrefixRules, rows: Rows, tries: list[CutPrices], best: tuple[int, CutPrices] | None, budget: Budget
) -> tuple[Columns | None, tuple[int, CutPrices] | None]:
    """Columns missing at the first of these prices that tell of any, None if that is unknown; the best proof."""
    more: Columns | None = None
    for prices in tries:
        try:
            more, least = rules.price(rules.take(prices), budget)
        except TooMany:
            return None, best
        floor = rules.bound(rows, prices, least)
        best = (floor, prices) if best is None or floor > best[0] else best
        if len(more.cost):
            break
    return more, best
