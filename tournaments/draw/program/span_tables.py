"""Tables of who is first in a pod and how many steps down the standings its last member stands."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tournaments.draw.problem.instance import Ints

NEVER: Final = 1 << 60
NARROW: Final = 64
"""Among so few, and so many steps from everybody, no pod is out of reach."""
FAR: Final = 200
"""Pods may cost so many times what they cost on average, and still be looked at."""


def find_reach(scores: Ints, typical: int) -> int:
    """So many steps down the standings a pod can go that costs no more than a few dozen typical ones."""
    count = len(scores)
    if count <= NARROW:
        return count - 1
    far = int((FAR * max(1, typical)) ** 0.5) + 1
    last = count - 1 - np.searchsorted(scores[::-1], scores - far, side="left")
    return min(count - 1, max(NARROW, int((last - np.arange(count)).max())))


def spread_widths(scores: Ints, reach: int, most: int) -> tuple[Ints, Ints]:
    """(n, reach + 1): how wide in squares a pod is from the first so many steps on, and past the last of these.

    Never more than `most`.
    """
    count = len(scores)
    padded = np.append(scores, np.full(reach + 1, scores[-1]))
    step = scores[:, None] - sliding_window_view(padded, reach + 2)[:count]
    width = np.minimum(step * step, most)
    return width[:, :-1], np.where(np.arange(count) + reach + 1 < count, width[:, -1], NEVER)


def spread_out(values: Ints, reach: int) -> Ints:
    """(n) → (n, reach + 1): [first, steps], 0 past the end; not to be written to."""
    return sliding_window_view(np.append(values, np.zeros(reach, dtype=np.int64)), reach + 1)


def spread_rows(table: Ints, reach: int) -> Ints:
    """(n, n) → (n, n, reach + 1): [one, first, steps], 0 past the end; not to be written to."""
    count = len(table)
    return sliding_window_view(np.hstack([table, np.zeros((count, reach), dtype=np.int64)]), reach + 1, axis=1)
