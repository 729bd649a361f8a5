"""Tables of who is first in a pod and how many steps down the standings its last member is."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tournaments.draw.problem.instance import Ints

NEVER: Final = 1 << 60
"""A cost that no pod reaches."""
MIN_REACH: Final = 64
"""Places in the standings: a pod may always span so many, and among so few people no pod is out of reach."""
FAR_FACTOR: Final = 200
"""Pods of up to so many times the average cost are enumerated; beyond, they are bounded. Larger bands are slower."""


def find_reach(scores: Ints, typical: int) -> int:
    """How many steps down the standings a pod can span that costs no more than FAR_FACTOR typical ones."""
    count = len(scores)
    if count <= MIN_REACH:
        return count - 1
    far = int((FAR_FACTOR * max(1, typical)) ** 0.5) + 1
    last = count - 1 - np.searchsorted(scores[::-1], scores - far, side="left")
    return min(count - 1, max(MIN_REACH, int((last - np.arange(count)).max())))


def tabulate_widths(scores: Ints, reach: int, most: int) -> tuple[Ints, Ints]:
    """(n, reach + 1): the squared width of a pod from the first so many steps on; (n,): of a pod beyond the last of
    these.

    Never more than `most`.
    """
    count = len(scores)
    padded = np.append(scores, np.full(reach + 1, scores[-1]))
    step = scores[:, None] - sliding_window_view(padded, reach + 2)[:count]
    width = np.minimum(step * step, most)
    return width[:, :-1], np.where(np.arange(count) + reach + 1 < count, width[:, -1], NEVER)


def tabulate_by_step(values: Ints, reach: int) -> Ints:
    """(n) → (n, reach + 1): [first, steps], 0 past the end; a read-only view."""
    return sliding_window_view(np.append(values, np.zeros(reach, dtype=np.int64)), reach + 1)


def tabulate_pairs_by_step(table: Ints, reach: int) -> Ints:
    """(n, n) → (n, n, reach + 1): [one, first, steps], 0 past the end; a read-only view."""
    count = len(table)
    return sliding_window_view(np.hstack([table, np.zeros((count, reach), dtype=np.int64)]), reach + 1, axis=1)
