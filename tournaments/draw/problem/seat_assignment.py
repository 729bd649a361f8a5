"""Who plays first: seats inside a pod go to those who sat there least (an assignment problem, solved exactly)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tournaments.draw.problem.instance import Ints

MAX_DYNAMIC_SIZE = 9
"""Pods up to this size are assigned all at once by dynamic programming over subsets: 2⁹ steps of whole arrays. Larger
ones one by one, in cubic time.
"""


def cost_seats(members: Ints, seat_counts: Ints) -> Ints:
    """Per pod the least sum of how often each person sat in their new seat before.

    members: (pods, size) people; seat_counts: (n, max_size).
    """
    count, size = members.shape
    if size > MAX_DYNAMIC_SIZE:
        return np.array([_assign(seat_counts[list(pod), :size].tolist())[0] for pod in members], dtype=np.int64)
    costs = seat_counts[members]  # (pods, size, seats)
    best: dict[int, Ints] = {0: np.zeros(count, dtype=np.int64)}
    for taken in range(1, 1 << size):
        seat = taken.bit_count() - 1
        ways = [best[taken ^ 1 << one] + costs[:, one, seat] for one in range(size) if taken >> one & 1]
        best[taken] = np.minimum.reduce(ways)
    return best[(1 << size) - 1]


def seat_pod(members: Sequence[int], seat_counts: Ints) -> tuple[int, ...]:
    """The members in seat order; among equally good orders the one closest to the order of `members`."""
    _, seat_of = _assign(seat_counts[list(members), : len(members)].tolist())
    return tuple(one for _, one in sorted(zip(seat_of, members, strict=True)))


def _assign(costs: list[list[int]]) -> tuple[int, list[int]]:
    """The least sum with every row in its own column (Kuhn 1955, Munkres 1957, by shortest augmenting paths), and the
    column of each row.
    """
    size = len(costs)
    row_price, column_price, row_in = [0] * (size + 1), [0] * (size + 1), [0] * (size + 1)
    for row in range(1, size + 1):
        row_in[0], column = row, 0
        least: list[float] = [float("inf")] * (size + 1)
        came_from, is_done = [0] * (size + 1), [False] * (size + 1)
        while row_in[column]:
            is_done[column] = True
            column = _scan_row(costs, column, (row_price, column_price, row_in), (least, came_from, is_done))
        while column:
            before = came_from[column]
            row_in[column] = row_in[before]
            column = before
    seat_of = [0] * size
    for column in range(1, size + 1):
        seat_of[row_in[column] - 1] = column - 1
    return sum(costs[row][seat] for row, seat in enumerate(seat_of)), seat_of


def _scan_row(
    costs: list[list[int]],
    column: int,
    prices: tuple[list[int], list[int], list[int]],
    paths: tuple[list[float], list[int], list[bool]],
) -> int:
    row_price, column_price, row_in = prices
    least, came_from, is_done = paths
    row, nearest, step = row_in[column], 0, float("inf")
    for other in range(1, len(least)):
        if is_done[other]:
            continue
        slack = costs[row - 1][other - 1] - row_price[row] - column_price[other]
        if slack < least[other]:
            least[other], came_from[other] = slack, column
        if least[other] < step:
            step, nearest = least[other], other
    for other in range(len(least)):
        if is_done[other]:
            row_price[row_in[other]] += int(step)
            column_price[other] -= int(step)
        elif other:
            least[other] -= step
    return nearest
