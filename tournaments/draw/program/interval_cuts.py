"""Interval cuts: an interval of the standings contains no more pods than its people fill.

The linear program may take four tenths of a pod, so thirty people of one score cost it nothing, though pods of four
leave two of them over. For an interval S and the wanted size w: at most ⌊

S

/ w⌋ pods of w or more lie wholly inside (a Chvátal–Gomory cut with multiplier 1/w). If pods are smaller than w by u in
all: at most ⌊(

S

+ u) / w⌋ pods of any size. A person who has a bye in any case does not count in

S

. A pod's first and last member tell whether it lies inside, and the enumeration of columns knows both.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournaments.draw.problem.instance import Ints

MAX_CUTS: Final = 24
"""Cuts added at once. Fewer take more rounds, more make the program larger."""
MIN_VIOLATION: Final = 1e-4
"""A cut is added only if the shares exceed it by more than this; smaller violations are rounding errors."""


class IntervalCuts(NamedTuple):
    """Per cut: rows low … high − 1 of the program; pods of at least `size` inside, at most `most`."""

    low: Ints
    high: Ints
    size: Ints
    most: Ints

    def describe(self, members: Ints) -> Ints:
        """members: (pods, size) rows, ascending → (pods, cuts): 1 where the pod counts."""
        return self.describe_ends(members[:, 0], members[:, -1], np.full(len(members), members.shape[1]))

    def describe_ends(self, first: Ints, last: Ints, size: Ints) -> Ints:
        """The same, from the first and last member and the size of each pod."""
        counts = (first[:, None] >= self.low) & (last[:, None] < self.high) & (size[:, None] >= self.size)
        return counts.astype(np.int64)

    def add_charges(self, width: Ints, price: Ints, size: int, row: Ints) -> None:
        """Deduct prices (≤ 0) from a table [first, steps to last] for the pods of one size, in place.

        row: (n,) the row of each node.
        """
        low, high = np.searchsorted(row, self.low).tolist(), np.searchsorted(row, self.high).tolist()
        steps = np.arange(width.shape[1])
        for cut in np.flatnonzero((price != 0) & (self.size <= size)).tolist():
            span = high[cut] - low[cut]
            inside = np.arange(span)[:, None] + steps[:span] < span
            width[low[cut] : high[cut], :span] -= price[cut] * inside

    def join(self, more: IntervalCuts) -> IntervalCuts:
        """These cuts, then the others."""
        return IntervalCuts(*(np.concatenate(pair) for pair in zip(self, more, strict=True)))


def build_no_cuts() -> IntervalCuts:
    """No cuts yet."""
    return IntervalCuts(*(np.zeros(0, dtype=np.int64) for _ in range(4)))


def separate_intervals(
    levels: tuple[Ints, Ints],
    pods: tuple[Ints, Ints, Ints],
    shares: NDArray[np.float64],
    *,
    wanted: int,
    under: int,
) -> IntervalCuts:
    """The cuts that the shares violate most.

    levels: per row its score, descending, and how many people of the row have a seat. pods: first row, last row and
    size of each column. under: by how many people all pods together are smaller than wanted.
    """
    scores, seated = levels
    starts = np.concatenate([[0], np.flatnonzero(np.diff(scores)) + 1, [len(scores)]])
    level = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    people = np.concatenate([[0], np.cumsum(seated)])[starts]
    found = []
    for least, spare in ((wanted, 0), (2, under)) if under else ((wanted, 0),):
        counted = (shares > MIN_VIOLATION) & (pods[2] >= least)
        inside = np.zeros((len(starts) - 1, len(starts) - 1))
        np.add.at(inside, (level[pods[0][counted]], level[pods[1][counted]]), shares[counted])
        inside = np.cumsum(np.cumsum(inside[::-1], axis=0)[::-1], axis=1)
        most = (people[None, 1:] - people[:-1, None] + spare) // wanted
        over = np.triu(inside - most)
        best = np.argsort(-over, axis=None, kind="stable")[:MAX_CUTS]
        first, last = np.unravel_index(best[over.flat[best] > MIN_VIOLATION], over.shape)
        found.append(IntervalCuts(starts[first], starts[last + 1], np.full(len(first), least), most[first, last]))
    return found[0].join(found[1]) if len(found) > 1 else found[0]
