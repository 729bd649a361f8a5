"""Columns that are all known: a source of them like the rules, for lines that are proven over what others left."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags
from tournaments.draw.program.columns import TooMany
from tournaments.draw.program.relaxation import Columns, Prices, Rows, reduce_costs

MOST: Final = 1_200
"""Columns that one round of pricing adds, at most."""


class Listed:
    """Columns that are all known."""

    def __init__(self, columns: Columns, pods: int) -> None:
        self.columns, self.pods = columns, pods

    def price(self, prices: Prices, budget: Budget) -> tuple[Columns, int]:
        """The most negative ones."""
        budget.spend(len(self.columns.cost) // 20)
        reduced = reduce_costs(self.columns, prices)
        best = np.argsort(reduced, kind="stable")[:MOST]
        return self.columns.take(best[reduced[best] < 0]), self.pods * int(reduced.min(initial=0))

    def list_all(self, prices: Prices, limit: int, *, most: int, budget: Budget) -> Columns:
        """A part of the list."""
        budget.spend(len(self.columns.cost) // 20)
        chosen = np.flatnonzero(reduce_costs(self.columns, prices) <= limit)
        if len(chosen) > most:
            raise TooMany
        return self.columns.take(chosen)

    def guess(self, prices: Prices, known: Columns, taken: Flags, budget: Budget) -> Columns:
        """None: a look at all is no slower."""
        return self.sample()

    def sample(self) -> Columns:
        """None: what is wanted is found at once."""
        return self.columns.take(np.zeros(0, dtype=np.int64))

    def tighten(self, rows: Rows, columns: Columns, shares: NDArray[np.float64]) -> None:
        """What is listed has its rows already."""
        return
