"""A source of columns that are all listed, for lines that are proven over what earlier lines left."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Flags
from tournaments.draw.program.columns import TooManyPods
from tournaments.draw.program.relaxation import Columns, Prices, Rows, reduce_costs

MAX_PRICED: Final = 1_200
"""Columns that one round of pricing adds, at most. Fewer take more rounds, more make the program larger."""


class ListedColumns:
    """Columns that are all listed."""

    def __init__(self, columns: Columns, pods: int) -> None:
        self.columns, self.pods = columns, pods

    def price(self, prices: Prices, budget: Budget) -> tuple[Columns, int]:
        """The columns of the most negative reduced cost."""
        budget.spend(len(self.columns.cost) // 20)
        reduced = reduce_costs(self.columns, prices)
        best = np.argsort(reduced, kind="stable")[:MAX_PRICED]
        return self.columns.take(best[reduced[best] < 0]), self.pods * int(reduced.min(initial=0))

    def list_all(self, prices: Prices, limit: int, *, most: int, budget: Budget) -> Columns:
        """The listed columns within the limit."""
        budget.spend(len(self.columns.cost) // 20)
        chosen = np.flatnonzero(reduce_costs(self.columns, prices) <= limit)
        if len(chosen) > most:
            raise TooManyPods
        return self.columns.take(chosen)

    def price_heuristically(self, prices: Prices, columns: Columns, taken: Flags, budget: Budget) -> Columns:
        """None: looking at all columns is no slower."""
        return self.sample()

    def sample(self) -> Columns:
        """None: pricing finds what is wanted at once."""
        return self.columns.take(np.zeros(0, dtype=np.int64))

    def separate_cuts(self, rows: Rows, columns: Columns, shares: NDArray[np.float64]) -> None:
        """None: listed columns already have their rows."""
        return
