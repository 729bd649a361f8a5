"""Small draws with tight hard rules: every pod is listed, and what the rules allow is proven."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.errors import Conflict
from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.branching import BranchAndBound
from tournaments.draw.program.column_sources import join, pad
from tournaments.draw.program.columns import BARRED, PodEnumerator, PodPricing, TooManyPods
from tournaments.draw.program.costs import cost_columns
from tournaments.draw.program.relaxation import Columns, Rows
from tournaments.draw.program.span_tables import NEVER

LOCK: Final = "%(names)s are locked together"
FORBIDDEN: Final = "%(first)s and %(second)s may not meet"
MAX_PODS: Final = 100_000
"""Pods that are listed, at most."""
MAX_PEOPLE: Final = 2_000
"""People, at most: the (n, n) tables of more take over 32 MB each."""
MAX_RULES: Final = 40
"""Locks and forbidden pairs that are left out one by one to find the conflict, at most."""


def list_all_pods(instance: Instance, budget: Budget) -> Columns:
    """Every pod that the hard rules allow, and every bye; costs are 0. Raises TooManyPods."""
    count, problem = instance.size, instance.problem
    if count > MAX_PEOPLE:
        raise TooManyPods
    pair = np.zeros((count, count), dtype=np.int64)
    for one, other in instance.forbidden_pairs:
        pair[one, other] = pair[other, one] = BARRED
    nothing = np.zeros(count, dtype=np.int64)
    pricing = PodPricing(pair, np.zeros_like(pair), nothing + NEVER, nothing)
    parts = [_describe(np.flatnonzero(instance.lock_of() < 0)[:, None], problem.max_size)]
    for size in range(problem.min_size, min(problem.max_size, count) + 1):
        pods = PodEnumerator(pricing, size, instance.locks).find(0, most=MAX_PODS, budget=budget)
        parts.append(_describe(pods.members, problem.max_size))
    return join(parts)


def build_cover_rows(instance: Instance) -> Rows:
    """Everybody once, and nothing else."""
    empty = np.zeros(0, dtype=np.int64)
    return Rows(instance.size, empty, empty, empty, instance.size)


def find_any_draw(instance: Instance, budget: Budget) -> list[list[int]]:
    """The columns of a draw with the fewest byes. Raises Conflict with the rules that contradict each other, or
    TooManyPods.
    """
    found = _find_draw(instance, budget)
    if found is not None:
        return found
    raise _name_conflict(instance, budget)


def _find_draw(instance: Instance, budget: Budget) -> list[list[int]] | None:
    columns = list_all_pods(instance, budget)
    columns = columns._replace(cost=cost_columns(instance, columns, "byes", find_scales(instance)))
    best = BranchAndBound(build_cover_rows(instance), columns, instance.size).run(budget)
    if best.chosen is None:
        if best.bound < instance.size:
            raise TooManyPods
        return None
    return [[member for member in row if member >= 0] for row in columns.members[best.chosen].tolist()]


def _name_conflict(instance: Instance, budget: Budget) -> Conflict:
    """Leave out rules one by one as long as there is no draw without them either (a deletion filter)."""
    locks, forbidden_pairs = list(instance.locks), sorted(instance.forbidden_pairs)
    if len(locks) + len(forbidden_pairs) <= MAX_RULES:
        for rule in [*locks, *forbidden_pairs]:
            fewer = _without_lock(instance, locks, forbidden_pairs, rule)
            try:
                if _find_draw(fewer, budget) is None:
                    locks, forbidden_pairs = list(fewer.locks), sorted(fewer.forbidden_pairs)
            except TooManyPods:
                break
    names = instance.ids
    together = sorted(", ".join(sorted(names[member] for member in lock)) for lock in locks)
    forbidden = sorted(sorted((names[one], names[other])) for one, other in forbidden_pairs)
    rules: list[list[object]] = [[LOCK, {"names": each}] for each in together]
    rules += [[FORBIDDEN, {"first": first, "second": second}] for first, second in forbidden]
    return Conflict("these rules leave no draw: %(rules)s", {"rules": rules})


def _without_lock(
    instance: Instance, locks: list[tuple[int, ...]], forbidden_pairs: list[tuple[int, int]], rule: tuple[int, ...]
) -> Instance:
    return replace(
        instance,
        locks=tuple(lock for lock in locks if lock is not rule),
        forbidden_pairs=frozenset(pair for pair in forbidden_pairs if pair is not rule),
    )


def _describe(members: Ints, width: int) -> Columns:
    count = len(members)
    return Columns(pad(members, width), np.zeros(count, dtype=np.int64), np.zeros((count, 0), dtype=np.int64))
