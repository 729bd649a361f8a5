"""All cuts that know that pods are whole, from the ends of the standings: where people are many and all differ.

Of the first b people no more than ⌊b / w⌋ pods of the wanted size w or more are made, and of the last b neither
(`stretches.py` says why). There are thousands of these rows, each of which holds for thousands of pods; so the linear
program counts as it goes (`running.py`). What they charge a pod depends on its first and on its last member alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.column_sources import Rules, Shape
from tournaments.draw.program.relaxation import Columns, Prices, Rows, bound_pods, mix_prices, reduce_costs
from tournaments.draw.program.span_tables import spread_out


class Prefixes(NamedTuple):
    """least: (kinds,) sizes from which pods count; most: (kinds, n) how many of them the first b + 1 people make.

    Or the last b + 1.
    """

    least: Ints
    most: Ints


class CutPrices(NamedTuple):
    """plain: of people and further rows. front, back: (kinds, n), 0 or less, of the first and of the last b + 1."""

    plain: Prices
    front: Ints
    back: Ints

    def mix(self, other: CutPrices) -> CutPrices:
        """Half of each."""
        front, back = (self.front + other.front) // 2, (self.back + other.back) // 2
        return CutPrices(mix_prices(self.plain, other.plain), front, back)


class PrefixRules(Rules):
    """Rules with these cuts. by_first, by_last: (kinds, n), what a pod is charged for its first and last member."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        kinds = [(shape.wanted, 0), (2, shape.under)] if shape.under else [(shape.wanted, 0)]
        people = np.arange(1, self.count + 1)
        most = np.stack([(people + spare) // shape.wanted for _, spare in kinds])
        self.prefixes = Prefixes(np.array([least for least, _ in kinds]), most)
        self.by_first = self.by_last = np.zeros_like(most)

    def take(self, prices: CutPrices) -> Prices:
        """From now on pods are charged so; what is left for the call to name."""
        self.by_last = np.cumsum(prices.front[:, ::-1], axis=1)[:, ::-1]
        self.by_first = np.cumsum(prices.back[:, ::-1], axis=1)
        return prices.plain

    def reduce(self, columns: Columns, prices: Prices) -> Ints:
        """With the cuts."""
        size = (columns.members >= 0).sum(axis=1)
        last = columns.members[np.arange(len(size)), size - 1]
        reduced = reduce_costs(columns, prices)
        for kind, least in enumerate(self.prefixes.least.tolist()):
            reduced -= (size >= least) * (self.by_last[kind, last] + self.by_first[kind, columns.members[:, 0]])
        return reduced

    def charge(self, width: Ints, prices: Prices, size: int) -> None:
        """By first and last member."""
        for kind in np.flatnonzero(self.prefixes.least <= size).tolist():
            width -= self.by_first[kind][:, None] + spread_out(self.by_last[kind], self.reach)

    def bound(self, rows: Rows, prices: CutPrices, least: int) -> int:
        """No draw costs less than this many fractions; least: the reduced costs of none add up to less."""
        total = bound_pods(rows, prices.plain, least)
        most = self.prefixes.most.ravel().tolist()
        for cuts in (prices.front.ravel().tolist(), prices.back.ravel().tolist()):
            total += sum(price * times for price, times in zip(cuts, most, strict=True))
        return total
