"""The initial draw of a search: who has a bye, which sizes there are, and pods filled from the top of the standings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.closeness import cut_into_pods
from tournaments.draw.problem.instance import Flags, Instance
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.problem.pod_sizes import SizeMix, count_byes, list_size_mixes
from tournaments.draw.program.lock_groups import join_locks

MAX_SIZE_MIXES: Final = 40
"""Combinations of sizes that are tried, at most, until the locks fit."""
PLACE_COST: Final = 40
"""Units of work for every lock that is placed (measured)."""
PODS_PER_UNIT: Final = 50
"""Pods examined for one further unit of work (measured)."""


class InitialDraw(NamedTuple):
    """pods: people, not yet in seat order. may_swap_bye: (n,) who has a bye or an equal claim to one."""

    pods: list[list[int]]
    byes: list[int]
    may_swap_bye: Flags
    mix: SizeMix


def build_initial_draw(instance: Instance, scales: Scales, budget: Budget, extra_byes: int = 0) -> InitialDraw | None:
    """Fewest byes, for those with the fewest earlier byes and the lowest scores; None if locks leave too few people or
    do not fit.
    """
    problem = instance.problem
    byes = count_byes(instance.size, smallest=problem.min_size, largest=problem.max_size) + extra_byes
    single = np.flatnonzero(instance.lock_of() < 0).tolist()
    if len(single) < byes:
        return None
    key = {person: (int(instance.byes[person]), int(instance.scores[person])) for person in single}
    bye_people = sorted(single, key=lambda person: (*key[person], -person))[:byes]
    may_swap_bye = np.zeros(instance.size, dtype=np.bool_)
    if bye_people:
        may_swap_bye[[person for person in single if key[person] == key[bye_people[-1]]]] = True
    joined: dict[int, Sequence[Sequence[int]]] = {}
    for mix in choose_size_mixes(instance, byes):
        if joined and not budget.remaining():
            break
        usual = find_typical_size(mix)
        if usual not in joined:
            joined[usual] = join_locks(instance, usual, scales, budget)
        pods = fill_with_locks(instance, mix, set(bye_people), joined[usual], budget)
        if pods is not None:
            return InitialDraw(pods, bye_people, may_swap_bye, mix)
    return None


def choose_size_mixes(instance: Instance, byes: int) -> Iterator[SizeMix]:
    """Pod sizes for those without a bye, best first."""
    problem, locks = instance.problem, list(map(len, instance.locks))
    sizes = {"wanted": problem.wanted, "smallest": problem.min_size, "largest": problem.max_size}
    return islice(list_size_mixes(instance.size - byes, locks, **sizes), MAX_SIZE_MIXES)


def find_typical_size(mix: SizeMix) -> int:
    """The median pod size."""
    return mix.sizes[len(mix.sizes) // 2]


def fill_with_locks(
    instance: Instance, mix: SizeMix, bye_people: set[int], joined: Sequence[Sequence[int]], budget: Budget
) -> list[list[int]] | None:
    """Pods filled with the joined locks or, if these do not fit, with the locks as they are. joined: locks that share
    pods.
    """
    for locks in [joined] if len(joined) == len(instance.locks) else [joined, instance.locks]:
        budget.spend(len(locks) * (PLACE_COST + len(mix.sizes) // PODS_PER_UNIT))
        pods = fill_pods(instance, mix, bye_people, locks)
        if pods is not None:
            return pods
    return None


def fill_pods(
    instance: Instance, mix: SizeMix, bye_people: set[int], locks: Sequence[Sequence[int]]
) -> list[list[int]] | None:
    """Locks first, near their members' places in the standings, the largest first; then everybody else in order.

    Sizes are in the order that leaves scores closest without locks; if the locks do not fit, in descending order; if
    they still do not, each lock takes the tightest pod. None if locks do not fit.
    """
    scores = [int(score) for one, score in enumerate(instance.scores) if one not in bye_people]
    close = cut_into_pods(scores, mix, wanted=instance.problem.wanted)
    pods = None if close is None else _place_locks(instance, close, locks, is_near=True)
    pods = (
        pods
        or _place_locks(instance, mix.sizes, locks, is_near=True)
        or _place_locks(instance, mix.sizes, locks, is_near=False)
    )
    if pods is None:
        return None
    locked = {member for lock in locks for member in lock}
    rest = iter([person for person in range(instance.size) if person not in locked and person not in bye_people])
    return [[*pod, *(next(rest) for _ in range(size - len(pod)))] for pod, size in pods]


def _place_locks(
    instance: Instance, sizes: Sequence[int], locks: Sequence[Sequence[int]], *, is_near: bool
) -> list[tuple[list[int], int]] | None:
    """Pods that hold only locks, and their sizes; None if a lock finds no room. is_near: near the members' places, else
    tightest.
    """
    pods: list[list[int]] = [[] for _ in sizes]
    room, places = np.array(sizes, dtype=np.int64), np.arange(len(sizes))
    for lock in sorted(locks, key=len, reverse=True):
        middle = sum(lock) / len(lock) / max(1, instance.size) * len(pods)
        fitting = np.flatnonzero(room >= len(lock))
        if not len(fitting):
            return None
        if not is_near:
            fitting = fitting[room[fitting] == room[fitting].min()]
        pod = int(fitting[abs(places[fitting] - middle).argmin()])
        pods[pod].extend(lock)
        room[pod] -= len(lock)
    return list(zip(pods, sizes, strict=True))
