"""Which locks share a pod: a choice in itself, and where members stand far apart the one that costs most.

Locks are few, so the sets of them that fit into one pod can be listed; the cheapest way to make everybody's lock a
member of one set is a small set partitioning problem, solved whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from tournaments.draw.branching import Best, Branching
from tournaments.draw.budget import Budget
from tournaments.draw.instance import Instance, Ints
from tournaments.draw.relaxation import Columns, Rows
from tournaments.draw.weights import Scales, weigh_pod

MOST_SETS: Final = 20_000
"""Of locks, that are looked at."""


def list_sets(groups: Sequence[Sequence[int]], room: int, fits: Callable[[list[int]], bool]) -> list[list[int]] | None:
    """The sets of locks, by number, that fit into so much room and may sit together; None if there are too many."""
    found: list[list[int]] = []
    stack: list[tuple[list[int], list[int]]] = [([], [])]
    least = min(map(len, groups), default=0)
    while stack:
        chosen, members = stack.pop()
        if chosen:
            found.append(chosen)
        if len(found) + len(stack) > MOST_SETS:
            return None
        if len(members) + least <= room:
            for number in range(chosen[-1] + 1 if chosen else 0, len(groups)):
                more = [*members, *groups[number]]
                if len(more) <= room and fits(more):
                    stack.append(([*chosen, number], more))
    return found


def share_out(sets: Sequence[Sequence[int]], costs: Ints, count: int, *, below: int, budget: Budget) -> Best:
    """The cheapest choice of sets, 0 or more each, in which each of `count` locks is once, if it costs less."""
    members = np.full((len(sets), max(map(len, sets))), -1, dtype=np.int64)
    for number, each in enumerate(sets):
        members[number, : len(each)] = sorted(each)
    empty = np.zeros(0, dtype=np.int64)
    columns = Columns(members, costs, np.zeros((len(sets), 0), dtype=np.int64))
    return Branching(Rows(count, empty, empty, empty, count), columns, below).run(budget)


def join_locks(instance: Instance, room: int, scales: Scales, budget: Budget) -> list[tuple[int, ...]]:
    """The locks, joined as it costs least if nobody else came to them; room: people in a pod. Larger ones are alone."""
    large = [group for group in instance.groups if len(group) > room]
    alone = [group for group in instance.groups if len(group) <= room]
    sets = list_sets(alone, room, lambda members: instance.foes.isdisjoint(combinations(sorted(members), 2)))
    if len(alone) < 2 or sets is None:
        return large + alone
    joined = [tuple(sorted(one for number in each for one in alone[number])) for each in sets]
    costs = np.array([weigh_pod(instance, pod, scales) for pod in joined], dtype=np.int64)
    apart = int(costs[[len(each) == 1 for each in sets]].sum())
    best = share_out(sets, costs, len(alone), below=apart, budget=budget)
    return large + (alone if best.chosen is None else [joined[number] for number in best.chosen.tolist()])
