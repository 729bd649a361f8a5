"""Which locks share a pod: a choice in itself, and where members stand far apart the one that costs most.

Locks are few, so the sets of them that fit into one pod can be listed; the cheapest way to make everybody's lock a
member of one set is a small set partitioning problem, solved whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.objective import cost_pairing
from tournaments.draw.problem.pair_costs import Scales, weigh_pod
from tournaments.draw.program.branching import Best, Branching
from tournaments.draw.program.relaxation import Columns, Rows

MOST_SETS: Final = 150_000
"""Of locks, that are looked at."""
MOST_USEFUL: Final = 30_000
"""Of them, that cost no more than their locks apart."""
LOOK_COST: Final = 10
"""For every set."""
SHARE: Final = 4
"""One part of the work that is left in so many, for the choice among them."""


class Ways(NamedTuple):
    """Sets of locks that could share a pod, by number; who that is; and what they cost there, if nobody else comes."""

    sets: list[list[int]]
    people: list[tuple[int, ...]]
    costs: Ints

    def cost_apart(self) -> int:
        """If no locks share a pod."""
        return int(self.costs[[len(each) == 1 for each in self.sets]].sum())


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


def list_ways(
    instance: Instance,
    groups: Sequence[Sequence[int]],
    room: int,
    rate: Callable[[Sequence[int]], int],
    budget: Budget,
) -> Ways | None:
    """Those that cost more than their locks do apart are left out; None if they are too many."""
    sets = list_sets(groups, room, lambda members: instance.foes.isdisjoint(combinations(sorted(members), 2)))
    budget.spend(LOOK_COST * (MOST_SETS if sets is None else len(sets)))
    if sets is None:
        return None
    people = [tuple(sorted(one for number in each for one in groups[number])) for each in sets]
    costs = list(map(rate, people))
    apart = {each[0]: cost for each, cost in zip(sets, costs, strict=True) if len(each) == 1}
    kept = [
        way
        for way in zip(sets, people, costs, strict=True)
        if len(way[0]) == 1 or way[2] <= sum(apart[number] for number in way[0])
    ]
    return (
        Ways([way[0] for way in kept], [way[1] for way in kept], np.array([way[2] for way in kept], dtype=np.int64))
        if len(kept) <= MOST_USEFUL
        else None
    )


def join_locks(instance: Instance, room: int, scales: Scales, budget: Budget) -> list[tuple[int, ...]]:
    """The locks, joined as it costs least if nobody else came to them; room: people in a pod. Larger ones are alone."""
    large = [group for group in instance.groups if len(group) > room]
    alone = [group for group in instance.groups if len(group) <= room]
    if len(alone) < 2:
        return large + alone
    ways = list_ways(instance, alone, room, lambda pod: weigh_pod(instance, pod, scales), budget)
    if ways is None:
        return large + alone
    part = budget.part(budget.left() // SHARE)
    best = share_out(ways.sets, ways.costs, len(alone), below=ways.cost_apart(), budget=part)
    return large + (alone if best.chosen is None else [ways.people[number] for number in best.chosen.tolist()])


def bound_locks(instance: Instance, scales: Scales, most: int, budget: Budget) -> int:
    """What the pods of locks cost at least on the line `pairing`, whoever else is in them; in units of scale².

    most: of a draw that is known. 0 if nothing is found.
    """

    def rate(pod: Sequence[int]) -> int:
        return min(most, cost_pairing(instance, pod) // scales.scale**2)

    ways = list_ways(instance, instance.groups, instance.problem.max_size, rate, budget) if instance.groups else None
    if ways is None:
        return 0
    part = budget.part(budget.left() // SHARE)
    return share_out(ways.sets, ways.costs, len(instance.groups), below=ways.cost_apart() + 1, budget=part).bound
