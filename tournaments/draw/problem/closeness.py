"""The least possible sum of squared score widths, ignoring meetings: dynamic programming over the sorted scores.

Two pods whose score ranges overlap can be exchanged for two of the same sizes that do not, with no larger sum of
squares. So some best draw cuts the sorted list into intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.objective import ObjectiveValues
from tournaments.draw.problem.pod_sizes import SizeMix

MAX_COUNTED: Final = 12
"""Byes, or people above or below the wanted size in all, that the tables count. With more they are free, which is a
weaker bound: time and memory grow with the product of both.
"""
UNREACHABLE: Final = 1 << 200
"""A cost above every sum, for states that no draw reaches."""


def bound_closeness(instance: Instance, values: ObjectiveValues) -> int:
    """A lower bound for the sum of (highest − lowest)² of every draw with these byes and sizes."""
    problem, out = instance.problem, find_settled_byes(instance, values)
    scores = instance.scores.tolist() if out is None else np.delete(instance.scores, out).tolist()
    byes, off = min(values.byes, MAX_COUNTED) if out is None else 0, min(values.sizes, MAX_COUNTED)
    may_swap_bye = off < values.sizes
    sizes = [
        (size, 0 if may_swap_bye else abs(size - problem.wanted))
        for size in range(problem.min_size, problem.max_size + 1)
    ]
    table = _tabulate(scores, sizes, (byes, off), is_open=out is None and values.byes > byes)
    return min(table[-1])


def find_settled_byes(instance: Instance, values: ObjectiveValues) -> Ints | None:
    """People who can have the byes; in any other draw with these values the byes go to people with the same scores.

    These are the unlocked people with the fewest earlier byes, among equals those with the lowest scores. None if the
    rules give the byes to others.
    """
    single = np.flatnonzero(instance.lock_of() < 0)
    out = single[np.lexsort((instance.scores[single], instance.byes[single]))][: values.byes]
    sums = int(instance.byes[out].sum()), int(instance.scores[out].sum())
    return np.sort(out) if sums == (values.repeat_byes, values.bye_scores) else None


def find_least_widths(scores: Sequence[int], mix: SizeMix, *, wanted: int) -> int:
    """The least sum of (highest − lowest)² over pods of these sizes; 0 if it is not computed. scores: descending."""
    if mix.deviation > MAX_COUNTED:
        return 0
    sizes = [(size, abs(size - wanted)) for size in range(min(*mix.sizes, wanted), max(*mix.sizes, wanted) + 1)]
    return min(_tabulate(scores, sizes, (0, mix.deviation), is_open=False)[-1])


def cut_into_pods(scores: Sequence[int], mix: SizeMix, *, wanted: int) -> list[int] | None:
    """The sizes of pods, from the top down, that minimise the sum of (highest − lowest)². scores: descending.

    None if the sizes deviate too far from the wanted one for that to be computed.
    """
    if mix.deviation > MAX_COUNTED:
        return None
    sizes = [(size, abs(size - wanted)) for size in range(min(*mix.sizes, wanted), max(*mix.sizes, wanted) + 1)]
    table = _tabulate(scores, sizes, (0, mix.deviation), is_open=False)
    end, state, found = len(scores), mix.deviation, []
    while end:
        for size, step in sizes:
            if size <= end and step <= state:
                width = (scores[end - size] - scores[end - 1]) ** 2
                if table[end][state] < UNREACHABLE and table[end - size][state - step] + width == table[end][state]:
                    found.append(size)
                    end, state = end - size, state - step
                    break
        else:
            return None
    return found[::-1]


def _tabulate(
    scores: Sequence[int], sizes: list[tuple[int, int]], most: tuple[int, int], *, is_open: bool
) -> list[list[int]]:
    """Per number of people from the top, and per state (byes, total deviation from the wanted size): the least sum.

    is_open: there may be more byes than the states count.
    """
    byes, off = most
    states = (byes + 1) * (off + 1)
    best = [[0] + [UNREACHABLE] * (states - 1)]
    for end in range(1, len(scores) + 1):
        row = [UNREACHABLE] * states
        if byes:
            _add_bye(row, best[end - 1], off, is_open=is_open)
        for size, step in sizes:
            if size <= end:
                width = (scores[end - size] - scores[end - 1]) ** 2
                for state, cost in enumerate(best[end - size]):
                    if cost < UNREACHABLE and state % (off + 1) + step <= off and cost + width < row[state + step]:
                        row[state + step] = cost + width
        best.append(row)
    return best


def _add_bye(row: list[int], before: list[int], off: int, *, is_open: bool) -> None:
    """The last person has a bye. is_open: more byes may be given than are counted."""
    for state, cost in enumerate(before):
        after = state + off + 1
        if after < len(before):
            row[after] = min(row[after], cost)
        elif is_open:
            row[state] = min(row[state], cost)
