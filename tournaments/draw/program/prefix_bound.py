"""A bound for many people whose scores differ: column generation with all prefix cuts (prefix_cuts.py) at once.

The program counts cumulatively: k(b) = k(b − 1) + the pods whose last member is the b-th, and a cut is an upper bound
of the variable k(b); the same from the other end. Its solution is often integral already.
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
from tournaments.draw.program.columns import TooManyPods
from tournaments.draw.program.prefix_cuts import CutPrices, PrefixColumns
from tournaments.draw.program.relaxation import (
    ITERATION_COST,
    RUN_COST,
    Columns,
    Rows,
    add_artificials,
    create_solver,
    round_prices,
)

MAX_ROUNDS: Final = 60
"""Rounds of column generation, at most."""
GAP_PARTS: Final = 5_000
"""Column generation ends once the bound is within one part in so many of the program's value."""
MAX_PRICE: Final = 2.0**52
"""Largest price of a cut in price fractions: floating point represents integers exactly up to 2⁵³."""
WHOLE_SHARE: Final = 1 - 1e-6
"""A column with at least this share counts as taken whole."""
ROWS_PER_UNIT: Final = 40
"""Rows of the program for one further unit of work an iteration (measured)."""


class PrefixBound(NamedTuple):
    """bound: proven for every draw. whole: the columns that the program takes whole."""

    bound: int
    prices: CutPrices
    whole: Columns


class ExcessCosts(NamedTuple):
    """What pods cost beyond these prices: where a draw can still be better."""

    source: PrefixColumns
    prices: CutPrices

    def measure(self, pods: Sequence[Sequence[int]]) -> list[int]:
        """The bound in units of cost, rounded down, never below 0."""
        source, plain = self.source, self.source.charge_prices(self.prices)
        found = [0] * len(pods)
        for size in {len(pod) for pod in pods} & set(source.model.sizes):
            chosen = [number for number, pod in enumerate(pods) if len(pod) == size]
            columns = source.describe(np.array([sorted(pods[number]) for number in chosen], dtype=np.int64))
            for number, reduced in zip(chosen, source.reduce(columns, plain).tolist(), strict=True):
                found[number] = max(0, reduced // plain.fractions)
        return found


class PrefixProgram:
    """The linear program. Rows: people, further rows, and per kind of cut the cumulative counts from the front and the
    back.
    """

    def __init__(self, source: PrefixColumns, rows: Rows, value: int, budget: Budget) -> None:
        self.source, self.rows, self.value, self.budget = source, rows, value, budget
        self.unit = rows.estimate_column_cost(value)
        self.plain = rows.people + len(rows.low)
        self.counts = 2 * len(source.prefixes.least) * rows.people
        self.columns, self.result = 0, 0.0
        self.highs = create_solver()
        low, high = np.zeros((2, self.plain + self.counts))
        low[: self.plain] = np.concatenate([rows.count_people_by_row(), rows.low])
        high[: self.plain] = np.concatenate([rows.count_people_by_row(), rows.high])
        empty = np.zeros(0, dtype=np.int32)
        self.highs.addRows(len(low), low, high, 0, np.zeros(len(low), dtype=np.int32), empty, np.zeros(0))
        add_artificials(self.highs, self.plain, float(4 * max(1, rows.pods)))
        self._add_counts()

    def add(self, columns: Columns) -> None:
        """Append columns, in their order."""
        people, size = self.rows.people, (columns.members >= 0).sum(axis=1)
        first, last = columns.members[:, 0], columns.members[np.arange(len(size)), size - 1]
        rows = [columns.members, np.broadcast_to(np.arange(people, self.plain), columns.extra.shape)]
        times = [(columns.members >= 0).astype(np.int64), columns.extra]
        for kind, least in enumerate(self.source.prefixes.least.tolist()):
            begin = self.plain + 2 * kind * people
            rows += [(begin + last)[:, None], (begin + 2 * people - 1 - first)[:, None]]
            times += 2 * [-(size >= least).astype(np.int64)[:, None]]
        self._append(columns.cost / self.unit, np.hstack(rows), np.hstack(times), highspy.kHighsInf)
        self.columns += len(size)

    def solve(self) -> CutPrices:
        """Solve it and return the prices; `result` is then the program's value. Iterations are charged afterwards."""
        self.highs.run()
        info = self.highs.getInfo()
        steps = max(0, int(info.simplex_iteration_count))
        each = ITERATION_COST + (self.plain + self.counts) // ROWS_PER_UNIT + self.columns // 200
        self.budget.spend(RUN_COST + steps * each + 4 * self.columns)
        self.result = info.objective_function_value * self.unit
        dual = np.nan_to_num(np.array(self.highs.getSolution().row_dual)) * self.unit
        prices = round_prices(dual[: self.plain], self.rows, self.value)
        counted = -dual[self.plain :].reshape(-1, 2, self.rows.people) * prices.fractions
        counted[:, :, :-1] -= counted[:, :, 1:]
        cuts = np.rint(np.clip(counted, -MAX_PRICE, 0)).astype(np.int64)
        return CutPrices(prices, cuts[:, 0], cuts[:, 1])

    def shares(self) -> NDArray[np.float64]:
        """The shares of the columns, in the order in which they were added."""
        return np.array(self.highs.getSolution().col_value[-self.columns :])

    def _add_counts(self) -> None:
        """Variables k(b), up to their limits: each is in its own row and, as the count before, in the next one."""
        own = self.plain + np.arange(self.counts)[:, None]
        is_last = (np.arange(self.counts) + 1) % self.rows.people == 0
        times = np.stack([np.ones(self.counts, dtype=np.int64), np.where(is_last, 0, -1)], axis=1)
        most = np.repeat(self.source.prefixes.most[:, None, :], 2, axis=1).ravel()
        self._append(np.zeros(self.counts), np.hstack([own, own + 1]), times, most)

    def _append(self, cost: NDArray[np.float64], rows: Ints, times: Ints, most: Ints | float) -> None:
        used, count = times != 0, len(cost)
        starts = np.concatenate([[0], np.cumsum(used.sum(axis=1))[:-1]]).astype(np.int32)
        high = np.zeros(count) + most
        entries, values = rows[used].astype(np.int32), times[used].astype(float)
        self.highs.addCols(count, cost, np.zeros(count), high, len(entries), starts, entries, values)


def solve_prefix_program(
    source: PrefixColumns, rows: Rows, start: Columns, value: int, budget: Budget
) -> PrefixBound | None:
    """What is proven of a line, None if nothing. start: the columns of a known draw of this value."""
    program, columns = PrefixProgram(source, rows, value, budget), join([start, source.sample()])
    program.add(columns)
    best: tuple[int, CutPrices] | None = None
    before = -1.0
    for _ in range(MAX_ROUNDS):
        exact = program.solve()
        has_stalled, before = 0 <= before <= program.result * (1 + 1e-9), program.result
        candidates = [exact] if best is None or has_stalled else [exact.mix(best[1]), exact]
        more, best = _price(source, rows, candidates, best, budget)
        if more is None or best is None or not len(more.cost) or not budget.remaining():
            break
        if best[0] >= min(rows.round_up_units(value), program.result * (1 - 1 / GAP_PARTS)) * best[1].plain.fractions:
            _, best = _price(source, rows, [exact], best, budget)
            break
        program.add(more)
        columns = join([columns, more])
    if best is None:
        return None
    whole = columns.take(np.flatnonzero(program.shares() > WHOLE_SHARE))
    return PrefixBound(rows.bound_true_cost(best[0], best[1].plain.fractions), best[1], whole)


def _price(
    source: PrefixColumns, rows: Rows, candidates: list[CutPrices], best: tuple[int, CutPrices] | None, budget: Budget
) -> tuple[Columns | None, tuple[int, CutPrices] | None]:
    """Columns missing at the first of these prices that shows any, None if that is unknown; and the best proof."""
    more: Columns | None = None
    for prices in candidates:
        try:
            more, least = source.price(source.charge_prices(prices), budget)
        except TooManyPods:
            return None, best
        floor = source.bound(rows, prices, least)
        best = (floor, prices) if best is None or floor > best[0] else best
        if len(more.cost):
            break
    return more, best
