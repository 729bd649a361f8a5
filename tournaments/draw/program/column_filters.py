"""A filter from an earlier line: most pods that a later line allows are in no draw that keeps the earlier line.

Where nearly every draw has more third meetings than the best, the program of the line `thirds` excludes most pods
whatever they cost on `pairing`. Its prices are added to those of the pairing, so that the enumeration sees both.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.relaxation import Columns, Prices, reduce_costs

MAX_PRICES: Final = 1 << 46, 1 << 52
"""No price of the sum may exceed these by much, of a person or of a row: 64 bits must hold the sums of a pod."""


class ColumnFilter(NamedTuple):
    """Pods whose reduced cost by these prices exceeds the limit are in no draw; the pod's own cost is left out.

    prices: of the rows that the later line has as well, the last one being the row of the earlier line.
    """

    prices: Prices
    limit: int

    def combine_with(self, prices: Prices, gap: int) -> tuple[Prices, int]:
        """Prices that combine both lines, and the limit for pods whose reduced cost was at most `gap` before."""
        filter_prices = self.prices.lengthen(len(prices.row))
        largest = (int(max(1, abs(each).max(initial=0))) for each in (filter_prices.person, filter_prices.row))
        factor = min(
            max(1, gap // max(1, self.limit)),
            *(max(1, limit // each) for limit, each in zip(MAX_PRICES, largest, strict=True)),
        )
        both = Prices(
            prices.person + factor * filter_prices.person, prices.row + factor * filter_prices.row, prices.fractions
        )
        return both, gap + factor * self.limit

    def measure(self, columns: Columns) -> Ints:
        """The columns' reduced costs by these prices; those of a draw add up to the limit at most."""
        filter_prices = self.prices.lengthen(columns.extra.shape[1])
        return reduce_costs(columns._replace(cost=np.zeros_like(columns.cost)), filter_prices)


def build_column_filter(prices: Prices, proven: int, value: int, count: int) -> ColumnFilter | None:
    """From the program of a line: its prices, what they prove (in price fractions), and the value the line must have.

    count: how many further rows precede the cuts; None if a cut has a price, since the later line has no such row. The
    row of the line itself follows them.
    """
    if prices.row[count:].any():
        return None
    row = np.append(prices.row[:count], -prices.fractions)
    return ColumnFilter(Prices(prices.person, row, 1), value * prices.fractions - proven)
