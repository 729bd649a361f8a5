"""Who plays first: inside a pod, seats go to those who sat there least (an assignment, solved exactly)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tournaments.draw.problem.instance import Ints

DYNAMIC = 9
"""Up to this size all pods of a size are assigned at once by dynamic programming over sets of people."""


def cost_seats(members: Ints, sat: Ints) -> Ints:
    """members: (pods, size) people. Per pod the least sum of how often each sat in his seat before."""
    count, size = members.shape
    if size > DYNAMIC:
        return np.array([_assign(sat[list(pod), :size].tolist())[0] for pod in members], dtype=np.int64)
    costs = sat[members]  # (pods, size, seats)
    best: dict[int, Ints] = {0: np.zeros(count, dtype=np.int64)}
    for taken in range(1, 1 << size):
        seat = taken.bit_count() - 1
        ways = [best[taken ^ 1 << one] + costs[:, one, seat] for one in range(size) if taken >> one & 1]
        best[taken] = np.minimum.reduce(ways)
    return best[(1 << size) - 1]


def seat_pod(members: Sequence[int], sat: Ints) -> tuple[int, ...]:
    """The members in seat order; among equal ways the one that the order of `members` prefers."""
    _, seat_of = _assign(sat[list(members), : len(members)].tolist())
    return tuple(one for _, one in sorted(zip(seat_of, members, strict=True)))


def _assign(costs: list[list[int]]) -> tuple[int, list[int]]:
    """Least sum with every row in its own column (Kuhn 1955, Munkres 1957, by shortest augmenting paths)."""
    size = len(costs)
    row_price, column_price, row_in = [0] * (size + 1), [0] * (size + 1), [0] * (size + 1)
    for row in range(1, size + 1):
        row_in[0], column = row, 0
        least: list[float] = [float("inf")] * (size + 1)
        came_from, is_done = [0] * (size + 1), [False] * (size + 1)
        while row_in[column]:
            is_done[column] = True
            column = _relax(costs, column, (row_price, column_price, row_in), (least, came_from, is_done))
        while column:
            before = came_from[column]
            row_in[column] = row_in[before]
            column = before
    seat_of = [0] * size
    for column in range(1, size + 1):
        seat_of[row_in[column] - 1] = column - 1
    return sum(costs[row][seat] for row, seat in enumerate(seat_of)), seat_of


def _relax(
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
