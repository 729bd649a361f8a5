"""What an earlier line says of pods: of those that a later line leaves, most are in no draw that keeps the earlier one.

Where nearly every draw has more third meetings than the best, the program of that line leaves few pods, whatever these
cost by the pairing. Its prices are added to those of the pairing, so the enumeration sees both.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.instance import Ints
from tournaments.draw.program.relaxation import Columns, Prices, reduce_costs

DEAREST: Final = 1 << 46, 1 << 52
"""No price of the sum, of a person or of a row, is to be larger by much."""


class Sieve(NamedTuple):
    """Pods whose reduced cost by these prices is larger than the limit are in no draw; their own cost is left out.

    prices: of the rows that a later line has as well, one of them the earlier line itself.
    """

    prices: Prices
    limit: int

    def add_to(self, prices: Prices, gap: int) -> tuple[Prices, int]:
        """Prices that see both, and a limit for pods whose reduced cost was at most the gap without the sieve."""
        own = self.prices.lengthen(len(prices.row))
        most = (int(max(1, abs(each).max(initial=0))) for each in (own.person, own.row))
        times = min(
            max(1, gap // max(1, self.limit)), *(max(1, top // each) for top, each in zip(DEAREST, most, strict=True))
        )
        both = Prices(prices.person + times * own.person, prices.row + times * own.row, prices.fine)
        return both, gap + times * self.limit

    def weigh(self, columns: Columns) -> Ints:
        """Their reduced costs by these prices; no draw has more than the limit in all."""
        own = self.prices.lengthen(columns.extra.shape[1])
        return reduce_costs(columns._replace(cost=np.zeros_like(columns.cost)), own)


def build_sieve(prices: Prices, floor: int, value: int, count: int) -> Sieve | None:
    """From a line's program: its prices, what they prove (in fractions), and what the line must come to.

    count: so many further rows come before the cuts; prices of cuts have no place in the sieve. The line's own row
    comes after them.
    """
    if prices.row[count:].any():
        return None
    row = np.append(prices.row[:count], -prices.fine)
    return Sieve(Prices(prices.person, row, 1), value * prices.fine - floor)
