"""All interval cuts from either end of the standings, for many people whose scores all differ.

Of the first b people at most ⌊b / w⌋ pods of the wanted size w or more are made, and the same of the last b
(interval_cuts.py says why). There are thousands of these rows, each with thousands of pods; so the linear program
counts cumulatively (prefix_bound.py). What they charge a pod depends on its first and its last member alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.column_sources import GeneratedColumns, PodModel
from tournaments.draw.program.relaxation import Columns, Prices, Rows, bound_draw_cost, mix_prices, reduce_costs
from tournaments.draw.program.span_tables import tabulate_by_step


class PrefixCuts(NamedTuple):
    """least: (kinds,) sizes from which pods count; most: (kinds, n) how many of them the first (or last) b + 1 people
    make.
    """

    least: Ints
    most: Ints


class CutPrices(NamedTuple):
    """plain: of people and further rows. front, back: (kinds, n), ≤ 0, of the first and of the last b + 1 people."""

    plain: Prices
    front: Ints
    back: Ints

    def mix(self, other: CutPrices) -> CutPrices:
        """Half of each."""
        front, back = (self.front + other.front) // 2, (self.back + other.back) // 2
        return CutPrices(mix_prices(self.plain, other.plain), front, back)


class PrefixColumns(GeneratedColumns):
    """Generated columns with these cuts. by_first, by_last: (kinds, n), what a pod is charged for its first and last
    member.
    """

    def __init__(self, model: PodModel) -> None:
        super().__init__(model)
        kinds = [(model.wanted, 0), (2, model.under)] if model.under else [(model.wanted, 0)]
        people = np.arange(1, self.count + 1)
        most = np.stack([(people + spare) // model.wanted for _, spare in kinds])
        self.prefixes = PrefixCuts(np.array([least for least, _ in kinds]), most)
        self.by_first = self.by_last = np.zeros_like(most)

    def charge_prices(self, prices: CutPrices) -> Prices:
        """Charge pods by these prices from now on; returns the plain ones."""
        self.by_last = np.cumsum(prices.front[:, ::-1], axis=1)[:, ::-1]
        self.by_first = np.cumsum(prices.back[:, ::-1], axis=1)
        return prices.plain

    def reduce(self, columns: Columns, prices: Prices) -> Ints:
        """Their reduced costs, cuts included."""
        size = (columns.members >= 0).sum(axis=1)
        last = columns.members[np.arange(len(size)), size - 1]
        reduced = reduce_costs(columns, prices)
        for kind, least in enumerate(self.prefixes.least.tolist()):
            reduced -= (size >= least) * (self.by_last[kind, last] + self.by_first[kind, columns.members[:, 0]])
        return reduced

    def add_cut_charges(self, width: Ints, prices: Prices, size: int) -> None:
        """Add the charges by first and last member."""
        for kind in np.flatnonzero(self.prefixes.least <= size).tolist():
            width -= self.by_first[kind][:, None] + tabulate_by_step(self.by_last[kind], self.reach)

    def bound(self, rows: Rows, prices: CutPrices, least: int) -> int:
        """A lower bound for every draw in price fractions. least: a lower bound for the sum of its reduced costs."""
        total = bound_draw_cost(rows, prices.plain, least)
        most = self.prefixes.most.ravel().tolist()
        for cuts in (prices.front.ravel().tolist(), prices.back.ravel().tolist()):
            total += sum(price * times for price, times in zip(cuts, most, strict=True))
        return total
