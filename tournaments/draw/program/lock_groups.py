"""Which locks share a pod: where members are far apart in score, the choice that decides most of the cost.

Locks are few, so the sets of them that fit into one pod can be listed. The cheapest way to put every lock into one set
is a small set partitioning problem, solved whole.
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
from tournaments.draw.program.branching import BestDraw, BranchAndBound
from tournaments.draw.program.relaxation import Columns, Rows

MAX_SETS: Final = 150_000
"""Sets of locks that are examined, at most."""
MAX_USEFUL_SETS: Final = 30_000
"""Sets kept, at most: those that cost no more than their locks in separate pods."""
SET_COST: Final = 10
"""Units of work for every set (measured)."""
BUDGET_PART: Final = 4
"""The choice among the sets gets one part in so many of the work that is left."""


class LockSets(NamedTuple):
    """Sets of locks that can share a pod, by number; the people of each; and its cost there if nobody else joins."""

    sets: list[list[int]]
    people: list[tuple[int, ...]]
    costs: Ints

    def cost_separately(self) -> int:
        """The cost if no locks share a pod."""
        return int(self.costs[[len(each) == 1 for each in self.sets]].sum())


def list_lock_sets(
    locks: Sequence[Sequence[int]], room: int, fits: Callable[[list[int]], bool]
) -> list[list[int]] | None:
    """The sets of locks, by number, that fit into so many seats and may sit together; None if there are too many."""
    found: list[list[int]] = []
    stack: list[tuple[list[int], list[int]]] = [([], [])]
    least = min(map(len, locks), default=0)
    while stack:
        chosen, members = stack.pop()
        if chosen:
            found.append(chosen)
        if len(found) + len(stack) > MAX_SETS:
            return None
        if len(members) + least <= room:
            for number in range(chosen[-1] + 1 if chosen else 0, len(locks)):
                more = [*members, *locks[number]]
                if len(more) <= room and fits(more):
                    stack.append(([*chosen, number], more))
    return found


def partition_locks(sets: Sequence[Sequence[int]], costs: Ints, count: int, *, below: int, budget: Budget) -> BestDraw:
    """The cheapest choice of sets that contains each of `count` locks once, if it costs less than `below`."""
    members = np.full((len(sets), max(map(len, sets))), -1, dtype=np.int64)
    for number, each in enumerate(sets):
        members[number, : len(each)] = sorted(each)
    empty = np.zeros(0, dtype=np.int64)
    columns = Columns(members, costs, np.zeros((len(sets), 0), dtype=np.int64))
    return BranchAndBound(Rows(count, empty, empty, empty, count), columns, below).run(budget)


def list_useful_sets(
    instance: Instance,
    locks: Sequence[Sequence[int]],
    room: int,
    rate: Callable[[Sequence[int]], int],
    budget: Budget,
) -> LockSets | None:
    """The sets that cost no more than their locks in separate pods; None if there are too many."""
    sets = list_lock_sets(
        locks, room, lambda members: instance.forbidden_pairs.isdisjoint(combinations(sorted(members), 2))
    )
    budget.spend(SET_COST * (MAX_SETS if sets is None else len(sets)))
    if sets is None:
        return None
    people = [tuple(sorted(member for number in each for member in locks[number])) for each in sets]
    costs = list(map(rate, people))
    single_costs = {each[0]: cost for each, cost in zip(sets, costs, strict=True) if len(each) == 1}
    kept = [
        lock_set
        for lock_set in zip(sets, people, costs, strict=True)
        if len(lock_set[0]) == 1 or lock_set[2] <= sum(single_costs[number] for number in lock_set[0])
    ]
    return (
        LockSets(
            [lock_set[0] for lock_set in kept],
            [lock_set[1] for lock_set in kept],
            np.array([lock_set[2] for lock_set in kept], dtype=np.int64),
        )
        if len(kept) <= MAX_USEFUL_SETS
        else None
    )


def join_locks(instance: Instance, room: int, scales: Scales, budget: Budget) -> list[tuple[int, ...]]:
    """The locks, joined as is cheapest if nobody else joined them. room: people in a pod; larger locks stay alone."""
    large = [lock for lock in instance.locks if len(lock) > room]
    joinable = [lock for lock in instance.locks if len(lock) <= room]
    if len(joinable) < 2:
        return large + joinable
    lock_sets = list_useful_sets(instance, joinable, room, lambda pod: weigh_pod(instance, pod, scales), budget)
    if lock_sets is None:
        return large + joinable
    part = budget.split_off(budget.remaining() // BUDGET_PART)
    best = partition_locks(
        lock_sets.sets, lock_sets.costs, len(joinable), below=lock_sets.cost_separately(), budget=part
    )
    return large + (joinable if best.chosen is None else [lock_sets.people[number] for number in best.chosen.tolist()])


def bound_locks(instance: Instance, scales: Scales, most: int, budget: Budget) -> int:
    """A lower bound for what the pods of locks cost on `pairing`, whatever other people join them, in units of scale².

    most: the cost of a known draw. 0 if nothing is proven.
    """

    def rate(pod: Sequence[int]) -> int:
        return min(most, cost_pairing(instance, pod) // scales.scale**2)

    lock_sets = (
        list_useful_sets(instance, instance.locks, instance.problem.max_size, rate, budget) if instance.locks else None
    )
    if lock_sets is None:
        return 0
    part = budget.split_off(budget.remaining() // BUDGET_PART)
    return partition_locks(
        lock_sets.sets, lock_sets.costs, len(instance.locks), below=lock_sets.cost_separately() + 1, budget=part
    ).bound
