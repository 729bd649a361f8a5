"""Small draws whose hard rules are tight: every pod there is, listed, and what the rules leave, proven."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.errors import Conflict
from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.branching import Branching
from tournaments.draw.program.column_sources import join, pad
from tournaments.draw.program.columns import BARRED, Finder, Pricing, TooMany
from tournaments.draw.program.costs import cost_columns
from tournaments.draw.program.relaxation import Columns, Rows
from tournaments.draw.program.span_tables import NEVER

LOCK: Final = "%(names)s are locked together"
FORBIDDEN: Final = "%(first)s and %(second)s may not meet"
MOST: Final = 100_000
MOST_PEOPLE: Final = 2_000
"""Among more of them, what everybody costs with everybody fills the memory."""
MOST_RULES: Final = 40
"""So many locks and forbidden pairs are tried one by one for the conflict."""


def list_everything(instance: Instance, budget: Budget) -> Columns:
    """Every pod that the hard rules allow, and every bye; costs are 0. Raises TooMany."""
    count, problem = instance.size, instance.problem
    if count > MOST_PEOPLE:
        raise TooMany
    pair = np.zeros((count, count), dtype=np.int64)
    for one, other in instance.foes:
        pair[one, other] = pair[other, one] = BARRED
    nothing = np.zeros(count, dtype=np.int64)
    pricing = Pricing(pair, np.zeros_like(pair), nothing + NEVER, nothing)
    parts = [_describe(np.flatnonzero(instance.group_of() < 0)[:, None], problem.max_size)]
    for size in range(problem.min_size, min(problem.max_size, count) + 1):
        pods = Finder(pricing, size, instance.groups).find(0, most=MOST, budget=budget)
        parts.append(_describe(pods.members, problem.max_size))
    return join(parts)


def free_rows(instance: Instance) -> Rows:
    """Everybody once, and nothing else."""
    empty = np.zeros(0, dtype=np.int64)
    return Rows(instance.size, empty, empty, empty, instance.size)


def find_any(instance: Instance, budget: Budget) -> list[list[int]]:
    """Columns of some draw with the fewest byes; raises Conflict, with the rules that contradict each other.

    Raises TooMany if neither is found among so many pods.
    """
    found = _find(instance, budget)
    if found is not None:
        return found
    raise _name_conflict(instance, budget)


def _find(instance: Instance, budget: Budget) -> list[list[int]] | None:
    columns = list_everything(instance, budget)
    columns = columns._replace(cost=cost_columns(instance, columns, "byes", find_scales(instance)))
    best = Branching(free_rows(instance), columns, instance.size).run(budget)
    if best.chosen is None:
        if best.bound < instance.size:
            raise TooMany
        return None
    return [[one for one in row if one >= 0] for row in columns.members[best.chosen].tolist()]


def _name_conflict(instance: Instance, budget: Budget) -> Conflict:
    """Rules are left out one by one as long as there is no draw without them either (a deletion filter)."""
    groups, foes = list(instance.groups), sorted(instance.foes)
    if len(groups) + len(foes) <= MOST_RULES:
        for rule in [*groups, *foes]:
            fewer = _without(instance, groups, foes, rule)
            try:
                if _find(fewer, budget) is None:
                    groups, foes = list(fewer.groups), sorted(fewer.foes)
            except TooMany:
                break
    names = instance.ids
    together = sorted(", ".join(sorted(names[one] for one in group)) for group in groups)
    apart = sorted(sorted((names[one], names[other])) for one, other in foes)
    rules: list[list[object]] = [[LOCK, {"names": each}] for each in together]
    rules += [[FORBIDDEN, {"first": first, "second": second}] for first, second in apart]
    return Conflict("these rules leave no draw: %(rules)s", {"rules": rules})


def _without(
    instance: Instance, groups: list[tuple[int, ...]], foes: list[tuple[int, int]], rule: tuple[int, ...]
) -> Instance:
    return replace(
        instance,
        groups=tuple(group for group in groups if group is not rule),
        foes=frozenset(pair for pair in foes if pair is not rule),
    )


def _describe(members: Ints, width: int) -> Columns:
    count = len(members)
    return Columns(pad(members, width), np.zeros(count, dtype=np.int64), np.zeros((count, 0), dtype=np.int64))
