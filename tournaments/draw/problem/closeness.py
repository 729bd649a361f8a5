"""How close the scores in the pods can be at best, meetings left out: dynamic programming over sorted scores.

Two pods whose scores overlap can always be exchanged for two that do not, of the same sizes and together no wider in
squares; so some best draw cuts the sorted list into stretches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.objective import Values
from tournaments.draw.problem.pod_sizes import Mix

MOST: Final = 12
"""Byes, or people too many or too few in all, up to which they are counted; beyond, they are free (a weaker bound)."""
NEVER: Final = 1 << 200


def bound_closeness(instance: Instance, values: Values) -> int:
    """No draw with these byes and sizes has a smaller sum of (highest − lowest)²."""
    problem, out = instance.problem, settle_byes(instance, values)
    scores = instance.scores.tolist() if out is None else np.delete(instance.scores, out).tolist()
    byes, off = min(values.byes, MOST) if out is None else 0, min(values.sizes, MOST)
    is_free = off < values.sizes
    sizes = [
        (size, 0 if is_free else abs(size - problem.wanted)) for size in range(problem.min_size, problem.max_size + 1)
    ]
    table = _tabulate(scores, sizes, (byes, off), is_open=out is None and values.byes > byes)
    return min(table[-1])


def settle_byes(instance: Instance, values: Values) -> Ints | None:
    """Some who can sit out; whoever does so in another draw with these values, their scores are the same.

    For of all who are not locked they had the fewest byes, and of those who had as many, the lowest scores. None where
    rules make others sit out.
    """
    single = np.flatnonzero(instance.group_of() < 0)
    out = single[np.lexsort((instance.scores[single], instance.byes[single]))][: values.byes]
    sums = int(instance.byes[out].sum()), int(instance.scores[out].sum())
    return np.sort(out) if sums == (values.repeat_byes, values.bye_scores) else None


def find_closest(scores: Sequence[int], mix: Mix, *, wanted: int) -> int:
    """The least sum of (highest − lowest)² for pods of such sizes; scores: descending; 0 if unknown."""
    if mix.deviation > MOST:
        return 0
    sizes = [(size, abs(size - wanted)) for size in range(min(*mix.sizes, wanted), max(*mix.sizes, wanted) + 1)]
    return min(_tabulate(scores, sizes, (0, mix.deviation), is_open=False)[-1])


def cut_closely(scores: Sequence[int], mix: Mix, *, wanted: int) -> list[int] | None:
    """The sizes of pods, from the top down, that leave the sum of (highest − lowest)² least; scores: descending.

    None where the sizes are too far from the wanted one in all for that to be counted.
    """
    if mix.deviation > MOST:
        return None
    sizes = [(size, abs(size - wanted)) for size in range(min(*mix.sizes, wanted), max(*mix.sizes, wanted) + 1)]
    table = _tabulate(scores, sizes, (0, mix.deviation), is_open=False)
    end, state, found = len(scores), mix.deviation, []
    while end:
        for size, step in sizes:
            if size <= end and step <= state:
                width = (scores[end - size] - scores[end - 1]) ** 2
                if table[end][state] < NEVER and table[end - size][state - step] + width == table[end][state]:
                    found.append(size)
                    end, state = end - size, state - step
                    break
        else:
            return None
    return found[::-1]


def _tabulate(
    scores: Sequence[int], sizes: list[tuple[int, int]], most: tuple[int, int], *, is_open: bool
) -> list[list[int]]:
    """Per number of people from the top, per state (byes, people too many or too few in all): the least sum."""
    byes, off = most
    states = (byes + 1) * (off + 1)
    best = [[0] + [NEVER] * (states - 1)]
    for end in range(1, len(scores) + 1):
        row = [NEVER] * states
        if byes:
            _skip(row, best[end - 1], off, is_open=is_open)
        for size, step in sizes:
            if size <= end:
                width = (scores[end - size] - scores[end - 1]) ** 2
                for state, cost in enumerate(best[end - size]):
                    if cost < NEVER and state % (off + 1) + step <= off and cost + width < row[state + step]:
                        row[state + step] = cost + width
        best.append(row)
    return best


def _skip(row: list[int], before: list[int], off: int, *, is_open: bool) -> None:
    """The last one sits out. is_open: more may than are counted."""
    for state, cost in enumerate(before):
        after = state + off + 1
        if after < len(before):
            row[after] = min(row[after], cost)
        elif is_open:
            row[state] = min(row[state], cost)
